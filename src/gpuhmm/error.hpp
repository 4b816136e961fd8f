// The error that input and output files raise.
#pragma once

#include <stdexcept>

namespace gpuhmm {

/// Something is wrong with a file: what() is one line for people that names the file, the line or record,
/// what was wrong and what was expected.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gpuhmm
