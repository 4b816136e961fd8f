// How many profiles of HMMER3 and residues are compared at a time.
#pragma once

#include <cstddef>
#include <optional>

#include "gpuhmm/hmmer3_run.hpp"

namespace gpuhmm::hmmer3 {

/// Profiles whose filters run before what they leave is completed.
std::size_t profiles_at_once(unsigned threads);
/// The same if there are so many: all of them in parts of about one size.
std::size_t profiles_at_once(unsigned threads, std::size_t profiles);

/// Sequences and residues of a block.
std::size_t block_sequences(const gpuhmm::RunOptions& options);
std::size_t block_residues(const SearchOptions& options);

/// Residues of the blocks of a search, which passes over its sequences once for each group of profiles.
class BlockResidues {
 public:
  explicit BlockResidues(const SearchOptions& options) : options_(options) {}

  /// Begins with the first sequence again.
  void begin_pass();
  /// Of the next block, with so many teams of devices from now on; 0: the host has it. The first ones for
  /// devices are small, so that the host need not wait for long. For one team those behind them are of one
  /// size, if it is known how many residues are left.
  std::size_t next(std::size_t teams);
  /// Counts a block that has been read; `read`: SequenceBlock::read.
  void count(std::size_t residues, std::optional<double> read);

  /// The most that next() has given.
  std::size_t most() const { return most_; }

 private:
  std::size_t for_devices(std::size_t teams);

  const SearchOptions& options_;
  std::size_t first_ = std::size_t{16} << 20;  // of the next block, if that is less than the most
  double counted_ = 0;
  std::optional<double> left_;  // residues behind those counted, about
  std::size_t most_ = 0;
};

}  // namespace gpuhmm::hmmer3
