// Computes weights of rows in HMMER's order of operations and single precision.
#include "plan7/building/sequence_weights.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <numeric>
#include <string_view>

#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

namespace {

using Rows = std::vector<std::string>;

constexpr char kGap = '~';  // sorts after all letters

/// 1 - equal pairs of residues / residues of the shorter row, `residues`; 1 for a row without residues.
float difference(const std::string& a, const std::string& b, int residues) {
  int equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] && !is_gap(a[i]) ? 1 : 0;
  const float identity = residues > 0 ? static_cast<float>(equal) / static_cast<float>(residues) : 0.0F;
  return static_cast<float>(1.0 - static_cast<double>(identity));
}

std::vector<int> residue_counts(const Rows& rows) {
  std::vector<int> counts;
  for (const std::string& row : rows) {
    counts.push_back(static_cast<int>(std::ranges::count_if(row, [](char c) { return !is_gap(c); })));
  }
  return counts;
}

/// A node of the clustering tree. The rows are the first nodes.
struct TreeNode {
  std::size_t left = 0, right = 0;
  float height = 0;
  float branch = 0;  ///< to the parent
  int rows = 1;
};

/// Single-linkage clustering by differences. The order in which equal differences are joined affects the last
/// digits: nodes are kept in a list; a new node goes to its end, and the last nodes fill the places of the
/// joined ones.
std::vector<TreeNode> cluster(const Rows& rows) {
  const std::size_t count = rows.size();
  const std::vector<int> residues = residue_counts(rows);
  std::vector<std::vector<float>> distance(count, std::vector<float>(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      distance[i][j] = distance[j][i] = difference(rows[i], rows[j], std::min(residues[i], residues[j]));
    }
  }
  std::vector<TreeNode> nodes(count);
  // distance[i][j] is the distance of the nodes at places i and j of the list
  std::vector<std::size_t> list(count);
  std::iota(list.begin(), list.end(), std::size_t{0});
  while (list.size() > 1) {
    const std::size_t size = list.size();
    std::size_t first = 0, second = 1;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        if (distance[i][j] < distance[first][second]) first = i, second = j;
      }
    }
    const float height = distance[first][second];
    for (const std::size_t child : {list[first], list[second]}) {
      nodes[child].branch = height - nodes[child].height;
    }
    nodes.push_back(
        {list[first], list[second], height, 0, nodes[list[first]].rows + nodes[list[second]].rows});
    const auto swap_places = [&](std::size_t a, std::size_t b) {
      if (a == b) return;
      std::swap(list[a], list[b]);
      std::swap(distance[a], distance[b]);
      for (std::size_t k = 0; k < size; ++k) std::swap(distance[k][a], distance[k][b]);
    };
    swap_places(second, size - 1);
    swap_places(first, size - 2);
    for (std::size_t k = 0; k + 2 < size; ++k) {
      const float nearest = std::min(distance[k][size - 2], distance[k][size - 1]);
      distance[k][size - 2] = distance[size - 2][k] = nearest;
    }
    list.pop_back();
    list.back() = nodes.size() - 1;
  }
  return nodes;
}

}  // namespace

std::vector<float> tree_weights(const Rows& rows) {
  const std::size_t count = rows.size();
  if (count == 1) return {1.0F};
  const std::vector<TreeNode> nodes = cluster(rows);
  std::vector<float> branches(nodes.size());  // the sum of the branches below and above each node
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const TreeNode& node = nodes[i];
    branches[i] = i < count ? node.branch : branches[node.left] + branches[node.right] + node.branch;
  }
  std::vector<float> weights(nodes.size());
  weights.back() = static_cast<float>(count);
  for (std::size_t i = nodes.size(); i-- > count;) {
    const auto& [left, right, height, branch, below] = nodes[i];
    const float total = branches[left] + branches[right];
    for (const std::size_t child : {left, right}) {
      weights[child] = total > 0
                           ? weights[i] * (branches[child] / total)
                           : weights[i] * static_cast<float>(nodes[child].rows) / static_cast<float>(below);
    }
  }
  weights.resize(count);
  return weights;
}

std::vector<float> position_based_weights(const Rows& rows) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto index = [](char c) { return std::toupper(static_cast<unsigned char>(c)); };
  std::vector<float> weights(rows.size(), 0.0F);
  for (std::size_t column = 0; column < rows.front().size(); ++column) {
    std::array<int, 256> counts{};
    for (const std::string& row : rows) {
      if (is_letter(row[column])) ++counts[index(row[column])];
    }
    const auto kinds = static_cast<int>(std::ranges::count_if(counts, [](int n) { return n > 0; }));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!is_letter(rows[i][column])) continue;
      weights[i] = static_cast<float>(static_cast<double>(weights[i]) +
                                      1.0 / (kinds * counts[index(rows[i][column])]));
    }
  }
  const std::vector<int> residues = residue_counts(rows);
  float sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    weights[i] = residues[i] > 0 ? weights[i] / static_cast<float>(residues[i]) : 0.0F;
    sum += weights[i];
  }
  const float scale = static_cast<float>(rows.size()) / sum;
  for (float& weight : weights) weight *= scale;
  return weights;
}

namespace {

/// The rows with every gap replaced by kGap.
Rows with_one_gap(Rows rows) {
  for (std::string& row : rows) std::ranges::replace_if(row, is_gap, kGap);
  return rows;
}

/// The fraction of the common columns of two rows that have different residues; 0 if there is no such column.
/// kGap is the only gap.
float mismatches(std::string_view a, std::string_view b) {
  int equal = 0, common = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int both = a[i] != kGap && b[i] != kGap ? 1 : 0;
    common += both;
    equal += a[i] == b[i] ? both : 0;
  }
  return common > 0 ? static_cast<float>(1.0 - static_cast<double>(equal) / common) : 0.0F;
}

/// The cluster of each row, identified by one of its rows.
std::vector<std::size_t> clusters(const Rows& given, float identity) {
  const Rows rows = with_one_gap(given);
  std::vector<std::size_t> parent(rows.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  const double farthest = 1.0 - static_cast<double>(identity);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (root(i) == root(j)) continue;
      const float distance = mismatches(rows[i], rows[j]);
      if (static_cast<double>(distance) <= farthest) parent[root(i)] = root(j);
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) found.push_back(root(i));
  return found;
}

}  // namespace

std::vector<float> cluster_weights(const Rows& rows, float identity) {
  const std::vector<std::size_t> cluster_of = clusters(rows, identity);
  std::vector<int> sizes(rows.size());
  for (const std::size_t c : cluster_of) ++sizes[c];
  std::vector<float> weights;
  for (const std::size_t c : cluster_of) weights.push_back(static_cast<float>(1.0 / sizes[c]));
  return weights;
}

namespace {

/// The characters to draw from in a column: the letters in it, sorted, then a gap if there is one.
std::string kinds_of(const Rows& rows, std::size_t column) {
  std::string kinds;
  for (const std::string& row : rows) {
    const char c = row[column];
    if (c == kGap) kinds += kGap;
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) kinds += c;
  }
  std::ranges::sort(kinds);
  kinds.erase(std::ranges::unique(kinds).begin(), kinds.end());
  return kinds;
}

/// For each row half the distance to the nearest other row: a sequence closer to it than this is closer to no
/// other.
std::vector<float> half_distances(const Rows& rows) {
  std::vector<float> halves(rows.size(), std::numeric_limits<float>::max());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const float half = mismatches(rows[i], rows[j]) / 2.0F;
      halves[i] = std::min(halves[i], half);
      halves[j] = std::min(halves[j], half);
    }
  }
  return halves;
}

/// The row nearest to a sequence. Among equally near rows, the one with the largest random draw wins.
std::size_t nearest_row(const Rows& rows, const std::vector<float>& halves, std::string_view sequence,
                        RandomStream& random) {
  std::size_t nearest = 0;
  float least = std::numeric_limits<float>::max();
  std::uint32_t largest = random.next();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float distance = mismatches(rows[i], sequence);
    if (distance < halves[i]) return i;
    if (distance > least) continue;
    const std::uint32_t draw = random.next();
    if (distance == least && draw <= largest) continue;
    nearest = i, least = distance, largest = draw;
  }
  return nearest;
}

}  // namespace

std::vector<float> voronoi_weights(const Rows& given, RandomStream& random) {
  constexpr std::size_t kSequences = 50;
  const Rows rows = with_one_gap(given);
  if (rows.size() == 1) return {1.0F};
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < rows.front().size(); ++i) kinds.push_back(kinds_of(rows, i));
  const std::vector<float> halves = half_distances(rows);
  std::vector<int> hits(rows.size());
  std::string sequence(kinds.size(), kGap);
  for (std::size_t drawn = 0; drawn < kSequences * rows.size(); ++drawn) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i].empty()) continue;  // neither letters nor gaps
      sequence[i] =
          kinds[i][static_cast<std::size_t>(random.uniform() * static_cast<double>(kinds[i].size()))];
    }
    ++hits[nearest_row(rows, halves, sequence, random)];
  }
  std::vector<float> weights;
  for (const int n : hits) weights.push_back(static_cast<float>(n) / static_cast<float>(kSequences));
  return weights;
}

int cluster_count(const Rows& rows, float identity) {
  const std::vector<std::size_t> cluster_of = clusters(rows, identity);
  int count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) count += cluster_of[i] == i ? 1 : 0;
  return count;
}

}  // namespace gpuhmm
