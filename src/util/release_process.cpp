// Starts the process that holds memory and devices until the system has taken them back.
#include "util/release_process.hpp"

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#ifdef __linux__
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ctime>
#endif

namespace gpuhmm {

#ifdef __linux__

namespace {

struct OpenFile {
  int number;
  dev_t device;
  ino_t node;
};

// Used until the program ends.
std::vector<OpenFile>& noted_files() {
  static auto& files = *new std::vector<OpenFile>;
  return files;
}

// What /proc tells of a process.
struct Process {
  std::string name;
  char state = '?';
  pid_t parent = 0;
};

// State '?' if it cannot be read.
Process process(pid_t number) {
  std::ifstream file("/proc/" + std::to_string(number) + "/stat");
  std::string text;
  std::getline(file, text);
  Process found;
  // NUMBER (NAME) STATE PARENT; a name may contain parentheses.
  const std::size_t begin = text.find('('), end = text.rfind(')');
  if (begin == std::string::npos || end == std::string::npos || end + 4 >= text.size()) return found;
  found.name = text.substr(begin + 1, end - begin - 1);
  found.state = text[end + 2];
  std::from_chars(text.data() + end + 4, text.data() + text.size(), found.parent);
  return found;
}

// The release processes among the children of `parent` that have ended, but that it has not waited for.
// kMostUnwaitedFor if its children cannot be listed.
int unwaited_for(pid_t parent) {
  const std::string number = std::to_string(parent);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  if (!file) return kMostUnwaitedFor;
  int count = 0;
  for (pid_t child = 0; file >> child;) {
    const Process found = process(child);
    count += found.state == 'Z' && found.name == kReleaseProcess ? 1 : 0;
  }
  return count;
}

// True if a process that outlives this one will be waited for: by process 1, or by an ancestor that has
// taken over that duty (PR_SET_CHILD_SUBREAPER).
bool orphans_are_waited_for() {
  constexpr pid_t kFirst = 1;
  if (unwaited_for(kFirst) >= kMostUnwaitedFor) return false;
  for (pid_t ancestor = getppid(); ancestor > kFirst; ancestor = process(ancestor).parent) {
    if (unwaited_for(ancestor) >= kMostUnwaitedFor) return false;
  }
  return true;
}

bool is_wanted() {
  const char* const release = std::getenv("GPUHMM_RELEASE");
  return !noted_files().empty() && getpid() != 1 &&
         (release == nullptr || release != std::string_view("wait")) && orphans_are_waited_for();
}

// The new process: waits until `parent` has ended. It shares thread-local memory with the thread that has
// started it, and therefore does no more than this.
int hold_until_end_of(void* parent) {
  const auto number = static_cast<pid_t>(reinterpret_cast<std::intptr_t>(parent));
  prctl(PR_SET_NAME, kReleaseProcess);
  static_cast<void>(!chdir("/"));  // so that a file system can be unmounted
  constexpr timespec kMillisecond = {0, 1'000'000};
  while (getppid() == number) nanosleep(&kMillisecond, nullptr);
  return 0;
}

}  // namespace

void note_open_files() noexcept {
  try {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
      const int number = std::stoi(entry.path().filename().string());
      struct stat known {};
      if (fstat(number, &known) == 0) noted_files().push_back({number, known.st_dev, known.st_ino});
    }
  } catch (const std::exception&) {
    noted_files().clear();
  }
}

void start_release_process() noexcept {
  constexpr std::size_t kStack = 65'536;
  alignas(16) static std::array<std::byte, kStack> stack;
  try {
    if (!is_wanted()) return;
  } catch (const std::exception&) {
    return;
  }
  // The new process inherits the mask: signals to the group of processes are not for it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  void* const parent = reinterpret_cast<void*>(static_cast<std::intptr_t>(getpid()));
  if (clone(hold_until_end_of, stack.data() + stack.size(), CLONE_VM | CLONE_FILES | SIGCHLD, parent) < 0) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return;
  }
  for (const OpenFile& file : noted_files()) {
    struct stat now {};
    if (fstat(file.number, &now) == 0 && now.st_dev == file.device && now.st_ino == file.node) {
      close(file.number);
    }
  }
}

#else

void note_open_files() noexcept {}

void start_release_process() noexcept {}

#endif

}  // namespace gpuhmm
