// A HMMER3 profile in probability form, as its file holds it (docs/spec/hmmer3/profile-and-configuration.md,
// 2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/alphabet.hpp"

namespace gpuhmm::hmmer3 {

/// Bit scores that a profile's curators chose: for the whole sequence and for one domain.
struct Cutoff {
  float sequence = 0, domain = 0;
};

/// What files hold for parameters and cut-offs that a profile does not have.
inline constexpr float kUnset = -99999.0F;
/// Parameters of the score distributions of an uncalibrated profile.
inline constexpr float kUncalibrated = kUnset;

/// Parameters of the score distributions: location in bits, slope in 1/bit.
struct Statistics {
  float msv_mu = kUncalibrated, msv_lambda = kUncalibrated;
  float viterbi_mu = kUncalibrated, viterbi_lambda = kUncalibrated;
  float forward_tau = kUncalibrated, forward_lambda = kUncalibrated;

  bool calibrated() const { return msv_lambda != kUncalibrated; }
};

/// The seven transitions out of a node, in the order of the file.
enum Transition : std::size_t { kMM, kMI, kMD, kIM, kII, kDM, kDD, kTransitions };

/// Node-indexed vectors have length nodes + 1; node 0 is Begin. Per-residue tables are row-major by node with
/// `residues()` columns.
struct Profile {
  std::string name;
  std::optional<std::string> accession, description;
  AlphabetKind alphabet = AlphabetKind::Hmmer3Amino;  ///< or Hmmer3Dna, Hmmer3Rna
  int nodes = 0;                                      ///< M, the number of match states

  /// Annotation, [k] of node k, [0] a blank; empty if absent. The consensus is always there.
  std::string consensus, rf, mm, cs;
  std::vector<std::int32_t> map;  ///< alignment column of node k at [k]; empty if absent

  std::vector<float> match;   ///< probabilities; row 0 is not used
  std::vector<float> insert;  ///< probabilities, from node 0 on
  std::vector<std::array<float, kTransitions>> transition;
  std::optional<std::vector<float>> composition;  ///< COMPO: mean match emissions

  Statistics statistics;
  std::optional<Cutoff> gathering, trusted, noise;  ///< GA, TC, NC

  /// What has no effect on searches, but is kept by pressed files.
  std::optional<std::int32_t> max_length;  ///< MAXL
  std::vector<std::string> commands;       ///< COM lines
  std::optional<std::int32_t> sequence_count;
  std::optional<float> effective_count;
  std::optional<std::string> date;
  std::optional<std::uint32_t> checksum;

  int residues() const { return Alphabet::get(alphabet).size(); }
  float match_emission(int k, int x) const { return match[static_cast<std::size_t>(k) * residues() + x]; }
};

}  // namespace gpuhmm::hmmer3
