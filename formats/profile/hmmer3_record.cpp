// Fields of HMMER2 for HMMER3's probabilities.
#include "formats/profile/hmmer3_record.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "formats/profile/text_lines.hpp"

namespace gpuhmm {

namespace {

/// HMMER3's background frequencies of the amino acids.
constexpr std::array<float, 20> kAminoBackground = {
    0.0787945F, 0.0151600F, 0.0535222F, 0.0668298F, 0.0397062F, 0.0695071F, 0.0229198F,
    0.0590092F, 0.0594422F, 0.0963728F, 0.0237718F, 0.0414386F, 0.0482904F, 0.0395639F,
    0.0540978F, 0.0683364F, 0.0540687F, 0.0673417F, 0.0114135F, 0.0304133F};
constexpr std::array<float, 4> kNucleicBackground = {0.25F, 0.25F, 0.25F, 0.25F};

std::optional<ScoreCutoff> bits(const std::optional<hmmer3::Cutoff>& cutoff) {
  return cutoff ? std::optional(ScoreCutoff{cutoff->sequence, cutoff->domain}) : std::nullopt;
}

/// Annotation from node 1 on.
std::string from_first_node(const std::string& annotation) {
  return annotation.empty() ? "" : annotation.substr(1);
}

}  // namespace

std::span<const float> Hmmer3Record::background() const {
  if (alphabet == AlphabetKind::Amino) return kAminoBackground;
  return kNucleicBackground;
}

ScoreField hmmer3_field(float p, float n) {
  if (p == 0.0F) return std::nullopt;
  if (n == 1.0F && p == 1.0F) return 0;
  const float ratio = p / n;
  return static_cast<std::int32_t>(std::floor(0.5 + 1442.695 * std::log(static_cast<double>(ratio))));
}

Hmmer3Record::Hmmer3Record(hmmer3::Profile profile)
    : name(std::move(profile.name)),
      accession(std::move(profile.accession)),
      description(std::move(profile.description)),
      alphabet(profile.alphabet == AlphabetKind::Hmmer3Amino ? AlphabetKind::Amino : AlphabetKind::Nucleic),
      rna(profile.alphabet == AlphabetKind::Hmmer3Rna),
      nodes(profile.nodes),
      commands(std::move(profile.commands)),
      sequence_count(profile.sequence_count),
      gathering(bits(profile.gathering)),
      trusted(bits(profile.trusted)),
      noise(bits(profile.noise)),
      rf(from_first_node(profile.rf)),
      cs(from_first_node(profile.cs)) {
  if (profile.date) date = trim_end(*profile.date);
  if (!profile.map.empty()) map.assign(profile.map.begin() + 1, profile.map.end());
  const float to_match = profile.transition[0][hmmer3::kMM];
  const float to_delete = profile.transition[0][hmmer3::kMD];
  begin_match = hmmer3_field(to_match, 1.0F);
  begin_main = hmmer3_field(static_cast<float>(1.0 - to_delete), 1.0F);
  begin_delete = hmmer3_field(to_delete, 1.0F);
  const std::span<const float> null = background();
  const std::size_t residues = null.size();
  const std::size_t last = static_cast<std::size_t>(nodes) * residues;
  for (std::size_t i = residues; i < last + residues; ++i) {
    match.push_back(hmmer3_field(profile.match[i], null[i % residues]));
  }
  for (std::size_t i = residues; i < last; ++i) {
    insert.push_back(hmmer3_field(profile.insert[i], null[i % residues]));
  }
  for (int k = 1; k < nodes; ++k) {
    for (const float p : profile.transition[k]) transition.push_back(hmmer3_field(p, 1.0F));
  }
  transition.resize(static_cast<std::size_t>(nodes) * kTransitions);
}

}  // namespace gpuhmm
