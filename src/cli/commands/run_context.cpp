// Finds the inputs of a command line.
#include "cli/commands/run_context.hpp"

#include "cli/command.hpp"
#include "cli/commands/part_run.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

void tell_totals(const RunSection& section, const SearchStatistics& statistics, std::int64_t hits) {
  if (section.context.totals) section.context.totals(statistics, hits);
}

void end_section(const RunSection& section, const std::function<void()>& last_words) {
  const bool last = !section.more();
  if (last && section.context.part != nullptr) section.context.part->end();
  if (last) section.context.files.commit();
  last_words();
  if (last) section.context.end();
}

SequenceOpener opener_of(const SequenceSource& source, const RunContext& context) {
  return [&source, &context](const Alphabet& alphabet) {
    return context.part != nullptr ? context.part->open(source, alphabet) : source.open(alphabet);
  };
}

RunContext command_line_context(const std::vector<std::string>& positional) {
  RunContext context;
  context.profiles.path = locate_file(positional[0], "HMMERDB");
  context.sequences.path = locate_file(positional[1], "BLASTDB");
  context.end = [] { leave(kDone); };
  return context;
}

}  // namespace gpuhmm::cli
