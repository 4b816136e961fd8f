// The recurrences of SSV, MSV, the bias filter and the Viterbi filter.
#include "hmmer3/filters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gpuhmm::hmmer3 {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::int16_t saturated_sum(int a, int b) {
  return static_cast<std::int16_t>(std::clamp<int>(a + b, std::numeric_limits<std::int16_t>::min(),
                                                   std::numeric_limits<std::int16_t>::max()));
}

}  // namespace

int ssv_largest_cell(const ByteModel& model, Residues sequence) {
  std::vector<int> cells(model.nodes + 1, kSsvFloor);
  int most = kSsvFloor;
  for (const std::uint8_t residue : sequence) {
    for (int k = model.nodes; k > 0; --k) {
      cells[k] = std::max(kSsvFloor, cells[k - 1] - model.ssv_cost(residue, k));
      most = std::max(most, cells[k]);
    }
  }
  return most;
}

SsvMaximum ssv_maximum(const ByteModel& model, Residues sequence) {
  return ssv_maximum_of(model, ssv_largest_cell(model, sequence));
}

SsvMaximum ssv_maximum_of(const ByteParameters& model, int most) {
  if (most >= -1 - model.bias) return {true, 0};
  return {false, most + 256};
}

bool ssv_applies(const ByteParameters& model, std::int64_t length) {
  return ssv_applies_at(model, ByteModel::move_cost(length));
}

bool ssv_applies_at(const ByteParameters& model, int move_cost) {
  return move_cost + model.begin_cost + model.end_cost + model.bias < 127;
}

FirstStage ssv_result(const ByteParameters& model, const SsvMaximum& maximum, std::int64_t length) {
  if (!ssv_applies(model, length)) return {ByteResult::NeedsMsv, 0};
  const int move = ByteModel::move_cost(length);
  const int most = 255 - model.bias;
  if (maximum.overflows) {
    const bool in_reach = ByteModel::kBase - move - model.begin_cost < 128;
    return {in_reach ? ByteResult::NeedsMsv : ByteResult::Overflow, 0};
  }
  const int level = maximum.value + ByteModel::kBase - move - model.begin_cost - 128;
  if (level >= most) return {ByteResult::Overflow, 0};
  const int j = level - model.end_cost;
  if (j > ByteModel::kBase) return {ByteResult::NeedsMsv, 0};
  return {ByteResult::Score, j};
}

FirstStage msv_result(const ByteModel& model, Residues sequence) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  const int to_begin = (ByteModel::move_cost(length) + model.begin_cost) % 256;
  const auto less = [](int a, int b) { return std::max(0, a - b); };
  std::vector<int> cells(model.nodes + 1, 0);
  int begin = less(ByteModel::kBase, to_begin), j = 0;
  for (const std::uint8_t residue : sequence) {
    int end = 0;
    for (int k = model.nodes; k > 0; --k) {
      const int biased = std::min(255, std::max(cells[k - 1], begin) + model.bias);
      cells[k] = less(biased, model.cost(residue, k));
      end = std::max(end, cells[k]);
    }
    if (end + model.bias >= 255) return {ByteResult::Overflow, 0};
    j = std::max(j, less(end, model.end_cost));
    begin = less(std::max(ByteModel::kBase, j), to_begin);
  }
  return {ByteResult::Score, j};
}

float byte_score(int level, std::int64_t length) {
  float score =
      static_cast<float>(level - ByteModel::move_cost(length)) - static_cast<float>(ByteModel::kBase);
  score = score / ByteModel::scale();
  return score - 3.0F;
}

float first_stage_score(const FirstStage& stage, std::int64_t length) {
  return stage.result == ByteResult::Overflow ? kInfinity : byte_score(stage.level, length);
}

float msv_score(const ByteModel& model, Residues sequence) {
  const auto length = static_cast<std::int64_t>(sequence.size());
  FirstStage stage = ssv_result(model, ssv_maximum(model, sequence), length);
  if (stage.result == ByteResult::NeedsMsv) stage = msv_result(model, sequence);
  return first_stage_score(stage, length);
}

float bias_score(const BiasModel& model, Residues sequence, const NullModel& null) {
  constexpr float kFirstBackground = 0.999F, kFirstBiased = 0.001F;
  const float stay = null.loop, to_biased = 1.0F - null.loop;
  float background = kFirstBackground, biased = kFirstBiased;
  float sum = 0;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    float a = background, b = biased;
    if (i > 0) {
      a = background * stay + biased * model.leave;
      b = background * to_biased + biased * model.stay;
    }
    b = b * model.odds[sequence[i]];
    float most = 0;
    if (a > most) most = a;
    if (b > most) most = b;
    background = a / most;
    biased = b / most;
    sum = sum + static_cast<float>(std::log(static_cast<double>(most)));
  }
  sum = sum + static_cast<float>(std::log(static_cast<double>(background + biased)));
  return bias_score_of_sum(sum, null.loop, sequence.size());
}

float bias_score_of_sum(float sum, float loop, std::size_t length) {
  const auto leave = static_cast<float>(1.0 - static_cast<double>(loop));
  return (sum + static_cast<float>(length) * std::log(loop)) + std::log(leave);
}

float viterbi_score(const WordModel& model, Residues sequence) {
  const std::size_t cells = static_cast<std::size_t>(model.nodes) + 1;
  constexpr std::int16_t kImpossible = WordModel::kImpossible;
  std::vector<std::int16_t> match(cells, kImpossible), insert(cells, kImpossible),
      deletion(cells, kImpossible);
  const auto length = static_cast<std::int64_t>(sequence.size());
  const int move = WordModel::move_score(length);
  int begin = WordModel::kBase + move, j = kImpossible, c = kImpossible;
  for (const std::uint8_t residue : sequence) {
    std::int16_t match_before = kImpossible, insert_before = kImpossible, deletion_before = kImpossible;
    int end = kImpossible;
    for (int k = 1; k <= model.nodes; ++k) {
      const std::int16_t best = std::max({saturated_sum(begin, model.step(kIntoFromBegin, k)),
                                          saturated_sum(match_before, model.step(kIntoFromMatch, k)),
                                          saturated_sum(insert_before, model.step(kIntoFromInsert, k)),
                                          saturated_sum(deletion_before, model.step(kIntoFromDelete, k))});
      match_before = match[k];
      insert_before = insert[k];
      deletion_before = deletion[k];
      insert[k] = std::max(saturated_sum(match_before, model.step(kMatchToInsert, k)),
                           saturated_sum(insert_before, model.step(kInsertToInsert, k)));
      match[k] = saturated_sum(best, model.match_score(residue, k));
      deletion[k] = k == 1 ? kImpossible
                           : std::max(saturated_sum(match[k - 1], model.step(kMatchToDelete, k - 1)),
                                      saturated_sum(deletion[k - 1], model.step(kDeleteToDelete, k - 1)));
      end = std::max<int>(end, match[k]);
    }
    if (end >= std::numeric_limits<std::int16_t>::max()) return kInfinity;
    c = std::max(c, end + model.end_score);
    j = std::max(j, end + model.end_score);
    begin = std::max(j + move, WordModel::kBase + move);
  }
  return word_score(c, length);
}

float word_score(int c_value, std::int64_t length) {
  if (c_value <= WordModel::kImpossible) return -kInfinity;
  float score = (static_cast<float>(c_value) + static_cast<float>(WordModel::move_score(length))) -
                static_cast<float>(WordModel::kBase);
  score = score / WordModel::scale();
  return score - 3.0F;
}

}  // namespace gpuhmm::hmmer3
