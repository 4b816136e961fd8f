// `gpuhmm segments` on sequences: reads them in batches and writes their regions and the plot. It reads one
// batch while it searches and writes the previous one.
#include <future>
#include <utility>

#include "cli/companion/segments_engine.hpp"
#include "cli/companion/segments_modes.hpp"
#include "cli/companion/segments_setting.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "util/ordered_blocks.hpp"

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kBatchSequences = std::size_t{1} << 15;
constexpr std::size_t kBatchResidues = std::size_t{8} << 20;
constexpr std::size_t kWrittenTogether = 512;  // sequences per block that a thread formats

RegionFormat format_from(const SegmentsOptions& options) {
  const std::optional<RegionFormat> format = region_format_of(options.format);
  if (!format) throw UsageError("option '--format' expects tsv, gff3, bed, json, tmhmm or tmhmm-short");
  return *format;
}

bool is_for_proteins(RegionFormat format) {
  return format == RegionFormat::Tmhmm || format == RegionFormat::TmhmmShort;
}

class PlotFile {
 public:
  PlotFile(const std::string& path, const RegionSetting& setting, std::size_t window)
      : file_(path), plot_(plot_style(setting, window)), values_(setting.values) {}

  void add(const SequenceView& sequence, std::span<const Region> regions) {
    std::vector<std::int32_t> values;
    for (const std::uint8_t code : sequence.residues) values.push_back(values_.scores[code]);
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
  RegionPlot plot_;
  ResidueScores values_;
};

}  // namespace

void run_sequence_segments(const SegmentsOptions& options, const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const RegionFormat format = format_from(options);
  const ScaleOptions scale(options, arguments);
  const std::optional<AlphabetKind> alphabet_given = alphabet_from(arguments);
  const std::string located = locate_file(options.input, "BLASTDB");
  const SequenceSource source(located, informat_from(arguments), options.threads);
  const Alphabet& alphabet = letters_of(source);
  RegionFinder finder(arguments.get("device"), options.threads);

  const auto reader = source.open(alphabet);
  OutputFile out(options.output);
  ProgressLine progress(arguments.silent(), kLetters);
  SequenceBatch next;
  bool more = read_block(*reader, next, kBatchSequences, kBatchResidues);
  const SequenceKind kind = sequence_kind(source, located, alphabet_given, next);
  const RegionSetting setting = region_setting(scale, options, kind, alphabet);
  if (is_for_proteins(format)) kind.require(AlphabetKind::Amino, "--format " + options.format);

  std::optional<PlotFile> plot;
  if (options.plot)
    plot.emplace(*options.plot, setting, static_cast<std::size_t>(arguments.get<int>("window")));
  const auto write = [&](std::string_view text) {
    const auto pause = progress.pause();
    out.write(text);
  };
  RegionWriter(write, format, setting.style).begin();
  SequenceBatch batch;
  const auto report = [&] {
    const auto found = finder.find(batch, setting.scores, setting.filter);
    const auto format_rows = [&](std::size_t first, std::size_t last, std::string& text) {
      RegionWriter writer([&text](std::string_view part) { text += part; }, format, setting.style);
      for (std::size_t i = first; i < last; ++i) writer.add(batch[i].name, batch.length(i), found[i]);
    };
    ordered_blocks(options.threads, batch.size(), kWrittenTogether, format_rows, write);
    for (std::size_t i = 0; plot && i < batch.size(); ++i) plot->add(batch[i], found[i]);
  };
  std::uint64_t residues = 0;
  std::future<void> reported;
  while (more) {
    if (reported.valid()) reported.get();
    std::swap(batch, next);
    residues += batch.residue_count();
    reported = std::async(options.threads > 1 ? std::launch::async : std::launch::deferred, report);
    progress.meter().reach(reader->fraction_read(), static_cast<double>(batch.residue_count()));
    next.clear();
    more = read_block(*reader, next, kBatchSequences, kBatchResidues);
  }
  if (reported.valid()) reported.get();
  progress.finish();
  if (plot) plot->finish();
  out.finish();
  out.commit();
  if (plot) plot->commit();
  add_engine(statistics, arguments.get("device"));
  statistics.note("scale", setting.scale.name);
  statistics.count("sequences", reader->records());
  statistics.count("residues", residues);
  statistics.print();
}

}  // namespace gpuhmm::cli
