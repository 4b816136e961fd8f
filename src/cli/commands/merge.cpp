// `gpuhmm merge`: the outputs of a run from the parts that its shares wrote.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands.hpp"
#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/part_merging.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(merge PART...
Put the parts of a search or a scan together

Writes the report, the tables and JSON of a run whose shares were done by `gpuhmm
search --shard` or `gpuhmm scan --shard`: byte for byte what the run itself would
have written. E-values, thresholds and histograms are those of the whole database.

Takes all parts of one run, in any order. A part that is missing, given twice, not
complete or of another run is an error.

The thresholds of the run, and how its report looks, are those that its shares
were given; options here that say how the report looks replace theirs.

examples:
gpuhmm search --shard 1/2 -o part1 Pfam-A.hmm proteome.fasta
gpuhmm search --shard 2/2 -o part2 Pfam-A.hmm proteome.fasta
gpuhmm merge -o report.txt --tblout hits.tbl part1 part2)";

// The options of search and scan that say what is written.
constexpr const char* kOutputOptions[] = {"output",     "tblout", "domtblout", "format",       "json",
                                          "pfamtblout", "msa",    "noali",     "no-histogram", "acc",
                                          "alignments", "compat", "textw",     "notextw",      "cpu"};

OptionTable options() {
  OptionTable all("output");
  const OptionTable search = run_options(ReportKind::Search), scan = run_options(ReportKind::Scan);
  for (const char* const name : kOutputOptions) {
    const std::string called = std::string("--") + name;
    const Option* const option = search.find(called) != nullptr ? search.find(called) : scan.find(called);
    std::string names = name;
    if (option->letter != '\0') names = names + "," + option->letter;
    const bool mentions = std::string_view(name) == "cpu";
    all.add(names, *option,
            mentions ? "the number of threads that a report of HMMER3 mentions" : option->text);
  }
  all.only_one({"textw", "notextw"});
  all.add("quiet,q", "print nothing else");
  return all;
}

// The command line of the whole run.
Arguments whole_run(const Arguments& arguments, const PartHeader& header) {
  const OptionTable table = run_options(header.run.kind);
  std::vector<std::string> words = spelled(options(), arguments);
  const std::size_t own = words.size();
  const auto name_of = [](const std::string& word) { return word.substr(0, word.find('=')); };
  for (const auto& more : {header.run.words, header.mentioned}) {
    std::ranges::copy_if(more, std::back_inserter(words), [&](const std::string& word) {
      const bool textw = name_of(word) == "--textw" && arguments.has("notextw");
      const bool notextw = name_of(word) == "--notextw" && arguments.has("textw");
      return !textw && !notextw &&
             std::none_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(own),
                          [&](const std::string& one) { return name_of(one) == name_of(word); });
    });
  }
  words.insert(words.end(), {"--", header.run.profiles.name, header.run.sequences.name});
  return parse_arguments(table, words);
}

// Throws FileError unless the parts are all those of one run. Puts them in order.
void check_parts(std::vector<PartReader>& parts) {
  const PartReader& first = parts.front();
  if (const std::string& version = first.header().run.version; version != GPUHMM_VERSION) {
    throw FileError(first.name() + ": is of gpuhmm " + version + "; expected " GPUHMM_VERSION ", as this is");
  }
  for (const PartReader& part : parts) {
    const std::string other = difference(first.header().run, part.header().run);
    if (!other.empty()) {
      throw FileError(part.name() + ": is a part of another run than " + first.name() + ": " + other);
    }
    const bool same =
        part.header().count == first.header().count && part.header().divided == first.header().divided;
    if (same) continue;
    throw FileError(part.name() + ": is one of " + std::to_string(part.header().count) + " parts; " +
                    first.name() + " is one of " + std::to_string(first.header().count) +
                    (part.header().divided == first.header().divided ? "" : " that are divided otherwise"));
  }
  std::ranges::stable_sort(parts, {}, [](const PartReader& part) { return part.header().number; });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].header().number != parts[i - 1].header().number) continue;
    throw FileError(parts[i].name() + ": is part " + std::to_string(parts[i].header().number) + ", as is " +
                    parts[i - 1].name() + "; expected each part once");
  }
  const std::uint64_t count = parts.front().header().count;
  if (parts.size() == count) return;
  std::string missing;
  std::uint64_t expected = 1, others = 0;
  const auto miss = [&](std::uint64_t end) {
    for (; expected < end; ++expected) {
      constexpr std::uint64_t kMostListed = 10;
      if (++others <= kMostListed) missing += (missing.empty() ? "" : ", ") + std::to_string(expected);
    }
    ++expected;
  };
  for (const PartReader& part : parts) miss(part.header().number);
  miss(count + 1);
  throw FileError(std::to_string(others) + " of " + std::to_string(count) + " parts " +
                  (others == 1 ? "is" : "are") + " missing: " + missing + (others > 10 ? ", ..." : ""));
}

void run(const Arguments& arguments) {
  std::vector<PartReader> parts = open_parts(arguments.positional);
  check_parts(parts);
  const ReportKind kind = parts.front().header().run.kind;
  const Arguments whole = whole_run(arguments, parts.front().header());
  FileRoles roles;
  for (const std::string& path : arguments.positional) roles.reads(path);
  const Hmmer3OutputPaths paths = output_paths(whole);
  for (const auto* const path :
       {&paths.report, &paths.targets, &paths.domains, &paths.pfam, &paths.included, &paths.json}) {
    roles.writes(*path);
  }
  RunFiles files;
  merge_parts(parts, whole, kind, files);
}

}  // namespace

Command merge_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
