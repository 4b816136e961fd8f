// Finds the most probable architecture by dynamic programming over columns, from the last to the first.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "plan7/arithmetic.hpp"
#include "plan7/building/architecture.hpp"
#include "plan7/building/dirichlet_prior.hpp"
#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

namespace {

class Architect {
 public:
  Architect(const TrainingAlignment& alignment, const ProfilePrior& prior, const NullModel& null,
            const MapOptions& options)
      : alignment_(alignment),
        prior_(prior),
        null_(null),
        options_(options),
        insert_(null.emission.size(), 0.0F) {
    apply_prior(insert_, prior.insert, options.gamma);
    const std::size_t rows = alignment.rows.size();
    residues_before_.assign(alignment.columns() + 1, std::vector<int>(rows));
    for (std::size_t column = 0; column < alignment.columns(); ++column) {
      for (std::size_t row = 0; row < rows; ++row) {
        residues_before_[column + 1][row] =
            residues_before_[column][row] + (is_gap(alignment.rows[row][column]) ? 0 : 1);
      }
    }
  }

  MatchColumns build() {
    const std::size_t last = last_column();
    std::vector<float> score(last + 1, 0.0F), insert_score;  // without the own score of the last column
    for (std::size_t i = 0; i <= last; ++i) insert_score.push_back(emission_score(counts_of(i), insert_));
    std::vector<std::size_t> next(last + 1, last);
    float all = 0;
    for (const float w : alignment_.weights) all += w;
    const float prior = all * static_cast<float>(log2_ratio(options_.column_prior));
    for (std::size_t i = last; i-- > 0;) {
      const float own = match_score(i) + prior;
      float best = -std::numeric_limits<float>::max(), inserted = 0;
      for (std::size_t j = i + 1; j <= last; ++j) {
        const float s = score[j] + (transition_score(i, j, last) + inserted);
        if (s > best) best = s, next[i] = j;
        inserted += insert_score[j];
      }
      score[i] = best + own;
    }
    std::size_t first = last;
    float best = -std::numeric_limits<float>::max();
    for (std::size_t i = 0; i <= last; ++i) {
      const float s = score[i] + begin_score(i);
      if (s > best) best = s, first = i;
    }
    MatchColumns columns(alignment_.columns(), false);
    for (std::size_t i = first;; i = next[i]) {
      columns[i] = true;
      if (i == last) break;
    }
    return columns;
  }

 private:
  bool residue(std::size_t row, std::size_t column) const { return !is_gap(alignment_.rows[row][column]); }

  std::size_t last_column() const {
    for (std::size_t column = alignment_.columns(); column-- > 0;) {
      float gaps = 0;
      for (std::size_t i = 0; i < alignment_.rows.size(); ++i) gaps += residue(i, column) ? 0.0F : 1.0F;
      const auto all = static_cast<float>(alignment_.rows.size());
      if (!(gaps / all > options_.largest_gap_part)) return column;
    }
    throw std::invalid_argument("no column qualifies as a match column");
  }

  std::vector<float> counts_of(std::size_t column) const {
    const Alphabet& letters = alignment_.letters();
    std::vector<float> counts(static_cast<std::size_t>(letters.size()));
    for (std::size_t i = 0; i < alignment_.rows.size(); ++i) {
      if (!residue(i, column)) continue;
      count_residue(letters, letters.code(alignment_.rows[i][column]), alignment_.weights[i], counts.data());
    }
    return counts;
  }

  float match_score(std::size_t column) const {
    const std::vector<float> counts = counts_of(column);
    std::vector<float> p = counts;
    apply_match_prior(p, prior_, options_.gamma);
    return emission_score(counts, p);
  }

  float emission_score(const std::vector<float>& counts, const std::vector<float>& p) const {
    float score = 0;
    for (std::size_t x = 0; x < p.size(); ++x) {
      if (counts[x] > 0) score += counts[x] * bits_of_ratio(p[x] / null_.emission[x]);
    }
    return score;
  }

  static float bits_of_ratio(float x) { return static_cast<float>(log2_ratio(x)); }

  /// Score of the transitions between match columns i and j; minus infinity if a row of any weight would go
  /// from a delete state to an insert state or back.
  float transition_score(std::size_t i, std::size_t j, std::size_t last) const {
    Transitions c;
    const int* before_i = residues_before_[i].data();
    const int* behind_i = residues_before_[i + 1].data();
    const int* before_j = residues_before_[j].data();
    const int* behind_j = residues_before_[j + 1].data();
    const int* all = residues_before_[last + 1].data();
    for (std::size_t row = 0; row < alignment_.rows.size(); ++row) {
      if (all[row] == behind_i[row]) continue;
      const float w = alignment_.weights[row];
      const int inserted = before_j[row] - behind_i[row];
      const bool at_i = behind_i[row] != before_i[row], at_j = behind_j[row] != before_j[row];
      if (inserted == 0) {
        (at_i ? at_j ? c.mm : c.md : at_j ? c.dm : c.dd) += w;
      } else {
        if (!at_i || !at_j) return -std::numeric_limits<float>::infinity();
        c.mi += w;
        c.ii += static_cast<float>(inserted - 1) * w;
        c.im += w;
      }
    }
    Transitions p = c;
    apply_prior(p, prior_.transitions);
    const float r = null_.loop;
    float score = 0;
    score += c.mm * bits_of_ratio(p.mm / r);
    score += c.mi * bits_of_ratio(p.mi / r);
    score += c.md * bits_of_ratio(p.md);
    score += c.im * bits_of_ratio(p.im / r);
    score += c.ii * bits_of_ratio(p.ii / r);
    score += c.dm * bits_of_ratio(p.dm / r);
    score += c.dd * bits_of_ratio(p.dd);
    return score;
  }

  /// Score of the rows that do not begin in the first match column: they enter at one of about as many others
  /// as the rows have residues on average.
  float begin_score(std::size_t column) const {
    float all = 0, length_sum = 0, gaps = 0;
    for (std::size_t row = 0; row < alignment_.rows.size(); ++row) {
      const float w = alignment_.weights[row];
      all += w;
      length_sum += w * static_cast<float>(residues_before_.back()[row]);
      if (!residue(row, column)) gaps += 1;  // not weighted
    }
    if (gaps == 0) return 0;
    const auto length = static_cast<int>(length_sum / all);
    return gaps * static_cast<float>(std::log(1.0 / (length - 1)) * kLog2E);
  }

  const TrainingAlignment& alignment_;
  const ProfilePrior& prior_;
  const NullModel& null_;
  const MapOptions& options_;
  std::vector<float> insert_;  // emissions of insert states: the prior's, whatever is inserted
  std::vector<std::vector<int>> residues_before_;  // [column][row]
};

}  // namespace

MatchColumns most_probable_columns(const TrainingAlignment& alignment, const ProfilePrior& prior,
                                   const NullModel& null, const MapOptions& options) {
  return Architect(alignment, prior, null, options).build();
}

}  // namespace gpuhmm
