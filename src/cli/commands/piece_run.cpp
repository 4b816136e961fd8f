// Gives each piece its sequences, and keeps what pieces have in common.
#include "cli/commands/piece_run.hpp"

#include <chrono>
#include <utility>

#include "cli/commands/part_run.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/options.hpp"
#include "gpuhmm/database.hpp"

namespace gpuhmm::cli {

namespace {

// A run that takes longer than this is worth a GPU, if there is one.
constexpr double kWorthAGpu = 10;

}  // namespace

PieceRunner::PieceRunner(const Arguments& arguments, ReportKind kind, RunFunction run_whole)
    : arguments_(arguments), kind_(kind), run_(run_whole) {
  sequences_ = command_line_context(arguments.positional).sequences;
  if (arguments.has("informat") || !is_database(sequences_.path)) return;
  HeldInput held;
  held.sequences.database = std::make_shared<const Database>(sequences_.path, threads_from(arguments));
  sequences_.held = std::make_shared<const HeldInput>(std::move(held));
}

// The borders of records do not depend on the alphabet.
RecordCensus PieceRunner::census() const {
  const std::shared_ptr<const Database> database =
      sequences_.held ? sequences_.held->sequences.database : nullptr;
  const Alphabet& alphabet = Alphabet::get(database ? database->alphabet() : AlphabetKind::Amino);
  const SequenceSource source = database ? SequenceSource(sequences_.path, std::nullopt,
                                                          sequences_.held->sequences, EmptyInput::Refused)
                                         : SequenceSource(sequences_.path, informat_from(arguments_), 1);
  return census_of(*source.open(alphabet));
}

void PieceRunner::run(const RecordRange& sequences, const QueryPlace& start, PartWriter& writer) {
  const std::string device = arguments_.get("device");
  if (!engines_ && (names_devices(device) || (device == "auto" && elapsed_ > kWorthAGpu))) {
    engines_.emplace(device, threads_from(arguments_), Verification{arguments_.find<double>("verify")});
  }
  std::optional<SharedEngines> shared;
  if (engines_) shared.emplace(engines_->shared());
  RunContext context = command_line_context(arguments_.positional);
  context.sequences = sequences_;
  context.end = [] {};
  context.silent = true;
  context.shared = shared ? &*shared : nullptr;
  PartRun part(kind_, sequences,
               [&](const QueryPlace& place, std::string_view content) { writer.add(place, content); });
  part.resume_at(start);
  part.at_end([&](std::uint64_t sections) { writer.end(sections); });
  context.part = &part;
  const PieceClock clock;
  run_(arguments_, context);
  elapsed_ += clock.seconds();
}

double PieceClock::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace gpuhmm::cli
