// A part of a file, mapped into memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gpuhmm::hmmer3 {

/// A file of a pressed database from some byte to its end. Copies share the memory.
class MappedPart {
 public:
  MappedPart() = default;
  /// `library`: the database's path, for messages. Throws ProfileFileError.
  MappedPart(const std::string& library, const std::string& path, std::uint64_t from);

  /// The bytes, none if the file ends before.
  std::string_view bytes() const { return bytes_; }

 private:
  std::shared_ptr<const void> mapping_;
  std::string_view bytes_;
};

}  // namespace gpuhmm::hmmer3
