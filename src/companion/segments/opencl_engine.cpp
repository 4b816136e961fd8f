// Splits a vector among devices; each searches its part, and the host joins the results.
#include "companion/segments/opencl_engine.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <thread>

#include "companion/segments/tile_sums.hpp"
#include "opencl/wrong_result.hpp"

namespace gpuhmm {

namespace {

class OpenClSegmentEngine : public SegmentEngineOf<OpenClSegmentEngine> {
 public:
  OpenClSegmentEngine(const std::vector<DeviceInfo>& devices, bool host_too, unsigned threads,
                      const SegmentShape& shape, std::size_t most_elements)
      : host_too_(host_too), threads_(threads), shape_(shape), most_elements_(most_elements) {
    for (const DeviceInfo& device : devices)
      devices_.push_back(std::make_unique<SegmentDevice>(device, shape));
  }

  template <class T>
  Segment<std::int64_t> best_of(std::span<const T> values) {
    const std::size_t tile = shape_.sum_tile(sizeof(T));
    std::vector<TileSums> tiles((values.size() + tile - 1) / tile);
    share(values, tile, [&](std::size_t worker, std::span<const T> part, std::size_t first) {
      if (worker == devices_.size()) {
        for (std::size_t at = 0; at < part.size(); at += tile) {
          tiles[(first + at) / tile] = tile_sums(part.subspan(at, std::min(tile, part.size() - at)));
        }
        return;
      }
      SegmentDevice& device = *devices_[worker];
      in_pieces(device, part, tile, device.most_for_best(sizeof(T)),
                [&](std::span<const T> /*piece*/, std::size_t at) {
                  const std::vector<TileSums> found = device.sums();
                  std::copy(found.begin(), found.end(),
                            tiles.begin() + static_cast<std::ptrdiff_t>((first + at) / tile));
                });
    });
    try {
      return locate_best<T>(tiles, tile, values);
    } catch (const std::logic_error& error) {
      throw WrongDeviceResult("a device", error.what());
    }
  }

  template <class T>
  std::vector<Segment<std::int64_t>> all_of(std::span<const T> values) {
    const std::size_t tile = shape_.segment_tile();
    std::vector<std::vector<SegmentBlock<std::int64_t>>> found(devices_.size() + 1);
    share(values, tile, [&](std::size_t worker, std::span<const T> part, std::size_t first) {
      if (worker == devices_.size()) {
        found[worker].push_back(segment_block<std::int64_t>(part, first, AsScore<std::int64_t>{}));
        return;
      }
      SegmentDevice& device = *devices_[worker];
      in_pieces(device, part, tile, device.most_for_all(), [&](std::span<const T> /*piece*/, std::size_t at) {
        found[worker].push_back(device.segments(threads_));
        found[worker].back().offset = first + at;
      });
    });
    std::vector<SegmentBlock<std::int64_t>> blocks;
    for (auto& part : found) std::move(part.begin(), part.end(), std::back_inserter(blocks));
    return join_blocks<std::int64_t>(blocks);
  }

 private:
  // Calls body(worker, part, first element of the part) for each worker, each in its own thread. Parts begin
  // at multiples of `tile`. Worker devices_.size() is the host.
  template <class T, class Body>
  void share(std::span<const T> values, std::size_t tile, const Body& body) const {
    const std::size_t workers = devices_.size() + (host_too_ ? 1 : 0);
    const std::size_t tiles = (values.size() + tile - 1) / tile;
    std::vector<std::exception_ptr> failures(workers);
    {
      std::vector<std::jthread> started;
      for (std::size_t worker = 0; worker < workers; ++worker) {
        const std::size_t first = std::min(tiles * worker / workers * tile, values.size());
        const std::size_t last = std::min(tiles * (worker + 1) / workers * tile, values.size());
        started.emplace_back([&, worker, first, last] {
          try {
            body(worker, values.subspan(first, last - first), first);
          } catch (...) {
            failures[worker] = std::current_exception();
          }
        });
      }
    }
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
  }

  // Splits a part into pieces that fit the device, loads each, and calls body(piece, its first element in the
  // part).
  template <class T, class Body>
  void in_pieces(SegmentDevice& device, std::span<const T> part, std::size_t tile, std::size_t fits,
                 const Body& body) const {
    const std::size_t most = std::max(std::min(fits, most_elements_) / tile * tile, tile);
    for (std::size_t first = 0; first < part.size(); first += most) {
      const auto piece = part.subspan(first, std::min(most, part.size() - first));
      device.load(piece);
      body(piece, first);
    }
  }

  std::vector<std::unique_ptr<SegmentDevice>> devices_;
  bool host_too_;
  unsigned threads_;
  SegmentShape shape_;
  std::size_t most_elements_;
};

}  // namespace

std::unique_ptr<SegmentEngine> make_opencl_segment_engine(const std::vector<DeviceInfo>& devices,
                                                          bool host_too, unsigned threads,
                                                          const SegmentShape& shape,
                                                          std::size_t most_elements) {
  return std::make_unique<OpenClSegmentEngine>(devices, host_too, threads, shape, most_elements);
}

}  // namespace gpuhmm
