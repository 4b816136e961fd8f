// Random envelopes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hmmer3/domain_texts.hpp"
#include "hmmer3/envelope_task.hpp"
#include "hmmer3/random_profiles.hpp"

namespace gpuhmm::hmmer3::test {

using Sequence = std::vector<std::uint8_t>;

/// The same tasks, before they are scored.
inline std::vector<EnvelopeTask> unscored(const std::vector<EnvelopeTask>& scored) {
  std::vector<EnvelopeTask> tasks;
  for (const EnvelopeTask& task : scored) tasks.push_back(task.unscored());
  return tasks;
}

/// The tasks that HMMER3 does not end with an exception for, computed plainly. Of all the same may be
/// wanted of an alignment.
inline std::vector<EnvelopeTask> plain_tasks(const FloatModel& model, const Alphabet& alphabet,
                                             const std::vector<Sequence>& sequences, Generator& random) {
  using enum AlignmentDetail;
  const AlignmentDetail wanted[] = {None, Ends, Rows, Rows};
  const int first = between(random, 0, 3), last = between(random, first, 3);
  std::vector<EnvelopeTask> tasks;
  for (const Sequence& sequence : sequences) {
    EnvelopeTask task;
    task.sequence = sequence;
    task.lengths = LengthModel::unihit(static_cast<std::int64_t>(sequence.size()) +
                                       (between(random, 0, 1) == 0 ? 0 : between(random, 0, 400)));
    task.wants_null2 = between(random, 0, 2) > 0;
    task.wanted = wanted[between(random, first, last)];
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

/// A profile and its envelopes.
struct ProfileCase {
  Profile profile;
  std::vector<Sequence> sequences;
};

/// Nodes that are all alike: short alignments may end in any of them.
inline ProfileCase equal_nodes(Generator& random, int nodes) {
  ProfileCase made{random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {0.3F, 0, 0.4, 0}), {}};
  const auto residues = static_cast<std::ptrdiff_t>(made.profile.residues());
  std::vector<float>& match = made.profile.match;
  for (std::ptrdiff_t k = 2; k <= nodes; ++k)
    std::copy_n(match.begin() + residues, residues, match.begin() + k * residues);
  for (int i = 0; i < 20; ++i)
    made.sequences.push_back(random_sequence(random, made.profile.alphabet, between(random, 1, 4)));
  return made;
}

/// Two parts of a profile that no path of deletes joins: each is aligned in half of all cases. With 40 nodes
/// such a path would pass a whole stripe.
inline ProfileCase parted_profile(Generator& random, int nodes) {
  constexpr int kPart = 8;
  ProfileCase made{random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {0.05F, 0.05, 0.5, 0}), {}};
  auto& transition =
      made.profile.transition[static_cast<std::size_t>(between(random, kPart + 1, nodes - kPart))];
  transition[kDD] = 0;
  transition[kDM] = 1;
  Sequence& sequence =
      made.sequences.emplace_back(random_sequence(random, made.profile.alphabet, 2 * kPart + 10, 0));
  plant(made.profile, sequence, 5, 1);
  plant(made.profile, sequence, 5 + kPart, nodes - kPart + 1);
  return made;
}

/// One residue again and again fits everywhere: Backward scales by itself, posteriors may overflow.
inline ProfileCase repeats(Generator& random) {
  ProfileCase made{
      random_profile(random, AlphabetKind::Hmmer3Amino, between(random, 20, 120), {0.3F, 0.02, 0.4, 0}), {}};
  const auto residues = static_cast<std::size_t>(made.profile.residues());
  std::vector<float>& match = made.profile.match;
  for (std::size_t k = 1; k <= static_cast<std::size_t>(made.profile.nodes); ++k) {
    std::fill_n(match.begin() + static_cast<std::ptrdiff_t>(k * residues), residues, 0.001F);
    match[k * residues + 3] = 0.981F;
  }
  for (const int length : {30, 100, 150, 300, 700}) {
    Sequence& sequence = made.sequences.emplace_back(static_cast<std::size_t>(length), 3);
    for (int odd = between(random, 0, 3); odd > 0; --odd)
      sequence[static_cast<std::size_t>(between(random, 0, length - 1))] = 5;
  }
  return made;
}

}  // namespace gpuhmm::hmmer3::test
