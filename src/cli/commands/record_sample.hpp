// Records of a file, spread over all of it, as many as fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::cli {

/// Is given all records and keeps all, or every second, fourth, eighth ... one.
class RecordSample {
 public:
  /// Keeps at most about `most` bytes.
  explicit RecordSample(std::size_t most) : most_(most) {}

  /// Whether the next record is kept; otherwise its text is not used.
  bool keeps_next() const { return records_ % stride_ == 0; }
  /// Adds the next record. `size`: in residues or nodes.
  void add(std::string_view text, std::uint64_t size);

  /// Of all records that were added.
  std::uint64_t records() const { return records_; }
  std::uint64_t size() const { return size_; }

  /// Some of the records, in their order.
  struct Chosen {
    std::string text;
    std::uint64_t records = 0, size = 0;
  };
  /// Records of about this size together, or all that are kept, but at least one if there is one; evenly
  /// spread over the file.
  Chosen choose(double size) const;
  /// So many records, in the same way.
  Chosen choose_records(std::uint64_t count) const;

 private:
  struct Entry {
    std::size_t end;  // of its text
    std::uint64_t size;
  };
  void thin();

  std::size_t most_;
  std::uint64_t stride_ = 1;
  std::uint64_t records_ = 0, size_ = 0, kept_size_ = 0;
  std::string text_;
  std::vector<Entry> entries_;
};

}  // namespace gpuhmm::cli
