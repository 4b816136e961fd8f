// Compares the declared files by device and inode.
#include "cli/file_roles.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "cli/command.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

bool is_standard_output(const std::string& path) {
  constexpr std::array kNames = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
  return std::find(kNames.begin(), kNames.end(), path) != kNames.end();
}

std::string report_path(const std::string& output) {
  return is_standard_output(output) || was_closed_at_start(STDOUT_FILENO) ? "/dev/null" : "-";
}

std::optional<FileRoles::Identity> FileRoles::identity_of(Role role, const std::string& path) {
  struct stat status {};
  const int descriptor = role == Role::Input ? STDIN_FILENO : STDOUT_FILENO;
  const int found = path == "-" ? ::fstat(descriptor, &status) : ::stat(path.c_str(), &status);
  if (found == 0) {
    if (S_ISREG(status.st_mode)) return Identity{status.st_dev, status.st_ino, {}};
    return std::nullopt;
  }
  if (role == Role::Input) return std::nullopt;  // opening the file reports the error
  std::error_code no_folder;
  const std::string written = written_file(path, no_folder);
  return no_folder ? std::nullopt : std::optional(Identity{0, 0, written});
}

void FileRoles::add(Role role, const std::string& path) {
  const bool is_input = role == Role::Input;
  const bool is_standard = is_input ? path == "-" : is_standard_output(path);
  if (!is_input && path.empty()) {
    throw UsageError("the name of an output file is empty; expected a file, or - for standard output");
  }
  File file{role, path, path, identity_of(role, path)};
  if (is_standard) file.name = is_input ? "standard input" : "standard output";
  for (const File& other : files_) {
    if (!is_input && is_standard && other.is_standard_output()) {
      if (shares_standard_output_ && path != other.path) continue;
      throw UsageError("only one output can go to standard output");
    }
    if (!file.identity || file.identity != other.identity) continue;
    if (!is_input && other.role != Role::Input) {
      throw UsageError("two outputs go to the file " + file.name);
    }
    if (file.role == Role::Output || other.role == Role::Output) {
      throw UsageError("the output " + (is_input ? other : file).name + " is also the input " +
                       (is_input ? file : other).name);
    }
  }
  files_.push_back(std::move(file));
}

FileRoles& FileRoles::share_standard_output() {
  shares_standard_output_ = true;
  return *this;
}

FileRoles& FileRoles::reads(const std::optional<std::string>& path) {
  if (path) add(Role::Input, *path);
  return *this;
}

FileRoles& FileRoles::writes(const std::optional<std::string>& path) {
  if (path) add(Role::Output, *path);
  return *this;
}

FileRoles& FileRoles::rewrites(const std::string& path) {
  add(is_standard_output(path) ? Role::Output : Role::Rewritten, path);
  return *this;
}

}  // namespace gpuhmm::cli
