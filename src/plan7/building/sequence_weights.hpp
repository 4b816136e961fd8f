// Weights of the rows of an alignment, which make up for rows that are much alike (docs/spec/building.md,
// 9.2).
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

/// Weights by the volume around each row: the part of random sequences that are nearest to it, times the
/// number of rows. Sibbald, Argos, J Mol Biol 216:813 (1990). 50 sequences a row are drawn from `random`.
std::vector<float> voronoi_weights(const std::vector<std::string>& rows, RandomStream& random);

/// For each row 1 / the rows of its cluster. Rows with at least the part `identity` of their common columns
/// equal are in one cluster (Henikoff, Henikoff, PNAS 89:10915, 1992).
std::vector<float> cluster_weights(const std::vector<std::string>& rows, float identity);

/// The number of these clusters.
int cluster_count(const std::vector<std::string>& rows, float identity);

}  // namespace gpuhmm
