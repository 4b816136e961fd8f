// A nameless temporary file for bytes that are written now and wanted later.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string_view>

#include "formats/io/error.hpp"

namespace gpuhmm {

/// Lies in the folder for temporary files (TMPDIR) and is gone with the object, or with the program however
/// it ends. Errors are FileError.
class Spool {
 public:
  Spool();

  void append(std::string_view bytes);
  std::uint64_t size() const { return size_; }
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
