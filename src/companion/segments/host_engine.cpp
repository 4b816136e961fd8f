// The host's engine: tiles and blocks spread over threads.
#include <atomic>

#include "companion/segments/blocks.hpp"
#include "companion/segments/engine.hpp"
#include "companion/segments/tile_bounds.hpp"
#include "companion/segments/tile_sums.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kTilesAtOnce = 8;  // tiles that a thread takes at a time
constexpr unsigned kTriesInVain = 8;     // tiles in succession without use of bounds, then bounds become rare
constexpr std::size_t kBlock = std::size_t{1} << 20;  // elements of a block, when all segments are wanted

class HostEngine : public SegmentEngineOf<HostEngine> {
 public:
  explicit HostEngine(unsigned threads) : threads_(threads) {}

  template <class T>
  Segment<std::int64_t> best_of(std::span<const T> values) const {
    std::vector<TileBounds> bounds((values.size() + kBoundTile - 1) / kBoundTile);
    const auto tile = [&](std::size_t i) {
      return values.subspan(i * kBoundTile, std::min(kBoundTile, values.size() - i * kBoundTile));
    };
    Progress progress;
    parallel_for(threads_, bounds.size(), kTilesAtOnce, [&](std::size_t first, std::size_t last) {
      if constexpr (sizeof(T) == sizeof(std::int32_t)) {
        bound_tiles(first, last, tile, progress, bounds);
      } else {
        for (std::size_t i = first; i < last; ++i) bounds[i] = {tile_sums(tile(i)), 0};
      }
    });
    const std::vector<std::size_t> undecided = undecided_tiles(bounds);
    parallel_for(threads_, undecided.size(), 1, [&](std::size_t first, std::size_t) {
      bounds[undecided[first]] = {tile_sums(tile(undecided[first])), 0};
    });
    std::vector<TileSums> tiles;
    tiles.reserve(bounds.size());
    for (const auto& [least, slack] : bounds) {
      tiles.push_back(slack == 0 ? least : TileSums{least.total, 0, 0, 0});
    }
    return locate_best<T>(tiles, kBoundTile, values);
  }

  template <class T>
  std::vector<Segment<std::int64_t>> all_of(std::span<const T> values) const {
    return join_blocks<std::int64_t>(
        segment_blocks<std::int64_t>(values, kBlock, threads_, AsScore<std::int64_t>{}));
  }

 private:
  // State shared by all threads.
  struct Progress {
    std::atomic<std::int64_t> reached = 0;  // largest score of a segment so far
    std::atomic<unsigned> in_vain = 0;      // tiles in succession that their bounds did not exclude
  };

  // Computes bounds of tiles [first, last). A tile that may hold the best segment gets exact numbers at once,
  // while it is in the cache. If that happens for many tiles in succession, most tiles get exact numbers
  // without bounds.
  template <class Tile>
  static void bound_tiles(std::size_t first, std::size_t last, const Tile& tile, Progress& progress,
                          std::vector<TileBounds>& bounds) {
    const bool seldom = progress.in_vain > kTriesInVain && first / kTilesAtOnce % kTriesInVain != 0;
    unsigned tries_left = seldom ? 0 : 2;
    unsigned shift = 0;
    for (std::size_t i = first; i < last; ++i) {
      const auto values = tile(i);
      bool exact = true;
      if (tries_left > 0 && values.size() == kBoundTile) {
        bounds[i] = tile_bounds(values.template first<kBoundTile>(), shift);
        exact = bounds[i].least.best + bounds[i].slack >= std::max<std::int64_t>(progress.reached, 1);
        progress.in_vain = exact ? progress.in_vain + 1 : 0;
        if (exact) --tries_left;
      }
      if (exact) bounds[i] = {tile_sums(values), 0};
      std::int64_t most = progress.reached;
      while (bounds[i].least.best > most &&
             !progress.reached.compare_exchange_weak(most, bounds[i].least.best)) {
      }
    }
  }

  unsigned threads_;
};

}  // namespace

std::unique_ptr<SegmentEngine> make_host_segment_engine(unsigned threads) {
  return std::make_unique<HostEngine>(threads);
}

}  // namespace gpuhmm
