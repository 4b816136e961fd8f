// A nameless temporary file for bytes that are written now and wanted later.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string_view>

#include "gpuhmm/error.hpp"

namespace gpuhmm {

/// Lies in the folder for temporary files (TMPDIR) and is gone with the object, or with the program however
/// it ends. Errors are FileError.
class Spool {
 public:
  Spool();

  void append(std::string_view bytes);
  std::uint64_t size() const { return size_; }
  /// Goes back to the first byte, for read(). Nothing may be appended after it.
  void rewind();
  /// The next bytes into `buffer`, up to `size`; 0 only at the end.
  std::size_t read(char* buffer, std::size_t size);
  /// Hands all bytes to `take`, in order and in pieces. Nothing may be appended after it.
  void replay(const std::function<void(std::string_view)>& take);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;
};

}  // namespace gpuhmm
