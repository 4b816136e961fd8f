// `gpuhmm submatrix`: the rectangles of largest sum in a matrix, an image or a dot plot.
#include <algorithm>
#include <limits>

#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/submatrix/dot_plot.hpp"
#include "companion/submatrix/figure.hpp"
#include "companion/submatrix/maximal.hpp"
#include "companion/submatrix/report.hpp"
#include "companion/submatrix/search.hpp"
#include "formats/image/image.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(submatrix INPUT [B]
Find the rectangles of largest sum in a matrix, an image or a dot plot

Finds the rectangle of rows and columns whose cells have the largest sum. INPUT
is a matrix of numbers (.npy, or text: one line per row, numbers separated by
blanks or commas, optionally a first line `rows columns`) or an image (PGM, PNG:
the brightness), gzipped or not, '-' for standard input. Unless the matrix has
numbers of both signs, the answer is everything or nothing, so --shift subtracts
a number, or the mean, from every cell. Among rectangles with the same sum the
one with the smallest top is chosen, then left, bottom, right. Sums are exact.

With --all the output is all maximal submatrices: the best rectangle, then the
best one of the cells that are left, and so on until no cell is positive. Of
rectangles with the same sum the one with the smallest bottom is chosen, then
the largest top, the smallest right, the largest left. A matrix of one row has
the maximal segments that `gpuhmm segments --all` lists.

With --dotplot INPUT and B are two files with one protein each (sequence files
or prepared databases). The matrix then has the substitution score of every
residue of the first protein (rows) with every residue of the second. A
rectangle in it shows two regions of similar composition; homology lies along
diagonals, which --diagonal turns into columns.

The output is a tab-separated table: rank, top, left, bottom, right (counted
from 0, ends included), height, width, sum, mean; for dot plots residues,
counted from 1, and diagonals. Output files appear at the end of the run.

examples:
gpuhmm submatrix scores.npy
gpuhmm submatrix --shift mean+60 --top 5 --plot coins.svg coins.pgm.gz
gpuhmm submatrix --all --min-score 5000 --shift mean+60 coins.pgm.gz
gpuhmm submatrix --dotplot --diagonal HBA_HUMAN.fa HBB_HUMAN.fa)";

OptionTable options() {
  OptionTable all("what to look for");
  all.add("no-header", "the first line of a text file is the first row, never `rows columns`");
  all.add("shift", any_text("S", {"mean"}),
          "subtract from every cell: a number, mean, mean+K or mean-K (K a number), mean+Ksd (K "
          "standard deviations)");
  all.add("top", value<std::int64_t>("N").within(1),
          "up to N rectangles without common cells, each the best one among the cells that are left "
          "(default 1; with --all no limit)");
  all.add("all", "all maximal submatrices (see above)");
  all.add("min-score", value<std::string>("X"), "rectangles with a sum of at least X");
  all.add("dotplot", "INPUT and B are proteins: search their dot plot");
  all.add("matrix", file("M", ValueKind::File, {"BLOSUM62"}),
          "scores of a dot plot: BLOSUM62 (the default) or a file in NCBI's layout");
  all.add("diagonal", "shear the dot plot, so that diagonals are columns");
  all.group("output");
  add_output_option(all, "write the table");
  add_format_option(all, {"tsv", "json"}, "tsv, or json: one object per rectangle and line");
  all.add("plot", file(), "draw the matrix with the rectangles: FILE.svg or FILE.png");
  add_message_options(all, "no progress line");
  all.group("computing");
  add_compute_options(all);
  return all;
}

// The checked options of one run.
struct Job {
  explicit Job(const Arguments& arguments);

  std::string input;
  bool size_line = true;              // text may begin with a line `rows columns`
  std::optional<std::string> second;  // second protein of a dot plot
  Shift shift;
  std::optional<std::string> shift_text;
  bool all = false;
  std::size_t top = 1;
  std::optional<std::string> least_text;
  Decimal least;
  std::string scores;  // substitution matrix of a dot plot
  bool diagonal = false;
  bool json = false;
  std::string output;
  std::optional<std::string> plot;
  bool plot_svg = false;
};

Job::Job(const Arguments& arguments) : input(arguments.positional[0]) {
  const bool dot_plot = arguments.has("dotplot");
  size_line = !arguments.has("no-header");
  if (arguments.positional.size() > 1) second = arguments.positional[1];
  if (dot_plot && !second) throw UsageError("--dotplot expects two files of proteins");
  if (!dot_plot && second) throw UsageError("too many arguments: expected INPUT, or --dotplot INPUT B");
  if (!dot_plot && (arguments.has("matrix") || arguments.has("diagonal"))) {
    throw UsageError("--matrix and --diagonal need --dotplot");
  }
  scores = arguments.text("matrix").value_or("BLOSUM62");
  diagonal = arguments.has("diagonal");
  if ((second && input == "-") + (second == "-") + (dot_plot && scores == "-") > 1) {
    throw UsageError("only one input can be standard input");
  }

  shift_text = arguments.text("shift");
  if (shift_text) {
    const std::optional<Shift> parsed = Shift::parse(*shift_text);
    if (!parsed) {
      throw UsageError(
          "option '--shift' expects a number, mean, mean+K, mean-K, mean+Ksd or mean-Ksd, not '" +
          *shift_text + "'");
    }
    shift = *parsed;
  }
  all = arguments.has("all");
  top = static_cast<std::size_t>(
      arguments.find<std::int64_t>("top").value_or(all ? std::numeric_limits<std::int64_t>::max() : 1));
  least_text = arguments.text("min-score");
  if (least_text) {
    const std::optional<Decimal> parsed = decimal_of(*least_text);
    if (!parsed) throw UsageError("option '--min-score' expects a number, not '" + *least_text + "'");
    least = *parsed;
  }
  json = arguments.get("format") == "json";
  output = output_from(arguments);
  plot = arguments.text("plot");
  if (plot) {
    plot_svg = plot->ends_with(".svg");
    if (!plot_svg && !plot->ends_with(".png")) {
      throw UsageError("option '--plot' expects a file that ends with .svg or .png");
    }
  }
  FileRoles files;
  files.reads(input).reads(second).writes(output).writes(plot);
  if (dot_plot && scores != "BLOSUM62") files.reads(scores);
}

NumberArray read_input(const std::string& path, bool size_line) {
  auto input = std::make_unique<Input>(path);
  const std::optional<ImageFormat> format = detect_image(*input);
  if (!format) {
    NumberOptions numbers;
    numbers.shape_line = size_line;
    return read_numbers(std::move(input), 2, numbers);
  }
  GreyImage image = read_image(*input, *format);
  return {{image.rows, image.columns}, std::move(image.values)};
}

struct Protein {
  std::string name, letters;
};

Protein read_protein(const std::string& path) {
  const Alphabet& alphabet = Alphabet::get(AlphabetKind::Amino);
  const SequenceSource source(path, std::nullopt, 1);
  const std::unique_ptr<SequenceReader> reader = source.open(alphabet);
  SequenceBatch batch;
  reader->read(batch);
  if (reader->read(batch)) {
    throw FileError(reader->name() + ": more than one sequence; expected one for a dot plot");
  }
  Protein protein{std::string(batch[0].name), {}};
  for (const std::uint8_t code : batch.residues(0)) protein.letters += alphabet.letter(code);
  return protein;
}

SubstitutionMatrix read_scores(const std::string& name) {
  if (name == "BLOSUM62") return SubstitutionMatrix::blosum62();
  return SubstitutionMatrix::read(name);
}

UnitMatrix read_matrix(const Job& job, SubmatrixReport& report) {
  if (!job.second) return to_units(read_input(job.input, job.size_line), job.shift, report.input);
  const Protein a = read_protein(job.input);
  const Protein b = read_protein(*job.second);
  const SubstitutionMatrix scores = read_scores(job.scores);
  report.plot = {a.name, b.name, a.letters.size(), job.diagonal, job.scores};
  report.input = a.name + " x " + b.name + ", " + job.scores;
  Matrix plot =
      job.diagonal ? sheared_dot_plot(a.letters, b.letters, scores) : dot_plot(a.letters, b.letters, scores);
  return to_units(std::move(plot), job.shift, report.input);
}

void run(const Arguments& arguments) {
  const Job job(arguments);
  const unsigned threads = threads_from(arguments);
  RunStatistics statistics(arguments.has("stats"));
  SubmatrixReport report;
  report.input = job.input == "-" ? "standard input" : job.input;
  report.shift = job.shift_text;
  report.all = job.all;
  report.least = job.least_text;
  OutputFile table(job.output);
  std::optional<OutputFile> plot;
  if (job.plot) plot.emplace(*job.plot);

  UnitMatrix input = read_matrix(job, report);
  report.subtracted = subtract(input, job.shift, report.input);
  report.rows = input.matrix.rows;
  report.columns = input.matrix.columns;
  report.unit = input.unit;
  ProgressLine progress(arguments.silent(), kCells);
  SubmatrixOptions search;
  search.threads = threads;
  search.done = [&](double fraction) { progress.meter().reach(fraction); };
  search.warn = [&](const std::string& message) { progress.warn(message); };
  const SubmatrixLimits limits{job.top, std::max<Int128>(1, report.unit.at_least(job.least))};
  search.devices = open_walkers(arguments.get("device"),
                                pair_rows(input.matrix) * (job.all ? 1 : static_cast<double>(job.top)),
                                threads, search.warn);
  report.patterns = job.all ? maximal_submatrices(input.matrix, limits, search)
                            : top_submatrices(input.matrix, limits, search);
  progress.finish();

  table.write(job.json ? submatrix_json(report) : submatrix_table(report));
  if (plot) {
    const Overlay figure = figure_of(report, input.matrix);
    plot->write(job.plot_svg ? overlay_svg(figure) : overlay_png(figure));
    plot->finish();
  }
  table.finish();
  if (plot) plot->commit();
  table.commit();
  statistics.count("cells", report.rows * report.columns);
  statistics.count("rectangles", report.patterns.size());
  statistics.print();
}

}  // namespace

Command submatrix_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
