// Entry point of the gpuhmm executable: dispatches to a command or drop-in and turns errors into exit codes.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_dropin.hpp"
#include "cli/dropin/dropin.hpp"
#include "cli/failure.hpp"
#include "cli/help/help.hpp"
#include "cli/message.hpp"
#include "cli/one_device.hpp"
#include "cli/options.hpp"
#include "cli/signals.hpp"
#include "gpuhmm/output.hpp"
#include "util/kept_memory.hpp"
#include "util/release_process.hpp"

namespace gpuhmm::cli {

namespace {

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    std::cerr << help_text();
    return kWrongUsage;
  }
  if (words[0] == "--help" || words[0] == "-h") {
    print(words.size() == 1 ? help_text() : help_text(find_command(words[1])));
    return kDone;
  }
  if (words[0] == "--version" || words[0] == "-V") {
    print(version_line() + "\n");
    return kDone;
  }
  if (words[0].starts_with('-')) {
    throw UsageError("expected a command before '" + words[0] + "': gpuhmm COMMAND [options] ...");
  }
  run_command(find_command(words[0]), {words.begin() + 1, words.end()});
  return kDone;
}

// Runs the command, or the program whose name the command line begins with. Returns the exit code.
int run(const std::vector<std::string>& command) {
  if (command.empty()) return dispatch({});
  if (const Hmmer3Program* const program = find_hmmer3_program(command[0])) {
    start_one_device("auto");
    return run_hmmer3_program(*program, command);
  }
  if (const DropIn* const program = find_drop_in(command[0])) {
    start_one_device("auto");
    return run_drop_in(*program, command);
  }
  return dispatch({command.begin() + 1, command.end()});
}

}  // namespace

void leave(ExitCode code) {
  std::cout.flush();
  std::fflush(nullptr);
  start_release_process();
  std::_Exit(code);
}

void print(const std::string& text) {
  OutputFile out("-");
  out.write(text);
  out.commit();
}

}  // namespace gpuhmm::cli

int main(int argc, char** argv) {
  using namespace gpuhmm;
  using namespace gpuhmm::cli;
  open_closed_standard_streams();
  share_freed_memory(processors());
  handle_signals();
  try {
    leave(static_cast<ExitCode>(run({argv, argv + argc})));
  } catch (const ClosedPipe&) {
    // The reader has closed the pipe: end without a message, as SIGPIPE ends other programs.
    end_by_signal(SIGPIPE);
    return kFailed;
  } catch (const std::exception&) {
    const Failure failure = current_failure();
    write_message("gpuhmm: ", failure.message);
    return failure.code;
  }
}
