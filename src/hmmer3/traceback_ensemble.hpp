// Sampled tracebacks of a region and the segments that they align (docs/spec/hmmer3/domains.md, 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpuhmm/alphabet.hpp"
#include "hmmer3/forward_backward.hpp"

namespace gpuhmm::hmmer3 {

/// How many tracebacks are sampled of a region.
inline constexpr int kTracebacks = 200;

/// A domain of one traceback, from its first to its last match state; residues are counted from 1 in the
/// region.
struct SampledSegment {
  int traceback = 0;
  std::size_t from = 0, to = 0;
  int model_from = 0, model_to = 0;
};

/// What sampling gives.
struct TracebackEnsemble {
  std::vector<SampledSegment> segments;  ///< by traceback, in each from left to right
  std::vector<float> null2;              ///< null2 scores of the region's residues, nats
};

/// A region whose tracebacks are sampled.
struct RegionTask {
  Residues sequence;
  LengthModel lengths;  ///< of the target as a whole, multihit
  std::optional<TracebackEnsemble> ensemble;
};

/// A region after Forward, multihit, with its cells (run_forward_keeping).
struct KeptForward {
  const SequenceTask& task;
  const SharedRows& rows;
  std::size_t group = 0;  ///< of the task in the rows
};

/// Samples tracebacks of one profile's regions.
class TracebackSampler {
 public:
  TracebackSampler(const FloatModel& model, const Alphabet& alphabet);
  ~TracebackSampler();

  TracebackEnsemble sample(const KeptForward& region, std::uint32_t seed);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// Forward and the sampling for regions of one profile: sets their ensembles. Regions of similar length are
/// quickest next to each other. Needs flush to zero (FlushToZero). Throws ImpossibleComparison.
void sample_regions(const FloatModel& model, const Alphabet& alphabet, std::span<RegionTask* const> regions,
                    std::uint32_t seed);

/// The same plainly, for a region after Forward with task.forward_cells: the reference.
TracebackEnsemble sample_tracebacks_plainly(const FloatModel& model, const Alphabet& alphabet,
                                            const SequenceTask& task, std::uint32_t seed);

}  // namespace gpuhmm::hmmer3
