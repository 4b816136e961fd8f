// Lines of a sequence file for the readers that work line by line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "formats/sequence/text.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

/// The current line of a file, with limits and errors that name file and line.
class LineSource {
 public:
  explicit LineSource(std::unique_ptr<Input> input) : input_(std::move(input)), reader_(*input_) {}

  /// Goes to the next line; false at the end. Throws FileError for a line with a zero byte, and for one
  /// that ends beyond the bound.
  bool next() {
    if (std::exchange(kept_, false)) return true;
    if (!reader_.next(line_)) return false;
    check_bound();
    with_return_ = line_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    check_text();
    return true;
  }
  /// As next, but goes through long lines in pieces; a CR at the end of a line stays.
  bool next_piece() {
    constexpr std::size_t kPiece = std::size_t{64} << 10;
    if (std::exchange(kept_, false)) return true;
    if (!reader_.next_piece(line_, kPiece)) return false;
    check_text();
    return true;
  }
  /// Goes to the next piece that is not blank; false at the end.
  bool next_text_piece() {
    while (next_piece()) {
      if (!text::blank(line_)) return true;
    }
    return false;
  }
  /// True if the current piece begins its line, and begins with `tag`.
  bool line_starts_with(std::string_view tag) const { return reader_.at_line_start() && starts_with(tag); }
  bool at_line_start() const { return reader_.at_line_start(); }
  bool at_line_end() const { return reader_.at_line_end(); }
  /// Sets the bound: what is read from here on, called `what` in messages, may take `bytes` bytes, its text
  /// and what charge() adds.
  void bound(std::string_view what, std::uint64_t bytes) {
    bounded_ = what;
    bound_from_ = reader_.consumed();
    charged_ = 0;
    bound_ = bytes;
  }
  /// Bytes to charge for a name kept in memory.
  static constexpr std::uint64_t kNameCost = 256;
  /// Counts bytes in addition to the text. Throws FileError beyond the bound.
  void charge(std::uint64_t bytes) {
    charged_ += bytes;
    check_bound();
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
  /// The line with the CR before its end, if there is one, after next().
  std::string_view line_with_return() const { return with_return_; }
  bool starts_with(std::string_view tag) const { return line_.starts_with(tag); }
  /// The next call of next() returns this line again.
  void keep() { kept_ = true; }

  /// From now on field() and column_name() give what HMMER3 takes.
  void take_plain_fields() { plain_fields_ = true; }
  bool plain_fields() const { return plain_fields_; }
  /// A name from columns of its own, without blanks around it. HMMER3 writes _ for blanks within and refuses
  /// characters that are not printable.
  std::string column_name(std::string_view text) const {
    if (!plain_fields_) return std::string(text::trim(text));
    std::string name(text::trim_left(text, " "));
    name.resize(name.find_last_not_of(' ') + 1);
    for (char& c : name) {
      if (c == ' ') c = '_';
      if (c < '!' || c > '~') fail("expected a name of printable characters");
    }
    return name;
  }
  /// An accession or description from a line: HMMER2's (text::kept_field), or all of the text behind blanks.
  std::string field(std::string_view text) const {
    return plain_fields_ ? std::string(text::trim_left(text)) : text::kept_field(text);
  }

  const std::string& name() const { return input_->name(); }
  /// The part of the file up to the current line, 0 to 1; of a compressed file, up to the last block read.
  /// Nothing for pipes.
  std::optional<double> fraction_read() const {
    if (!input_->seekable()) return input_->fraction_read();
    return std::min(1.0, static_cast<double>(reader_.consumed()) / static_cast<double>(input_->file_size()));
  }
  /// The current line for messages, "line 7: ".
  std::string position() const { return "line " + std::to_string(reader_.number()) + ": "; }
  /// Throws FileError: file, current line, message.
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(name() + ": " + position() + message);
  }

 private:
  void check_bound() const {
    if (reader_.consumed() - bound_from_ + charged_ <= bound_) return;
    fail(bounded_ + " takes more than " + std::to_string(bound_) + " bytes, the most allowed");
  }
  void check_text() const {
    if (line_.find('\0') != std::string_view::npos) fail("a byte of value 0; expected text");
  }

  std::unique_ptr<Input> input_;
  LineReader reader_;
  std::string_view line_, with_return_;
  bool plain_fields_ = false;
  bool kept_ = false;
  std::string bounded_;
  std::uint64_t bound_from_ = 0, charged_ = 0, bound_ = UINT64_MAX;
};

}  // namespace gpuhmm
