// Compares the Forward score with Viterbi and with sums over all paths.
#include "plan7/forward.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "plan7/arithmetic.hpp"
#include "plan7/random_models.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm {
namespace {

TEST(Forward, IsNotBelowViterbi) {
  test::Random random(7);
  for (int trial = 0; trial < 400; ++trial) {
    const auto style = static_cast<test::Style>(trial % 4);
    const Profile profile = random_profile(random, random.integer(1, 60), style,
                                           trial % 5 == 0 ? AlphabetKind::Nucleic : AlphabetKind::Amino);
    const ScoreModel model(profile, WingFolding::Sum);
    const auto residues = random.sequence(profile.alphabet, random.integer(1, 100));
    // Sums from the table are rounded down: each of a few operations per residue loses at most one unit.
    ASSERT_GE(forward_score(model, residues) + 10 * static_cast<int>(residues.size()) + 10,
              viterbi_score(model, residues));
  }
}

// Sum over all paths in real numbers.
double exact_forward(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  const auto p = [](std::int32_t score) { return std::exp2(score / kUnitsPerBit); };
  const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
  std::vector<double> match(places, 0.0), insert(places, 0.0), del(places, 0.0);
  double n = 1, b = p(model.n_begin), j = 0, c = 0;
  for (const std::uint8_t x : residues) {
    const auto m = match, i = insert, d = del;
    double e = 0;
    for (int k = 1; k <= model.nodes; ++k) {
      match[k] = (m[k - 1] * p(model.mm[k - 1]) + i[k - 1] * p(model.im[k - 1]) +
                  d[k - 1] * p(model.dm[k - 1]) + b * p(model.begin[k])) *
                 p(model.match_row(x)[k]);
      del[k] = match[k - 1] * p(model.md[k - 1]) + del[k - 1] * p(model.dd[k - 1]);
      insert[k] = (m[k] * p(model.mi[k]) + i[k] * p(model.ii[k])) * p(model.insert_row(x)[k]);
      e += match[k] * p(model.end[k]);
    }
    n *= p(model.n_loop);
    j = j * p(model.j_loop) + e * p(model.e_to_j);
    b = n * p(model.n_begin) + j * p(model.j_begin);
    c = c * p(model.c_loop) + e * p(model.e_to_c);
  }
  return std::log2(c * p(model.c_end));
}

TEST(Forward, IsTheSumOverAllPaths) {
  test::Random random(8);
  for (int trial = 0; trial < 200; ++trial) {
    const Profile profile =
        random_profile(random, random.integer(1, 30), static_cast<test::Style>(trial % 4));
    const ScoreModel model(profile, WingFolding::Sum);
    const auto residues = random.sequence(profile.alphabet, random.integer(1, 30));
    const double exact = exact_forward(model, residues);
    ASSERT_NEAR(bits_of(forward_score(model, residues)), exact,
                0.02 * static_cast<double>(residues.size()) + 0.1);
  }
}

std::int32_t wrapped(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

// The recurrence (docs/spec/viterbi-and-traceback.md, 4.7), term by term.
std::int32_t plain_forward(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  const std::size_t places = static_cast<std::size_t>(model.nodes) + 1;
  std::vector<std::int32_t> match(places, kMinusInfinity), insert(match), del(match);
  std::int32_t n = 0, b = model.n_begin, j = kMinusInfinity, c = kMinusInfinity;
  for (const std::uint8_t x : residues) {
    const auto m = match, i = insert, d = del;
    std::int32_t e = kMinusInfinity;
    for (int k = 1; k <= model.nodes; ++k) {
      match[k] =
          wrapped(log_sum(log_sum(wrapped(m[k - 1], model.mm[k - 1]), wrapped(i[k - 1], model.im[k - 1])),
                          log_sum(wrapped(b, model.begin[k]), wrapped(d[k - 1], model.dm[k - 1]))),
                  model.match_row(x)[k]);
      e = log_sum(e, wrapped(match[k], model.end[k]));
      if (k == model.nodes) continue;
      del[k] = log_sum(wrapped(match[k - 1], model.md[k - 1]), wrapped(del[k - 1], model.dd[k - 1]));
      insert[k] =
          wrapped(log_sum(wrapped(m[k], model.mi[k]), wrapped(i[k], model.ii[k])), model.insert_row(x)[k]);
    }
    n = wrapped(n, model.n_loop);
    j = log_sum(wrapped(j, model.j_loop), wrapped(e, model.e_to_j));
    b = log_sum(wrapped(n, model.n_begin), wrapped(j, model.j_begin));
    c = log_sum(wrapped(c, model.c_loop), wrapped(e, model.e_to_c));
  }
  return wrapped(c, model.c_end);
}

TEST(Forward, EqualsTheRecurrenceWrappingIncluded) {
  test::Random random(11);
  for (int trial = 0; trial < 600; ++trial) {
    const test::ModelStyle style{trial % 2 == 0 ? 1 : 1000, trial % 3 * 0.3, trial % 5 != 0};
    const ScoreModel model = random_model(random, random.integer(1, 60), style);
    const auto residues = random.sequence(model.alphabet, random.integer(0, 60));
    ASSERT_EQ(forward_score(model, residues), plain_forward(model, residues)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace gpuhmm
