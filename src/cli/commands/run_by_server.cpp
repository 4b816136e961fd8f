// Gathers what a run needs from the file system, and puts its results there.
#include "cli/commands/run_by_server.hpp"

#include <algorithm>
#include <ctime>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/hmmer3_run.hpp"
#include "cli/commands/run_context.hpp"
#include "cli/commands/run_exchange.hpp"
#include "cli/commands/run_in_pieces.hpp"
#include "cli/commands/shard.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"
#include "http/client.hpp"

namespace gpuhmm::cli {

namespace {

Surroundings surroundings() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  const long offset = localtime_r(&now, &local) != nullptr ? local.tm_gmtoff : 0;
  std::error_code error;
  return {std::filesystem::current_path(error).string(), offset};
}

[[noreturn]] void refuse(const std::string& path, const std::string& what, bool changed) {
  throw FileError(path + ": " + what +
                  (changed ? " that has changed since the server opened it; start the server again"
                           : " that the server does not hold; name it to `gpuhmm serve`"));
}

// The input at `path`: a file that the server holds, or what is in it. `prepared`: whether a file at this
// path, which cannot be sent, is a prepared one, called `what`.
SentInput gather(const std::string& path, const ServerFiles& server, bool prepared, const std::string& what) {
  SentInput input{path, {}, {}, {}};
  const std::string full = path == "-" ? "" : full_path(path);
  const auto held = std::ranges::find(server.files, full, &HeldFile::path);
  const bool known = !full.empty() && held != server.files.end();
  if (known && (!held->state || held->state == state_of(path))) {
    input.held = full;
  } else if (prepared) {
    refuse(path, what, known);
  } else {
    try {
      input.bytes = read_whole(path, server.most_bytes);
    } catch (const FileError& error) {
      input.failure = error.what();
    }
  }
  return input;
}

bool is_pressed(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::exists(hmmer3::PressedFiles(path).profiles, error);
}

// All outputs that a run with these arguments may write, opened.
class Outputs {
 public:
  explicit Outputs(const Hmmer3OutputPaths& paths) {
    for (const auto* const path :
         {&paths.report, &paths.json, &paths.targets, &paths.domains, &paths.included, &paths.pfam}) {
      if (!*path) continue;
      try {
        files_[**path] = std::make_unique<OutputFile>(**path);
      } catch (const FileError& error) {
        unwritable_[**path] = error.what();
      }
    }
  }

  const std::map<std::string, std::string>& unwritable() const { return unwritable_; }

  // Writes the content of the files. They are put in place unless the run has failed.
  void write(const RunAnswer& answer) {
    for (const auto& [path, content] : answer.files) {
      OutputFile& file = *files_.at(path);
      file.write(content);
      file.flush();
    }
    if (answer.code != kDone) return;
    for (const auto& [path, file] : files_) file->finish();
    for (const auto& [path, file] : files_) file->commit();
  }

 private:
  std::map<std::string, std::unique_ptr<OutputFile>> files_;
  std::map<std::string, std::string> unwritable_;
};

http::Response ask(http::Client& server, http::Request request) {
  http::Response response = server.send(std::move(request));
  if (response.status != http::kOk)
    throw std::runtime_error("the server refuses: " + error_text(response.body));
  return response;
}

}  // namespace

void refuse_servers_options(const Arguments& arguments) {
  for (const std::string_view name : kServersOptions) {
    if (!arguments.has(name)) continue;
    throw UsageError("--" + std::string(name) +
                     " is the server's to choose; it cannot be used with --server");
  }
}

void run_here_or_by_server(const Arguments& arguments, ReportKind kind,
                           void (*run)(const Arguments& arguments, RunContext& context)) {
  if (arguments.has("server")) return run_by_server(arguments, kind);
  if (arguments.has("shard")) return run_shard(arguments, kind, run);
  refuse_shard_by(arguments, kind);
  if (arguments.has("mpi")) return run_by_mpi(arguments, kind, run);
  if (arguments.has("checkpoint")) return run_with_checkpoint(arguments, kind, run);
  RunContext context = command_line_context(arguments.positional);
  run(arguments, context);
}

void run_by_server(const Arguments& arguments, ReportKind kind) {
  refuse_servers_options(arguments);
  http::Client server(arguments.get("server"));
  const ServerFiles files = decoded_files(ask(server, {"GET", "/v1/files", kCbor, ""}).body);
  RunContext context = command_line_context(arguments.positional);
  const Hmmer3OutputPaths paths = output_paths(arguments);
  SentRun run{kind, arguments.words, {}, {}, {}, {}, surroundings()};
  try {
    check_files(paths, context);
  } catch (const UsageError& error) {
    run.conflict = error.what();
  }
  const std::string &profiles = context.profiles.path, &sequences = context.sequences.path;
  const bool twice = profiles == "-" && sequences == "-";  // which the server will refuse
  if (!twice) {
    run.profiles = gather(profiles, files, is_pressed(profiles), "a pressed library");
    const bool prepared = !arguments.has("informat") && is_database(sequences);
    if (run.profiles.failure.empty()) {
      run.sequences = gather(sequences, files, prepared, "a prepared database");
    }
  }
  Outputs outputs(paths);
  run.unwritable = outputs.unwritable();
  const RunAnswer answer = decoded_answer(ask(server, {"POST", "/v1/run", kCbor, encoded(run)}).body);
  outputs.write(answer);
  std::cerr << answer.errors;
  leave(static_cast<ExitCode>(answer.code));
}

}  // namespace gpuhmm::cli
