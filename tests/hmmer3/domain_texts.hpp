// What is compared of regions and envelopes, as text: numbers by their bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3::test {

inline std::uint32_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }

inline std::string text(const std::vector<AlignedColumn>& columns) {
  std::string all;
  for (const AlignedColumn& column : columns) {
    all += "MDI"[column.state] + std::to_string(column.node) + ":" + std::to_string(column.residue) + "=" +
           std::to_string(bits(column.posterior)) + " ";
  }
  return all;
}

/// All that is found out about an envelope.
inline std::string text(const EnvelopeTask& task) {
  std::string all = std::to_string(bits(task.forward_score)) + " ";
  if (!task.possible) return all + "impossible";
  if (task.wants_null2) {
    for (const float x : task.odds) all += std::to_string(bits(x)) + " ";
  }
  return all + std::to_string(bits(task.alignment.accuracy)) + " " + text(task.alignment.columns);
}

inline std::string text(const TracebackEnsemble& ensemble) {
  std::string all;
  for (const SampledSegment& s : ensemble.segments) {
    for (const auto number : {static_cast<std::size_t>(s.traceback), s.from, s.to,
                              static_cast<std::size_t>(s.model_from), static_cast<std::size_t>(s.model_to)})
      all += std::to_string(number) + " ";
  }
  for (const float x : ensemble.null2) all += std::to_string(bits(x)) + " ";
  return all;
}

}  // namespace gpuhmm::hmmer3::test
