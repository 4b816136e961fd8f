// `gpuhmm submatrix`: the rectangles of largest sum in a matrix, an image or a dot plot.
#include <algorithm>
#include <limits>

#include "cli/commands.hpp"
#include "cli/companion/dot_plot_input.hpp"
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

With --dotplot INPUT and B are two files with one protein or one nucleic
sequence each (sequence files or prepared databases). The matrix then has the
substitution score of every residue of the first sequence (rows) with every
residue of the second. A rectangle in it shows two regions of similar
composition; homology lies along diagonals, which --diagonal turns into columns.

The output is a tab-separated table: rank, top, left, bottom, right (counted
from 0, ends included), height, width, sum, mean; for dot plots residues,
counted from 1, and diagonals. Output files appear at the end of the run.

examples:
gpuhmm submatrix scores.npy
gpuhmm submatrix --shift mean+60 --top 5 --plot coins.svg coins.pgm.gz
gpuhmm submatrix --all --min-score 5000 --shift mean+60 coins.pgm.gz
gpuhmm submatrix --dotplot --diagonal HBA_HUMAN.fa HBB_HUMAN.fa
gpuhmm submatrix --dotplot --diagonal --top 5 gene.fna mrna.fna)";

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
  all.add("dotplot", "INPUT and B are sequences: search their dot plot");
  all.add("matrix", file("M", ValueKind::File, matrix_names()),
          "scores of a dot plot: BLOSUM62 (the default for proteins), NUC.4.4 (the default for nucleic "
          "sequences) or a file in NCBI's layout");
  add_alphabet_option(all, "guessed from the first million residues");
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
  std::optional<std::string> second;  // second sequence of a dot plot
  Shift shift;
  std::optional<std::string> shift_text;
  bool all = false;
  std::size_t top = 1;
  std::optional<std::string> least_text;
  Decimal least;
  std::optional<std::string> scores;     // --matrix
  std::optional<AlphabetKind> alphabet;  // --alphabet
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
  if (dot_plot && !second) throw UsageError("--dotplot expects two files of sequences");
  if (!dot_plot && second) throw UsageError("too many arguments: expected INPUT, or --dotplot INPUT B");
  for (const char* name : {"matrix", "alphabet", "diagonal"}) {
    if (!dot_plot && arguments.has(name)) throw UsageError(std::string("--") + name + " needs --dotplot");
  }
  scores = arguments.text("matrix");
  alphabet = alphabet_from(arguments);
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
  if (scores && !is_built_in_matrix(*scores)) files.reads(scores);
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

UnitMatrix read_matrix(const Job& job, SubmatrixReport& report) {
  if (!job.second) return to_units(read_input(job.input, job.size_line), job.shift, report.input);
  const DotPlotInput of = read_dot_plot_input(job.input, *job.second, job.alphabet, job.scores);
  report.plot = {of.a.name, of.b.name, of.a.letters.size(), job.diagonal, of.scores_name};
  report.input = of.a.name + " x " + of.b.name + ", " + of.scores_name;
  Matrix plot = job.diagonal ? sheared_dot_plot(of.a.letters, of.b.letters, of.scores)
                             : dot_plot(of.a.letters, of.b.letters, of.scores);
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
  std::vector<DeviceInfo> devices;
  for (const auto& walker : search.devices) devices.push_back(walker->info());
  statistics.engine(devices);
  statistics.count("cells", report.rows * report.columns);
  statistics.count("rectangles", report.patterns.size());
  statistics.print();
}

}  // namespace

Command submatrix_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
