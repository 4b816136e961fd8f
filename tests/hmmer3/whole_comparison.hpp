// Comparisons on one thread of the host, step by step.
#pragma once

#include "hmmer3/comparison.hpp"

namespace gpuhmm::hmmer3::test {

/// Runs the filters.
inline void filter_all(StagedComparison& comparison) {
  for (std::size_t part = 0; part < comparison.filter_parts(); ++part) comparison.filter(part);
  comparison.end_filters();
}

/// Runs what is left behind the filters.
inline Comparisons completed(StagedComparison& comparison) {
  for (std::size_t part = 0; part < comparison.parts(); ++part) comparison.complete(part);
  return comparison.results();
}

}  // namespace gpuhmm::hmmer3::test
