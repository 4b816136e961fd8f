// The sequences and the scores of a dot plot of `gpuhmm submatrix`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/build.hpp"

namespace gpuhmm::cli {

/// What a dot plot is made of.
struct DotPlotInput {
  struct Sequence {
    std::string name, letters;
  };

  Sequence a, b;
  SubstitutionMatrix scores;
  std::string scores_name;  ///< of a built-in matrix, or the path
};

/// The names of the built-in matrices.
std::vector<std::string> matrix_names();
bool is_built_in_matrix(const std::string& name);

/// Reads the one sequence of each of two files, and `matrix`, a built-in one or a file, by default that of
/// the sequences' alphabet. `alphabet` is --alphabet. Throws FileError, also for a matrix of another alphabet
/// than the sequences and for sequences of different alphabets, and UsageError.
DotPlotInput read_dot_plot_input(const std::string& path_a, const std::string& path_b,
                                 std::optional<AlphabetKind> alphabet,
                                 const std::optional<std::string>& matrix);

}  // namespace gpuhmm::cli
