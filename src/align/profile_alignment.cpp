// Aligns whole sequences to a profile, with the matrix sizes that HMMER's order of work implies.
#include <stdexcept>
#include <string>

#include "align/batch_aligner.hpp"
#include "gpuhmm/align.hpp"
#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

// Paths have one domain: no transition leads from the end of the profile back to its begin.
ScoreModel single_domain(const Profile& profile) {
  ScoreModel model(profile);
  model.e_to_j = kMinusInfinity;
  return model;
}

// Whether a sequence gets the full matrix only after an earlier one has made the matrix large enough.
bool depends_on_history(int nodes, std::int64_t length) {
  return !MatrixRule(nodes).full_allowed(length) && MatrixRule(nodes, length).full_allowed(length);
}

class Aligner {
 public:
  Aligner(const Profile& profile, const SequenceBatch& sequences, unsigned threads)
      : profile_(profile),
        sequences_(sequences),
        threads_(threads),
        model_(single_domain(profile)),
        rows_(sequences.size(), ProfileRow(profile.nodes)) {}

  std::vector<ProfileRow> run() {
    MatrixRule rule(profile_.nodes);
    std::size_t last_dependent = 0;  // index after the last sequence that history matters for
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      if (depends_on_history(profile_.nodes, length(i))) last_dependent = i + 1;
    }
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      if (length(i) == 0) continue;
      if (i < last_dependent && !rule.full_allowed(length(i)) && rule.may_grow(length(i))) {
        // Its segments may make the matrix grow, which decides about the following sequences.
        take(i, align(model_, profile_, sequences_.residues(i), rule));
        continue;
      }
      add_task(i, rule);
      rule.visit(length(i));
    }
    align_batch(profile_, model_, tasks_, threads_, [this](std::size_t task, AlignedSequence&& aligned) {
      take(sequence_of_[task], std::move(aligned));
    });
    return std::move(rows_);
  }

 private:
  std::int64_t length(std::size_t i) const { return static_cast<std::int64_t>(sequences_.length(i)); }

  void add_task(std::size_t i, const MatrixRule& rule) {
    tasks_.push_back({sequences_.residues(i), rule});
    sequence_of_.push_back(i);
  }

  void take(std::size_t i, AlignedSequence&& aligned) {
    if (!aligned.trace) {
      throw NoPath("sequence " + std::string(sequences_[i].name) + " (number " + std::to_string(i + 1) +
                   ") cannot be aligned: the profile " + profile_.name + " has no path for it");
    }
    rows_[i] =
        profile_row(Alphabet::get(profile_.alphabet), profile_.nodes, sequences_.residues(i), *aligned.trace);
  }

  const Profile& profile_;
  const SequenceBatch& sequences_;
  unsigned threads_;
  ScoreModel model_;
  std::vector<ProfileRow> rows_;
  std::vector<AlignmentTask> tasks_;
  std::vector<std::size_t> sequence_of_;  // by task
};

}  // namespace

std::vector<ProfileRow> align_to_profile(const Profile& profile, const SequenceBatch& sequences,
                                         unsigned threads) {
  return Aligner(profile, sequences, threads).run();
}

std::vector<int> map_to_profile(const Profile& profile, std::span<const WeightedRow> rows) {
  try {
    return map_alignment(single_domain(profile), rows);
  } catch (const std::invalid_argument& error) {
    throw NoPath("profile " + profile.name + ": " + error.what());
  }
}

}  // namespace gpuhmm
