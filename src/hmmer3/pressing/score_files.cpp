// Scores in stripes: lane r of vector q holds node r * Q + q + 1, where Q is the number of vectors of a row.
#include "hmmer3/pressing/score_files.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "hmmer3/filter_model.hpp"
#include "hmmer3/float_model.hpp"
#include "hmmer3/pressing/score_layout.hpp"

namespace gpuhmm::hmmer3 {

namespace {

/// Adds `count` vectors from the first one of a row on, which starts anew behind its end; `value(k)` gives
/// the number of node k, which may lie behind the last node.
template <class Value>
void add_row(Hmmer3Bytes& out, int nodes, std::size_t size, std::size_t count, Value value) {
  const Stripes stripes = pressed_stripes(nodes, size);
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t lane = 0; lane < stripes.lanes; ++lane) {
      out.number(value(stripes.node_at(q % stripes.vectors, lane)), size);
    }
  }
}

void add_start(Hmmer3Bytes& out, const Profile& profile, std::uint32_t magic) {
  out.word(magic).integer(profile.nodes).integer(hmmer3_alphabet_number(profile.alphabet));
  out.integer(static_cast<std::int32_t>(profile.name.size())).text(profile.name);
}

/// Unlike the binary profile's, the size does not count the zero.
void add_optional(Hmmer3Bytes& out, const std::optional<std::string>& value) {
  out.integer(static_cast<std::int32_t>(value.value_or("").size()));
  if (value && !value->empty()) out.text(*value);
}

std::uint64_t bits(std::int16_t value) { return static_cast<std::uint16_t>(value); }

/// Bound on what D -> D paths can gain; the sum wraps as in HMMER3.
std::int16_t delete_bound(const LogOdds& scores) {
  std::int16_t bound = WordModel::kImpossible;
  for (int k = 2; k < scores.nodes - 1; ++k) {
    const int gain = WordModel::rounded(scores.transition[k][kDD]) +
                     WordModel::rounded(scores.transition[k + 1][kDM]) -
                     WordModel::rounded(scores.begin[k + 2]);
    bound = static_cast<std::int16_t>(std::max<int>(bound, gain));
  }
  return bound;
}

void add_words(Hmmer3Bytes& out, const LogOdds& log_odds) {
  const WordModel words(log_odds);
  const int nodes = words.nodes;
  const Stripes stripes = pressed_stripes(nodes, 2);
  const auto of_step = [&](Step step, int k) {
    return bits(k <= nodes ? words.step(step, k) : WordModel::kImpossible);
  };
  for (std::size_t q = 0; q < stripes.vectors; ++q) {
    for (std::size_t step = 0; step < kDeleteToDelete; ++step) {
      for (std::size_t lane = 0; lane < stripes.lanes; ++lane) {
        out.number(of_step(static_cast<Step>(step), stripes.node_at(q, lane)), 2);
      }
    }
  }
  add_row(out, nodes, 2, stripes.vectors, [&](int k) { return of_step(kDeleteToDelete, k); });
  for (std::size_t x = 0; x < log_odds.codes; ++x) {
    add_row(out, nodes, 2, stripes.vectors,
            [&](int k) { return bits(k <= nodes ? words.match_score(x, k) : WordModel::kImpossible); });
  }
  const auto end = bits(static_cast<std::int16_t>(words.end_score));
  const auto move = bits(static_cast<std::int16_t>(WordModel::move_score(kPressedLength)));
  for (const std::uint64_t score :
       {end, end, move, std::uint64_t{0}, move, std::uint64_t{0}, move, std::uint64_t{0}}) {
    out.number(score, 2);
  }
  out.real(WordModel::scale()).number(WordModel::kBase, 2).number(bits(delete_bound(log_odds)), 2);
  out.real(0);
}

void add_floats(Hmmer3Bytes& out, const LogOdds& log_odds) {
  const FloatModel floats(log_odds);
  const auto add_vector = [&](const float* values) {
    for (std::size_t i = 0; i < kStripes; ++i) out.real(values[i]);
  };
  const auto vector_of = [&](std::size_t q, std::size_t step) {
    return floats.transitions() + (q * kSteps + step) * kStripes;
  };
  for (std::size_t q = 0; q < floats.steps(); ++q) {
    for (std::size_t step = 0; step < kDeleteToDelete; ++step) add_vector(vector_of(q, step));
  }
  for (std::size_t q = 0; q < floats.steps(); ++q) add_vector(vector_of(q, kDeleteToDelete));
  for (std::size_t x = 0; x < floats.codes(); ++x) {
    for (std::size_t q = 0; q < floats.steps(); ++q) add_vector(floats.emissions(x) + q * kStripes);
  }
  const LengthModel length = LengthModel::multihit(kPressedLength);
  out.real(length.end_to_c).real(length.end_to_j);
  // HMMER3 makes these of the scores of a target's length, in the logarithm's precision.
  const float move = std::exp(std::log(length.move));
  const float loop = std::exp(std::log(length.loop));
  for (int state = 0; state < 3; ++state) out.real(move).real(loop);
}

}  // namespace

std::string filter_record(const Profile& profile, const LogOdds& log_odds, const RecordOffsets& offsets) {
  const ByteModel costs(log_odds);
  const int nodes = costs.nodes;
  const std::size_t steps = pressed_stripes(nodes, 1).vectors;
  Hmmer3Bytes out;
  add_start(out, profile, kFiltersMagic);
  out.integer(profile.max_length.value_or(-1));
  out.number(static_cast<std::uint64_t>(costs.begin_cost), 1);
  out.number(static_cast<std::uint64_t>(costs.end_cost), 1);
  out.number(static_cast<std::uint64_t>(ByteModel::move_cost(kPressedLength)), 1);
  out.real(ByteModel::scale()).number(ByteModel::kBase, 1);
  out.number(static_cast<std::uint64_t>(costs.bias), 1);
  for (std::size_t x = 0; x < log_odds.codes; ++x) {
    add_row(out, nodes, 1, steps + StripedBytes::kRepeated, [&](int k) {
      return static_cast<std::uint8_t>(k <= nodes ? costs.ssv_cost(x, k)
                                                  : std::min(ByteModel::kForbidden - costs.bias, 127));
    });
  }
  for (std::size_t x = 0; x < log_odds.codes; ++x) {
    add_row(out, nodes, 1, steps,
            [&](int k) { return k <= nodes ? costs.cost(x, k) : ByteModel::kForbidden; });
  }
  out.statistics(profile.statistics);
  for (const std::uint64_t offset : {offsets.profiles, offsets.filters, offsets.scores}) {
    out.number(offset, 8);
  }
  std::vector<float> composition = profile.composition.value_or(std::vector<float>{});
  composition.resize(kCompositionPlaces, 0.0F);
  for (const float p : composition) out.real(p);
  return out.word(kFiltersMagic).bytes();
}

std::string score_record(const Profile& profile, const LogOdds& log_odds) {
  Hmmer3Bytes out;
  add_start(out, profile, kScoresMagic);
  add_optional(out, profile.accession);
  add_optional(out, profile.description);
  const std::string absent(static_cast<std::size_t>(profile.nodes) + 1, '\0');
  for (const std::string* line : {&profile.rf, &profile.mm, &profile.cs, &profile.consensus}) {
    out.text(line->empty() ? absent : *line);
  }
  add_words(out, log_odds);
  add_floats(out, log_odds);
  out.cutoffs(profile).real(1).integer(1).integer(static_cast<std::int32_t>(kPressedLength));
  return out.word(kScoresMagic).bytes();
}

}  // namespace gpuhmm::hmmer3
