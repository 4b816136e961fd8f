// A program that ends leaves a process behind which holds its memory and its files, but not its caller's.
#include "util/release_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace gpuhmm {
namespace {

// The ends of a pipe.
struct Pipe {
  Pipe() {
    if (pipe(ends.data()) != 0) std::abort();
  }
  int reading() const { return ends[0]; }
  int writing() const { return ends[1]; }
  std::array<int, 2> ends{};
};

// Waits until all have closed the end for writing, but no longer than half a minute. Nobody writes.
bool ended(const Pipe& pipe) {
  constexpr int kMilliseconds = 30'000;
  pollfd end{.fd = pipe.reading(), .events = POLLIN, .revents = 0};
  return poll(&end, 1, kMilliseconds) == 1;
}

std::string name_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

// The tests wait for processes whose parents have ended.
class ReleaseProcess : public ::testing::Test {
 protected:
  ReleaseProcess() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    unsetenv("GPUHMM_RELEASE");
  }
  ~ReleaseProcess() override {
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    while (waitpid(-1, nullptr, 0) > 0) {
    }
  }

  // A program that has devices if `noted`, calls `before_end` and then ends with code 7.
  static pid_t program(
      bool noted, const std::function<void()>& before_end = [] {}) {
    const pid_t child = fork();
    if (child != 0) return child;
    if (noted) note_open_files();
    before_end();
    start_release_process();
    _exit(7);
  }

  static void expect_end(pid_t process, int code) {
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == code) << status;
  }

  // The processes that programs have left behind, once they have ended. Nobody has waited for them.
  static std::vector<pid_t> left_behind() {
    std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
    std::vector<pid_t> found;
    for (pid_t child = 0; file >> child;) {
      siginfo_t end{};
      EXPECT_EQ(waitid(P_PID, child, &end, WEXITED | WNOWAIT), 0);
      found.push_back(child);
    }
    return found;
  }
};

TEST_F(ReleaseProcess, OutlivesAProgramAndEnds) {
  expect_end(program(true), 7);
  const std::vector<pid_t> left = left_behind();
  ASSERT_EQ(left.size(), 1);
  EXPECT_EQ(name_of(left[0]), kReleaseProcess);
  expect_end(left[0], 0);
}

TEST_F(ReleaseProcess, IsNotThereWithoutDevicesOrIfNotWanted) {
  expect_end(program(false), 7);
  EXPECT_TRUE(left_behind().empty());
  expect_end(program(true, [] { setenv("GPUHMM_RELEASE", "wait", 1); }), 7);
  EXPECT_TRUE(left_behind().empty());
}

TEST_F(ReleaseProcess, DoesNotHoldFilesOfTheCaller) {
  const Pipe of_caller;
  const pid_t child = fork();
  if (child == 0) {
    const int noted = open("/dev/zero", O_RDONLY);
    note_open_files();
    close(noted);
    const int of_driver = open("/dev/null", O_RDWR);
    start_release_process();
    if (of_driver != noted || fcntl(of_driver, F_GETFD) < 0) _exit(1);
    for (;;) pause();
  }
  close(of_caller.writing());
  EXPECT_TRUE(ended(of_caller));  // while the program and the process are there
  kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(left_behind().size(), 1);
}

TEST_F(ReleaseProcess, IsNotThereIfNobodyHasWaitedForEarlierOnes) {
  for (int run = 1; run < kMostUnwaitedFor + 4; ++run) {
    expect_end(program(true), 7);
    EXPECT_EQ(left_behind().size(), std::min(run, kMostUnwaitedFor));
  }
}

}  // namespace
}  // namespace gpuhmm
