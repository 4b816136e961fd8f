// A profile's comparison with a batch: all sequences go through the filters; those that pass are sorted by
// length and go on side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/comparison_part.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/regions.hpp"
#include "hmmer3/scored_target.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

/// What StagedComparison and compare() of hmmer3/comparison.hpp do, whose members these are.
class BatchComparison {
 public:
  BatchComparison(const SearchProfile& query, const SequenceBatch& batch, const Options& options,
                  const ComparisonPlace& place, std::optional<std::vector<SsvFinding>>&& found,
                  bool only_first)
      : BatchComparison(query.profile.name, query.profile.statistics, batch, options, place) {
    query_ = &query;
    found_ = std::move(found);
    only_first_ = only_first;
    if (found_) candidates_.reserve(found_->size());
  }

  BatchComparison(const FirstFilter& first, const SequenceBatch& batch, const Options& options,
                  const ComparisonPlace& place)
      : BatchComparison(first.name, first.statistics, batch, options, place) {
    first_ = &first;
  }

  std::size_t filter_parts() const { return (to_filter() + of_part() - 1) / of_part(); }

  // Runs the filters in front of Forward for a part.
  void filter(std::size_t part) {
    const std::size_t first = part * of_part();
    std::vector<Candidate> passed = pass_msv(first, std::min(first + of_part(), to_filter()));
    if (passed.empty()) return;
    complete_query();
    if (!only_first_) {
      const FlushToZero flush;
      run_filters(passed);
      std::erase_if(passed, &Candidate::failed);
    }
    const std::lock_guard lock(mutex_);
    candidates_.insert(candidates_.end(), std::move_iterator(passed.begin()),
                       std::move_iterator(passed.end()));
  }

  void end_filters() {
    sort_by_length(candidates_, batch_);
    cut_into_parts();
  }

  const SearchProfile& profile() const { return *query_; }
  std::uint32_t seed() const { return options_.seed; }

  std::size_t pairs() const { return candidates_.size(); }
  std::size_t sequence(std::size_t n) const { return candidates_[n].sequence; }
  std::optional<Next> next(std::size_t n) const {
    return candidates_[n].failed ? std::nullopt : std::optional(candidates_[n].next);
  }
  ViterbiLimits needs_viterbi(std::size_t n) const { return candidates_[n].needs_viterbi(left_to_viterbi_); }
  bool take_msv(std::size_t n, float score) { return take_msv(candidates_[n], score); }
  bool take_bias(std::size_t n, float score) { return take_bias(candidates_[n], score); }
  bool take_viterbi(std::size_t n, float score) { return take_viterbi(candidates_[n], score); }
  bool take_viterbi_bound(std::size_t n, float least) {
    const bool passes = passes_viterbi(candidates_[n], least);
    if (passes) pass_second(candidates_[n]);
    return passes;
  }
  bool take_forward(std::size_t n, float score) { return take_forward(candidates_[n], score); }
  void take_regions(std::size_t n, Regions&& regions) { candidates_[n].take_regions(std::move(regions)); }
  void drop_failed() {
    std::erase_if(candidates_, &Candidate::failed);
    cut_into_parts();
  }

  std::size_t parts() const { return bounds_.size() - 1; }

  double cells(std::size_t part) {
    double residues = 0;
    for (const Candidate& candidate : part_of(part))
      residues += static_cast<double>(batch_.length(candidate.sequence));
    return residues * query_->profile.nodes;
  }

  void find_regions(std::size_t part) {
    with_part(part, [this](auto candidates, auto& own) { find_regions(candidates, own); });
  }
  std::span<RegionTask> regions(std::size_t part) { return parts_[part].regions(); }
  void find_envelopes(std::size_t part) {
    with_part(part, [](auto, auto& own) { own.find_envelopes(); });
  }
  std::span<EnvelopeTask> envelopes(std::size_t part) { return parts_[part].envelopes(); }
  void complete(std::size_t part) {
    with_part(part, [this](auto candidates, auto& own) { complete(candidates, own); });
  }

  Comparisons results() {
    std::sort(hits_.begin(), hits_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return {std::move(stages_), std::move(hits_)};
  }

  Comparisons run(unsigned threads) {
    parallel_for(threads, filter_parts(), 1, [this](std::size_t part, std::size_t) { filter(part); });
    end_filters();
    parallel_for(threads, parts(), 1, [this](std::size_t part, std::size_t) { complete(part); });
    return results();
  }

 private:
  BatchComparison(std::string_view name, const Statistics& statistics, const SequenceBatch& batch,
                  const Options& options, const ComparisonPlace& place)
      : name_(name),
        statistics_(statistics),
        batch_(batch),
        options_(options),
        place_(place),
        thresholds_(options),
        left_to_viterbi_(thresholds_.left_to_viterbi(statistics)),
        stages_(batch.size(), Stage::Nothing) {}

  void add_impossible(std::size_t sequence, const std::string& message) const {
    place_.add_impossible(sequence, ImpossibleComparison("sequence " + std::string(batch_[sequence].name) +
                                                         ", profile " + std::string(name_) + ": " + message));
  }

  // Sequences or findings, of all and of a part.
  std::size_t of_part() const {
    if (!found_) return kSequencesOfPart;
    return only_first_ ? kDecisionsOfPart : kFindingsOfPart;
  }
  std::size_t to_filter() const { return found_ ? found_->size() : batch_.size(); }

  void cut_into_parts() {
    bounds_ = bounds_of_parts(candidates_, batch_, only_first_);
    parts_.resize(parts());
  }
  std::span<Candidate> part_of(std::size_t part) {
    return std::span(candidates_).subspan(bounds_[part], bounds_[part + 1] - bounds_[part]);
  }

  // An exception cannot leave std::call_once in a program that has its own copy of the unwinder.
  void complete_query() {
    const std::lock_guard lock(completion_);
    if (query_ == nullptr) query_ = &first_->whole();
  }

  void reach(const Candidate& candidate, Stage stage) { stages_[candidate.sequence] = stage; }
  // The P-value of a candidate's first filter with the score of a null model.
  double msv_p_value(const Candidate& candidate, float null) const {
    return gumbel_survival(bits_above(candidate.msv, null), statistics_.msv_mu, statistics_.msv_lambda);
  }
  float null_score(const Candidate& candidate) const {
    return NullModel(static_cast<std::int64_t>(batch_.length(candidate.sequence))).score;
  }

  // The sequences or findings of the block that pass the first filter, or may do so.
  std::vector<Candidate> pass_msv(std::size_t first, std::size_t last) {
    const FlushToZero flush;
    std::vector<Candidate> passed;
    for (std::size_t n = first; n < last; ++n) {
      const std::size_t i = found_ ? (*found_)[n].sequence : n;
      const Residues sequence = batch_.residues(i);
      if (sequence.empty() || place_.is_behind_impossible(i)) continue;
      if (sequence.size() > kLongestSequence) {
        add_impossible(i, "the sequence is longer than 100,000 residues");
        break;
      }
      Candidate candidate;
      candidate.sequence = static_cast<std::uint32_t>(i);
      if (take_first(candidate, first_score(n, sequence))) passed.push_back(std::move(candidate));
    }
    return passed;
  }

  FirstScore first_score(std::size_t n, const Residues& sequence) const {
    if (first_ != nullptr) return {fast_msv_score(first_->costs, sequence), true};
    if (!found_) return {fast_msv_score(query_->filters, sequence), true};
    return first_score_behind_ssv(query_->filters, (*found_)[n], sequence);
  }

  // False if the candidate fails.
  bool take_first(Candidate& candidate, const FirstScore& first) {
    candidate.msv = first.score;
    candidate.needs_msv = !first.is_exact;
    candidate.null = null_score(candidate);
    pass_without_bias(candidate, candidate.null);
    candidate.next = only_first_ && candidate.needs_msv ? Next::Msv : Next::Bias;
    if (!candidate.failed && candidate.next == Next::Bias) decide_first(candidate);
    return !candidate.failed;
  }

  // The first filter with the null model that has no bias.
  void pass_without_bias(Candidate& candidate, float null) {
    const bool passes = !fails(msv_p_value(candidate, null), thresholds_.f1);
    candidate.failed = !passes && !candidate.needs_msv;
    if (passes) reach(candidate, Stage::Msv);
  }

  // The first filter with the null model of the bias filter, if there is one. A score that MSV may raise
  // decides only if the candidate passes, without Viterbi.
  bool decide_first(Candidate& candidate) {
    if (thresholds_.bias_filter && !candidate.has_bias) {
      candidate.next = Next::Bias;
      return true;
    }
    const double p_value = msv_p_value(candidate, candidate.null);
    const bool passes = !fails(p_value, thresholds_.f1), skips_viterbi = !fails(p_value, thresholds_.f2);
    if (candidate.needs_msv && !(passes && skips_viterbi && stages_[candidate.sequence] != Stage::Nothing)) {
      candidate.next = Next::Msv;
      return true;
    }
    candidate.failed = !passes;
    if (!passes) return false;
    reach(candidate, Stage::Bias);
    candidate.next = Next::Viterbi;
    if (skips_viterbi) pass_second(candidate);
    return true;
  }

  // The filters in front of Forward that candidates still need.
  void run_filters(std::span<Candidate> candidates) {
    std::vector<Residues> sequences;
    std::vector<Candidate*> together;
    for (Candidate& candidate : candidates) {
      if (!candidate.failed && candidate.next == Next::Msv && !candidate.has_bias)
        take_msv(candidate, msv_score_of(query_->filters, batch_.residues(candidate.sequence)));
      if (candidate.failed || candidate.next != Next::Bias) continue;
      sequences.push_back(batch_.residues(candidate.sequence));
      together.push_back(&candidate);
    }
    std::vector<float> scores(together.size());
    fast_bias_scores(query_->filters.bias, sequences, scores);
    for (std::size_t c = 0; c < together.size(); ++c) take_bias(*together[c], scores[c]);
    for (Candidate& candidate : candidates) {
      const Residues sequence = batch_.residues(candidate.sequence);
      if (!candidate.failed && candidate.next == Next::Msv)
        take_msv(candidate, msv_score_of(query_->filters, sequence));
      if (!candidate.failed && candidate.next == Next::Viterbi)
        take_viterbi(candidate, fast_viterbi_score(query_->filters, sequence));
    }
  }

  bool take_bias(Candidate& candidate, float score) {
    const FlushToZero flush;
    candidate.null = score;
    candidate.has_bias = true;
    return decide_first(candidate);
  }

  bool take_msv(Candidate& candidate, float score) {
    const FlushToZero flush;
    candidate.msv = score;
    candidate.needs_msv = false;
    if (stages_[candidate.sequence] == Stage::Nothing) pass_without_bias(candidate, null_score(candidate));
    return !candidate.failed && decide_first(candidate);
  }

  void pass_second(Candidate& candidate) {
    reach(candidate, Stage::Viterbi);
    candidate.next = Next::Forward;
  }

  bool passes_viterbi(const Candidate& candidate, float score) const {
    const FlushToZero flush;
    return thresholds_.viterbi_passes(statistics_, score, candidate.null);
  }

  bool take_viterbi(Candidate& candidate, float score) {
    candidate.failed = !passes_viterbi(candidate, score);
    if (!candidate.failed) pass_second(candidate);
    return !candidate.failed;
  }

  bool take_forward(Candidate& candidate, float score) {
    const FlushToZero flush;
    candidate.forward = score;
    candidate.failed = !thresholds_.forward_passes(statistics_, score, candidate.null);
    if (!candidate.failed) reach(candidate, Stage::Forward);
    return !candidate.failed;
  }

  // Runs a step of a part. A pair that cannot be compared is looked for, to name it.
  template <class Step>
  void with_part(std::size_t part, const Step& step) {
    const FlushToZero flush;
    const std::span<Candidate> candidates = part_of(part);
    try {
      step(candidates, parts_[part]);
    } catch (const ImpossibleComparison&) {
      for (std::size_t c = 0; c < candidates.size(); ++c) complete_alone(candidates.subspan(c, 1));
      parts_[part].complete = true;
    }
  }

  void complete_alone(std::span<Candidate> candidate) {
    try {
      ComparisonPart own;
      complete(candidate, own);
    } catch (const ImpossibleComparison& error) {
      add_impossible(candidate.front().sequence, error.what());
    }
  }

  void find_regions(std::span<Candidate> candidates, ComparisonPart& own) {
    for (Candidate& candidate : candidates)
      candidate.failed = candidate.failed || place_.is_behind_impossible(candidate.sequence);
    run_filters(candidates);
    sweep(candidates);
    std::vector<DomainTarget> targets;
    for (const Candidate& candidate : candidates) {
      if (candidate.failed || candidate.next != Next::Domains) continue;
      targets.push_back({batch_.residues(candidate.sequence), candidate.regions_found()});
      own.passed.push_back(&candidate);
    }
    own.domains.emplace(query_->profile, query_->floats, std::move(targets), options_);
  }

  void complete(std::span<Candidate> candidates, ComparisonPart& own) {
    if (own.complete) return;
    if (!own.domains) find_regions(candidates, own);
    own.find_envelopes();
    std::vector<TargetDomains> found = own.domains->find_domains();
    for (std::size_t t = 0; t < found.size(); ++t) add_hit(*own.passed[t], std::move(found[t]));
    own = {};
    own.complete = true;
  }

  // Forward, and for those that pass it Backward, where that is still to be done.
  void sweep(std::span<Candidate> candidates) {
    std::vector<SequenceTask> tasks;
    std::vector<Candidate*> swept;
    for (Candidate& candidate : candidates) {
      if (candidate.failed || candidate.next != Next::Forward) continue;
      SequenceTask& task = tasks.emplace_back();
      task.sequence = batch_.residues(candidate.sequence);
      task.lengths = LengthModel::multihit(static_cast<std::int64_t>(task.sequence.size()));
      swept.push_back(&candidate);
    }
    std::vector<SequenceTask*> pointers;
    for (SequenceTask& task : tasks) pointers.push_back(&task);
    run_forward(query_->floats, pointers);
    pointers.clear();
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (take_forward(*swept[t], tasks[t].forward_score)) pointers.push_back(&tasks[t]);
    }
    run_backward(query_->floats, pointers);
    for (std::size_t t = 0; t < tasks.size(); ++t)
      if (!swept[t]->failed) swept[t]->take_regions(hmmer3::find_regions(rows_of(tasks[t])));
  }

  void add_hit(const Candidate& candidate, TargetDomains&& found) {
    if (found.regions == 0 || found.envelopes == 0 || found.domains.empty()) return;
    Hit hit = scored_hit(std::move(found), statistics_, candidate.forward,
                         static_cast<std::int64_t>(batch_.length(candidate.sequence)), options_.null2);
    const std::lock_guard lock(mutex_);
    hits_.emplace_back(candidate.sequence, std::move(hit));
  }

  std::string_view name_;  // of the query
  const Statistics& statistics_;
  const FirstFilter* first_ = nullptr;
  const SearchProfile* query_ = nullptr;  // the whole query, if it is known
  std::mutex completion_;
  const SequenceBatch& batch_;
  const Options& options_;
  const ComparisonPlace place_;
  bool only_first_ = false;                       // the filters behind MSV are run later
  std::optional<std::vector<SsvFinding>> found_;  // by a device; nothing: SSV is to be run
  const FilterThresholds thresholds_;
  const ViterbiLimits left_to_viterbi_;  // bits
  std::mutex mutex_;                     // of candidates_ and hits_
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> bounds_{0};  // of parts
  std::vector<ComparisonPart> parts_;
  std::vector<Stage> stages_;
  std::vector<std::pair<std::size_t, Hit>> hits_;
};

}  // namespace gpuhmm::hmmer3
