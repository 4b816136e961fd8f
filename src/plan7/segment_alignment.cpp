// Divide-and-conquer alignment of one domain.
#include <algorithm>

#include "plan7/arithmetic.hpp"
#include "plan7/floored_sum.hpp"
#include "plan7/segment_path.hpp"
#include "plan7/segment_rows.hpp"
#include "plan7/small_memory.hpp"

namespace gpuhmm {

namespace {

class SegmentAligner {
 public:
  SegmentAligner(const ScoreModel& model, std::span<const std::uint8_t> residues)
      : model_(model),
        residues_(residues),
        assigned_(residues.size() + 1),
        forward_(model.nodes),
        backward_(model.nodes),
        spare_(model.nodes) {}

  // Emissions of residues 1..L (index 0 unused); absent if no path exists.
  std::optional<std::vector<Emission>> run() {
    const auto choose = [this](const SegmentInterval& interval, std::int32_t middle) {
      const int low = interval.start ? 1 : assigned_[interval.first].node;
      const int high = interval.stop ? model_.nodes : assigned_[interval.last].node;
      run_forward(interval, middle, low, high);
      run_backward(interval, middle, low, high);
      return best(low, high);
    };
    if (!choose_emissions(assigned_, choose)) return std::nullopt;
    return std::move(assigned_);
  }

 private:
  // Sets forward_ to row `middle`: best scores from the known left end to each state, emissions included.
  void run_forward(const SegmentInterval& interval, std::int32_t middle, int low, int high) {
    forward_.clear();
    std::int32_t i = interval.first;
    const Emission& left = assigned_[interval.first];
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
  void run_backward(const SegmentInterval& interval, std::int32_t middle, int low, int high) {
    backward_.clear();
    const Emission& right = assigned_[interval.last];
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
  Emission best(int low, int high) const {
    Emission chosen;
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
  std::vector<Emission> assigned_;
  SegmentRow forward_, backward_, spare_;
};

}  // namespace

std::optional<Trace> align_segment(const ScoreModel& model, const Profile& profile,
                                   std::span<const std::uint8_t> residues) {
  if (residues.empty()) return std::nullopt;
  const auto assigned = SegmentAligner(model, residues).run();
  if (!assigned) return std::nullopt;
  return segment_trace(model, profile, *assigned, ExitTest::ResidueBefore);
}

}  // namespace gpuhmm
