// Posterior decoding, null2 by expectation, and the rows of alignments.
#include "hmmer3/envelope.hpp"

#include <cctype>
#include <cmath>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/null2.hpp"

namespace gpuhmm::hmmer3 {

namespace {

char posterior_character(float posterior) {
  const double rounded = static_cast<double>(posterior) + 0.05;
  return rounded >= 1.0 ? '*' : static_cast<char>('0' + static_cast<int>(rounded * 10));
}

}  // namespace

std::optional<std::vector<OutsidePosterior>> decode_posteriors(const FloatModel& model, SequenceTask& task) {
  const std::size_t length = task.sequence.size(), steps = model.steps();
  const std::vector<SpecialRow>&f = task.forward, &b = task.backward;
  const float loop = task.lengths.loop;
  std::vector<OutsidePosterior> outside(length + 1);
  float scale = static_cast<float>(1.0 / static_cast<double>(b[0].n));
  for (std::size_t i = 1; i <= length; ++i) {
    const float factor = scale * f[i].scale;
    const float* const forward = task.forward_cells->row(i);
    float* const backward = task.backward_cells->row(i);
    for (std::size_t q = 0; q < steps; ++q) {
      const std::size_t at = q * kCellStates * kStripes;
      for (std::size_t r = at; r < at + kStripes; ++r) {
        const std::size_t match = r + kMatch * kStripes, insert = r + kInsert * kStripes;
        backward[match] = forward[match] * backward[match] * factor;
        backward[insert] = forward[insert] * backward[insert] * factor;
        backward[r + kDelete * kStripes] = 0;
      }
    }
    outside[i] = {f[i - 1].n * b[i].n * loop * scale, f[i - 1].j * b[i].j * loop * scale,
                  f[i - 1].c * b[i].c * loop * scale};
    if (task.own_scales) scale = scale * (f[i].scale / b[i].scale);
  }
  if (std::isinf(scale)) return std::nullopt;
  return outside;
}

std::vector<float> expected_null2(const FloatModel& model, const Alphabet& alphabet, const SequenceTask& task,
                                  const std::vector<OutsidePosterior>& outside) {
  const std::size_t length = task.sequence.size(), steps = model.steps();
  std::vector<float> match(steps * kStripes), insert(steps * kStripes);
  OutsidePosterior sum;
  for (std::size_t i = 1; i <= length; ++i) {
    const float* const posteriors = task.backward_cells->row(i);
    for (std::size_t q = 0; q < steps; ++q) {
      const float* const of_step = posteriors + q * kCellStates * kStripes;
      for (std::size_t r = 0; r < kStripes; ++r) {
        match[q * kStripes + r] = of_step[kMatch * kStripes + r] + match[q * kStripes + r];
        insert[q * kStripes + r] = of_step[kInsert * kStripes + r] + insert[q * kStripes + r];
      }
    }
    sum = {sum.n + outside[i].n, sum.j + outside[i].j, sum.c + outside[i].c};
  }
  const float share = 1.0F / static_cast<float>(length);
  for (float& weight : match) weight = weight * share;
  for (float& weight : insert) weight = weight * share;
  return null2_odds(model, alphabet, match, insert, (sum.n * share + sum.c * share) + sum.j * share);
}

void score_envelope_plainly(const FloatModel& model, const Alphabet& alphabet, EnvelopeTask& task) {
  StripedMatrix forward, backward;
  task.forward_cells = &forward;
  task.backward_cells = &backward;
  run_forward_plainly(model, task);
  run_backward_plainly(model, task);
  const std::optional<std::vector<OutsidePosterior>> outside = decode_posteriors(model, task);
  task.possible = outside.has_value();
  if (outside) {
    if (task.wants_null2) task.odds = expected_null2(model, alphabet, task, *outside);
    if (task.wants_alignment()) task.alignment = align_envelope(model, task, *outside);
    task.alignment.reduce(task.wanted);
  }
  task.forward_cells = task.backward_cells = nullptr;
}

AlignmentRows alignment_rows(const Profile& profile, const FloatModel& model, Residues sequence,
                             const std::vector<AlignedColumn>& columns) {
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  AlignmentRows rows;
  for (std::string* const row : {&rows.model, &rows.middle, &rows.sequence, &rows.posterior})
    row->reserve(columns.size());
  if (!profile.cs.empty()) rows.cs.reserve(columns.size());
  if (!profile.rf.empty()) rows.rf.reserve(columns.size());
  for (const AlignedColumn& column : columns) {
    const bool has_node = column.state != kInsert;
    const auto annotation = [&](const std::string& of_nodes, std::string& row) {
      if (!of_nodes.empty()) row += has_node ? of_nodes[column.node] : '.';
    };
    annotation(profile.cs, rows.cs);
    annotation(profile.rf, rows.rf);
    const char consensus = profile.consensus[column.node];
    rows.model += has_node ? consensus : '.';
    if (column.state == kDelete) {
      rows.middle += ' ';
      rows.sequence += '-';
      rows.posterior += '.';
      continue;
    }
    const std::uint8_t residue = sequence[column.residue - 1];
    const char letter = alphabet.letter(residue);
    rows.sequence += has_node ? letter : static_cast<char>(std::tolower(letter));
    rows.posterior += posterior_character(column.posterior);
    if (!has_node) {
      rows.middle += ' ';
    } else if (residue == alphabet.code(consensus)) {
      rows.middle += consensus;
    } else {
      rows.middle += model.emission(residue, column.node) > 1.0F ? '+' : ' ';
    }
  }
  return rows;
}

}  // namespace gpuhmm::hmmer3
