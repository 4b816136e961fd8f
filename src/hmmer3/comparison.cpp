// Comparisons as their users see them.
#include "hmmer3/comparison.hpp"

#include <memory>
#include <utility>

#include "hmmer3/batch_comparison.hpp"

namespace gpuhmm::hmmer3 {

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
bool StagedComparison::take_msv(std::size_t n, float score) { return state_->take_msv(n, score); }
ViterbiLimits StagedComparison::needs_viterbi(std::size_t n) const { return state_->needs_viterbi(n); }
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
