// Lines of a sequence file for the readers that work line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "formats/io/input.hpp"
#include "formats/sequence/text.hpp"

namespace gpuhmm {

class LineSource {
 public:
  explicit LineSource(std::unique_ptr<Input> input) : input_(std::move(input)), reader_(*input_) {}

  /// Goes to the next line; false at the end. Throws FileError for a line with a byte of value 0.
  bool next() {
    if (std::exchange(kept_, false)) return true;
    if (!reader_.next(line_)) return false;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    if (line_.find('\0') != std::string_view::npos) fail("a byte of value 0; expected text");
    return true;
  }
  /// Goes to the next line that is not blank; false at the end.
  bool next_text() {
    while (next()) {
      if (!text::blank(line_)) return true;
    }
    return false;
  }
  /// The line, without its end; valid until the next call of next.
  std::string_view line() const { return line_; }
  bool starts_with(std::string_view tag) const { return line_.starts_with(tag); }
  /// The next call of next gives this line again.
  void keep() { kept_ = true; }

  const std::string& name() const { return input_->name(); }
  /// The part of the file up to the line, 0 to 1; of a compressed file that of the blocks read. Nothing for
  /// pipes.
  std::optional<double> fraction_read() const {
    if (!input_->seekable()) return input_->fraction_read();
    return std::min(1.0, static_cast<double>(reader_.consumed()) / static_cast<double>(input_->file_size()));
  }
  /// Throws FileError for the line.
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(name() + ": line " + std::to_string(reader_.number()) + ": " + message);
  }

 private:
  std::unique_ptr<Input> input_;
  LineReader reader_;
  std::string_view line_;
  bool kept_ = false;
};

}  // namespace gpuhmm
