// Weights of the rows of an alignment that compensate for similar rows (docs/spec/building.md, 9.2).
#pragma once

#include <string>
#include <vector>

#include "gpuhmm/random.hpp"

namespace gpuhmm {

/// Weights by an average tree: Gerstein, Sonnhammer, Chothia, J Mol Biol 236:1067 (1994). They sum to about
/// the number of rows.
std::vector<float> tree_weights(const std::vector<std::string>& rows);

/// Position-based weights: Henikoff, Henikoff, J Mol Biol 243:574 (1994). They sum to about the number of
/// rows.
std::vector<float> position_based_weights(const std::vector<std::string>& rows);

/// Voronoi weights: the fraction of random sequences that are nearest to each row, times the number of rows.
/// Sibbald, Argos, J Mol Biol 216:813 (1990). Draws 50 sequences per row from `random`.
std::vector<float> voronoi_weights(const std::vector<std::string>& rows, RandomStream& random);

/// For each row, 1 / number of rows in its cluster. Rows share a cluster if at least the fraction `identity`
/// of their common columns is equal (Henikoff, Henikoff, PNAS 89:10915, 1992).
std::vector<float> cluster_weights(const std::vector<std::string>& rows, float identity);

/// The number of these clusters.
int cluster_count(const std::vector<std::string>& rows, float identity);

}  // namespace gpuhmm
