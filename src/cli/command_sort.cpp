// `gpuhmm sort`: sorts lines or FASTA records.
#include "cli/command_sort.hpp"

#include <iostream>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sorting_options.hpp"
#include "formats/io/output.hpp"
#include "sorting/record_sort.hpp"
#include "util/stopwatch.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Sorts the lines of INPUT ('-' for standard input; gzipped or not) by their bytes, as LC_ALL=C sort "
    "does, or the\n"
    "records of a FASTA file by their names or their sequences. Lines and records may be of any length and "
    "hold any\n"
    "bytes. Of FASTA records the name is what follows '>' up to the first blank, and the sequence is its "
    "lines joined;\n"
    "records are written as they were, those with equal keys in input order.\n\n"
    "An input that does not fit the memory is sorted in parts that go to the folder for temporary files "
    "(TMPDIR) and\n"
    "are merged.";

po::options_description options() {
  po::options_description options("options");
  options.add_options()("by", po::value<std::string>()->value_name("KEY")->default_value("line"),
                        "line: sort lines; name or sequence: sort FASTA records by it")(
      "unique,u", "write only the first of lines or records with equal keys")(
      "reverse,r", "descending order; records with equal keys stay in input order")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "write to FILE, which may be INPUT itself (default: standard output)");
  add_sorting_options(options);
  options.add_options()("quiet", "no progress line")("stats", "tell times and rates at the end");
  return options;
}

SortKey key_from(const po::variables_map& given) {
  const auto& name = given["by"].as<std::string>();
  if (name == "line") return SortKey::Line;
  if (name == "name") return SortKey::Name;
  if (name == "sequence") return SortKey::Sequence;
  throw UsageError("option '--by' expects line, name or sequence");
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  SortOptions options;
  options.key = key_from(given);
  options.unique = given.count("unique") > 0;
  options.reverse = given.count("reverse") > 0;
  options.threads = threads_from(given);
  options.memory = memory_from(given);
  const double start = seconds_now();
  const std::string output_path = text_option(given, "output").value_or("-");
  FileRoles().reads(arguments.positional[0]).rewrites(output_path);
  Input input(arguments.positional[0]);
  OutputFile output(output_path);
  const std::unique_ptr<Sorter> sorter = sorter_from(given, arguments.positional[0]);
  ProgressLine progress(given.count("quiet") > 0, kBytes);
  options.meter = &progress.meter();
  const SortStatistics done = sort_records(input, options, *sorter, [&](std::string_view text) {
    const auto pause = progress.pause();
    output.write(text);
  });
  progress.finish();
  output.commit();
  if (given.count("stats") > 0) {
    const double seconds = seconds_now() - start;
    std::cerr << done.records << (options.key == SortKey::Line ? " lines, " : " records, ") << done.bytes
              << " bytes, " << done.runs << " runs, " << seconds << " s ("
              << static_cast<double>(done.bytes) / seconds / 1e6 << " MB/s): reading " << done.read_seconds
              << ", sorting and handing out " << done.sort_seconds << ", merging " << done.merge_seconds
              << "\n";
  }
  return kDone;
}

}  // namespace

Command sort_command() {
  return {"sort",
          "INPUT",
          "Sort lines or FASTA records by their bytes",
          kDescription,
          "gpuhmm sort -u words.txt\n"
          "gpuhmm sort --by name -o sorted.fasta proteins.fasta.gz\n"
          "zcat reads.fasta.gz | gpuhmm sort --by sequence --unique - > distinct.fasta",
          options,
          run};
}

}  // namespace gpuhmm::cli
