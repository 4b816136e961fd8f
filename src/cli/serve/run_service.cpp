// Gives a run its inputs and keeps its outputs.
#include "cli/serve/run_service.hpp"

#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "cli/command.hpp"
#include "cli/commands/runs.hpp"
#include "cli/failure.hpp"
#include "cli/message.hpp"

namespace gpuhmm::cli {

namespace {

RunInput input_of(const SentInput& sent, const HeldFiles& files) {
  if (sent.held.empty()) {
    HeldInput input{
        {std::make_shared<const std::string>(sent.bytes), nullptr}, sent.failure, nullptr, nullptr};
    return {sent.path, std::make_shared<const HeldInput>(std::move(input))};
  }
  const OpenedFile* const file = files.find(sent.held);
  if (file == nullptr) throw NotHeld(sent.held);
  return file->input ? RunInput{sent.path, file->input} : RunInput{file->file.path, nullptr};
}

// The outputs of a run, in the order in which it opens them.
class Outputs {
 public:
  explicit Outputs(const SentRun& run) : run_(run) {}

  std::unique_ptr<OutputFile> open(const std::string& path) {
    if (const auto found = run_.unwritable.find(path); found != run_.unwritable.end()) {
      throw FileError(found->second);
    }
    auto& [name, content] = files_.emplace_back(path, "");
    return std::make_unique<OutputFile>(path, content);
  }
  std::vector<std::pair<std::string, std::string>> take() {
    return {std::make_move_iterator(files_.begin()), std::make_move_iterator(files_.end())};
  }

 private:
  const SentRun& run_;
  std::deque<std::pair<std::string, std::string>> files_;  // a deque: files refer to its members
};

void run_command(const SentRun& run, RunContext& context) {
  const bool is_search = run.kind == ReportKind::Search;
  const Command& command = find_command(is_search ? "search" : "scan");
  try {
    const Arguments arguments = parse_arguments(command.options(), run.words);
    check_count(command, arguments.positional);
    (is_search ? run_search : run_scan)(arguments, context);
  } catch (UsageError& error) {
    if (!error.command) error.command = command.name;
    throw;
  }
}

}  // namespace

void check_held(const SentRun& run, const HeldFiles& files) {
  for (const SentInput* const input : {&run.profiles, &run.sequences}) {
    if (!input->held.empty() && files.find(input->held) == nullptr) throw NotHeld(input->held);
  }
}

RunAnswer done_run(const SentRun& run, const HeldFiles& files, const SharedEngines& engines,
                   const std::atomic<bool>& stop) {
  RunAnswer answer;
  Outputs outputs(run);
  std::mutex mutex;  // of answer.errors
  try {
    RunContext context;
    context.profiles = input_of(run.profiles, files);
    context.sequences = input_of(run.sequences, files);
    context.files = RunFiles([&](const std::string& path) { return outputs.open(path); });
    context.end = [] {};
    context.shared = &engines;
    context.silent = true;
    context.warn = [&](const std::string& message) {
      const std::lock_guard lock(mutex);
      answer.errors += message_line(kWarning, message);
    };
    context.stop = &stop;
    context.surroundings = run.surroundings;
    context.conflict = run.conflict;
    run_command(run, context);
  } catch (const std::exception&) {
    const Failure failure = current_failure();
    answer.code = failure.code;
    answer.errors += message_line("gpuhmm: ", failure.message);
  }
  answer.files = outputs.take();
  return answer;
}

}  // namespace gpuhmm::cli
