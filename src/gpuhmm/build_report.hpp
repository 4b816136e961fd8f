// Writes the report of HMMER 2.3.2's hmmbuild and its file of counts (docs/spec/building.md, 9.9).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/alignment.hpp"
#include "gpuhmm/build.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm {

/// The settings of a run as its report shows them.
struct BuildReportSettings {
  std::string alignment, format;                 ///< path, format name
  std::optional<std::string> null_model, prior;  ///< paths; none: the default
  std::string output;
  bool appending = false;
  std::optional<std::string> counts, annotated;  ///< paths of other outputs
};

/// Writes the settings, down to the dashed line.
void write_hmmbuild_header(const TextSink& out, const BuildReportSettings& settings,
                           const BuildOptions& options);

/// Writes the steps of building one profile, up to its name. `number`: place of the alignment in its file,
/// from 1.
void write_hmmbuild_steps(const TextSink& out, int number, const Alignment& alignment,
                          const BuildResult& result, const BuildReportSettings& settings,
                          const BuildOptions& options);

/// Writes length and scores, and the lines about saved files.
void write_hmmbuild_result(const TextSink& out, const BuildResult& result,
                           const BuildReportSettings& settings);

/// Writes the paths of all rows with their scores under the finished profile.
void write_hmmbuild_traces(const TextSink& out, const Alignment& alignment, const TrainingAlignment& training,
                           const BuildResult& result);

/// Writes the counts of a profile, one line per state, with the alignment's name and annotation.
void write_counts(const TextSink& out, const AlignmentAnnotation& annotation, const Profile& counts,
                  const MatchColumns& columns);

}  // namespace gpuhmm
