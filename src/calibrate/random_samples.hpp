// The random sequences for calibrating profiles, prepared for scoring (docs/spec/calibration.md, 7.1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "gpuhmm/calibrate.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/random.hpp"
#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// The samples of successive profiles, as HMMER 2.3.2 draws them: all have the same seed, but each stream
/// begins at the place of the shuffle table where the previous one ended. So there are at most 64 different
/// samples, in practice about a dozen. Samples and their prepared batches are kept, up to a limit of memory.
class RandomSamples {
 public:
  /// `threads` threads draw samples, in parts of at least `least_part` residues.
  RandomSamples(AlphabetKind alphabet, const SampleOptions& options, unsigned threads,
                std::size_t least_part);
  ~RandomSamples();

  /// Calls `use` with each part of the next profile's sample. One thread draws a part while others use
  /// theirs, so several threads call `use` at the same time. A sample that need not be kept (`keep` is false)
  /// takes the memory of one part per thread.
  void next(bool keep, const std::function<void(EnginePool::Batch&)>& use);

 private:
  struct Part;
  struct Sample;

  std::size_t part_residues() const;
  void fill(Part& part, int& missing);

  SampleOptions options_;
  unsigned threads_;
  std::size_t least_part_;
  RandomStream stream_;
  TabledChoice residues_;
  std::array<std::unique_ptr<Sample>, RandomStream::kPlaces> kept_;  // by the place where its stream began
  std::size_t kept_residues_ = 0;
};

}  // namespace gpuhmm
