// Starts GNU sort on temporary files.
#include "experiment/sort/gnu_sort.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "experiment/spread.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

// The environment, with LC_ALL=C.
std::vector<char*> plain_environment() {
  static char locale[] = "LC_ALL=C";
  std::vector<char*> all{locale};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (std::strncmp(*entry, "LC_ALL=", 7) != 0) all.push_back(*entry);
  }
  all.push_back(nullptr);
  return all;
}

// Runs `sort` with these arguments and standard output to a file. Returns its exit status, or -1 if it cannot
// be started.
int run_sort(std::vector<std::string> arguments, const std::string& output) {
  arguments.insert(arguments.begin(), "sort");
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  pid_t process = 0;
  const int error =
      posix_spawnp(&process, "sort", &actions, nullptr, words.data(), plain_environment().data());
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0 || waitpid(process, &status, 0) != process || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

std::string content_of(const std::string& path) {
  std::string text(std::filesystem::file_size(path), ' ');
  std::ifstream(path, std::ios::binary).read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

// Makes a new temporary folder.
std::string new_folder() {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / temporary_name();
  std::filesystem::create_directory(folder);
  return folder.string();
}

}  // namespace

bool has_gnu_sort() {
  const std::string folder = new_folder(), path = folder + "/version";
  const bool found =
      run_sort({"--version"}, path) == 0 && content_of(path).find("GNU coreutils") != std::string::npos;
  std::filesystem::remove_all(folder);
  return found;
}

GnuSort::GnuSort(const std::string& text, unsigned threads) : folder_(new_folder()), threads_(threads) {
  std::ofstream(folder_ + "/input", std::ios::binary) << text;
}

GnuSort::~GnuSort() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

double GnuSort::run() const {
  int status = 0;
  const double seconds = seconds_of([&] {
    status = run_sort({"--parallel=" + std::to_string(threads_), folder_ + "/input"}, folder_ + "/output");
  });
  if (status != 0) throw std::runtime_error("GNU sort failed with status " + std::to_string(status));
  return seconds;
}

std::string GnuSort::output() const { return content_of(folder_ + "/output"); }

}  // namespace gpuhmm::experiment::sorting
