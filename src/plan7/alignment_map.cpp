// Viterbi alignment of columns. Scores of columns are fractions, truncated to integers at every step as in
// HMMER 2.3.2.
#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cstdint>
#include <stdexcept>

#include "gpuhmm/align.hpp"
#include "gpuhmm/alphabet.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kMostResidues = 20;

// A weighted column: the fraction of the rows that have a residue, and the fraction of each residue.
struct Column {
  float occupied = 0;
  std::array<float, kMostResidues> residues{};
};

// A degenerate code counts in equal parts for its residues. Characters outside the alphabet count as gaps.
std::vector<Column> columns_of(const Alphabet& alphabet, std::span<const WeightedRow> rows) {
  std::vector<Column> columns(rows.front().text.size());
  float total = 0;
  for (const WeightedRow& row : rows) {
    total += row.weight;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const char letter = static_cast<char>(std::toupper(static_cast<unsigned char>(row.text[i])));
      if (alphabet.letters().find(letter) == std::string_view::npos) continue;
      columns[i].occupied += row.weight;
      const std::uint32_t members = alphabet.members(alphabet.code(letter));
      const float part = row.weight / static_cast<float>(std::popcount(members));
      for (std::size_t y = 0; y < kMostResidues; ++y) {
        if ((members >> y & 1U) != 0) columns[i].residues[y] += part;
      }
    }
  }
  for (Column& column : columns) {
    column.occupied /= total;
    for (float& part : column.residues) part /= total;
  }
  return columns;
}

std::int32_t weighted_sum(std::int32_t cell, float weight, std::int32_t score) {
  return static_cast<std::int32_t>(static_cast<float>(cell) + weight * static_cast<float>(score));
}

// Predecessors on the best path. One byte holds those of M (two bits), I and D of a node.
enum From : std::uint8_t { kMatch = 0, kInsert = 1, kBegin = 2, kDelete = 3 };
constexpr std::uint8_t kInsertFromInsert = 4, kDeleteFromDelete = 8;

// The cells of one column; index 0 stays impossible.
struct Row {
  explicit Row(std::size_t places) : match(places, kMinusInfinity), insert(match), del(match) {}
  std::vector<std::int32_t> match, insert, del;
  std::int32_t n = 0, b = kMinusInfinity;
};

class ColumnAligner {
 public:
  ColumnAligner(const ScoreModel& model, const std::vector<Column>& columns)
      : model_(model),
        columns_(columns),
        places_(static_cast<std::size_t>(model.nodes) + 1),
        from_(columns.size() * places_),
        before_(places_),
        now_(places_) {}

  std::vector<int> run() {
    before_.b = model_.n_begin;
    std::int32_t c = kMinusInfinity;
    std::size_t exit_column = 0;  // from 1
    int exit_node = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      fill(i);
      if (c > kMinusInfinity) c = weighted_sum(c, columns_[i].occupied, model_.c_loop);
      std::int32_t best = kMinusInfinity;
      int node = 0;
      for (int k = 1; k <= model_.nodes; ++k) {
        if (now_.match[k] == kMinusInfinity) continue;
        if (const std::int32_t sum = now_.match[k] + model_.end[k]; sum > best) {
          best = sum;
          node = k;
        }
      }
      if (node > 0 && best + model_.e_to_c > c) {
        c = best + model_.e_to_c;
        exit_column = i + 1;
        exit_node = node;
      }
      std::swap(before_, now_);
    }
    if (exit_node == 0) throw std::invalid_argument("the profile has no path for the alignment");
    return trace_back(exit_column, exit_node);
  }

 private:
  std::uint8_t& from(std::size_t i, int k) { return from_[i * places_ + static_cast<std::size_t>(k)]; }

  // Adds the scores of a column's residues, one after another.
  std::int32_t with_residues(std::int32_t cell, const Column& column, const std::vector<std::int32_t>& scores,
                             int k) const {
    if (cell == kMinusInfinity) return cell;
    const std::size_t residues = static_cast<std::size_t>(Alphabet::get(model_.alphabet).size());
    for (std::size_t x = 0; x < residues; ++x) {
      cell = weighted_sum(cell, column.residues[x], scores[x * places_ + static_cast<std::size_t>(k)]);
    }
    return std::max(cell, kMinusInfinity);
  }

  void fill(std::size_t i) {
    const Column& column = columns_[i];
    const float occupied = column.occupied;
    const float occupied_before = i > 0 ? columns_[i - 1].occupied : 0;
    now_.n = weighted_sum(before_.n, occupied, model_.n_loop);
    now_.b = now_.n + model_.n_begin;
    for (int k = 1; k <= model_.nodes; ++k) {
      std::uint8_t origin = kMatch;
      std::int32_t match = kMinusInfinity;
      const auto offer = [&](std::int32_t sum, From source) {
        if (sum <= match) return;
        match = sum;
        origin = source;
      };
      offer(before_.match[k - 1] + model_.mm[k - 1], kMatch);
      offer(weighted_sum(before_.insert[k - 1], occupied_before, model_.im[k - 1]), kInsert);
      offer(before_.b + model_.begin[k], kBegin);
      offer(before_.del[k - 1] + model_.dm[k - 1], kDelete);
      now_.match[k] = with_residues(match, column, model_.match, k);

      const std::int32_t opened = now_.match[k - 1] + model_.md[k - 1];
      const std::int32_t longer = now_.del[k - 1] + model_.dd[k - 1];
      if (longer > opened) origin |= kDeleteFromDelete;
      now_.del[k] = std::max({opened, longer, kMinusInfinity});

      if (k < model_.nodes) {
        const std::int32_t first = weighted_sum(before_.match[k], occupied, model_.mi[k]);
        const std::int32_t next = weighted_sum(before_.insert[k], occupied_before * occupied, model_.ii[k]);
        if (next > first) origin |= kInsertFromInsert;
        now_.insert[k] = with_residues(std::max({first, next, kMinusInfinity}), column, model_.insert, k);
      }
      from(i, k) = origin;
    }
  }

  // Traceback from the match state of node `k` in column `i` (from 1), the last of the path.
  std::vector<int> trace_back(std::size_t i, int k) {
    std::vector<int> map(places_, 0);
    From state = kMatch;
    while (state != kBegin) {
      if (state == kDelete) {
        if ((from(i - 1, k) & kDeleteFromDelete) == 0) state = kMatch;
        --k;
        continue;
      }
      const std::uint8_t origin = from(i - 1, k);
      if (state == kInsert) {
        if ((origin & kInsertFromInsert) == 0) state = kMatch;
      } else {
        map[static_cast<std::size_t>(k)] = static_cast<int>(i);
        state = static_cast<From>(origin & 3U);
        --k;
      }
      --i;
    }
    return map;
  }

  const ScoreModel& model_;
  const std::vector<Column>& columns_;
  std::size_t places_;
  std::vector<std::uint8_t> from_;
  Row before_, now_;
};

}  // namespace

std::vector<int> map_alignment(const ScoreModel& model, std::span<const WeightedRow> rows) {
  const std::vector<Column> columns = columns_of(Alphabet::get(model.alphabet), rows);
  return ColumnAligner(model, columns).run();
}

}  // namespace gpuhmm
