// "Search this vector": what the host and the OpenCL devices can do, for vectors whose sums stay within 64
// bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "companion/segments/segment.hpp"

namespace gpuhmm {

/// All engines give the same answers, those of best_segment and maximal_segments. The caller makes sure that
/// the positive and the negative elements each sum to less than 2^63 in size.
class SegmentEngine {
 public:
  virtual ~SegmentEngine() = default;
  virtual Segment<std::int64_t> best(std::span<const std::int32_t> values) = 0;
  virtual Segment<std::int64_t> best(std::span<const std::int64_t> values) = 0;
  virtual std::vector<Segment<std::int64_t>> all(std::span<const std::int32_t> values) = 0;
  virtual std::vector<Segment<std::int64_t>> all(std::span<const std::int64_t> values) = 0;
};

/// The calls of SegmentEngine as templates best_of(values) and all_of(values) of the class Engine that
/// derives from it, for elements of either type.
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

/// On `threads` threads of the host, with its vector units.
std::unique_ptr<SegmentEngine> make_host_segment_engine(unsigned threads);

}  // namespace gpuhmm
