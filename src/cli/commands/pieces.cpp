// Begins and ends runs in pieces.
#include "cli/commands/pieces.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/hmmer3_run.hpp"
#include "cli/commands/part_merging.hpp"
#include "cli/commands/shard.hpp"
#include "cli/file_roles.hpp"
#include "cli/signals.hpp"
#include "gpuhmm/output.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

// Throws FileError if the file cannot be written: at the start of the run, not when all is done. Special
// files are left alone.
void check_writable(const std::string& path) {
  std::error_code error;
  const bool there = std::filesystem::exists(path, error);
  if (is_standard_output(path) || (there && !std::filesystem::is_regular_file(path, error))) return;
  const OutputFile file(path);
}

}  // namespace

PartHeader header_of_pieces(const Arguments& arguments, ReportKind kind, const RunContext& context) {
  const Hmmer3OutputPaths paths = output_paths(arguments);
  check_files(paths, context);
  PartHeader header = part_header(arguments, kind, context);
  // Fewer outputs need less of the results.
  const std::pair<const char*, const std::optional<std::string>&> outputs[] = {
      {"report", paths.report}, {"tblout", paths.targets},  {"domtblout", paths.domains},
      {"json", paths.json},     {"pfamtblout", paths.pfam}, {"msa", paths.included}};
  for (const auto& [name, path] : outputs) {
    if (!path) continue;
    check_writable(*path);
    header.run.words.push_back(std::string("(") + name + ")");
  }
  return header;
}

std::string checkpoint_folder(const Arguments& arguments, const PartHeader& header) {
  if (const std::optional<std::string> folder = arguments.text("checkpoint")) return *folder;
  std::string all;
  for (const std::string& word : header.run.words) all += word + '\n';
  for (const InputIdentity& input : {header.run.profiles, header.run.sequences}) {
    all += input.name + '\n' + std::to_string(input.size) + ' ' + std::to_string(input.checksum) + '\n';
  }
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : all) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return format("gpuhmm-%016llx.checkpoint", static_cast<unsigned long long>(hash));
}

void announce(const Checkpoint& checkpoint) {
  say_at_signals("gpuhmm: the run was ended; what is done is in " + checkpoint.folder() +
                 "; the same command goes on from there");
}

void finish_pieces(const Arguments& arguments, ReportKind kind, Checkpoint& checkpoint) {
  std::vector<PartReader> parts = open_parts(checkpoint.parts());
  RunFiles files;
  merge_parts(parts, arguments, kind, files);
  say_at_signals("");
  checkpoint.remove();
  leave(kDone);
}

}  // namespace gpuhmm::cli
