// Lists unfinished files in a table of fixed size, which a signal handler can read.
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include "gpuhmm/error.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm {

namespace {

/// The path does not change while the state is `Named`.
struct Slot {
  enum State : int { Free, Reserved, Named };
  std::atomic<int> state{Free};
  char path[PATH_MAX] = {};
};
static_assert(std::atomic<int>::is_always_lock_free);

constexpr int kMostFiles = 64;
constinit Slot slots[kMostFiles];  // all zero: costs nothing at the start of the program

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= sizeof slots->path) throw FileError(path + ": too long a path for a temporary file");
  for (int slot = 0; slot < kMostFiles; ++slot) {
    int expected = Slot::Free;
    if (!slots[slot].state.compare_exchange_strong(expected, Slot::Reserved)) continue;
    std::memcpy(slots[slot].path, path.c_str(), path.size() + 1);
    slots[slot].state = Slot::Named;
    slot_ = slot;
    return;
  }
  throw FileError(path + ": too many unfinished files; expected at most " + std::to_string(kMostFiles));
}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

UnfinishedFile& UnfinishedFile::operator=(UnfinishedFile&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

void UnfinishedFile::forget() noexcept {
  if (slot_ >= 0) slots[std::exchange(slot_, -1)].state = Slot::Free;
}

std::string temporary_name() {
  std::uint64_t random = 0;
  // Unlike std::random_device it needs no instruction that a virtual machine has to emulate.
  if (::getentropy(&random, sizeof random) != 0) random = std::random_device()();
  char name[64];
  std::snprintf(name, sizeof name, ".gpuhmm-%ld-%016" PRIx64 ".tmp", static_cast<long>(::getpid()), random);
  return name;
}

void remove_unfinished_files() noexcept {
  for (Slot& slot : slots) {
    if (slot.state == Slot::Named) ::unlink(slot.path);
  }
}

}  // namespace gpuhmm
