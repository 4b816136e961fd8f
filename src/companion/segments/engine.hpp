// The interface of engines that search one vector, on the host or on OpenCL devices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "companion/segments/segment.hpp"

namespace gpuhmm {

/// Searches vectors. best() and all() return exactly what best_segment and maximal_segments return
/// (segment.hpp), whatever the engine. The caller makes sure that the sum of the positive elements and the
/// sum of the negative ones are each below 2^63 in magnitude.
class SegmentEngine {
 public:
  virtual ~SegmentEngine() = default;
  virtual Segment<std::int64_t> best(std::span<const std::int32_t> values) = 0;
  virtual Segment<std::int64_t> best(std::span<const std::int64_t> values) = 0;
  virtual std::vector<Segment<std::int64_t>> all(std::span<const std::int32_t> values) = 0;
  virtual std::vector<Segment<std::int64_t>> all(std::span<const std::int64_t> values) = 0;
};

/// Implements SegmentEngine for a class Engine that derives from it (CRTP): the calls go to its templates
/// best_of(values) and all_of(values), which take both element types.
template <class Engine>
class SegmentEngineOf : public SegmentEngine {
 public:
  Segment<std::int64_t> best(std::span<const std::int32_t> values) override { return own().best_of(values); }
  Segment<std::int64_t> best(std::span<const std::int64_t> values) override { return own().best_of(values); }
  std::vector<Segment<std::int64_t>> all(std::span<const std::int32_t> values) override {
    return own().all_of(values);
  }
  std::vector<Segment<std::int64_t>> all(std::span<const std::int64_t> values) override {
    return own().all_of(values);
  }

 private:
  Engine& own() { return static_cast<Engine&>(*this); }
};

/// The engine on `threads` threads of the host and their vector units.
std::unique_ptr<SegmentEngine> make_host_segment_engine(unsigned threads);

}  // namespace gpuhmm
