// Converts a profile to integer scores.
#include "plan7/score_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

constexpr float kNoPath = -9999;

float natural_log(float p) { return p > 0 ? static_cast<float>(std::log(static_cast<double>(p))) : kNoPath; }

// log(e^p + e^q) in float (docs/spec/model-configuration.md, 3.8).
float float_log_sum(float p, float q) {
  const float high = std::max(p, q);
  const float low = p > q ? q : p;
  if (high - low > 50.0F) return high;
  return static_cast<float>(high + std::log(1.0 + std::exp(static_cast<double>(low - high))));
}

float join(float value, double through_deletes, WingFolding folding) {
  if (folding == WingFolding::Sum) return float_log_sum(value, static_cast<float>(through_deletes));
  return static_cast<float>(std::max(static_cast<double>(value), through_deletes));
}

std::int32_t folded_score(float value, double null_log) {
  if (!(value > kNoPath)) return kMinusInfinity;
  return static_cast<std::int32_t>(std::floor(0.5 + kUnitsPerBit * kLog2E * (value - null_log)));
}

void fold_begin(const Profile& profile, WingFolding folding, std::vector<std::int32_t>& begin) {
  const double null_log = std::log(static_cast<double>(profile.null_loop));
  float deletes = natural_log(profile.begin_delete);
  for (int k = 1; k <= profile.nodes; ++k) {
    float value = natural_log(profile.begin[k]);
    if (k > 1 && deletes > kNoPath) {
      const Transitions& t = profile.transition[k - 1];
      if (t.dm > 0) value = join(value, deletes + std::log(static_cast<double>(t.dm)), folding);
      deletes = t.dd > 0 ? static_cast<float>(deletes + std::log(static_cast<double>(t.dd))) : kNoPath;
    }
    begin[k] = folded_score(value, null_log);
  }
}

void fold_end(const Profile& profile, WingFolding folding, std::vector<std::int32_t>& end) {
  end[profile.nodes] = 0;
  float deletes = 0;
  for (int k = profile.nodes - 1; k >= 1; --k) {
    float value = natural_log(profile.end[k]);
    if (deletes > kNoPath) {
      const Transitions& t = profile.transition[k];
      if (t.md > 0) value = join(value, deletes + std::log(static_cast<double>(t.md)), folding);
      deletes = t.dd > 0 ? static_cast<float>(deletes + std::log(static_cast<double>(t.dd))) : kNoPath;
    }
    end[k] = folded_score(value, 0.0);
  }
}

}  // namespace

void emission_scores(const Alphabet& alphabet, std::span<const float> p, std::span<const float> null,
                     std::span<std::int32_t> scores) {
  std::array<double, 32> log_odds{};  // of plain residues, of which there are fewer
  for (int x = 0; x < alphabet.size(); ++x) {
    log_odds[x] = log2_ratio(p[x] / null[x]);
    scores[x] = p[x] == 0.0F ? kMinusInfinity : rounded_score(log_odds[x]);
  }
  for (int x = alphabet.size(); x < alphabet.code_count(); ++x) {
    float numerator = 0;
    float denominator = 0;
    for (int y = 0; y < alphabet.size(); ++y) {
      if ((alphabet.members(static_cast<std::uint8_t>(x)) >> y & 1U) == 0) continue;
      numerator = static_cast<float>(numerator + null[y] * log_odds[y]);
      denominator += null[y];
    }
    scores[x] = static_cast<std::int32_t>(kUnitsPerBit * numerator / denominator);
  }
}

ScoreModel::ScoreModel(AlphabetKind alphabet_kind, int node_count)
    : alphabet(alphabet_kind),
      nodes(node_count),
      n_begin(kMinusInfinity),
      n_loop(kMinusInfinity),
      e_to_c(kMinusInfinity),
      e_to_j(kMinusInfinity),
      c_end(kMinusInfinity),
      c_loop(kMinusInfinity),
      j_begin(kMinusInfinity),
      j_loop(kMinusInfinity) {
  const std::size_t places = static_cast<std::size_t>(nodes) + 1;
  for (auto* row : {&mm, &mi, &md, &im, &ii, &dm, &dd, &begin, &end}) row->assign(places, kMinusInfinity);
  match.assign(places * code_count(), kMinusInfinity);
  insert.assign(places * code_count(), kMinusInfinity);
  end[nodes] = 0;
}

ScoreModel::ScoreModel(const Profile& profile, WingFolding folding)
    : ScoreModel(profile.alphabet, profile.nodes) {
  const Alphabet& letters = Alphabet::get(alphabet);
  const std::span<const float> null = profile.null_emission;
  const std::size_t places = static_cast<std::size_t>(nodes) + 1;
  std::vector<std::int32_t> codes(letters.code_count());
  const auto convert = [&](const std::vector<float>& from, std::vector<std::int32_t>& to, int k) {
    const std::span<const float> row =
        std::span(from).subspan(static_cast<std::size_t>(k) * letters.size(), letters.size());
    // Most profiles have the same insert emissions at all nodes.
    if (k > 1 && std::equal(row.begin(), row.end(), row.data() - letters.size())) {
      for (std::size_t x = 0; x < codes.size(); ++x) to[x * places + k] = to[x * places + k - 1];
      return;
    }
    emission_scores(letters, row, null, codes);
    for (std::size_t x = 0; x < codes.size(); ++x) to[x * places + k] = codes[x];
  };
  const float r = profile.null_loop;
  for (int k = 1; k <= nodes; ++k) {
    convert(profile.match, match, k);
    if (k == nodes) break;
    convert(profile.insert, insert, k);
    const Transitions& t = profile.transition[k];
    mm[k] = score_of(t.mm, r);
    mi[k] = score_of(t.mi, r);
    md[k] = score_of(t.md, 1);
    im[k] = score_of(t.im, r);
    ii[k] = score_of(t.ii, r);
    dm[k] = score_of(t.dm, r);
    dd[k] = score_of(t.dd, 1);
  }
  const SpecialTransitions& s = profile.special;
  n_begin = score_of(s.n_move, 1);
  n_loop = score_of(s.n_loop, r);
  e_to_c = score_of(s.e_move, 1);
  e_to_j = score_of(s.e_loop, 1);
  c_end = score_of(s.c_move, static_cast<float>(1.0 - r));
  c_loop = score_of(s.c_loop, r);
  j_begin = score_of(s.j_move, 1);
  j_loop = score_of(s.j_loop, r);
  fold_begin(profile, folding, begin);
  fold_end(profile, folding, end);
}

}  // namespace gpuhmm
