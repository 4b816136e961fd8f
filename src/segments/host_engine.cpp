// The host's engine: tiles and blocks spread over threads.
#include "segments/blocks.hpp"
#include "segments/engine.hpp"
#include "segments/tile_sums.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kTile = std::size_t{1} << 15;   // elements, for the best segment
constexpr std::size_t kBlock = std::size_t{1} << 20;  // elements, for all maximal ones

class HostEngine : public SegmentEngine {
 public:
  explicit HostEngine(unsigned threads) : threads_(threads) {}

  Segment<std::int64_t> best(std::span<const std::int32_t> values) override { return best_of(values); }
  Segment<std::int64_t> best(std::span<const std::int64_t> values) override { return best_of(values); }
  std::vector<Segment<std::int64_t>> all(std::span<const std::int32_t> values) override {
    return all_of(values);
  }
  std::vector<Segment<std::int64_t>> all(std::span<const std::int64_t> values) override {
    return all_of(values);
  }

 private:
  template <class T>
  Segment<std::int64_t> best_of(std::span<const T> values) const {
    std::vector<TileSums> tiles((values.size() + kTile - 1) / kTile);
    parallel_for(threads_, tiles.size(), 8, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        tiles[i] = tile_sums(values.subspan(i * kTile, std::min(kTile, values.size() - i * kTile)));
      }
    });
    return locate_best<T>(tiles, kTile, values);
  }

  template <class T>
  std::vector<Segment<std::int64_t>> all_of(std::span<const T> values) const {
    return join_blocks<std::int64_t>(
        segment_blocks<std::int64_t>(values, kBlock, threads_, AsScore<std::int64_t>{}));
  }

  unsigned threads_;
};

}  // namespace

std::unique_ptr<SegmentEngine> make_host_segment_engine(unsigned threads) {
  return std::make_unique<HostEngine>(threads);
}

}  // namespace gpuhmm
