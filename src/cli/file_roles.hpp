// Checks that a command neither overwrites a file that it reads nor writes two outputs to one file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpuhmm::cli {

/// True for "-" and the paths of the standard output device.
bool is_standard_output(const std::string& path);

/// The path for the report of a command whose result goes to `output`: standard output ("-"). /dev/null if
/// the result goes there or if standard output was closed when the program started.
std::string report_path(const std::string& output);

/// The files of one run, as the user named them; "-" is standard input or output. A command that writes files
/// declares all its files here before it opens any. Two names mean the same file if they have the same device
/// and inode, so that links and redirections are recognized. Devices and pipes never count as the same file.
class FileRoles {
 public:
  /// Declares an input. Throws UsageError if it is also an output.
  FileRoles& reads(const std::optional<std::string>& path);
  /// Declares an output. Throws UsageError if it is also an input or another output, or if its name is empty.
  FileRoles& writes(const std::optional<std::string>& path);
  /// Like writes(), but the file may also be an input, unless it is standard output. For commands that work
  /// in place: they replace the file at the end.
  FileRoles& rewrites(const std::string& path);
  /// Lets outputs of different names go to standard output together, as HMMER3's do: `-` and /dev/stdout.
  FileRoles& share_standard_output();

 private:
  /// Identity of a regular file. A file that does not exist yet is identified by its path.
  struct Identity {
    unsigned long long device = 0, inode = 0;
    std::string path;
    bool operator==(const Identity&) const = default;
  };
  enum class Role { Input, Output, Rewritten };
  struct File {
    Role role;
    std::string path, name;  // name: for messages
    std::optional<Identity> identity;
    bool is_standard_output() const { return role != Role::Input && cli::is_standard_output(path); }
  };
  static std::optional<Identity> identity_of(Role role, const std::string& path);
  void add(Role role, const std::string& path);

  std::vector<File> files_;
  bool shares_standard_output_ = false;
};

}  // namespace gpuhmm::cli
