// Sizes of blocks, cut-offs, counts.
#include "search/hmmer3_comparisons.hpp"

#include "hmmer3/hit_list.hpp"

namespace gpuhmm::hmmer3 {

MissingCutoff::MissingCutoff(CutoffKind kind, const std::string& profile_name)
    : SearchError("profile " + profile_name + " has no " +
                  (kind == CutoffKind::Gathering ? "GA"
                   : kind == CutoffKind::Noise   ? "NC"
                                                 : "TC") +
                  " cut-off; expected one in its file"),
      kind_(kind),
      profile_(profile_name) {}

const char* MissingCutoff::tag() const {
  return kind_ == CutoffKind::Gathering ? "GA" : kind_ == CutoffKind::Noise ? "NC" : "TC";
}

std::size_t block_sequences(const gpuhmm::RunOptions& options) {
  constexpr std::size_t kStandard = 1'000'000;
  return options.batch_sequences > 0 ? options.batch_sequences : kStandard;
}

std::size_t block_residues(const SearchOptions& options) {
  // A device needs many sequences to be busy.
  constexpr std::size_t kHost = std::size_t{8} << 20, kDevices = std::size_t{64} << 20;
  if (options.batch_residues > 0) return options.batch_residues;
  return options.devices.empty() ? kHost : kDevices;
}

std::optional<Cutoff> required_cutoff(const Profile& profile, CutoffKind kind) {
  std::optional<Cutoff> cutoff = cutoff_of(profile, kind);
  if (kind != CutoffKind::None && !cutoff) throw MissingCutoff(kind, profile.name);
  return cutoff;
}

void count_stage(Counters& counters, Stage stage) {
  counters.past_msv += stage >= Stage::Msv;
  counters.past_bias += stage >= Stage::Bias;
  counters.past_viterbi += stage >= Stage::Viterbi;
  counters.past_forward += stage >= Stage::Forward;
}

Query query_of(const Profile& profile) {
  return {profile.name, profile.accession.value_or(""), profile.description.value_or(""), profile.nodes};
}

Query query_of(const SequenceView& sequence) {
  return {std::string(sequence.name), std::string(sequence.accession), std::string(sequence.description),
          static_cast<std::int64_t>(sequence.residues.size())};
}

}  // namespace gpuhmm::hmmer3
