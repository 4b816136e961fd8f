// What scoring.cpp hands to kernels, and what it learns from trials.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "filter/simd/kernels.hpp"

namespace gpuhmm::simd {

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

// What came of a trial on some groups.
struct Trial {
  std::size_t sequences = 0;
  std::size_t above_mark = 0;
  std::size_t rows = 0;
  std::size_t lazy_f_rows = 0;

  // "Always" if lazy-F matters in more than one of kFollowedRows rows.
  LazyFRule rule() const {
    constexpr std::size_t kFollowedRows = 5;
    return lazy_f_rows * kFollowedRows > rows ? LazyFRule::Always : LazyFRule::WhenUseful;
  }
  // Whether a mark is worth using: no more than one in kMostAboveMark sequences is above it.
  bool mostly_below_mark() const {
    constexpr std::size_t kMostAboveMark = 4;
    return above_mark * kMostAboveMark <= sequences;
  }
};

}  // namespace gpuhmm::simd
