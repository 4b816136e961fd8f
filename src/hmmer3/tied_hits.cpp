// Compares hits by what comes before alignments in their order; aligns those that are equal so far.
#include "hmmer3/tied_hits.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/envelope_task.hpp"

namespace gpuhmm::hmmer3 {

namespace {

class TiedHits {
 public:
  TiedHits(const SearchProfile& query, const Options& options, std::span<Hit> hits,
           std::span<const std::vector<std::uint8_t>> envelopes)
      : query_(query), by_score_(options.includes_by_score()), hits_(hits), envelopes_(envelopes) {}

  void align() const {
    std::vector<std::size_t> order(hits_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::ranges::less(), [this](std::size_t h) { return place_of(h); });
    for (auto first = order.begin(); first != order.end();) {
      // What is no number differs from itself, too.
      const auto last = std::find_if(std::next(first), order.end(),
                                     [&](std::size_t h) { return place_of(h) != place_of(*first); });
      const std::span<const std::size_t> tied(first, last);
      if (!std::ranges::all_of(tied, [&](std::size_t h) { return aligns_alike(h, tied.front()); }))
        align(tied);
      first = last;
    }
  }

 private:
  std::tuple<double, std::string_view> place_of(std::size_t h) const {
    const Hit& hit = hits_[h];
    return {by_score_ ? static_cast<double>(hit.score) : -hit.log_p, hit.name};
  }

  const Domain& first_domain(std::size_t h) const { return hits_[h].domains.front(); }

  // Whether two hits have the same alignment, which both have or lack.
  bool aligns_alike(std::size_t a, std::size_t b) const {
    const auto of = [this](std::size_t h) {
      const Domain& domain = first_domain(h);
      return std::tuple(hits_[h].length, domain.envelope_from, domain.alignment_from, domain.alignment_to);
    };
    return of(a) == of(b) && envelopes_[a] == envelopes_[b];
  }

  void align(std::span<const std::size_t> tied) const {
    const FlushToZero flush;
    std::vector<EnvelopeTask> tasks(tied.size());
    for (std::size_t t = 0; t < tied.size(); ++t) {
      tasks[t].sequence = envelopes_[tied[t]];
      tasks[t].lengths = LengthModel::unihit(hits_[tied[t]].length);
      tasks[t].wanted = AlignmentDetail::Ends;
    }
    score_envelopes(query_.floats, Alphabet::get(query_.profile.alphabet), tasks);
    for (std::size_t t = 0; t < tied.size(); ++t) {
      const std::vector<AlignedColumn>& columns = tasks[t].alignment.columns;
      if (columns.empty()) continue;
      Domain& domain = hits_[tied[t]].domains.front();
      const auto residue = [&](const AlignedColumn& column) {
        return domain.envelope_from + static_cast<std::int64_t>(column.residue) - 1;
      };
      domain.alignment_from = residue(columns.front());
      domain.alignment_to = residue(columns.back());
    }
  }

  const SearchProfile& query_;
  bool by_score_;
  std::span<Hit> hits_;
  std::span<const std::vector<std::uint8_t>> envelopes_;
};

}  // namespace

void align_tied_hits(const SearchProfile& query, const Options& options, std::span<Hit> hits,
                     std::span<const std::vector<std::uint8_t>> envelopes) {
  TiedHits(query, options, hits, envelopes).align();
}

}  // namespace gpuhmm::hmmer3
