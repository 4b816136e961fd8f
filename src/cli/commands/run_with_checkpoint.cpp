// One process that does one piece after the other.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/piece_plan.hpp"
#include "cli/commands/piece_run.hpp"
#include "cli/commands/pieces.hpp"
#include "cli/commands/run_in_pieces.hpp"
#include "cli/progress.hpp"

namespace gpuhmm::cli {

namespace {

// A file whose bytes are in the hands of the system after each call.
class Journal {
 public:
  explicit Journal(std::string path)
      : path_(std::move(path)),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    if (file_ < 0) fail();
  }
  ~Journal() { ::close(file_); }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  // Writes it to the disk, so that it survives the machine.
  void sync() const {
    if (::fsync(file_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw FileError(path_ + ": cannot be written: " + std::strerror(errno)); }

  std::string path_;
  int file_;
};

}  // namespace

void run_with_checkpoint(const Arguments& arguments, ReportKind kind, RunFunction run) {
  const RunContext context = command_line_context(arguments.positional);
  Checkpoint checkpoint(arguments.get("checkpoint"), header_of_pieces(arguments, kind, context));
  announce(checkpoint);
  PieceRunner runner(arguments, kind, run);
  ProgressLine progress(arguments.silent(), kCells);
  std::vector<RecordRange> known = checkpoint.done();
  if (const auto& unfinished = checkpoint.unfinished()) {
    known.push_back(unfinished->sequences);
    Journal journal(unfinished->path);
    PartWriter writer([&](std::string_view bytes) { journal.write(bytes); });
    runner.run(unfinished->sequences, unfinished->next, writer);
    journal.sync();
  }
  PiecePlan plan(runner.census(), known, 1);
  while (const std::optional<RecordRange> piece = plan.take(0)) {
    const PieceClock clock;
    Journal journal(checkpoint.path_of(*piece));
    PartWriter writer([&](std::string_view bytes) { journal.write(bytes); }, checkpoint.header_of(*piece));
    runner.run(*piece, {}, writer);
    journal.sync();
    plan.finished(0, clock.seconds());
    progress.meter().reach(plan.fraction_done());
  }
  progress.finish();
  finish_pieces(arguments, kind, checkpoint);
}

}  // namespace gpuhmm::cli
