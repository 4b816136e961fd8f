// How a run is cut into pieces that are done one after the other, or by several workers: consecutive
// sequences, few at first and more as soon as it is known how long they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gpuhmm/record_range.hpp"

namespace gpuhmm::cli {

class PiecePlan {
 public:
  /// `sequences`: of the whole run; `done`: disjoint pieces that are not needed again.
  PiecePlan(const RecordCensus& sequences, const std::vector<RecordRange>& done, std::size_t workers);

  /// The next piece for the worker; nothing if all are taken.
  std::optional<RecordRange> take(std::size_t worker);
  /// The worker has done the piece that it took last, in this time.
  void finished(std::size_t worker, double seconds);

  /// The share of the sequences, by residues, in pieces that are done, 0 to 1.
  double fraction_done() const;

 private:
  // Sequences that nobody has taken.
  struct Gap {
    RecordRange records;
    std::uint64_t from, to;  // residues before both ends
  };
  struct Worker {
    double residues_per_second = 0;  // 0: not known yet
    std::uint64_t taken = 0;         // residues of the last piece
  };
  double wanted_residues(const Worker& worker) const;

  RecordCensus census_;
  std::vector<Gap> gaps_;              // the last one first
  std::uint64_t left_ = 0, done_ = 0;  // residues
  double elapsed_ = 0;                 // seconds of pieces that are done
  std::vector<Worker> workers_;
};

}  // namespace gpuhmm::cli
