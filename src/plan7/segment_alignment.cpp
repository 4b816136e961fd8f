// Divide-and-conquer alignment of one domain.
#include <algorithm>

#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"
#include "plan7/segment_rows.hpp"
#include "plan7/small_memory.hpp"
#include "plan7/wings.hpp"

namespace gpuhmm {

namespace {

// The state that emits a residue.
enum class Emitter : std::uint8_t { Unknown, N, M, I, C };

struct Assignment {
  Emitter emitter = Emitter::Unknown;
  int node = 0;
};

class SegmentAligner {
 public:
  SegmentAligner(const ScoreModel& model, std::span<const std::uint8_t> residues)
      : model_(model),
        residues_(residues),
        assigned_(residues.size() + 1),
        forward_(model.nodes),
        backward_(model.nodes),
        spare_(model.nodes) {}

  // Emitters of residues 1..L (index 0 unused); absent if no path exists.
  std::optional<std::vector<Assignment>> run() {
    std::vector<Interval> stack{{1, static_cast<std::int32_t>(residues_.size()), true, true}};
    while (!stack.empty()) {
      const Interval interval = stack.back();
      stack.pop_back();
      if (!split(interval, stack)) return std::nullopt;
    }
    return std::move(assigned_);
  }

 private:
  // Residues first..last. The emitters of both ends are known, unless the path starts just before the first
  // residue (`start`) or stops just after the last (`stop`).
  struct Interval {
    std::int32_t first, last;
    bool start, stop;
  };

  // Finds the emitter of the middle residue and pushes the parts that are still open. False: no path.
  bool split(const Interval& interval, std::vector<Interval>& stack) {
    const auto [first, last, start, stop] = interval;
    std::int32_t middle = first + (last - first) / 2;
    if (last - first == 1 && start) middle = first;
    if (last - first == 1 && stop) middle = last;

    const int low = start ? 1 : assigned_[first].node;
    const int high = stop ? model_.nodes : assigned_[last].node;
    run_forward(interval, middle, low, high);
    run_backward(interval, middle, low, high);
    const Assignment chosen = best(low, high);
    if (chosen.emitter == Emitter::Unknown) return false;
    assigned_[middle] = chosen;

    if (chosen.emitter == Emitter::N) {
      std::fill(assigned_.begin() + first, assigned_.begin() + middle + 1, chosen);
    } else if (middle - first > 1 || (middle - first == 1 && start)) {
      stack.push_back({first, middle, start, false});
    }
    if (chosen.emitter == Emitter::C) {
      std::fill(assigned_.begin() + middle, assigned_.begin() + last + 1, chosen);
    } else if (last - middle > 1 || (last - middle == 1 && stop)) {
      stack.push_back({middle, last, false, stop});
    }
    return true;
  }

  // Sets forward_ to row `middle`: best scores from the known left end to each state, emissions included.
  void run_forward(const Interval& interval, std::int32_t middle, int low, int high) {
    forward_.clear();
    std::int32_t i = interval.first;
    const Assignment& left = assigned_[interval.first];
    if (interval.start) {
      forward_.n = 0;
      forward_.b = model_.n_begin;
      --i;
    } else if (left.emitter == Emitter::N) {
      forward_.n = 0;
      forward_.b = model_.n_begin;
    } else if (left.emitter == Emitter::M) {
      forward_.match[low] = 0;
      fill_deletes(low, high);
      forward_.c = floored_sum(model_.end[low], model_.e_to_c);
    } else {
      forward_.insert[low] = 0;
    }
    for (++i; i <= middle; ++i) step_forward(residues_[i - 1], low, high);
  }

  void fill_deletes(int low, int high) {
    forward_.del[low] = kMinusInfinity;
    for (int k = low + 1; k <= high; ++k) {
      forward_.del[k] = std::max(floored_sum(forward_.match[k - 1], model_.md[k - 1]),
                                 floored_sum(forward_.del[k - 1], model_.dd[k - 1]));
    }
  }

  // Nodes below `low` stay impossible; they are read as predecessors of node `low`.
  void step_forward(std::uint8_t x, int low, int high) {
    std::swap(forward_, spare_);
    const SegmentRow& before = spare_;
    forward_.match[low - 1] = forward_.insert[low - 1] = forward_.del[low - 1] = kMinusInfinity;
    const std::int32_t e = forward_emitting(model_, before, forward_, model_.match_row(x).data(),
                                            model_.insert_row(x).data(), low, high);
    fill_deletes(low, high);
    forward_.n = floored_sum(before.n, model_.n_loop);
    forward_.b = floored_sum(forward_.n, model_.n_begin);
    forward_.c = std::max(floored_sum(before.c, model_.c_loop), floored_sum(e, model_.e_to_c));
  }

  // Sets backward_ to row `middle`: best scores from each state to the known right end, without the emission
  // of the row's own residue.
  void run_backward(const Interval& interval, std::int32_t middle, int low, int high) {
    backward_.clear();
    const Assignment& right = assigned_[interval.last];
    if (interval.stop) {
      backward_.c = model_.c_end;
      const std::int32_t e = floored_sum(backward_.c, model_.e_to_c);
      for (int k = low; k <= high; ++k) backward_.match[k] = floored_sum(e, model_.end[k]);
    } else if (right.emitter == Emitter::M) {
      backward_.match[high] = 0;
    } else if (right.emitter == Emitter::I) {
      backward_.insert[high] = 0;
    } else {
      backward_.c = 0;
    }
    for (std::int32_t i = interval.last; i > middle; --i) step_backward(residues_[i - 1], low, high);
  }

  // From row i to row i - 1, where x is the residue of row i. Nodes above `high` stay impossible.
  void step_backward(std::uint8_t x, int low, int high) {
    std::swap(backward_, spare_);
    SegmentRow& after = spare_;
    const std::int32_t b =
        add_emissions(model_, after, model_.match_row(x).data(), model_.insert_row(x).data(), low, high);
    after.match[high + 1] = kMinusInfinity;
    backward_.del[high + 1] = kMinusInfinity;
    backward_.c = floored_sum(after.c, model_.c_loop);
    backward_.n = std::max(floored_sum(after.n, model_.n_loop), floored_sum(b, model_.n_begin));
    const std::int32_t e = floored_sum(backward_.c, model_.e_to_c);
    for (int k = high; k >= low; --k) {
      backward_.del[k] = std::max(floored_sum(after.match[k + 1], model_.dm[k]),
                                  floored_sum(backward_.del[k + 1], model_.dd[k]));
    }
    backward_emitting(model_, after, backward_, e, low, high);
  }

  // The emitter of the middle residue on the best path; among ties the first in scanning order.
  Assignment best(int low, int high) const {
    Assignment chosen;
    std::int32_t score = kMinusInfinity;
    const auto offer = [&](std::int32_t forward, std::int32_t backward, Emitter emitter, int node) {
      if (const std::int32_t sum = floored_sum(forward, backward); sum > score) {
        score = sum;
        chosen = {emitter, node};
      }
    };
    for (int k = low; k <= high; ++k) {
      offer(forward_.match[k], backward_.match[k], Emitter::M, k);
      offer(forward_.insert[k], backward_.insert[k], Emitter::I, k);
    }
    offer(forward_.n, backward_.n, Emitter::N, 1);
    offer(forward_.c, backward_.c, Emitter::C, model_.nodes);
    return chosen;
  }

  const ScoreModel& model_;
  std::span<const std::uint8_t> residues_;
  std::vector<Assignment> assigned_;
  SegmentRow forward_, backward_, spare_;
};

Trace make_trace(const ScoreModel& model, const Profile& profile, const std::vector<Assignment>& assigned) {
  Trace trace{{State::S}, {State::N}};
  const auto length = static_cast<std::int32_t>(assigned.size()) - 1;
  const auto append_deletes = [&trace](int first, int last) {
    for (int k = first; k <= last; ++k) trace.push_back({State::D, k});
  };
  int last_match = 0;  // node
  const auto leave = [&](std::int32_t i) {
    // HMMER 2.3.2 tests the node of the residue before the last match, not that of the match.
    const int tested = i > 1 ? assigned[i - 1].node : last_match;
    if (ends_through_deletes(model, profile, tested)) append_deletes(last_match + 1, model.nodes);
    trace.push_back({State::E});
    trace.push_back({State::C});
  };
  for (std::int32_t i = 1; i <= length; ++i) {
    const auto [emitter, node] = assigned[i];
    switch (emitter) {
      case Emitter::N:
        trace.push_back({State::N, 0, i});
        break;
      case Emitter::M:
        if (last_match > 0) {
          append_deletes(last_match + 1, node - 1);
        } else {
          trace.push_back({State::B});
          if (begins_through_deletes(model, profile, node)) append_deletes(1, node - 1);
        }
        trace.push_back({State::M, node, i});
        last_match = node;
        if (i == length || assigned[i + 1].emitter == Emitter::C) leave(i);
        break;
      case Emitter::I:
        trace.push_back({State::I, node, i});
        break;
      default:
        trace.push_back({State::C, 0, i});
    }
  }
  trace.push_back({State::T});
  return trace;
}

}  // namespace

std::optional<Trace> align_segment(const ScoreModel& model, const Profile& profile,
                                   std::span<const std::uint8_t> residues) {
  if (residues.empty()) return std::nullopt;
  const auto assigned = SegmentAligner(model, residues).run();
  if (!assigned) return std::nullopt;
  return make_trace(model, profile, *assigned);
}

}  // namespace gpuhmm
