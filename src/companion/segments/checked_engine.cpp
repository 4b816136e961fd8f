// The checks of segments and regions, and the size of the samples.
#include "companion/segments/checked_engine.hpp"

#include <algorithm>
#include <utility>

#include "opencl/host_fallback.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kSamples = 16;           // parts of a vector, or sequences of a batch
constexpr std::size_t kSampleElements = 4096;  // of such a part

void require(bool sound, const char* otherwise) {
  if (!sound) throw WrongDeviceResult("a device", otherwise);
}

template <class T>
void check_segment(std::span<const T> values, const Segment<std::int64_t>& segment) {
  require(segment.begin < segment.end && segment.end <= values.size(), "a segment outside the vector");
  std::int64_t sum = 0;
  for (std::uint64_t i = segment.begin; i < segment.end; ++i) sum += values[i];
  require(sum == segment.score && sum > 0, "a segment with a wrong sum");
}

// Searches a sample of the vector: no segment there may have a sum above `highest`.
template <class T>
void check_highest(std::span<const T> values, std::int64_t highest) {
  const std::size_t step = std::max<std::size_t>(values.size() / kSamples, 1);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const auto part = values.subspan(first, std::min(kSampleElements, values.size() - first));
    require(best_segment<std::int64_t>(part).score <= highest, "a sum that is not the largest");
  }
}

class CheckedSegmentEngine : public SegmentEngineOf<CheckedSegmentEngine> {
 public:
  CheckedSegmentEngine(std::unique_ptr<SegmentEngine> devices, std::unique_ptr<SegmentEngine> host,
                       std::function<void(const std::string&)> warn)
      : devices_(std::move(devices)),
        host_(std::move(host)),
        fallback_(HostFallback::After::WrongResult, std::move(warn)) {}

  template <class T>
  Segment<std::int64_t> best_of(std::span<const T> values) {
    return choose([&](SegmentEngine& engine) { return engine.best(values); },
                  [&](const Segment<std::int64_t>& found) {
                    if (!found.empty()) check_segment(values, found);
                    check_highest(values, found.score);
                  });
  }

  template <class T>
  std::vector<Segment<std::int64_t>> all_of(std::span<const T> values) {
    return choose([&](SegmentEngine& engine) { return engine.all(values); },
                  [&](const std::vector<Segment<std::int64_t>>& found) {
                    std::int64_t highest = 0;
                    for (std::size_t i = 0; i < found.size(); ++i) {
                      check_segment(values, found[i]);
                      require(i == 0 || found[i - 1].end < found[i].begin, "segments out of order");
                      highest = std::max(highest, found[i].score);
                    }
                    check_highest(values, highest);
                  });
  }

 private:
  template <class Ask, class Check>
  auto choose(const Ask& ask, const Check& check) {
    return fallback_.run(
        [&] {
          auto found = ask(*devices_);
          check(found);
          return found;
        },
        [&] { return ask(*host_); });
  }

  std::unique_ptr<SegmentEngine> devices_, host_;
  HostFallback fallback_;
};

}  // namespace

std::unique_ptr<SegmentEngine> make_checked_segment_engine(std::unique_ptr<SegmentEngine> devices,
                                                           std::unique_ptr<SegmentEngine> host,
                                                           std::function<void(const std::string&)> warn) {
  return std::make_unique<CheckedSegmentEngine>(std::move(devices), std::move(host), std::move(warn));
}

void check_regions(const SequenceBatch& batch, const ResidueScores& scores, const RegionFilter& filter,
                   const std::vector<std::vector<Region>>& found, unsigned threads) {
  constexpr std::size_t kSequences = 512;  // of a thread at a time
  const std::size_t step = std::max<std::size_t>(batch.size() / kSamples, 1);
  require(found.size() == batch.size(), "a wrong number of sequences");
  parallel_for(threads, batch.size(), kSequences, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto residues = batch.residues(i);
      std::uint64_t end = 0;
      for (const Region& region : found[i]) {
        require(region.begin >= end && region.begin < region.end && region.end <= residues.size(),
                "a region outside its sequence");
        end = region.end;
        std::int64_t score = 0;
        for (std::uint64_t at = region.begin; at < end; ++at) score += scores.scores[residues[at]];
        require(score == region.score, "a region with a wrong score");
      }
      if (i % step == 0) require(found[i] == find_regions(residues, scores, filter), "wrong regions");
    }
  });
}

}  // namespace gpuhmm
