// Entry point of the gpuhmm executable: dispatches to a command or drop-in and turns errors into exit codes.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_dropin.hpp"
#include "cli/dropin/dropin.hpp"
#include "cli/help/help.hpp"
#include "cli/message.hpp"
#include "cli/signals.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/output.hpp"

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

int report(const std::string& message, int code) {
  write_message("gpuhmm: ", message);
  return code;
}

}  // namespace

void leave(ExitCode code) {
  std::cout.flush();
  std::fflush(nullptr);
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
  handle_signals();
  try {
    const std::vector<std::string> command(argv, argv + argc);
    if (const Hmmer3Program* const program = argc > 0 ? find_hmmer3_program(command[0]) : nullptr) {
      return run_hmmer3_program(*program, command);
    }
    const DropIn* const program = argc > 0 ? find_drop_in(command[0]) : nullptr;
    return program != nullptr ? run_drop_in(*program, command)
                              : dispatch({argv + std::min(argc, 1), argv + argc});
  } catch (const ClosedPipe&) {
    // The reader has closed the pipe: end without a message, as SIGPIPE ends other programs.
    end_by_signal(SIGPIPE);
    return kFailed;
  } catch (const UsageError& error) {
    const std::string command = error.command.value_or("");
    return report(
        std::string(error.what()) + " (see `gpuhmm help" + (command.empty() ? "" : " " + command) + "`)",
        kWrongUsage);
  } catch (const DeviceError& error) {
    return report(error.what(), kNoDevice);
  } catch (const std::bad_alloc&) {
    return report("out of memory", kFailed);
  } catch (const std::exception& error) {
    return report(error.what(), kFailed);
  }
}
