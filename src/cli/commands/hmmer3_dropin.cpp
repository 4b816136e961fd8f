// Finds, runs and ends the drop-in programs of HMMER3: their messages and exit codes
// (docs/spec/hmmer3/reports.md, 9).
#include "cli/commands/hmmer3_dropin.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>

#include "cli/command.hpp"
#include "cli/commands/hmmer3_outputs.hpp"
#include "cli/dropin/generation.hpp"
#include "cli/signals.hpp"
#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/hmmer3_press.hpp"
#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/hmmer3_report.hpp"
#include "gpuhmm/hmmer3_run.hpp"
#include "gpuhmm/hmmer3_sequence_file.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

std::string usage_line(const Hmmer3Program& program, const std::string& called) {
  return "Usage: " + called + " " + std::string(program.usage) + "\n";
}

bool has_option(const Hmmer3Program& program, std::string_view name) {
  return std::ranges::find(program.options, name, &Hmmer3Option::name) != program.options.end();
}

std::string help(const Hmmer3Program& program, const std::string& called) {
  std::string text;
  hmmer3::write_help_banner([&](std::string_view part) { text += part; }, program.title, GPUHMM_VERSION);
  text += usage_line(program, called);
  std::istringstream lines{std::string(program.help)};
  for (std::string line; std::getline(lines, line);) {
    const std::string option = line.starts_with("  -") ? line.substr(2, line.find(' ', 2) - 2) : "";
    if (option.empty() || has_option(program, option)) text += line + "\n";
  }
  return text;
}

// HMMER3 ends the last line with the path by which it was called.
int refuse(const Hmmer3Program& program, const std::string& path, const std::string& name,
           const std::string& message) {
  const std::string_view common =
      program.name == "hmmpress"
          ? ""
          : "\nwhere most common options are:\n  -h : show brief help on version and usage\n";
  print(message + "\n" + usage_line(program, name) + std::string(common) +
        "\nTo see more help on available options, do " + path + " -h\n\n");
  return kFailed;
}

int fail(const std::string& text, bool labelled = true) {
  std::cerr << (labelled ? "\nError: " : "") << text << "\n";
  return kFailed;
}

// hmmscan has a label for none of its outputs, hmmsearch for two.
int fail_to_open(const Hmmer3OutputError& error, std::string_view program) {
  constexpr std::array<std::string_view, 5> kNames = {"output", "alignment", "tabular per-seq output",
                                                      "tabular per-dom output", "pfam-style tabular output"};
  const bool labelled = program == "hmmsearch" && error.output() <= Hmmer3Output::Included;
  return fail("Failed to open " + std::string(kNames[static_cast<std::size_t>(error.output())]) + " file " +
                  error.path() + " for writing\n",
              labelled);
}

// HMMER3 ends itself by a signal.
int abort_with(const std::string& text) {
  std::cerr << "Fatal exception: " << text << "\n";
  end_by_signal(SIGABRT);
  return kFailed;
}

int parse_and_run(const Hmmer3Program& program, const std::vector<std::string>& called,
                  const std::string& name) {
  const Hmmer3Arguments arguments = parse_hmmer3_arguments(program.options, std::span(called).subspan(1));
  if (arguments.has("-h")) {
    print(help(program, name));
    return kDone;
  }
  for (const Hmmer3Option& option : program.options) {
    if (!option.supported && arguments.has(option.name)) {
      throw Hmmer3UsageError("Option " + std::string(option.name) + " is not supported by gpuhmm.");
    }
  }
  if (arguments.positional.size() != program.arguments) {
    throw Hmmer3UsageError("Incorrect number of command line arguments.");
  }
  program.run(arguments, called.front());
  return kDone;
}

}  // namespace

const Hmmer3Program* find_hmmer3_program(const std::string& path) {
  const std::string called = path.substr(path.rfind('/') + 1);
  for (const Hmmer3Program& program : hmmer3_programs()) {
    if (called != program.name) continue;
    const bool of_both = called == "hmmsearch";
    return of_both && generation_folder(path) != kHmmer3Folder ? nullptr : &program;
  }
  return nullptr;
}

int run_hmmer3_program(const Hmmer3Program& program, const std::vector<std::string>& called) {
  const std::string name = called.front().substr(called.front().rfind('/') + 1);
  try {
    return parse_and_run(program, called, name);
  } catch (const ClosedPipe&) {
    throw;
  } catch (const Hmmer3UsageError& error) {
    return refuse(program, called.front(), name, error.what());
  } catch (const Hmmer3OutputError& error) {
    return fail_to_open(error, program.name);
  } catch (const hmmer3::PressError& error) {
    if (error.working()) print("Working...    ");
    return error.aborts() ? abort_with(error.hmmer3_text()) : fail(error.hmmer3_text(), false);
  } catch (const hmmer3::ProfileFileError& error) {
    return error.aborts() ? abort_with(error.hmmer3_text()) : fail(error.hmmer3_text());
  } catch (const hmmer3::SequenceFileError& error) {
    return fail(error.hmmer3_text(), error.labelled());
  } catch (const hmmer3::MissingCutoff& error) {
    return fail(std::string(error.tag()) + " bit thresholds unavailable on model " + error.profile() + "\n");
  } catch (const hmmer3::ImpossibleComparison& error) {
    return abort_with(error.what());
  } catch (const hmmer3::GapInDomain& error) {
    return abort_with("backconverted subseq didn't end at expected length (" + error.target() + "/" +
                      error.query() + ")");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace gpuhmm::cli
