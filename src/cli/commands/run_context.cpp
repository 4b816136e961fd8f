// Finds the inputs of a command line.
#include "cli/commands/run_context.hpp"

#include "cli/command.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

void end_part(const RunPart& part, const std::function<void()>& last_words) {
  const bool last = !part.more();
  if (last) part.context.files.commit();
  last_words();
  if (last) part.context.end();
}

RunContext command_line_context(const std::vector<std::string>& positional) {
  RunContext context;
  context.profiles.path = locate_file(positional[0], "HMMERDB");
  context.sequences.path = locate_file(positional[1], "BLASTDB");
  context.end = [] { leave(kDone); };
  return context;
}

}  // namespace gpuhmm::cli
