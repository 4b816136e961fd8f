// The random sequences that profiles are calibrated with, ready to be scored (docs/spec/calibration.md, 7.1).
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

/// The samples of one profile after the other, as HMMER 2.3.2 draws them: seeded alike, but each stream
/// begins at the place of the shuffle table where the one before ended. So there are at most 64 different
/// samples, in practice a dozen; those drawn are kept, with what an engine has made of them, up to a limit of
/// memory.
class RandomSamples {
 public:
  /// Samples are drawn by `threads` threads, in parts of at least `least_part` residues.
  RandomSamples(AlphabetKind alphabet, const SampleOptions& options, unsigned threads,
                std::size_t least_part);
  ~RandomSamples();

  /// Calls `use` with each part of the next profile's sample. A thread draws a part while the others use
  /// theirs, so `use` is called by several at the same time. A sample of which there is no need to `keep`
  /// anything takes the memory of one part a thread.
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
  std::array<std::unique_ptr<Sample>, RandomStream::kPlaces> kept_;  // by the place where the stream began
  std::size_t kept_residues_ = 0;
};

}  // namespace gpuhmm
