// A temporary file without a name for bytes that are written now and read later.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string_view>

#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// The file lies in the folder for temporary files (TMPDIR) and vanishes with the object, or with the process
/// even if that crashes. All functions throw FileError.
class Spool {
 public:
  Spool();

  void append(std::string_view bytes);
  std::uint64_t size() const { return size_; }
  /// Goes back to the first byte, for read(). Nothing may be appended afterwards.
  void rewind();
  /// Reads up to `size` bytes into `buffer`; returns their number, 0 only at the end.
  std::size_t read(char* buffer, std::size_t size);
  /// Passes all bytes to `take`, in order and in pieces. Nothing may be appended afterwards.
  void replay(const std::function<void(std::string_view)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

}  // namespace gpuhmm
