// Ranks of an MPI run. Rank 0 hands out pieces and keeps their results; it does pieces itself, too, in a
// second thread. The others ask for a piece by sending what they have done.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/piece_plan.hpp"
#include "cli/commands/piece_run.hpp"
#include "cli/commands/pieces.hpp"
#include "cli/commands/rank_devices.hpp"
#include "cli/commands/run_in_pieces.hpp"
#include "cli/failure.hpp"
#include "cli/message.hpp"
#include "cli/mpi/messenger.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

using namespace std::chrono_literals;

// The first byte of a message to rank 0: a rank is ready; a piece is done; a rank has failed. And from it: do
// a piece; there is nothing left.
constexpr char kReady = 'R', kDonePiece = 'D', kFailure = 'F', kPiece = 'P', kStop = 'S';

// What a rank sees of the run: its version of gpuhmm and the sizes of the inputs.
std::string seen(const RunContext& context) {
  std::string text = GPUHMM_VERSION;
  for (const std::string& path : {context.profiles.path, context.sequences.path}) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    text += error ? " none" : " " + std::to_string(size);
  }
  return text;
}

struct DonePiece {
  RecordRange sequences;
  double seconds = 0;
  std::string records;  // what stands behind the header of the part
};

DonePiece do_piece(PieceRunner& runner, const RecordRange& sequences) {
  DonePiece piece{sequences, 0, {}};
  const PieceClock clock;
  PartWriter writer([&](std::string_view bytes) { piece.records += bytes; });
  runner.run(sequences, {}, writer);
  piece.seconds = clock.seconds();
  return piece;
}

// Numbers behind the first byte of a message, and what follows their line.
template <class... Number>
std::string_view parse(std::string_view message, const char* scanned, Number*... numbers) {
  const std::size_t end = std::min(message.find('\n'), message.size());
  if (std::sscanf(std::string(message.substr(1, end - 1)).c_str(), scanned, numbers...) !=
      sizeof...(numbers)) {
    throw std::runtime_error("a rank sent a message that this version of gpuhmm does not understand");
  }
  return message.substr(std::min(end + 1, message.size()));
}

// A rank other than 0: from the first message to the last.
void work(Messenger& messenger, const Arguments& arguments, ReportKind kind, RunFunction run) {
  const RunContext context = command_line_context(arguments.positional);
  PieceRunner runner(arguments, kind, run);
  messenger.send(0, kReady + seen(context));
  for (;;) {
    const std::optional<Message> message = messenger.receive(1h);
    if (!message) continue;
    if (message->bytes.front() == kStop) return;
    unsigned long long first = 0, end = 0;
    parse(message->bytes, "%llu %llu", &first, &end);
    const DonePiece piece = do_piece(runner, {first, end});
    messenger.send(0, format("%c%llu %llu %.9g\n", kDonePiece, first, end, piece.seconds) + piece.records);
  }
}

// Tells rank 0 what has happened, which ends all ranks.
[[noreturn]] void report_failure(Messenger& messenger) {
  const Failure failure = current_failure();
  messenger.send(0, format("%c%d\n", kFailure, static_cast<int>(failure.code)) + failure.message);
  for (;;) messenger.receive(1h);
}

// Rank 0.
class Master {
 public:
  Master(Messenger& messenger, const Arguments& arguments, ReportKind kind, RunFunction run)
      : messenger_(messenger),
        context_(command_line_context(arguments.positional)),
        header_(header_of_pieces(arguments, kind, context_)),
        checkpoint_(checkpoint_folder(arguments, header_), header_),
        runner_(arguments, kind, run),
        plan_((checkpoint_.drop_unfinished(), runner_.census()), checkpoint_.done(),
              static_cast<std::size_t>(messenger.size())),
        progress_(arguments.silent(), kCells) {
    announce(checkpoint_);
  }

  void hand_out() {
    begin_own();
    while (own_.valid() || stopped_ + 1 < messenger_.size()) {
      if (own_.valid() && own_.wait_for(0s) == std::future_status::ready) {
        keep(0, own_.get());
        begin_own();
      }
      constexpr auto kWait = 20ms;
      if (const std::optional<Message> message = messenger_.receive(kWait)) take(*message);
    }
    progress_.finish();
  }

  Checkpoint& checkpoint() { return checkpoint_; }

 private:
  void begin_own() {
    const std::optional<RecordRange> piece = plan_.take(0);
    if (!piece) return;
    own_ = std::async(std::launch::async, [this, piece = *piece] { return do_piece(runner_, piece); });
  }

  void take(const Message& message) {
    switch (message.bytes.front()) {
      case kReady:
        check(message);
        break;
      case kDonePiece: {
        unsigned long long first = 0, end = 0;
        DonePiece piece;
        piece.records = parse(message.bytes, "%llu %llu %lf", &first, &end, &piece.seconds);
        piece.sequences = {first, end};
        keep(message.from, std::move(piece));
        break;
      }
      default: {
        int code = kFailed;
        const std::string_view text = parse(message.bytes, "%d", &code);
        write_message("gpuhmm: ", "rank " + std::to_string(message.from) + ": " + std::string(text));
        say_where();
        messenger_.abort(code);
      }
    }
    const std::optional<RecordRange> piece = plan_.take(static_cast<std::size_t>(message.from));
    if (!piece) {
      messenger_.send(message.from, std::string(1, kStop));
      ++stopped_;
      return;
    }
    messenger_.send(message.from,
                    format("%c%llu %llu\n", kPiece, static_cast<unsigned long long>(piece->first),
                           static_cast<unsigned long long>(piece->end)));
  }

  void check(const Message& message) {
    const std::string theirs = message.bytes.substr(1), ours = seen(context_);
    if (theirs == ours) return;
    write_message("gpuhmm: ", "rank " + std::to_string(message.from) +
                                  " sees other files or is another gpuhmm (version and sizes " + theirs +
                                  ", not " + ours + "); all ranks need the same");
    messenger_.abort(kFailed);
  }

  void keep(int rank, DonePiece&& piece) {
    checkpoint_.store(piece.sequences, piece.records);
    plan_.finished(static_cast<std::size_t>(rank), piece.seconds);
    progress_.meter().reach(plan_.fraction_done());
  }

  void say_where() const {
    write_message("gpuhmm: ",
                  "what is done is in " + checkpoint_.folder() + "; the same command goes on from there");
  }

  Messenger& messenger_;
  RunContext context_;
  PartHeader header_;
  Checkpoint checkpoint_;
  PieceRunner runner_;
  PiecePlan plan_;
  ProgressLine progress_;
  std::future<DonePiece> own_;
  int stopped_ = 0;  // ranks that have been told that there is nothing left
};

}  // namespace

void run_by_mpi(const Arguments& given, ReportKind kind, RunFunction run) {
  const std::unique_ptr<Messenger> messenger = join_mpi();
  Arguments arguments = given;
  arguments.set("device",
                devices_of_rank(given.get("device"), messenger->local_rank(), messenger->local_size()));
  try {
    if (messenger->rank() > 0) {
      work(*messenger, arguments, kind, run);
      messenger->finish();
      leave(kDone);
    }
    Master master(*messenger, arguments, kind, run);
    master.hand_out();
    messenger->finish();
    finish_pieces(given, kind, master.checkpoint());
  } catch (const std::exception&) {
    if (messenger->rank() > 0) report_failure(*messenger);
    const Failure failure = current_failure();
    write_message("gpuhmm: ", failure.message);
    messenger->abort(failure.code);
  }
}

}  // namespace gpuhmm::cli
