// Random envelopes, and what is compared of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3::test {

using Sequence = std::vector<std::uint8_t>;

inline std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

inline std::string text(const std::vector<AlignedColumn>& columns) {
  std::string all;
  for (const AlignedColumn& column : columns) {
    all += "MDI"[column.state] + std::to_string(column.node) + ":" + std::to_string(column.residue) + "=" +
           std::to_string(bits(column.posterior)) + " ";
  }
  return all;
}

/// All that is found out about an envelope: numbers by their bits.
inline std::string text(const EnvelopeTask& task) {
  std::string all = std::to_string(bits(task.forward_score)) + " ";
  if (!task.possible) return all + "impossible";
  if (task.wants_null2) {
    for (const float x : task.odds) all += std::to_string(bits(x)) + " ";
  }
  return all + std::to_string(bits(task.alignment.accuracy)) + " " + text(task.alignment.columns);
}

/// The same tasks, before they are scored.
inline std::vector<EnvelopeTask> unscored(const std::vector<EnvelopeTask>& scored) {
  std::vector<EnvelopeTask> tasks(scored.size());
  for (std::size_t i = 0; i < scored.size(); ++i) {
    tasks[i].sequence = scored[i].sequence;
    tasks[i].lengths = scored[i].lengths;
    tasks[i].wants_null2 = scored[i].wants_null2;
  }
  return tasks;
}

/// The tasks that HMMER3 does not end with an exception for, computed plainly.
inline std::vector<EnvelopeTask> plain_tasks(const FloatModel& model, const Alphabet& alphabet,
                                             const std::vector<Sequence>& sequences, Generator& random) {
  std::vector<EnvelopeTask> tasks;
  for (const Sequence& sequence : sequences) {
    EnvelopeTask task;
    task.sequence = sequence;
    task.lengths = LengthModel::unihit(static_cast<std::int64_t>(sequence.size()) +
                                       (between(random, 0, 1) == 0 ? 0 : between(random, 0, 400)));
    task.wants_null2 = between(random, 0, 2) > 0;
    try {
      score_envelope_plainly(model, alphabet, task);
    } catch (const ImpossibleComparison&) {
      continue;
    }
    tasks.push_back(std::move(task));
  }
  return tasks;
}

/// A sequence in which the profile's best residues come with gaps.
inline Sequence homologue(Generator& random, const Profile& profile, int length) {
  Sequence sequence = random_sequence(random, profile.alphabet, length);
  std::size_t at = static_cast<std::size_t>(between(random, 0, length / 3));
  for (int k = between(random, 1, std::max(1, profile.nodes / 2));
       k <= profile.nodes && at < sequence.size();) {
    Sequence rest(sequence.begin() + static_cast<std::ptrdiff_t>(at), sequence.end());
    plant(profile, rest, 0, k);
    const std::size_t run = std::min<std::size_t>(
        rest.size(), static_cast<std::size_t>(between(random, 1, std::min(40, profile.nodes / 2 + 1))));
    std::copy_n(rest.begin(), run, sequence.begin() + static_cast<std::ptrdiff_t>(at));
    at += run;
    k += static_cast<int>(run);
    if (between(random, 0, 1) == 0) {
      k += between(random, 0, 1) == 0 ? between(random, 0, profile.nodes) : between(random, 0, 5);
    } else {
      at += static_cast<std::size_t>(between(random, 0, 5));
    }
  }
  return sequence;
}

inline ProfileStyle random_style(Generator& random) {
  const float peaks[] = {0.05F, 0.3F, 1};
  const double gaps[] = {0, 0.01, 0.1, 0.4}, extends[] = {0.1, 0.4, 0.5}, zeros[] = {0, 0, 0.05, 0.2};
  return {peaks[between(random, 0, 2)], gaps[between(random, 0, 3)], extends[between(random, 0, 2)],
          zeros[between(random, 0, 3)]};
}

}  // namespace gpuhmm::hmmer3::test
