// Scores of substituting one amino acid for another: BLOSUM62 and files like it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "formats/io/error.hpp"

namespace gpuhmm {

/// A score for every pair of letters.
class SubstitutionMatrix {
 public:
  /// BLOSUM62 (Henikoff and Henikoff 1992, Proc Natl Acad Sci USA 89:10915) in half bits, as EMBOSS
  /// (EBLOSUM62) and Biopython have it; NCBI's newer file differs in X.
  static SubstitutionMatrix blosum62();
  /// Reads a file, plain or gzip, "-" for standard input. NCBI's layout: remarks (#), a line of letters, then
  /// a line for each letter: itself and its scores. It must have the 20 amino acids and X or *. Throws
  /// FileError with the line.
  static SubstitutionMatrix read(const std::string& path);

  /// The nats that a score of 1 is worth, if a remark says so: "substitution matrix, scale = ... = 0.346574"
  /// (NCBI's pam) or "BLOSUM Clustered Scoring Matrix in 1/2 Bit Units" (matblas). The last such remark
  /// counts.
  std::optional<double> scale() const { return scale_; }
  /// The score of two letters, in upper or lower case. A letter without scores takes those of another: U of
  /// C, O of K, all others of X or, if there is no X, of *.
  int score(char a, char b) const {
    return scores_[static_cast<unsigned char>(a)][static_cast<unsigned char>(b)];
  }

 private:
  class Table;
  explicit SubstitutionMatrix(const Table& table);

  std::array<std::array<std::int32_t, 256>, 256> scores_{};
  std::optional<double> scale_;
};

}  // namespace gpuhmm
