// Parts of scoring.cpp: packings, the arguments of kernels, trials and sweeps of a whole batch.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "filter/simd/kernels.hpp"
#include "filter/simd/sorted_batch.hpp"
#include "util/shared_threads.hpp"

namespace gpuhmm::simd {

// How a model's kernels pack sequences.
struct Packings {
  int nodes;
  std::size_t vector_bytes;

  // The faster packing for sequences of similar length.
  template <class T>
  Packing best() const {
    // Between these sizes of a row of scores, in bytes, Packing::Whole was measured to be faster than
    // Packing::Chunks: above, emissions leave the first-level cache; below, the scan across lanes costs too
    // much.
    constexpr std::size_t kSmallestWholeRow = 600, kLargestWholeRow = 2400;
    const std::size_t row = static_cast<std::size_t>(nodes) * sizeof(T);
    const bool whole = vector_bytes <= 16 || (row >= kSmallestWholeRow && row <= kLargestWholeRow);
    return whole ? Packing::Whole : Packing::Chunks;
  }
  template <class T>
  Packing of(const SortedBatch::Piece& piece) const {
    return piece.even ? best<T>() : Packing::Whole;
  }
  template <class T>
  StripedShape shape(Packing packing) const {
    return {nodes, (packing == Packing::Chunks ? 16 : vector_bytes) / sizeof(T)};
  }
  std::size_t group_size(Packing packing) const {
    return packing == Packing::Chunks ? kVectorsAtOnce * vector_bytes / 16 : kVectorsAtOnce;
  }
};

// Where the sequences of a group are listed.
using GroupMembers = std::array<std::span<const std::uint8_t>, kLargestGroup>;

// The sequences first .. last - 1 of the batch's order, listed in `members`.
inline SequenceGroup group_of(const SortedBatch& batch, std::size_t first, std::size_t last,
                              GroupMembers& members) {
  for (std::size_t i = first; i < last; ++i) {
    members[i - first] = batch.sequences().residues(batch.order()[i]);
  }
  return {members.data(), last - first};
}

// A group of sequences and the place for its results.
template <class T>
struct GroupTask {
  SequenceGroup sequences;
  Packing packing;
  Workspace<T>& workspace;
  std::span<T> best;
};

// The parameters of one model for the packings that a batch needs.
template <class T>
class ModelByPacking {
 public:
  std::optional<LevelledModel<T>>& operator[](Packing packing) {
    return models_[static_cast<std::size_t>(packing)];
  }
  const LevelledModel<T>& of(Packing packing) const { return *models_[static_cast<std::size_t>(packing)]; }

 private:
  std::array<std::optional<LevelledModel<T>>, 2> models_;
};

// The result of a trial with some groups.
struct Trial {
  std::size_t sequences = 0;
  std::size_t above_mark = 0;
  std::size_t rows = 0;
  std::size_t lazy_f_rows = 0;

  // Always if lazy-F mattered in more than one of kFollowedRows rows.
  LazyFRule rule() const {
    constexpr std::size_t kFollowedRows = 5;
    return lazy_f_rows * kFollowedRows > rows ? LazyFRule::Always : LazyFRule::WhenUseful;
  }
  // Whether at most one in kFewAboveMark sequences is above the mark, as with a bound that is close.
  bool few_above_mark() const {
    constexpr std::size_t kFewAboveMark = 32;
    return above_mark * kFewAboveMark <= sequences;
  }
  // Whether at most one in kMostAboveMark sequences is above the mark, so that using it pays.
  bool mostly_below_mark() const {
    constexpr std::size_t kMostAboveMark = 4;
    return above_mark * kMostAboveMark <= sequences;
  }
};

// Sweeps `groups` groups of a batch by sweep(model, task), from all over the range of lengths. Nothing if
// make(shape) gives no model.
template <class T, class Make, class SweepGroup>
std::optional<Trial> try_groups(const SortedBatch& batch, const Packings& packings, const Make& make,
                                const SweepGroup& sweep, std::size_t groups) {
  const Packing packing = packings.best<T>();
  const std::optional<LevelledModel<T>> model = make(packings.shape<T>(packing));
  if (!model) return std::nullopt;
  Workspace<T> workspace;
  std::array<T, kLargestGroup> results;
  GroupMembers members;
  Trial trial;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = batch.order().size() * (2 * g + 1) / (2 * groups);
    const SequenceGroup tried = group_of(batch, first, first + packings.group_size(packing), members);
    const std::span<T> best = std::span(results).first(tried.size());
    sweep(model->striped, GroupTask<T>{tried, packing, workspace, best});
    trial.sequences += tried.size();
    trial.above_mark +=
        static_cast<std::size_t>(std::ranges::count_if(best, [&](T value) { return value > model->mark; }));
    trial.rows += kVectorsAtOnce * tried[0].size();
  }
  trial.lazy_f_rows = workspace.lazy_f_rows;
  return trial;
}

// Sweeps all groups of a batch by sweep(model, task) by `threads`, and calls take(model, first, best)
// with the results from each group's first place of the batch's order on. False if make(shape) gives no
// model.
template <class T, class Make, class SweepGroup, class Take>
bool sweep_pieces(const SortedBatch& batch, const Packings& packings, SharedThreads& threads,
                  const Make& make, const SweepGroup& sweep, const Take& take) {
  ModelByPacking<T> models;
  for (const SortedBatch::Piece& piece : batch.pieces()) {
    const Packing packing = packings.of<T>(piece);
    if (models[packing]) continue;
    models[packing] = make(packings.shape<T>(packing));
    if (!models[packing]) return false;
  }
  threads.run(batch.pieces().size(), 1, [&](std::size_t p, std::size_t) {
    Workspace<T> workspace;
    const SortedBatch::Piece& piece = batch.pieces()[p];
    const Packing packing = packings.of<T>(piece);
    const LevelledModel<T>& model = models.of(packing);
    const std::size_t size = packings.group_size(packing);
    GroupMembers members;
    std::array<T, kLargestGroup> results;
    for (std::size_t i = piece.first; i < piece.last; i += size) {
      const SequenceGroup group = group_of(batch, i, std::min(i + size, piece.last), members);
      const std::span<T> best = std::span(results).first(group.size());
      sweep(model.striped, GroupTask<T>{group, packing, workspace, best});
      take(model, i, best);
    }
  });
  return true;
}

}  // namespace gpuhmm::simd
