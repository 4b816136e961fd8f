// The rule that no command writes over a file that it reads, nor two outputs to one file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpuhmm::cli {

/// True for the names of standard output.
bool is_standard_output(const std::string& path);

/// Where a report beside the result `output` goes: to standard output, unless the result goes there or
/// standard output was closed when the program started (as daemons do), when it goes nowhere.
std::string report_path(const std::string& output);

/// The files of one run, as the user named them; "-" is standard input or output. Every command that writes a
/// file declares its files here before it opens any. Two names mean the same file if they lead to the same
/// inode: symbolic links, hard links and redirections are seen through. Devices and pipes are never the same.
class FileRoles {
 public:
  /// A file that is read. Throws UsageError if it is an output.
  FileRoles& reads(const std::optional<std::string>& path);
  /// A file that is written. Throws UsageError if it is an input or another output, if the name is empty, or
  /// if another output goes to standard output, too.
  FileRoles& writes(const std::optional<std::string>& path);
  /// As writes(), but the file, unless it is standard output, may be one of the inputs, which then is
  /// replaced as a whole at the end: for commands that work in place.
  FileRoles& rewrites(const std::string& path);

 private:
  /// Of a regular file; one that is not there yet is known by its path.
  struct Identity {
    unsigned long long device = 0, inode = 0;
    std::string path;
    bool operator==(const Identity&) const = default;
  };
  enum class Role { Input, Output, Rewritten };
  struct File {
    Role role;
    std::string name;
    std::optional<Identity> identity;
  };
  static std::optional<Identity> identity_of(Role role, const std::string& path);
  void add(Role role, const std::string& path);

  std::vector<File> files_;
  bool standard_output_taken_ = false;
};

}  // namespace gpuhmm::cli
