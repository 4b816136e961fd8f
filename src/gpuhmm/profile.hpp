// A Plan7 profile in probability form, as profile files hold it (docs/spec/model-configuration.md, 3.1;
// docs/spec/profile-format.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/alphabet.hpp"

namespace gpuhmm {

/// Pfam-style cut-offs in bits: for the whole sequence and for one domain.
struct ScoreCutoff {
  float sequence = 0;
  float domain = 0;
};

/// Extreme-value distribution of a calibrated profile: location (bits) and slope (1/bit).
struct ExtremeValue {
  float mu = 0;
  float lambda = 0;
};

/// Probabilities of the seven transitions out of a node's match, insert and delete state.
struct Transitions {
  float mm = 0, mi = 0, md = 0, im = 0, ii = 0, dm = 0, dd = 0;
};

/// Probabilities of the special transitions, in the order of a profile file's XT line.
struct SpecialTransitions {
  float n_move = 0, n_loop = 0, e_move = 0, e_loop = 0, c_move = 0, c_loop = 0, j_move = 0, j_loop = 0;
};

/// Node-indexed vectors have length nodes + 1 and are used from index 1 on; tables of residues are row-major
/// by node with `residues()` columns. The last node has no insert emissions and no transitions; these are
/// zero.
struct Profile {
  std::string name;
  std::optional<std::string> accession;
  std::optional<std::string> description;
  AlphabetKind alphabet = AlphabetKind::Amino;
  int nodes = 0;  ///< M, the number of match states

  std::string rf;              ///< reference annotation, [k] of node k, [0] a blank; empty if absent
  std::string cs;              ///< consensus structure, likewise
  bool accessibility = false;  ///< the alignment had a line of surface accessibility (SA_cons)
  std::vector<int> map;        ///< alignment column of node k at [k], [0] zero; empty if absent
  std::vector<std::string> command_log;  ///< COM lines
  int sequence_count = 0;                ///< NSEQ
  std::optional<std::string> date;
  int checksum = 0;
  std::optional<ScoreCutoff> gathering, trusted, noise;  ///< GA, TC, NC

  SpecialTransitions special;
  float null_loop = 0;               ///< r, the loop probability of the null model
  std::vector<float> null_emission;  ///< f(x)
  std::optional<ExtremeValue> evd;   ///< present if calibrated

  float begin_delete = 0;    ///< delta, begin -> D_1
  std::vector<float> begin;  ///< b_k, begin -> M_k
  std::vector<float> end;    ///< e_k, M_k -> end
  std::vector<float> match;
  std::vector<float> insert;
  std::vector<Transitions> transition;

  int residues() const { return Alphabet::get(alphabet).size(); }
  float match_emission(int k, int x) const { return match[static_cast<std::size_t>(k) * residues() + x]; }
  float insert_emission(int k, int x) const { return insert[static_cast<std::size_t>(k) * residues() + x]; }

  /// Sets the number of nodes, and all node-indexed vectors to zeros.
  void resize(int node_count);
  /// Renormalises all distributions in single precision, as HMMER does after reading a text file
  /// (docs/spec/model-configuration.md, 3.2).
  void renormalise();
};

}  // namespace gpuhmm
