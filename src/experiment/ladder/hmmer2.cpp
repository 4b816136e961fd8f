// Runs hmm2search.
#include "experiment/ladder/hmmer2.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "experiment/spread.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

std::optional<std::string> find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string program = folder + "/" + name;
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  return std::nullopt;
}

std::filesystem::path make_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "gpuhmm-ladder-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw FileError(name + ": cannot make a temporary folder");
  return name;
}

// True if the command succeeds. Discards its output.
bool runs(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int failure = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  return failure == 0 && waitpid(process, &status, 0) == process && status == 0;
}

void check(const std::ofstream& out, const std::filesystem::path& path) {
  if (!out) throw FileError(path.string() + ": cannot be written");
}

}  // namespace

Hmmer2::Hmmer2() : program_(find_program("hmm2search")) {
  if (program_) folder_ = make_folder();
}

Hmmer2::~Hmmer2() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void Hmmer2::set_sequences(const SequenceSet& sequences) {
  if (!installed()) return;
  const Alphabet& letters = Alphabet::get(AlphabetKind::Amino);
  std::ofstream out(folder_ / "sequences.fa");
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    std::string text;
    for (const std::uint8_t code : sequences.residues(i)) text += letters.letter(code);
    out << ">s" << i << "\n" << text << "\n";
  }
  out.flush();
  check(out, folder_ / "sequences.fa");
}

std::optional<double> Hmmer2::seconds(const Profile& profile) const {
  if (!installed()) return std::nullopt;
  const std::filesystem::path file = folder_ / "profile.hmm";
  {
    std::ofstream out(file);
    write_hmmer2_text(out, profile);
    out.flush();
    check(out, file);
  }
  bool ended_well = false;
  const double seconds = seconds_of([&] {
    ended_well =
        runs({*program_, "--cpu", "1", "-A", "0", file.string(), (folder_ / "sequences.fa").string()});
  });
  return ended_well ? std::optional(seconds) : std::nullopt;
}

}  // namespace gpuhmm::experiment::ladder
