// Finds the program that a drop-in name stands for, prints its help, and runs it. programs.cpp lists the
// programs.
#include "cli/dropin/dropin.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

#include "cli/command.hpp"
#include "cli/dropin/generation.hpp"
#include "cli/dropin/hmmer2_arguments.hpp"
#include "cli/message.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/report.hpp"

namespace gpuhmm::cli {

namespace {

std::string usage(const DropIn& program) {
  return "Usage: " + std::string(program.program) + " [-options] " + std::string(program.positional) +
         "\n  Available options are:\n" + std::string(program.common) + "\n";
}

// Removes the first line of `text` and returns it without the spaces at its start.
std::string_view take_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

std::string help(const DropIn& program) {
  std::string text;
  write_hmmer2_help_banner([&text](std::string_view part) { text += part; }, program.title, GPUHMM_VERSION);
  return text + usage(program) + std::string(program.expert) + "\n";
}

int fail(const std::string& message, const std::string& usage_text = {}) {
  write_message("\nFATAL: ", message);
  std::cerr << usage_text;
  return kFailed;
}

int parse_and_run(const DropIn& program, const std::vector<std::string>& called) {
  const Command& command = find_command(program.command);
  const OptionTable table = command.options();
  std::vector<Hmmer2Option> options;
  if (called.size() > 1 && called[1].starts_with('-')) {  // otherwise none is given: options come first
    for (const DescribedOption& option : described_options(program)) {
      options.push_back({option.name, table.find(option.name), option.operand == "<n>"});
    }
  }
  const Arguments arguments = parse_hmmer2_arguments(table, options, called);
  if (arguments.has("help")) {
    print(help(program));
    return kDone;
  }
  try {
    check_count(command, arguments.positional);
  } catch (const UsageError&) {
    throw Hmmer2UsageError("incorrect number of arguments: expected " + std::string(program.positional));
  }
  if (arguments.has("pvm")) return fail("PVM is not supported; --pvm does not work. Use --cpu instead");
  command.run(arguments);
  return kDone;
}

}  // namespace

std::vector<std::string> names_of(const DropIn& program) {
  const std::string plain(program.program);
  return {plain, "hmm2" + plain.substr(3), plain + "2"};
}

std::vector<DescribedOption> described_options(const DropIn& program) {
  std::vector<DescribedOption> options;
  for (std::string_view text : {program.common, program.expert}) {
    while (!text.empty()) {
      const std::string_view line = take_line(text);
      if (line.empty()) continue;
      const std::size_t colon = line.find(':');
      if (line.front() != '-' || colon == std::string_view::npos) {  // continues the text of an option
        options.back().lines.push_back(line);
        continue;
      }
      const std::string_view words = line.substr(0, colon);
      DescribedOption& option = options.emplace_back();
      option.name = words.substr(0, words.find(' '));
      const std::size_t operand = words.find('<');
      if (operand != std::string_view::npos)
        option.operand = words.substr(operand, words.find('>') + 1 - operand);
      option.lines.push_back(line.substr(line.find_first_not_of(' ', colon + 1)));
    }
  }
  return options;
}

const DropIn* find_drop_in(const std::string& path) {
  const std::string called = path.substr(path.rfind('/') + 1);
  for (const DropIn& program : drop_ins()) {
    const std::vector<std::string> names = names_of(program);
    if (std::ranges::find(names, called) == names.end()) continue;
    if (called == program.program && generation_folder(path) == kHmmer3Folder) {
      throw UsageError(
          "called as " + called + " of a folder " + std::string(kHmmer3Folder) +
          ": of HMMER 3.3.2's programs gpuhmm has only hmmsearch, hmmscan and hmmpress; expected a folder " +
          std::string(kHmmer2Folder));
    }
    return &program;
  }
  return nullptr;
}

int run_drop_in(const DropIn& program, const std::vector<std::string>& called) {
  try {
    return parse_and_run(program, called);
  } catch (const ClosedPipe&) {
    throw;
  } catch (const Hmmer2UsageError& error) {
    return fail(error.what(), usage(program));
  } catch (const std::bad_alloc&) {
    return fail("out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace gpuhmm::cli
