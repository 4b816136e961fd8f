// The error type of input and output files.
#pragma once

#include <stdexcept>

namespace gpuhmm {

/// An error of a file. what() is one line of text that names the file, the line or record, what is wrong and
/// what was expected.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gpuhmm
