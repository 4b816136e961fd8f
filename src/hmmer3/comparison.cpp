// All sequences go through the filters; those that pass are sorted by length and go on side by side.
#include "hmmer3/comparison.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/comparison_part.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/regions.hpp"
#include "hmmer3/scored_target.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Sequences and findings of a part: some fill the lanes of the bias filter.
constexpr std::size_t kSequencesOfPart = 256, kFindingsOfPart = 64, kSideBySide = 32;
// Of a part that devices have been at: few sequences are left to the host, and some of them are long.
constexpr std::size_t kBehindDevices = 4;

class BatchComparison {
 public:
  BatchComparison(const SearchProfile& query, const SequenceBatch& batch, const Options& options,
                  const ComparisonPlace& place, std::optional<std::vector<SsvFinding>>&& found,
                  bool only_first)
      : BatchComparison(query.profile.name, query.profile.statistics, batch, options, place) {
    query_ = &query;
    found_ = std::move(found);
    only_first_ = only_first;
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
    candidates_.insert(candidates_.end(), passed.begin(), passed.end());
  }

  void end_filters() {
    std::sort(candidates_.begin(), candidates_.end(), [this](const Candidate& a, const Candidate& b) {
      const std::size_t x = batch_.length(a.sequence), y = batch_.length(b.sequence);
      return x != y ? x > y : a.sequence < b.sequence;
    });
    parts_.resize(parts());
  }

  const SearchProfile& profile() const { return *query_; }
  std::uint32_t seed() const { return options_.seed; }

  std::size_t pairs() const { return candidates_.size(); }
  std::size_t sequence(std::size_t n) const { return candidates_[n].sequence; }
  std::optional<Next> next(std::size_t n) const {
    return candidates_[n].failed ? std::nullopt : std::optional(candidates_[n].next);
  }
  bool take_bias(std::size_t n, float score) { return take_bias(candidates_[n], score); }
  bool take_viterbi(std::size_t n, float score) { return take_viterbi(candidates_[n], score); }
  bool take_viterbi_bound(std::size_t n, float least) {
    const bool passes = passes_viterbi(candidates_[n], least);
    if (passes) pass_second(candidates_[n]);
    return passes;
  }
  bool take_forward(std::size_t n, float score) { return take_forward(candidates_[n], score); }
  void take_regions(std::size_t n, Regions&& regions) { take_regions(candidates_[n], std::move(regions)); }
  void drop_failed() {
    std::erase_if(candidates_, &Candidate::failed);
    parts_.resize(parts());
  }

  std::size_t parts() const { return (candidates_.size() + side_by_side() - 1) / side_by_side(); }

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
        stages_(batch.size(), Stage::Nothing) {}

  void add_impossible(std::size_t sequence, const std::string& message) const {
    place_.add_impossible(sequence, ImpossibleComparison("sequence " + std::string(batch_[sequence].name) +
                                                         ", profile " + std::string(name_) + ": " + message));
  }

  // A P-value that is no number passes.
  static bool fails(double p_value, double threshold) { return p_value > threshold; }

  // Sequences or findings, of all and of a part.
  std::size_t of_part() const { return found_ ? kFindingsOfPart : kSequencesOfPart; }
  std::size_t to_filter() const { return found_ ? found_->size() : batch_.size(); }

  std::size_t side_by_side() const { return only_first_ ? kBehindDevices : kSideBySide; }
  std::span<Candidate> part_of(std::size_t part) {
    const std::size_t first = part * side_by_side();
    return std::span(candidates_).subspan(first, std::min(side_by_side(), candidates_.size() - first));
  }

  // An exception cannot leave std::call_once in a program that has its own copy of the unwinder.
  void complete_query() {
    const std::lock_guard lock(completion_);
    if (query_ == nullptr) query_ = &first_->whole();
  }

  void reach(const Candidate& candidate, Stage stage) { stages_[candidate.sequence] = stage; }
  double msv_p_value(const Candidate& candidate) const {
    return gumbel_survival(bits_above(candidate.msv, candidate.null), statistics_.msv_mu,
                           statistics_.msv_lambda);
  }

  // The sequences or findings of the block that pass the first filter.
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
      candidate.sequence = i;
      candidate.null = NullModel(static_cast<std::int64_t>(sequence.size())).score;
      candidate.msv = found_              ? first_score_of(query_->filters, (*found_)[n], sequence)
                      : first_ != nullptr ? fast_msv_score(first_->costs, sequence)
                                          : fast_msv_score(query_->filters, sequence);
      candidate.p_value = msv_p_value(candidate);
      if (fails(candidate.p_value, thresholds_.f1)) continue;
      if (thresholds_.bias_filter) {
        reach(candidate, Stage::Msv);
      } else {
        pass_first(candidate);
      }
      passed.push_back(candidate);
    }
    return passed;
  }

  // The filters in front of Forward that candidates still need.
  void run_filters(std::span<Candidate> candidates) {
    std::vector<Residues> sequences;
    std::vector<Candidate*> together;
    for (Candidate& candidate : candidates) {
      if (candidate.failed || candidate.next != Next::Bias) continue;
      sequences.push_back(batch_.residues(candidate.sequence));
      together.push_back(&candidate);
    }
    std::vector<float> scores(together.size());
    fast_bias_scores(query_->filters.bias, sequences, scores);
    for (std::size_t c = 0; c < together.size(); ++c) take_bias(*together[c], scores[c]);
    for (Candidate& candidate : candidates) {
      if (candidate.failed || candidate.next != Next::Viterbi) continue;
      take_viterbi(candidate, fast_viterbi_score(query_->filters, batch_.residues(candidate.sequence)));
    }
  }

  // The first filter again, with the null model of biased composition.
  bool take_bias(Candidate& candidate, float score) {
    const FlushToZero flush;
    candidate.null = score;
    candidate.p_value = msv_p_value(candidate);
    candidate.failed = fails(candidate.p_value, thresholds_.f1);
    if (!candidate.failed) pass_first(candidate);
    return !candidate.failed;
  }

  // For one that has passed the first filter.
  void pass_first(Candidate& candidate) {
    reach(candidate, Stage::Bias);
    candidate.next = Next::Viterbi;
    if (!fails(candidate.p_value, thresholds_.f2)) pass_second(candidate);
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

  static void take_regions(Candidate& candidate, std::optional<Regions>&& regions) {
    candidate.regions = std::move(regions);
    candidate.next = Next::Domains;
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
      targets.push_back({batch_.residues(candidate.sequence), candidate.regions});
      own.passed.push_back(&candidate);
    }
    own.domains.emplace(query_->profile, query_->floats, std::move(targets), options_.seed);
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
      if (!swept[t]->failed) take_regions(*swept[t], hmmer3::find_regions(rows_of(tasks[t])));
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
  std::mutex mutex_;  // of candidates_ and hits_
  std::vector<Candidate> candidates_;
  std::vector<ComparisonPart> parts_;
  std::vector<Stage> stages_;
  std::vector<std::pair<std::size_t, Hit>> hits_;
};

}  // namespace

double first_threshold(const Options& options) { return FilterThresholds(options).f1; }

Comparisons compare(const FirstFilter& query, const SequenceBatch& batch, const Options& options,
                    const ComparisonPlace& place, unsigned threads) {
  return BatchComparison(query, batch, options, place).run(threads);
}

class StagedComparison::State : public BatchComparison {
 public:
  using BatchComparison::BatchComparison;
};

StagedComparison::StagedComparison(const SearchProfile& query, const SequenceBatch& batch,
                                   const Options& options, const ComparisonPlace& place,
                                   std::optional<std::vector<SsvFinding>> found, bool only_first)
    : state_(std::make_unique<State>(query, batch, options, place, std::move(found), only_first)) {}

StagedComparison::~StagedComparison() = default;
std::size_t StagedComparison::filter_parts() const { return state_->filter_parts(); }
void StagedComparison::filter(std::size_t part) { state_->filter(part); }
void StagedComparison::end_filters() { state_->end_filters(); }
const SearchProfile& StagedComparison::profile() const { return state_->profile(); }
std::uint32_t StagedComparison::seed() const { return state_->seed(); }
std::size_t StagedComparison::pairs() const { return state_->pairs(); }
std::size_t StagedComparison::sequence(std::size_t n) const { return state_->sequence(n); }
std::optional<Next> StagedComparison::next(std::size_t n) const { return state_->next(n); }
bool StagedComparison::take_bias(std::size_t n, float score) { return state_->take_bias(n, score); }
bool StagedComparison::take_viterbi(std::size_t n, float score) { return state_->take_viterbi(n, score); }
bool StagedComparison::take_viterbi_bound(std::size_t n, float least) {
  return state_->take_viterbi_bound(n, least);
}
bool StagedComparison::take_forward(std::size_t n, float score) { return state_->take_forward(n, score); }
void StagedComparison::take_regions(std::size_t n, Regions&& r) { state_->take_regions(n, std::move(r)); }
void StagedComparison::drop_failed() { state_->drop_failed(); }
std::size_t StagedComparison::parts() const { return state_->parts(); }
double StagedComparison::cells(std::size_t part) const { return state_->cells(part); }
void StagedComparison::find_regions(std::size_t part) { state_->find_regions(part); }
std::span<RegionTask> StagedComparison::regions(std::size_t part) { return state_->regions(part); }
void StagedComparison::find_envelopes(std::size_t part) { state_->find_envelopes(part); }
std::span<EnvelopeTask> StagedComparison::envelopes(std::size_t part) { return state_->envelopes(part); }
void StagedComparison::complete(std::size_t part) { state_->complete(part); }
Comparisons StagedComparison::results() { return state_->results(); }

}  // namespace gpuhmm::hmmer3
