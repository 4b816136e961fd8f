// The error type of input and output files.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace gpuhmm {

/// An error of a file. what() is one line of text that names the file, the line or record, what is wrong and
/// what was expected.
class FileError : public std::runtime_error {
 public:
  /// Bytes of value 0, at which what() would end, are shown as \x00.
  explicit FileError(std::string what) : std::runtime_error(shown(std::move(what))) {}

 private:
  static std::string shown(std::string text) {
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos;) text.replace(at, 1, "\\x00");
    return text;
  }
};

}  // namespace gpuhmm
