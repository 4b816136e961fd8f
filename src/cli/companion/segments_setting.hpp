// The scale and the limits of `gpuhmm segments` on sequences.
#pragma once

#include <optional>

#include "cli/companion/segments_modes.hpp"
#include "cli/companion/sequence_letters.hpp"
#include "companion/segments/region_plot.hpp"
#include "companion/segments/region_writer.hpp"
#include "companion/segments/regions.hpp"
#include "companion/segments/scales.hpp"

namespace gpuhmm::cli {

/// The scale and the numbers that the options give, known before the sequences are.
struct ScaleOptions {
  /// Reads the scale's file, if --scale names one. Throws UsageError and FileError.
  ScaleOptions(const SegmentsOptions& options, const Arguments& arguments);

  std::optional<ResidueScale> scale;
  std::optional<Decimal> shift, min_score;
};

/// What regions are searched for and how they are written.
struct RegionSetting {
  ResidueScale scale;
  ResidueScores scores;  // values of the scale less the shift
  ResidueScores values;  // in the same units
  RegionFilter filter;
  RegionStyle style;
};

/// For sequences of this kind, which are read with the codes of `alphabet`; without --scale by the default
/// scale of their kind. Throws UsageError and FileError for a scale of the other kind.
RegionSetting region_setting(const ScaleOptions& given, const SegmentsOptions& options,
                             const SequenceKind& kind, const Alphabet& alphabet);

/// How a plot shows the values.
RegionPlotStyle plot_style(const RegionSetting& setting, std::size_t window);

}  // namespace gpuhmm::cli
