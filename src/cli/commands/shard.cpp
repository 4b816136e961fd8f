// `gpuhmm search|scan --shard`: writes a share of a run as a part.
#include "cli/commands/shard.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands/part_run.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "gpuhmm/hmmer3_press.hpp"

namespace gpuhmm::cli {

namespace {

// Options that do not change the results, or that choose what becomes of them.
constexpr const char* kNoDifference[] = {
    "shard",          "shard-by",   "output", "device", "cpu",       "quiet", "stats",      "verify",
    "batch-residues", "checkpoint", "mpi",    "tblout", "domtblout", "json",  "pfamtblout", "msa"};
constexpr const char* kMentioned[] = {"cpu"};
constexpr std::uint64_t kMostShares = 1'000'000;

// The files that are the input at `path`: with pressed profiles all of them.
std::vector<std::string> files_of(const std::string& path) {
  std::vector<std::string> files;
  const hmmer3::PressedFiles pressed(path);
  for (const std::string& file : {path, pressed.profiles, pressed.filters, pressed.scores}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) files.push_back(file);
  }
  if (files.empty()) files.push_back(path);
  return files;
}

std::vector<std::string> words_of(const OptionTable& table, const Arguments& arguments) {
  Arguments some = arguments;
  for (const char* const name : kNoDifference) some.erase(name);
  return spelled(table, some);
}

struct Share {
  std::uint64_t number = 0, count = 0;
};

Share share_from(const std::string& text) {
  const auto number = [](std::string_view digits) -> std::uint64_t {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  const std::string_view all = text;
  const std::size_t slash = std::min(all.find('/'), all.size());
  const Share share{number(all.substr(0, slash)), number(all.substr(std::min(slash + 1, all.size())))};
  if (share.number >= 1 && share.number <= share.count && share.count <= kMostShares) return share;
  throw UsageError("--shard is " + text + "; expected I/N, share I of N, such as 3/64");
}

void refuse_outputs(const Arguments& arguments) {
  for (const char* const name : kTableOutputs) {
    if (!arguments.has(name)) continue;
    throw UsageError(std::string("--") + name +
                     " cannot be used with --shard; give it to `gpuhmm merge`, which writes the outputs");
  }
  if (!arguments.has("output")) throw UsageError("--shard needs -o FILE, the file for this part of the run");
}

}  // namespace

void add_shard_options(OptionTable& all, ReportKind kind) {
  all.group("parts of a run");
  all.add("shard", value<std::string>("I/N"),
          "do share I of N only and write it to the file of -o, for `gpuhmm merge`");
  if (kind == ReportKind::Scan) {
    all.add("shard-by", one_of("WHAT", {"sequences", "profiles"}, true),
            "--shard divides the sequences or the profiles");
  }
  all.add("checkpoint", file("DIR"),
          "keep what is done in the folder DIR; after an interruption the same command goes on there");
  all.add("mpi", "share the run among the ranks of mpirun");
  for (const char* const other : {"checkpoint", "mpi", "server"}) all.only_one({"shard", other});
  for (const char* const other : {"checkpoint", "mpi"}) all.only_one({"server", other});
}

PartHeader part_header(const Arguments& arguments, ReportKind kind, const RunContext& context) {
  require_files(arguments, context, "a run in parts");
  const std::string profiles[] = {context.profiles.path, arguments.positional[0]};
  const std::string sequences[] = {context.sequences.path, arguments.positional[1]};
  const OptionTable table = run_options(kind);
  PartHeader header;
  header.run = {GPUHMM_VERSION, kind, words_of(table, arguments),
                identity_of(profiles[1], files_of(profiles[0])), identity_of(sequences[1], {sequences[0]})};
  Arguments mentioned(table);
  for (const char* const name : kMentioned) {
    if (arguments.has(name)) mentioned.set(name, arguments.data(name));
  }
  header.mentioned = spelled(table, mentioned);
  return header;
}

void refuse_shard_by(const Arguments& arguments, ReportKind kind) {
  if (kind == ReportKind::Scan && arguments.has("shard-by")) throw UsageError("--shard-by needs --shard");
}

void run_shard(const Arguments& arguments, ReportKind kind, RunFunction run) {
  const Share share = share_from(arguments.get("shard"));
  refuse_outputs(arguments);
  RunContext context = command_line_context(arguments.positional);
  check_files(run_request(arguments, kind), context);
  PartHeader header = part_header(arguments, kind, context);
  header.number = share.number;
  header.count = share.count;
  const bool by_profiles = kind == ReportKind::Scan && arguments.get("shard-by") == "profiles";
  header.divided = by_profiles ? PartsOf::Profiles : PartsOf::Sequences;
  PartWriter writer(sink_of(context.files.open(arguments.get("output")).file), header);
  PartRun part(kind, header.divided, share.number, share.count,
               [&](const QueryPlace& place, std::string_view content) { writer.add(place, content); });
  part.at_end([&](std::uint64_t sections) { writer.end(sections); });
  context.part = &part;
  run(arguments, context);
}

}  // namespace gpuhmm::cli
