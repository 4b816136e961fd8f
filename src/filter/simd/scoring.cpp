// Chooses the kernels for a model and runs them with several threads. Sequences that the first kernel leaves
// undecided are scored again by the full recurrence (multihit_scoring.hpp).
#include "filter/simd/scoring.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "filter/sequence_set.hpp"
#include "filter/simd/glocal_bound.hpp"
#include "filter/simd/glocal_close.hpp"
#include "filter/simd/glocal_form.hpp"
#include "filter/simd/kernels.hpp"
#include "filter/simd/lane_scoring.hpp"
#include "filter/simd/multihit_scoring.hpp"
#include "filter/simd/same_inserts.hpp"
#include "filter/simd/scoring_parts.hpp"
#include "filter/simd/whole_bits.hpp"
#include "simd/instruction_set.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::simd {

namespace {

// Batches of at least this many sequences get a trial for the lazy-F rule.
constexpr std::size_t kTrialBatch = 64;
// From this many sequences on a batch gets a trial of 16-bit scores with a low mark, with this many groups,
// and one of a model with the same inserts.
constexpr std::size_t kLowMarkBatch = 1024, kLowMarkGroups = 8, kRaisedGroups = 16;
// The trial of close scores takes one group for every kCloseTrial sequences.
constexpr std::size_t kCloseTrial = 512;
// From this many residues on, a model for upper bounds, and one with the same inserts, saves what it costs.
constexpr std::size_t kWorthBounds = 2000, kWorthSameInserts = 50'000;

class Scoring {
 public:
  Scoring(const ScoreModel& model, const SortedBatch& batch, SharedThreads& threads, std::int32_t enough,
          std::span<std::int32_t> scores, WorkMeter* meter = nullptr)
      : model_(model),
        batch_(batch),
        sequences_(batch.sequences()),
        threads_(threads),
        enough_(enough),
        scores_(scores),
        meter_(meter),
        packings_{model.nodes, vector_bytes()},
        undecided_(sequences_.size(), 0) {}

  void run(std::optional<std::int32_t> threshold) {
    bounds_will_do_ = bounds_will_do_ || threshold;
    if (packings_.vector_bytes > 0) single_ = reduce_to_single_hit(model_);
    if (!single_) {
      for (const std::size_t i : batch_.order()) undecided_[i] = 1;
    } else if (score_bounds(threshold) || score_exact16_in_lanes() || score_exact16()) {
      if (enough_ < std::numeric_limits<std::int32_t>::max()) score_rest32();
    } else if (!score_low16()) {
      score_exact32();
    }
    score_undecided();
  }

  void run_whole_bits() {
    if (packings_.vector_bytes > 0) single_ = reduce_to_single_hit(model_);
    if (single_ && (score_close<std::int16_t>() || score_close<std::int32_t>())) return;
    run(std::nullopt);
  }

 private:
  // With a threshold: 8-bit or 16-bit upper bounds, for large batches by a model with the same inserts if
  // possible. False if no model allows it, or if the batch is small.
  bool score_bounds(std::optional<std::int32_t> threshold) {
    if (!threshold || sequences_.residue_count() < kWorthBounds) return false;
    if (sequences_.residue_count() < kWorthSameInserts) return score_by_bound(model_, *threshold);
    if (const std::optional<ScoreModel> raised = with_same_inserts(model_)) {
      const std::optional<SingleHitModel> own = std::exchange(single_, reduce_to_single_hit(*raised));
      const bool scored = single_ && (score_local_bound(*raised, *threshold) ||
                                      (few_pass(*raised, *threshold) && score_by_bound(*raised, *threshold)));
      single_ = own;
      if (scored) return true;
    }
    return score_by_bound(model_, *threshold);
  }

  // For a glocal model, one with the same inserts: whether few sequences of a trial have upper bounds above
  // the mark. Where long insertions cost next to nothing, most have.
  bool few_pass(const ScoreModel& raised, std::int32_t threshold) const {
    if (batch_.order().size() < kLowMarkBatch) return true;
    const auto make = [&](const StripedShape& shape) {
      return stripe_glocal_bound(raised, *single_, threshold, shape);
    };
    const std::optional<Trial> trial = try_out<std::int16_t>(make, sweep_bound<std::int16_t>, kRaisedGroups);
    return trial && trial->few_above_mark();
  }

  // For a local model: 8-bit upper bounds, then the scores of what may reach the threshold. False if the
  // model does not allow it, if the batch is small, or if too many sequences of a sample may reach it.
  bool score_local_bound(const ScoreModel& model, std::int32_t threshold) {
    if (is_glocal(model, *single_)) return false;
    const std::optional<LocalBound> bound = local_bound(model, *single_, threshold);
    if (!bound) return false;
    const auto best = bounds_in_lanes(*bound, sequences_, batch_.order(), threads_);
    if (!best) return false;
    for (const std::size_t i : batch_.order()) {
      undecided_[i] = (*best)[i] > bound->levels.mark;
      if (!undecided_[i]) record(i, bound->levels.score((*best)[i]), false, 0);
    }
    count(0, batch_.order().size());
    score_rest([](Scoring& rest) { rest.run(std::nullopt); });
    return true;
  }

  // For a glocal model: 16-bit upper bounds. False if the model does not allow it.
  bool score_by_bound(const ScoreModel& model, std::int32_t threshold) {
    return score_bound_in_lanes(model, threshold) ||
           score_all<std::int16_t>(
               [&](const StripedShape& shape) {
                 return stripe_glocal_bound(model, *single_, threshold, shape);
               },
               sweep_bound<std::int16_t>);
  }

  // For a short glocal model: 16-bit upper bounds, with one sequence in each lane. False if the machine or
  // the model does not allow it, or if the batch is small.
  bool score_bound_in_lanes(const ScoreModel& model, std::int32_t threshold) {
    if (!fills_lanes(sequences_)) return false;
    const auto bound = stripe_glocal_bound(model, *single_, threshold, {model.nodes, 1}, InsertSums::Fit);
    const std::optional<LaneModel<std::int16_t>> lanes = bound ? bound_lane_model(*bound) : std::nullopt;
    return lanes && score_by_lanes(*lanes, *bound);
  }

  template <class T>
  static void sweep_bound(const StripedModel<T>& model, const GroupTask<T>& task) {
    sweep_glocal_bound(model, task.packing, task.sequences, task.workspace, task.best);
  }

  // For a short local model: 16-bit scores, exact up to a mark, with one sequence in each lane. False if the
  // machine or the model does not allow it, or if the batch is small.
  bool score_exact16_in_lanes() {
    if (!fills_lanes(sequences_)) return false;
    const StripedShape one_lane{model_.nodes, 1};
    const auto exact =
        stripe_exact16(model_, *single_, LazyFRule::WhenUseful, one_lane, useful_mark(*single_));
    const std::optional<LaneModel<std::int16_t>> lanes = exact ? lane_model(*exact) : std::nullopt;
    return lanes && score_by_lanes(*lanes, *exact);
  }

  // False if the batch is small. Sequences for which the lanes would wait are scored exactly, by other
  // kernels.
  template <class T>
  bool score_by_lanes(const LaneModel<T>& lanes, const LevelledModel<T>& model) {
    const auto best = score_in_lanes(lanes, sequences_, batch_.order(), threads_);
    if (!best) return false;
    for (const std::size_t i : batch_.order()) undecided_[i] = (*best)[i] == kNotScored<T>;
    score_rest([](Scoring& rest) { rest.run(std::nullopt); });
    for (const std::size_t i : batch_.order()) {
      if ((*best)[i] == kNotScored<T>) continue;
      record(i, model.score((*best)[i]), (*best)[i] > model.mark, model.excess);
    }
    count(0, batch_.order().size());
    return true;
  }

  // For a local model: 16-bit scores, exact up to a mark. False if the model does not allow it.
  bool score_exact16() {
    return score_single_hit<std::int16_t>([&](LazyFRule rule, const StripedShape& shape) {
      return stripe_exact16(model_, *single_, rule, shape, useful_mark(*single_), DeleteSums::Fit);
    });
  }

  // For a short glocal model: 16-bit scores for sequences below a mark, 32-bit scores for others. False if a
  // packing does not allow it, if too many sequences of a trial are above the mark, or if the batch is small.
  bool score_low16() {
    if (batch_.order().size() < kLowMarkBatch) return false;
    const auto make = [&](LazyFRule rule, const StripedShape& shape) {
      return stripe_exact16(model_, *single_, rule, shape, std::numeric_limits<std::int64_t>::min());
    };
    const std::optional<Trial> trial = try_lazy_f<std::int16_t>(make, kLowMarkGroups);
    if (!trial || !trial->mostly_below_mark()) return false;
    if (!score_single_hit<std::int16_t>(make, trial->rule())) return false;
    score_rest32();
    return true;
  }

  // For a glocal model: whole bits. False if the model does not allow it, if too many sequences of a trial
  // are above the mark, or if the batch is small.
  template <class T>
  bool score_close() {
    if (batch_.order().size() < kTrialBatch) return false;
    return score_close_in_lanes<T>() || score_close_in_stripes<T>();
  }

  // With one sequence in each lane.
  template <class T>
  bool score_close_in_lanes() {
    const std::size_t longest = sequences_.length(batch_.order().front());
    const bool takes_back = sizeof(T) == 2 || single_->gain(longest) <= kHighestLaneGain;
    if (!takes_back || !fills_lanes(sequences_)) return false;
    const auto make = [&](const StripedShape& shape) {
      return stripe_glocal_close<T>(model_, *single_, shape, GainingInserts::Watched);
    };
    const std::optional<CloseModel<T>> close = make({model_.nodes, 1});
    const std::optional<LaneModel<T>> lanes = close ? lane_model(*close) : std::nullopt;
    const auto make_levelled = [&](const StripedShape& shape) {
      return std::optional(std::move(make(shape)->levelled));
    };
    return lanes && close_will_do<T>(make_levelled) && score_by_lanes(*lanes, close->levelled) &&
           score_uncertain<T>(close->slack);
  }

  template <class T>
  bool score_close_in_stripes() {
    std::int64_t slack = 0;
    const auto make = [&](const StripedShape& shape) -> std::optional<LevelledModel<T>> {
      std::optional<CloseModel<T>> close = stripe_glocal_close<T>(model_, *single_, shape);
      if (!close) return std::nullopt;
      slack = close->slack;
      return std::move(close->levelled);
    };
    return close_will_do<T>(make) && score_all<T>(make, sweep_bound<T>) && score_uncertain<T>(slack);
  }

  template <class T, class Make>
  bool close_will_do(const Make& make) const {
    const std::size_t groups =
        std::clamp<std::size_t>(batch_.order().size() / kCloseTrial, 1, kLowMarkGroups);
    const std::optional<Trial> trial = try_out<T>(make, sweep_bound<T>, groups);
    return trial && trial->mostly_below_mark();
  }

  // Scores that may be up to `slack` too high: computes those again whose whole bits are not certain, and
  // those that are still undecided. True.
  template <class T>
  bool score_uncertain(std::int64_t slack) {
    reopen_uncertain_bits(batch_.order(), scores_, slack, undecided_);
    if constexpr (sizeof(T) == 2) {
      score_rest([this](Scoring& rest) {
        rest.single_ = single_;
        if (!rest.score_close<std::int32_t>()) rest.run(std::nullopt);
      });
    } else {
      score_rest32();
    }
    return true;
  }

  // Scores the undecided sequences in 32 bits.
  void score_rest32() {
    score_rest([this](Scoring& rest) {
      rest.single_ = single_;
      rest.score_exact32();
      rest.score_undecided();
    });
  }

  // Scores the undecided sequences by score(scoring of these).
  template <class Score>
  void score_rest(const Score& score) {
    const std::vector<std::size_t> places = undecided();
    if (places.empty()) return;
    const SortedBatch rest(sequences_.subset(places));
    std::vector<std::int32_t> scores(places.size());
    Scoring scoring(model_, rest, threads_, enough_, scores);
    scoring.bounds_will_do_ = bounds_will_do_;
    score(scoring);
    for (std::size_t i = 0; i < places.size(); ++i) {
      scores_[places[i]] = scores[i];
      undecided_[places[i]] = 0;
    }
  }

  void score_exact32() {
    holds_above_mark_ = true;
    score_single_hit<std::int32_t>([&](LazyFRule rule, const StripedShape& shape) {
      return std::optional(stripe_exact32(model_, *single_, rule, shape));
    });
  }

  template <class T, class Make>
  bool score_single_hit(const Make& make) {
    const std::optional<LazyFRule> rule = lazy_f_rule<T>(make);
    return rule && score_single_hit<T>(make, *rule);
  }

  template <class T, class Make>
  bool score_single_hit(const Make& make, LazyFRule rule) {
    return score_all<T>([&](const StripedShape& shape) { return make(rule, shape); }, single_hit_by<T>(rule));
  }

  template <class T>
  static auto single_hit_by(LazyFRule rule) {
    return [rule](const StripedModel<T>& model, const GroupTask<T>& task) {
      sweep_single_hit(model, task.packing, rule, task.sequences, task.workspace, task.best);
    };
  }

  // Whether lazy-F matters in so many rows that it is cheaper to apply it always than to test for it: tried
  // on a group of sequences of middle length. A small batch is not worth the trial. Nothing if `make` gives
  // no model.
  template <class T, class Make>
  std::optional<LazyFRule> lazy_f_rule(const Make& make) const {
    if (batch_.order().size() < kTrialBatch) {
      return is_glocal(model_, *single_) ? LazyFRule::Always : LazyFRule::WhenUseful;
    }
    const std::optional<Trial> trial = try_lazy_f<T>(make, 1);
    if (!trial) return std::nullopt;
    return trial->rule();
  }

  // A trial of the single-hit kernel with LazyFRule::WhenUseful.
  template <class T, class Make>
  std::optional<Trial> try_lazy_f(const Make& make, std::size_t groups) const {
    return try_out<T>([&](const StripedShape& shape) { return make(LazyFRule::WhenUseful, shape); },
                      single_hit_by<T>(LazyFRule::WhenUseful), groups);
  }

  template <class T, class Make, class SweepGroup>
  std::optional<Trial> try_out(const Make& make, const SweepGroup& sweep, std::size_t groups) const {
    return try_groups<T>(batch_, packings_, make, sweep, groups);
  }

  // Scores all sequences by sweep(model, task), with models from make(shape). False if make gives none.
  template <class T, class Make, class SweepGroup>
  bool score_all(const Make& make, const SweepGroup& sweep) {
    const auto take = [&](const LevelledModel<T>& model, std::size_t first, std::span<const T> best) {
      for (std::size_t g = 0; g < best.size(); ++g) {
        record(batch_.order()[first + g], model.score(best[g]), best[g] > model.mark, model.excess);
      }
      count(first, first + best.size());
    };
    return sweep_pieces<T>(batch_, packings_, threads_, make, sweep, take);
  }

  // Reports the cells of the sequences first .. last - 1 of the batch's order to the meter.
  void count(std::size_t first, std::size_t last) const {
    if (meter_ == nullptr) return;
    std::size_t residues = 0;
    for (std::size_t i = first; i < last; ++i) residues += sequences_.length(batch_.order()[i]);
    meter_->add_work(static_cast<std::int64_t>(residues) * model_.nodes);
  }

  // Writes the score of a sequence whose largest E is `e`, or marks the sequence as undecided. An E above the
  // mark (doubtful) is in 32 bits that of the best single hit: not too high, and perhaps already `enough_`.
  // In 16 bits it shows that the sequence is likely to score `enough_`, if it does so in spite of an excess:
  // where upper bounds will do, the caller then computes its score at once.
  void record(std::size_t i, std::int64_t e, bool doubtful, std::int64_t excess) {
    const std::optional<std::int32_t> score = single_->score(e, sequences_.length(i));
    const bool is_enough =
        score && (holds_above_mark_ ? *score >= enough_ : bounds_will_do_ && *score - excess >= enough_);
    undecided_[i] = !score || (doubtful && !is_enough);
    if (undecided_[i]) return;
    scores_[i] = doubtful && !holds_above_mark_ ? std::numeric_limits<std::int32_t>::max() : *score;
  }

  std::vector<std::size_t> undecided() const {
    std::vector<std::size_t> places = batch_.order();
    std::erase_if(places, [&](std::size_t i) { return undecided_[i] == 0; });
    return places;
  }

  void score_undecided() {
    score_by_multihit(model_, single_, packings_.vector_bytes, sequences_, undecided(), threads_, scores_);
  }

  const ScoreModel& model_;
  const SortedBatch& batch_;
  const SequenceSet& sequences_;
  SharedThreads& threads_;
  std::int32_t enough_;
  bool holds_above_mark_ = false;
  bool bounds_will_do_ = false;
  std::span<std::int32_t> scores_;
  WorkMeter* meter_;
  Packings packings_;
  std::optional<SingleHitModel> single_;
  std::vector<std::uint8_t> undecided_;  // by sequence; bytes, as several threads write neighbouring elements
};

}  // namespace

void score_batch(const ScoreModel& model, const SortedBatch& batch, SharedThreads& threads,
                 std::optional<std::int32_t> threshold, std::int32_t enough, std::span<std::int32_t> scores,
                 WorkMeter* meter) {
  Scoring(model, batch, threads, enough, scores, meter).run(threshold);
}

void score_whole_bits(const ScoreModel& model, const SortedBatch& batch, SharedThreads& threads,
                      std::int32_t enough, std::span<std::int32_t> scores, WorkMeter* meter) {
  Scoring(model, batch, threads, enough, scores, meter).run_whole_bits();
}

}  // namespace gpuhmm::simd
