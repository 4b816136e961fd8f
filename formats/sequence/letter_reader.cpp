// Reads the letters of FASTA and FASTQ files line by line.
#include "formats/sequence/letter_reader.hpp"

#include <algorithm>
#include <utility>

namespace gpuhmm {

namespace {

// Appends a line without its blanks.
void append_letters(std::string_view line, std::string& to) {
  while (!line.empty()) {
    const std::size_t length = std::min(line.find_first_of(text::kWhiteSpace), line.size());
    to.append(line.substr(0, length));
    line = text::trim_left(line.substr(length));
  }
}

}  // namespace

LetterReader::LetterReader(std::unique_ptr<Input> input) : lines_(std::move(input)) {
  if (!lines_.next_text_piece()) {
    throw FileError(lines_.name() + ": nothing in it; expected FASTA or FASTQ records");
  }
  fastq_ = lines_.line_starts_with("@");
  if (!fastq_ && !lines_.line_starts_with(">")) {
    lines_.fail("neither FASTA nor FASTQ; expected a line beginning with > or @");
  }
  lines_.keep();
}

bool LetterReader::read(std::string& to, std::size_t size, char end) {
  return fastq_ ? read_fastq(to, size, end) : read_fasta(to, size, end);
}

bool LetterReader::read_fasta(std::string& to, std::size_t size, char end) {
  bool any = false;
  while (to.size() < size) {
    if (!lines_.next_piece()) {
      if (!std::exchange(open_, false)) break;
      to += end;
      return true;
    }
    any = true;
    if (lines_.at_line_start()) in_name_ = lines_.starts_with(">");
    if (!in_name_) {
      append_letters(lines_.line(), to);
    } else if (lines_.at_line_start()) {
      if (std::exchange(open_, true)) to += end;
      ++records_;
    }
  }
  return any;
}

bool LetterReader::read_fastq(std::string& to, std::size_t size, char end) {
  bool any = false;
  while (to.size() < size) {
    if (!open_) {
      if (!lines_.next_text_piece()) break;
      if (!lines_.line_starts_with("@")) lines_.fail("not a FASTQ record; expected a line beginning with @");
      ++records_;
      open_ = true;
      in_name_ = true;
      taken_ = 0;
    }
    any = true;
    if (!lines_.next_piece()) {
      lines_.fail("the last FASTQ record is truncated; expected a line beginning with +");
    }
    if (lines_.at_line_start()) in_name_ = false;
    if (lines_.line_starts_with("+")) {
      check_qualities(taken_);
      to += end;
      open_ = false;
    } else if (!in_name_) {
      const std::size_t before = to.size();
      append_letters(lines_.line(), to);
      taken_ += to.size() - before;
    }
  }
  return any;
}

/// Skips the rest of the line with + and the qualities, and checks that there are `letters` of them.
void LetterReader::check_qualities(std::size_t letters) {
  while (!lines_.at_line_end() && lines_.next_piece()) {
  }
  std::size_t qualities = 0;
  do {
    if (!lines_.next_piece()) {
      if (qualities >= letters) break;
      lines_.fail("the last FASTQ record is truncated; expected " + std::to_string(letters) + " qualities");
    }
    qualities += text::trim(lines_.line()).size();
  } while (qualities < letters || !lines_.at_line_end());
  if (qualities > letters) {
    lines_.fail("a FASTQ record with more qualities than letters; expected " + std::to_string(letters));
  }
}

}  // namespace gpuhmm
