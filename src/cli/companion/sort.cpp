// `gpuhmm sort`: sorts lines or FASTA records.
#include "cli/commands.hpp"
#include "cli/companion/sorting_options.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/sorting/record_sort.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(sort INPUT
Sort lines or FASTA records by their bytes

Sorts the lines of INPUT ('-' for standard input; gzipped or not) by their
bytes, as LC_ALL=C sort does, or the records of a FASTA file by their names or
their sequences. Lines and records may have any length and any bytes. The name
of a FASTA record is the text between '>' and the first blank; its sequence is
its other lines, joined. Records are written unchanged; those with equal keys
stay in input order.

An input that does not fit into memory is sorted in parts, which go to the
folder for temporary files (TMPDIR) and are then merged.

examples:
gpuhmm sort -u words.txt
gpuhmm sort --by name -o sorted.fasta proteins.fasta.gz
zcat reads.fasta.gz | gpuhmm sort --by sequence --unique - > distinct.fasta)";

OptionTable options() {
  OptionTable all("options");
  all.add("by", one_of("KEY", {"line", "name", "sequence"}, true),
          "line: sort lines; name or sequence: sort FASTA records by name or by sequence");
  all.add("unique,u", "write only the first of several lines or records with equal keys");
  all.add("reverse,r", "descending order; records with equal keys stay in input order");
  all.add("output,o", file(), "write to FILE, which may be INPUT itself (default: standard output)");
  add_sorting_options(all);
  add_message_options(all, "no progress line");
  return all;
}

SortKey key_from(const Arguments& arguments) {
  const auto& name = arguments.get("by");
  if (name == "name") return SortKey::Name;
  return name == "sequence" ? SortKey::Sequence : SortKey::Line;
}

void run(const Arguments& arguments) {
  SortOptions options;
  options.key = key_from(arguments);
  options.unique = arguments.has("unique");
  options.reverse = arguments.has("reverse");
  options.threads = threads_from(arguments);
  options.memory = memory_from(arguments);
  RunStatistics statistics(arguments.has("stats"));
  const std::string& path = arguments.positional[0];
  if (is_database(path)) {
    throw FileError(path +
                    ": a prepared database has no lines or records; expected the file it was made from");
  }
  const std::string output_path = output_from(arguments);
  FileRoles().reads(path).rewrites(output_path);
  Input input(path);
  OutputFile output(output_path, Unreplaceable::Refused);
  const ChosenSorter sorter = sorter_from(arguments, arguments.positional[0]);
  ProgressLine progress(arguments.silent(), kBytes);
  options.meter = &progress.meter();
  const SortStatistics done = sort_records(input, options, *sorter.sorter, [&](std::string_view text) {
    const auto pause = progress.pause();
    output.write(text);
  });
  progress.finish();
  output.commit();
  statistics.engine(sorter.device);
  statistics.note("runs", std::to_string(done.runs) + " in temporary files");
  statistics.count(options.key == SortKey::Line ? "lines" : "records", done.records);
  statistics.count("bytes", done.bytes);
  statistics.seconds("read", done.read_seconds);
  statistics.seconds("sort", done.sort_seconds);
  statistics.seconds("merge", done.merge_seconds);
  statistics.print();
}

}  // namespace

Command sort_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
