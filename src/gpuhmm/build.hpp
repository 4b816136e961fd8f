// Builds a profile from an alignment as hmmbuild of HMMER 2.3.2 does (docs/spec/building.md): priors
// (Dirichlet mixtures: Sjolander et al., CABIOS 12:327, 1996), options, result, and the files of parameters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/alignment.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/random.hpp"
#include "gpuhmm/trace.hpp"

namespace gpuhmm {

/// One component of a Dirichlet mixture: its probability, and the pseudocount of each outcome.
struct DirichletComponent {
  float probability = 1;
  std::vector<float> alpha;
};
using DirichletMixture = std::vector<DirichletComponent>;

/// Pseudocounts of the transitions out of match, insert and delete states.
struct TransitionPrior {
  std::array<float, 3> match{};     ///< m->m, m->i, m->d
  std::array<float, 2> insert{};    ///< i->m, i->i
  std::array<float, 2> deletion{};  ///< d->m, d->d
};

/// How log Gamma is computed for the probabilities of mixture components. Debian's hmmbuild uses, instead of
/// the function's result, an integer that is left in a register (docs/spec/building.md, 9.4), so that in
/// practice a single component decides.
enum class GammaFunction {
  Debian,  ///< as Debian's hmmbuild on processors with FMA instructions
  True,    ///< log Gamma itself, as HMMER 2.3.2 intends
};

/// Priors of everything that a profile has.
struct ProfilePrior {
  AlphabetKind alphabet = AlphabetKind::Amino;
  TransitionPrior transitions;
  DirichletMixture match, insert;
  bool by_residue = false;  ///< `match` has one component per residue, with the residue's probability

  /// The priors of HMMER 2.3.2.
  static ProfilePrior standard(AlphabetKind alphabet);
};

/// The alignment that a profile is built from: rows of the same length with their weights. Letters are in
/// upper case.
struct TrainingAlignment {
  AlphabetKind alphabet = AlphabetKind::Amino;
  std::vector<std::string> rows;  ///< residues and gaps
  std::vector<float> weights;     ///< one per row

  std::size_t columns() const { return rows.front().size(); }
  /// The residues of a row as codes, gaps left out.
  std::vector<std::uint8_t> residues(std::size_t row) const;
  const Alphabet& letters() const { return Alphabet::get(alphabet); }
};

/// HMMER 2's search styles, with hmmbuild's names for them.
enum class SearchStyle {
  Glocal,        ///< ls: several domains, each whole
  Local,         ///< fs: several domains or parts of them
  GlocalSingle,  ///< g: one whole domain
  LocalSingle,   ///< s: one domain or a part of it
};

/// For local styles: the probabilities that a domain begins after its first node and ends before its last.
struct LocalEnds {
  float entry = 0.5F;
  float exit = 0.5F;
};

/// For each column of an alignment, whether it becomes a match state.
using MatchColumns = std::vector<bool>;

/// Null model: the probability of a residue after a residue, and the residues' frequencies.
struct NullModel {
  float loop = 0;
  std::vector<float> emission;

  /// The null model of HMMER 2.3.2.
  static NullModel standard(AlphabetKind alphabet);
};

/// How the most probable architecture is found.
struct MapOptions {
  float column_prior = 0.85F;     ///< prior probability of one more match column
  float largest_gap_part = 0.5F;  ///< of a match column; MostProbable: of the last one
  GammaFunction gamma = GammaFunction::Debian;
};

/// One iteration of maximum entropy weighting. Scores are in bits.
struct EntropyStep {
  float average_score = 0, least_score = 0, largest_score = 0;
  float least_weight = 0, largest_weight = 0;
  int positive_weights = 0, weights_above_one = 0;
  float entropy = 0;                 ///< weighted mean of the scores: the relative entropy
  std::optional<float> convergence;  ///< relative change of `entropy`; nothing at the start
};

/// How rows are weighted.
enum class Weighting { Tree, Clusters, PositionBased, Voronoi, MaximumEntropy, None };
/// How match columns are chosen.
enum class Construction { MostProbable, Fast, Hand };

/// How a profile is built.
struct BuildOptions {
  SearchStyle style = SearchStyle::Glocal;
  LocalEnds ends;
  Construction construction = Construction::MostProbable;
  MapOptions map;  ///< Fast uses only largest_gap_part
  Weighting weighting = Weighting::Tree;
  int position_based_from = 1000;  ///< this many rows or more: Tree and Clusters become PositionBased
  bool effective_number = true;    ///< weights sum to the number of clusters, not of rows
  float identity = 0.62F;          ///< fraction of equal columns from which two rows share a cluster
};

/// Whether the weights of rows are computed from the rows alone, before a profile is built.
bool weighs_before_building(const BuildOptions& options);

/// Whether rows get position-based weights: by choice, or because there are many.
bool uses_position_based_weights(std::size_t rows, const BuildOptions& options);

/// A built profile and what else its report needs.
struct BuildResult {
  Profile profile;  ///< without names, annotation, log and date
  Profile counts;
  MatchColumns columns;
  std::vector<Trace> traces;
  std::vector<float> scores;  ///< bits, of each row's path, with the profile in the local style; for
                              ///< Weighting::MaximumEntropy with the counted probabilities of N, E and C
  std::optional<float> effective_number;
  std::vector<EntropyStep> entropy_steps;  ///< of Weighting::MaximumEntropy
  bool entropy_converged = true;
};

/// Builds a profile and sets the weights of `alignment`; Weighting::None uses the given ones, and
/// Weighting::MaximumEntropy starts from them. `reference` is needed for Construction::Hand;
/// Weighting::Voronoi draws from `random`. Throws std::invalid_argument if no profile can be built from the
/// alignment.
BuildResult build_profile(TrainingAlignment& alignment, std::string_view reference, const ProfilePrior& prior,
                          const NullModel& null, const BuildOptions& options, RandomStream& random);

/// Scores of substituting one residue for another, by their codes: [residue that is there][its substitute].
using SubstitutionScores = std::array<std::array<int, 20>, 20>;

/// Makes one component for each residue: the residues expected in its place. A score of 1 is worth `scale`
/// nats, `frequencies` are those of the residues, and the pseudocounts of a component sum to `weight`.
DirichletMixture substitution_prior(const SubstitutionScores& scores, float scale,
                                    std::span<const float> frequencies, float weight);

/// Reads a null model: the alphabet (Amino or Nucleic), one frequency per residue, and the probability of a
/// residue after a residue. Throws FileError (see Input; another alphabet, numbers missing or out of range).
NullModel read_null_model(const std::string& path, AlphabetKind alphabet);

/// Reads a prior: "Dirichlet", the alphabet, and then transitions, match and insert emissions, each as the
/// number of components followed by the probability and pseudocounts of each. Transitions must have one
/// component. Throws FileError.
ProfilePrior read_prior(const std::string& path, AlphabetKind alphabet);

/// A score for every pair of letters of proteins or of nucleic sequences.
class SubstitutionMatrix {
 public:
  /// BLOSUM62 (Henikoff and Henikoff 1992, Proc Natl Acad Sci USA 89:10915) in half bits, as EMBOSS
  /// (EBLOSUM62) and Biopython have it; NCBI's newer file differs in X.
  static SubstitutionMatrix blosum62();
  /// NUC.4.4 for nucleic sequences (Todd Lowe 1992, NCBI): 5 for equal, -4 for different nucleotides, and
  /// scores for the degenerate letters. EMBOSS's EDNAFULL has the same values.
  static SubstitutionMatrix nuc44();
  /// Reads a file, plain or gzip, "-" for standard input, in NCBI's layout: remarks (#), a line of letters,
  /// then for each letter a line with the letter and its scores. For AlphabetKind::Amino it must have the 20
  /// amino acids and X or *; for Nucleic A, C, G, T or U, and N, X or *, and none of E, F, I, L, P, Q, Z.
  /// Throws FileError with the line.
  static SubstitutionMatrix read(const std::string& path, AlphabetKind alphabet = AlphabetKind::Amino);

  /// The worth of a score of 1, in nats, if a remark states it: "substitution matrix, scale = ... = 0.346574"
  /// (NCBI's pam) or "BLOSUM Clustered Scoring Matrix in 1/2 Bit Units" (matblas). The last such remark
  /// counts.
  std::optional<double> scale() const { return scale_; }
  /// The score of two letters, in upper or lower case. A letter without scores has those of another: of
  /// proteins U those of C, O those of K, all others those of X or, if there is no X, of *; of nucleic
  /// sequences U those of T, T those of U, all others those of N, else X, else *.
  int score(char a, char b) const {
    return scores_[static_cast<unsigned char>(a)][static_cast<unsigned char>(b)];
  }

 private:
  class Table;
  explicit SubstitutionMatrix(const Table& table);
  static SubstitutionMatrix built_in(std::string_view text, AlphabetKind alphabet);

  std::array<std::array<std::int32_t, 256>, 256> scores_{};
  std::optional<double> scale_;
};

/// The alphabet that most rows of an alignment seem to be of; nothing if no alphabet has the most rows.
std::optional<AlphabetKind> guess_alphabet(const Alignment& alignment);

/// The rows of an alignment in upper case with their weights, 1 if they have none. Throws
/// std::invalid_argument if only some rows have a weight.
TrainingAlignment training_alignment(const Alignment& alignment, AlphabetKind alphabet);

/// Copies annotation of the alignment into the profile built from it: accession, description, cut-offs,
/// reference, structure, map, number of rows and checksum. Throws std::invalid_argument if a cut-off is not a
/// number or annotation and rows differ in length.
void annotate(Profile& profile, const Alignment& alignment, const MatchColumns& columns);

}  // namespace gpuhmm
