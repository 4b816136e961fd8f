// Computes scale, zero point and limits of the 16-bit upper bound.
#include "filter/opencl/gpu_bound_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gpuhmm/alphabet.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/rebased_model.hpp"

namespace gpuhmm {

namespace {

// Lower parameters are raised to these, 1/1000 bit: they would take up range, and no good path uses them.
constexpr std::int32_t kLeastEmission = -12'000;
constexpr std::int32_t kLeastOpening = -14'000;     // match to insert or delete
constexpr std::int32_t kLeastExtension = -6'000;    // insert to insert, delete to delete
constexpr std::int32_t kLeastTransition = -30'000;  // before re-basing; begins: relative to the previous node

// Parameters by node (index 0 is node 1), at first in 1/1000 bit, then in units.
struct Parameters {
  std::vector<std::int32_t> mi, ii, md, dd, end;
  std::vector<std::array<std::int32_t, kGpuCodes>> match;
  std::array<std::int32_t, kGpuCodes> insert{};
};

// What a comparison in the low half may take from a sum in the high one, or bring to it, by joined additions.
constexpr std::int32_t kFromLowHalf = 1;

// The range that the 16 bits must hold, in the units of the parameters.
struct Range {
  std::int32_t zero = 0;  // lowest B for which no sum falls below kFromLowHalf
  std::int32_t start_p = 0;
  std::int32_t reserve = 0;  // kept free between the peak limit and 65,535
};

std::int32_t at_least(std::int64_t score, std::int64_t least) {
  return static_cast<std::int32_t>(std::max(score, least));
}

// The gain of a residue inserted at node k, 1/1000 bit: insert to insert, and the mean emission probability.
double insert_gain(const ScoreModel& model, int k) {
  const int letters = Alphabet::get(model.alphabet).size();
  double sum = 0;
  for (int x = 0; x < letters; ++x) sum += std::exp2(model.insert_row(x)[k] / 1000.0);
  return model.ii[k] + 1000 * std::log2(sum / letters);
}

// The node with the largest insert_gain. The bound uses its insert emissions for all nodes: the excess of
// other nodes over them is added to transitions, where it makes the fewest costly insertions cheap.
int easiest_insert(const ScoreModel& model) {
  int easiest = 1;
  double most = insert_gain(model, 1);
  for (int k = 2; k < model.nodes; ++k) {
    if (const double gain = insert_gain(model, k); gain > most) {
      most = gain;
      easiest = k;
    }
  }
  return easiest;
}

Parameters parameters_of(const ScoreModel& model) {
  const int nodes = model.nodes;
  const int codes = model.code_count();
  const RebasedModel rebased(model, FreeSteps::Begins, kLeastTransition);
  Parameters p;
  const int common = easiest_insert(model);
  for (int x = 0; x < codes; ++x) {
    p.insert[x] = nodes > 1 ? at_least(model.insert_row(x)[common], kLeastEmission) : 0;
  }
  for (int k = 1; k <= nodes; ++k) {
    std::int32_t excess = 0;
    if (k < nodes) {
      excess = model.insert_row(0)[k] - p.insert[0];
      for (int x = 1; x < codes; ++x) excess = std::max(excess, model.insert_row(x)[k] - p.insert[x]);
      excess = at_least(excess, kLeastExtension);
    }
    p.mi.push_back(at_least(rebased.mi[k] + excess, kLeastOpening));
    p.ii.push_back(at_least(rebased.ii[k] + excess, kLeastExtension));
    p.md.push_back(at_least(rebased.md[k], kLeastOpening));
    p.dd.push_back(at_least(rebased.dd[k], kLeastExtension));
    p.end.push_back(at_least(rebased.end[k], kGpuImpossibleEnd - rebased.match_potential[k]));
    std::array<std::int32_t, kGpuCodes> emissions{};
    const std::int64_t shift = rebased.match_shift[k] - model.n_loop;
    for (int x = 0; x < codes; ++x) emissions[x] = at_least(model.match_row(x)[k] + shift, kLeastEmission);
    p.match.push_back(emissions);
  }
  // The loop of N is subtracted from the insert emissions only now: the excess above is a difference.
  for (int x = 0; x < codes; ++x) p.insert[x] = at_least(p.insert[x] - model.n_loop, kLeastEmission);
  // Padding has the lowest emission of all residues.
  const std::int32_t worst_insert = *std::min_element(p.insert.begin(), p.insert.begin() + codes);
  std::fill(p.insert.begin() + codes, p.insert.end(), worst_insert);
  for (auto& emissions : p.match) {
    const std::int32_t worst = *std::min_element(emissions.begin(), emissions.begin() + codes);
    std::fill(emissions.begin() + codes, emissions.end(), worst);
  }
  return p;
}

std::int32_t scaled(std::int32_t score, int units) {
  const std::int64_t product = std::int64_t{score} * units;
  return static_cast<std::int32_t>(product >= 0 ? (product + 999) / 1000 : -(-product / 1000));
}

Parameters scaled(const Parameters& p, int units) {
  Parameters result = p;
  for (std::vector<std::int32_t>* scores : {&result.mi, &result.ii, &result.md, &result.dd, &result.end}) {
    for (std::int32_t& score : *scores) score = scaled(score, units);
  }
  for (std::int32_t& score : result.insert) score = scaled(score, units);
  for (auto& emissions : result.match) {
    for (std::int32_t& score : emissions) score = scaled(score, units);
  }
  return result;
}

// Low values: x and d >= zero, or, where d does not include B, d >= m + md; m >= zero + e; p >= min(start_p,
// m + mi); i = p + insert, i + ii and d + dd must not fall below 0. The low half may take kFromLowHalf from i
// and i + ii, but p does not fall further from row to row, as m + mi holds it. High values: assume that no
// match exceeds the limit. An insert or delete cell that is too high for the sums it enters gives a match
// above the limit in the next row (a cell less than one step above limit - lowest emission cannot have
// wrapped around), or it is in the last row, where no match follows.
Range range_of(const Parameters& p) {
  Range range;
  const auto [least_insert, most_insert] = std::minmax_element(p.insert.begin(), p.insert.end());
  std::int32_t most_emission = 0, least_emission = 0, step = std::max(0, *most_insert) + kFromLowHalf;
  for (std::size_t k = 0; k < p.match.size(); ++k) {
    const auto [least, most] = std::minmax_element(p.match[k].begin(), p.match[k].end());
    most_emission = std::max(most_emission, *most);
    least_emission = std::min(least_emission, *least);
    const std::int32_t insert_below = *least_insert + std::min(0, p.ii[k]);
    const std::int32_t delete_below = std::min(0, p.dd[std::min(k + 1, p.dd.size() - 1)]);
    range.start_p = std::max({range.start_p, -insert_below, -*least_insert});
    range.zero =
        std::max({range.zero, -*least, -(*least + p.mi[k]), -(*least + p.mi[k] + insert_below),
                  -(*least + p.mi[k] + *least_insert), -(*least + p.md[k] + delete_below), -p.dd[k]});
    step = std::max({step, p.mi[k] + std::max(0, *most_insert) + kFromLowHalf,
                     p.ii[k] + std::max(0, *most_insert) + kFromLowHalf, p.md[k], p.dd[k]});
  }
  range.zero += kFromLowHalf;
  range.start_p += kFromLowHalf;
  range.reserve = most_emission - least_emission + step;
  return range;
}

constexpr std::int32_t kTop = std::numeric_limits<std::uint16_t>::max();

std::uint32_t half(std::int32_t score) { return static_cast<std::uint32_t>(score) & 0xffffU; }
std::uint32_t doubled(std::int32_t score) { return half(score) * 0x10001U; }

}  // namespace

GpuBoundModel::GpuBoundModel(const ScoreModel& model, std::int32_t pass_mark)
    : constant(model.n_begin + model.e_to_c + model.c_end), row(model.n_loop) {
  const Parameters exact = parameters_of(model);
  const int letters = Alphabet::get(model.alphabet).size();
  double emission = 0;
  for (int x = 0; x < letters; ++x)
    emission += std::exp2((exact.insert[x] + model.n_loop) / 1000.0) / letters;
  weak = std::exp2(*std::max_element(exact.ii.begin(), exact.ii.end()) / 1000.0) * emission >= 1;
  // The match score, relative to B, of a sequence at the pass mark that ends with the lowest end score.
  std::int64_t highest = 0;
  for (const std::int32_t end : exact.end) {
    if (end > kGpuImpossibleEnd / 2)
      highest = std::max<std::int64_t>(highest, std::int64_t{pass_mark} - constant - end);
  }
  const Range wanted = range_of(exact);
  const std::int64_t needed =
      std::max<std::int64_t>(1, std::int64_t{wanted.zero} + wanted.reserve + highest) * 1000;
  units = static_cast<int>(std::clamp<std::int64_t>(std::int64_t{kTop - 100} * 1'000'000 / needed, 1, 1000));
  Parameters p = scaled(exact, units);
  Range range = range_of(p);
  while (units > 1 && range.zero + range.reserve > kTop) {
    units = (units + 1) / 2;
    p = scaled(exact, units);
    range = range_of(p);
  }
  begin = doubled(range.zero);
  start_p = doubled(range.start_p);
  peak_limit = static_cast<std::uint16_t>(std::max(0, kTop - range.reserve));

  // The table is padded with copies of the last node that have no end and its lowest emission.
  const auto pairs = static_cast<std::size_t>(padded_pairs(model.nodes));
  emissions.assign(pairs * kGpuCodes, 0);
  moves.assign(pairs * kGpuMoveWords, 0);
  inserts.assign(p.insert.begin(), p.insert.end());
  const std::size_t last = p.match.size() - 1;
  padding = half(*std::min_element(p.match[last].begin(), p.match[last].end()));
  for (std::size_t n = 0; n < 2 * pairs; ++n) {
    const bool real = n <= last;
    const std::size_t k = std::min(n, last);
    for (std::size_t x = 0; x < kGpuCodes; ++x) {
      emissions[n / 2 * kGpuCodes + x] |= (real ? half(p.match[k][x]) : padding) << (n % 2 * 16);
    }
    std::uint32_t* move = &moves[n / 2 * kGpuMoveWords];
    const std::array<std::int32_t, 4> own = {p.mi[k], p.ii[k], p.md[k], p.dd[k]};
    for (std::size_t i = 0; i < own.size(); ++i) move[4 * (n % 2) + i] = doubled(own[i]);
    move[4 * (n % 2) + kGpuMoveInsertInsert] = joined(p.ii[k], p.ii[k]);
    move[8 + n % 2] = static_cast<std::uint32_t>(real ? p.end[k] - range.zero : kGpuImpossibleEnd);
  }
}

std::int32_t GpuBoundModel::score(std::int32_t best, std::size_t length) const {
  // The quotient is a multiple of 1/units, so rounding it to a double cannot move it past an integer. An
  // integer division would take ten times as long, for every sequence.
  const double down = std::floor(static_cast<double>(best) * 1000 / units);
  return static_cast<std::int32_t>(std::max<double>(down, kMinusInfinity)) + constant +
         row * static_cast<std::int32_t>(length);
}

}  // namespace gpuhmm
