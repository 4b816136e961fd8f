// How many profiles of HMMER3 and residues are compared at a time.
#pragma once

#include <cstddef>
#include <optional>

#include "gpuhmm/hmmer3_run.hpp"

namespace gpuhmm::hmmer3 {

/// Profiles whose filters run before what they leave is completed.
std::size_t profiles_at_once(unsigned threads);
/// How many of a group's `profiles` are taken at a time: even parts, of up to 1.25 times profiles_at_once().
std::size_t even_part(unsigned threads, std::size_t profiles);

/// Sequences of a block; residues of one before there are devices.
std::size_t block_sequences(const gpuhmm::RunOptions& options);
std::size_t block_residues(const SearchOptions& options);
/// Residues of the next block of a scan, with so many teams of devices; 0: the host compares it.
std::size_t scan_residues(const SearchOptions& options, std::size_t teams);

/// Residues of the blocks of a search, which passes over its sequences once for each group of profiles.
class BlockResidues {
 public:
  explicit BlockResidues(const SearchOptions& options) : options_(options) {}

  /// Begins with the first sequence again, for the last group of profiles or another one.
  void begin_pass(bool is_last);
  /// The residues of the next block, with so many teams of devices from now on; 0: the host compares it. The
  /// first blocks for devices are small, so that the host need not wait for long. If it is known how many
  /// residues are left, those behind them are of one size, as many for each team, but with several teams the
  /// blocks of the last pass get ever smaller.
  std::size_t next(std::size_t teams);
  /// Counts a block that has been read. `read`: about which part of all residues has been read, nothing if
  /// that is not known; `last`: no other block comes in this pass.
  void count(std::size_t residues, std::optional<double> read, bool last);

  /// The most that next() gives for so many teams.
  std::size_t most(std::size_t teams) const;

 private:
  double share(std::size_t teams);

  const SearchOptions& options_;
  std::size_t first_ = std::size_t{16} << 20;  // of the next block, if that is less than the most
  bool is_last_ = false;                       // this pass
  std::size_t shares_left_ = 0;                // even ones of this pass; 0: none are planned
  double counted_ = 0;                         // residues of this pass
  std::optional<double> total_;                // of a whole pass
  std::optional<double> left_;                 // behind those counted, about
};

}  // namespace gpuhmm::hmmer3
