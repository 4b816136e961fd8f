// `gpuhmm segments` on proteins: reads them in batches and writes their regions and the plot. It reads one
// batch while it searches and writes the previous one.
#include <filesystem>
#include <future>
#include <utility>

#include "cli/companion/segments_engine.hpp"
#include "cli/companion/segments_modes.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/segments/hydropathy_plot.hpp"
#include "companion/segments/region_writer.hpp"
#include "companion/segments/regions.hpp"
#include "companion/segments/scales.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"
#include "util/ordered_blocks.hpp"

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kBatchSequences = std::size_t{1} << 15;
constexpr std::size_t kBatchResidues = std::size_t{8} << 20;
constexpr std::size_t kLargestScale = std::size_t{1} << 20;  // bytes of a scale file
constexpr std::size_t kWrittenTogether = 512;                // sequences per block that a thread formats

HydropathyScale scale_from(const std::string& given) {
  if (const HydropathyScale* built_in = find_scale(given)) return *built_in;
  std::error_code error;
  if (given != "-" && !std::filesystem::exists(given, error)) {
    std::string names;
    for (const HydropathyScale& scale : built_in_scales()) names += ", " + scale.name;
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
Decimal decimal_option(const Arguments& arguments, const char* name) {
  try {
    return parse_decimal(arguments.get(name));
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("option '--") + name + "': " + error.what());
  }
}

// The settings of a run, made before the sequences are read.
struct Setting {
  HydropathyScale scale;
  ResidueScores scores;        // hydropathies less the shift
  ResidueScores hydropathies;  // in the same units
  RegionFilter filter;
  RegionStyle style;
};

Setting setting_from(const SegmentsOptions& options, const Arguments& arguments, const Alphabet& alphabet) {
  Setting setting;
  setting.scale = scale_from(arguments.get("scale"));
  HydropathyScale& scale = setting.scale;
  if (arguments.has("shift")) scale.shift = decimal_option(arguments, "shift");
  if (options.best || options.all) {
    scale.min_score = {};
    scale.min_length = 1;
  }
  if (options.min_score) scale.min_score = decimal_option(arguments, "min-score");
  scale.min_length = options.min_length.value_or(scale.min_length);
  try {
    setting.scores = residue_scores(scale, scale.shift, alphabet);
    setting.hydropathies = setting.scores;
    for (std::int32_t& score : setting.hydropathies.scores) {
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
  return setting;
}

class PlotFile {
 public:
  PlotFile(const std::string& path, const Setting& setting, std::size_t window)
      : file_(path),
        plot_({setting.scale.name, setting.scale.shift.value(), window, setting.scores.decimals,
               setting.scale.unit}),
        hydropathies_(setting.hydropathies) {}

  void add(const SequenceView& sequence, std::span<const Region> regions) {
    std::vector<std::int32_t> values;
    for (const std::uint8_t code : sequence.residues) values.push_back(hydropathies_.scores[code]);
    try {
      plot_.add(sequence.name, values, regions);
    } catch (const std::length_error& error) {
      throw UsageError(std::string("option '--plot': ") + error.what());
    }
  }
  void finish() {
    file_.write(plot_.svg());
    file_.finish();
  }
  void commit() { file_.commit(); }

 private:
  OutputFile file_;
  HydropathyPlot plot_;
  ResidueScores hydropathies_;
};

}  // namespace

void run_protein_segments(const SegmentsOptions& options, const Arguments& arguments) {
  const std::optional<RegionFormat> format = region_format_of(options.format);
  if (!format) throw UsageError("option '--format' expects tsv, gff3, bed, json, tmhmm or tmhmm-short");
  RunStatistics statistics(arguments.has("stats"));
  const std::string located = locate_file(options.input, "BLASTDB");
  const SequenceSource source(located, informat_from(arguments), options.threads);
  // A prepared database already stores J, O, * and - as X.
  const bool prepared = source.database() != nullptr;
  if (prepared && source.database()->alphabet() != AlphabetKind::Amino) {
    throw FileError(located + ": the database has nucleic sequences; expected proteins");
  }
  const Alphabet& alphabet = Alphabet::get(prepared ? AlphabetKind::Amino : AlphabetKind::AminoLetters);
  const Setting setting = setting_from(options, arguments, alphabet);
  RegionFinder finder(arguments.get("device"), options.threads);

  const auto reader = source.open(alphabet);
  OutputFile out(options.output);
  std::optional<PlotFile> plot;
  if (options.plot)
    plot.emplace(*options.plot, setting, static_cast<std::size_t>(arguments.get<int>("window")));
  ProgressLine progress(arguments.silent(), kLetters);
  const auto write = [&](std::string_view text) {
    const auto pause = progress.pause();
    out.write(text);
  };
  RegionWriter(write, *format, setting.style).begin();
  SequenceBatch batch;
  const auto report = [&] {
    const auto found = finder.find(batch, setting.scores, setting.filter);
    const auto format_rows = [&](std::size_t first, std::size_t last, std::string& text) {
      RegionWriter writer([&text](std::string_view part) { text += part; }, *format, setting.style);
      for (std::size_t i = first; i < last; ++i) writer.add(batch[i].name, batch.length(i), found[i]);
    };
    ordered_blocks(options.threads, batch.size(), kWrittenTogether, format_rows, write);
    for (std::size_t i = 0; plot && i < batch.size(); ++i) plot->add(batch[i], found[i]);
  };
  std::uint64_t residues = 0;
  SequenceBatch next;
  std::future<void> reported;
  for (; read_block(*reader, next, kBatchSequences, kBatchResidues); next.clear()) {
    if (reported.valid()) reported.get();
    std::swap(batch, next);
    residues += batch.residue_count();
    reported = std::async(options.threads > 1 ? std::launch::async : std::launch::deferred, report);
    progress.meter().reach(reader->fraction_read(), static_cast<double>(batch.residue_count()));
  }
  if (reported.valid()) reported.get();
  progress.finish();
  if (plot) plot->finish();
  out.finish();
  out.commit();
  if (plot) plot->commit();
  statistics.count("sequences", reader->records());
  statistics.count("residues", residues);
  statistics.print();
}

}  // namespace gpuhmm::cli
