// Makes the setting of `gpuhmm segments` from options, scales and the kind of the sequences.
#include "cli/companion/segments_setting.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>

#include "gpuhmm/error.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kLargestScale = std::size_t{1} << 20;  // bytes of a scale file

ResidueScale scale_from(const std::string& given) {
  if (const ResidueScale* built_in = find_scale(given)) return *built_in;
  std::error_code error;
  if (given != "-" && !std::filesystem::exists(given, error)) {
    std::string names;
    for (const AlphabetKind alphabet : {AlphabetKind::Amino, AlphabetKind::Nucleic}) {
      for (const ResidueScale& scale : built_in_scales(alphabet)) names += ", " + scale.name;
    }
    throw UsageError("there is no scale or file '" + given + "'; the scales are " + names.substr(2));
  }
  try {
    return parse_scale(read_whole(given, kLargestScale), given);
  } catch (const std::invalid_argument& wrong) {
    throw FileError(given + ": " + wrong.what());
  }
}

// The decimal in units of 10^-decimals, rounded up.
std::int64_t least_units(const Decimal& least, int decimals) {
  if (least.decimals <= decimals) return least.scaled(decimals);
  std::int64_t divisor = 1;
  for (int i = decimals; i < least.decimals; ++i) divisor *= 10;
  const std::int64_t down = least.digits / divisor;
  return down + (least.digits > down * divisor ? 1 : 0);
}

// The option's value as a decimal number. Throws UsageError.
std::optional<Decimal> decimal_option(const Arguments& arguments, const char* name) {
  const std::optional<std::string> text = arguments.text(name);
  if (!text) return std::nullopt;
  try {
    return parse_decimal(*text);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("option '--") + name + "': " + error.what());
  }
}

}  // namespace

ScaleOptions::ScaleOptions(const SegmentsOptions& options, const Arguments& arguments)
    : shift(decimal_option(arguments, "shift")), min_score(decimal_option(arguments, "min-score")) {
  if (options.scale) scale = scale_from(*options.scale);
}

RegionSetting region_setting(const ScaleOptions& given, const SegmentsOptions& options,
                             const SequenceKind& kind, const Alphabet& alphabet) {
  if (given.scale) kind.require(given.scale->alphabet, "scale " + given.scale->name);
  RegionSetting setting;
  setting.scale = given.scale ? *given.scale : built_in_scales(kind.alphabet).front();
  ResidueScale& scale = setting.scale;
  if (given.shift) scale.shift = *given.shift;
  if (options.best || options.all) {
    scale.min_score = {};
    scale.min_length = 1;
  }
  if (given.min_score) scale.min_score = *given.min_score;
  scale.min_length = options.min_length.value_or(scale.min_length);
  try {
    setting.scores = residue_scores(scale, scale.shift, alphabet);
    setting.values = setting.scores;
    for (std::int32_t& score : setting.values.scores) {
      score += static_cast<std::int32_t>(scale.shift.scaled(setting.scores.decimals));
    }
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  const int decimals = setting.scores.decimals;
  setting.filter = {least_units(scale.min_score, decimals), scale.min_length,
                    options.best ? 1 : options.top.value_or(UINT64_MAX)};
  setting.style = {
      scale.name,  decimal_text(scale.shift), decimal_text(scale.min_score), scale.min_length, decimals,
      options.best};
  if (scale.alphabet == AlphabetKind::Nucleic) {
    setting.style.title = "regions";
    setting.style.gff3_type = "region";
    setting.style.bed_name = scale.name;
  }
  return setting;
}

RegionPlotStyle plot_style(const RegionSetting& setting, std::size_t window) {
  const ResidueScale& scale = setting.scale;
  return {scale.name, scale.shift.value(),
          window,     setting.scores.decimals,
          scale.unit, scale.alphabet == AlphabetKind::Nucleic ? "Score" : "Hydropathy"};
}

}  // namespace gpuhmm::cli
