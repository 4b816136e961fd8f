// The traceback through a Viterbi matrix, whatever the source of its cells. Each step finds the first
// predecessor, in HMMER's order, that explains the cell's value (docs/spec/viterbi-and-traceback.md, 4.2), so
// no pointers are stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"
#include "plan7/wings.hpp"

namespace gpuhmm {

/// Scores of N, E, J, B and C in one row of a Viterbi matrix, 1/1000 bit.
struct SpecialScores {
  std::int32_t n, e, j, b, c;
};

/// Traces back from T to S. `Cells` has match(i, k), insert(i, k), del(i, k) and special(i) (rows i = 0..L,
/// nodes k = 0..M), and exit_node(model, i), the largest node that explains E of row i, or 0. Each step reads
/// its own cell, then those of its predecessors, and never returns to a larger row or, within a domain, node.
///
/// In the functions below, the last step of the trace is the one being explained; it is at row i + 1 if it
/// emits.
template <class Cells>
class ViterbiWalk {
 public:
  ViterbiWalk(Cells& cells, const ScoreModel& model, const Profile& profile,
              std::span<const std::uint8_t> residues)
      : cells_(cells),
        model_(model),
        profile_(profile),
        residues_(residues),
        i_(static_cast<std::int32_t>(residues.size())) {}

  /// The path in sequence order; nothing if a cell of the path is impossible. Throws std::runtime_error if no
  /// predecessor explains a cell.
  std::optional<Trace> run() {
    trace_.reserve(residues_.size() + static_cast<std::size_t>(model_.nodes) + kOtherSteps);
    trace_ = {{State::T}, {State::C}};
    while (trace_.back().state != State::S) {
      if (!step()) return std::nullopt;
    }
    std::reverse(trace_.begin(), trace_.end());
    return std::move(trace_);
  }

 private:
  /// Expected steps of a trace besides those that emit and deletes.
  static constexpr std::size_t kOtherSteps = 16;

  static constexpr bool impossible(std::int64_t score) { return score <= kMinusInfinity; }

  bool step() {
    switch (trace_.back().state) {
      case State::C:
        return from_c();
      case State::E:
        return from_e();
      case State::M:
        return from_match();
      case State::D:
        return from_delete();
      case State::I:
        return from_insert();
      case State::B:
        return from_b();
      case State::J:
        return from_j();
      case State::N:
        return from_n();
      case State::S:
      case State::T:
        break;
    }
    throw unexplained();
  }

  const SpecialScores& special() const { return cells_.special(i_); }

  // The last step, a C, J or N, emits residue i: adds another step of the same state before it.
  bool loop() {
    const State state = trace_.back().state;
    trace_.back().position = i_;
    --i_;
    trace_.push_back({state});
    return true;
  }
  bool append(State state) {
    trace_.push_back({state});
    return true;
  }
  // Row 0 has no match or insert cell. A traceback gets there only where no path exists and sums of minus
  // infinity and positive scores explain each other (HMMER then reads before its matrix and mostly crashes).
  bool append_match() {
    if (i_ == 0) return false;
    trace_.push_back({State::M, k_, i_});
    --k_;
    --i_;
    return true;
  }
  bool append_insert() {
    if (i_ == 0) return false;
    trace_.push_back({State::I, k_, i_});
    --i_;
    return true;
  }
  bool append_delete() {
    trace_.push_back({State::D, k_});
    --k_;
    return true;
  }

  bool from_c() {
    const std::int64_t c = special().c;
    if (impossible(c)) return false;
    if (c == std::int64_t{cells_.special(i_ - 1).c} + model_.c_loop) return loop();
    if (c == std::int64_t{special().e} + model_.e_to_c) return append(State::E);
    throw unexplained();
  }

  bool from_e() {
    if (impossible(special().e)) return false;
    k_ = cells_.exit_node(model_, i_);
    if (k_ == 0) throw unexplained();
    if (ends_through_deletes(model_, profile_, k_)) {
      for (int d = model_.nodes; d > k_; --d) trace_.push_back({State::D, d});
    }
    return append_match();
  }

  bool from_match() {
    const int node = k_ + 1;
    const std::int64_t cell =
        std::int64_t{cells_.match(i_ + 1, node)} - model_.match_row(residues_[i_])[node];
    if (impossible(cell)) return false;
    if (cell == std::int64_t{special().b} + model_.begin[node]) {
      if (begins_through_deletes(model_, profile_, node)) {
        while (k_ >= 1) append_delete();
      }
      return append(State::B);
    }
    if (cell == std::int64_t{cells_.match(i_, k_)} + model_.mm[k_]) return append_match();
    if (cell == std::int64_t{cells_.insert(i_, k_)} + model_.im[k_]) return append_insert();
    if (cell == std::int64_t{cells_.del(i_, k_)} + model_.dm[k_]) return append_delete();
    throw unexplained();
  }

  bool from_delete() {
    const std::int64_t cell = cells_.del(i_, k_ + 1);
    if (impossible(cell)) return false;
    if (cell == std::int64_t{cells_.match(i_, k_)} + model_.md[k_]) return append_match();
    if (cell == std::int64_t{cells_.del(i_, k_)} + model_.dd[k_]) return append_delete();
    throw unexplained();
  }

  bool from_insert() {
    const std::int64_t cell = std::int64_t{cells_.insert(i_ + 1, k_)} - model_.insert_row(residues_[i_])[k_];
    if (impossible(cell)) return false;
    if (cell == std::int64_t{cells_.match(i_, k_)} + model_.mi[k_]) return append_match();
    if (cell == std::int64_t{cells_.insert(i_, k_)} + model_.ii[k_]) return append_insert();
    throw unexplained();
  }

  bool from_b() {
    const std::int64_t b = special().b;
    if (impossible(b)) return false;
    if (b == std::int64_t{special().n} + model_.n_begin) return append(State::N);
    if (b == std::int64_t{special().j} + model_.j_begin) return append(State::J);
    throw unexplained();
  }

  bool from_j() {
    const std::int64_t j = special().j;
    if (impossible(j)) return false;
    if (j == std::int64_t{cells_.special(i_ - 1).j} + model_.j_loop) return loop();
    if (j == std::int64_t{special().e} + model_.e_to_j) return append(State::E);
    throw unexplained();
  }

  bool from_n() { return i_ > 0 ? loop() : append(State::S); }

  static std::runtime_error unexplained() {
    return std::runtime_error(
        "Viterbi traceback: no predecessor gives the score of a cell (scores out of range)");
  }

  Cells& cells_;
  const ScoreModel& model_;
  const Profile& profile_;
  std::span<const std::uint8_t> residues_;
  Trace trace_;
  std::int32_t i_;
  int k_ = 0;
};

}  // namespace gpuhmm
