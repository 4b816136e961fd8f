// Reads PGM images, "P2" (text) and "P5" (binary), as pgm(5) of netpbm describes them.
#include <algorithm>

#include "formats/image/image.hpp"

namespace gpuhmm::image {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads one image.
class PgmReader {
 public:
  explicit PgmReader(Input& input) : input_(input) {}

  GreyImage read() {
    take();
    const bool binary = take() == '5';
    const std::uint64_t columns = number("the width", 1u << 31);
    const std::uint64_t rows = number("the height", 1u << 31);
    const std::uint64_t most = number("the largest value", 65535);
    if (most == 0) fail("a largest value of 0; expected 1 to 65535");
    check_size(input_, rows, columns);
    if (binary && (at_end() || !is_space(take()))) fail("no white space after the largest value");
    GreyImage image{static_cast<std::size_t>(rows), static_cast<std::size_t>(columns), {}};
    const std::size_t count = image.rows * image.columns;
    image.values.reserve(std::min<std::size_t>(count, std::size_t{1} << 20));  // the header may be false
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t value = binary ? sample(most > 255, i, count) : text_sample(i, count);
      if (value > most) {
        fail("row " + std::to_string(i / image.columns) + ", column " + std::to_string(i % image.columns) +
             ": " + std::to_string(value) + " is above the largest value, " + std::to_string(most));
      }
      image.values.push_back(static_cast<std::int32_t>(value));
    }
    return image;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(input_.name() + ": " + message);
  }
  [[noreturn]] void fail_short(std::size_t found, std::size_t expected) const {
    fail("truncated: the image has " + std::to_string(found) + " of " + std::to_string(expected) + " pixels");
  }

  bool at_end() {
    if (place_ < filled_) return false;
    filled_ = input_.read(buffer_, sizeof buffer_);
    place_ = 0;
    return filled_ == 0;
  }
  char take() { return at_end() ? '\0' : buffer_[place_++]; }

  // Skips white space and comments, which last from # to the end of the line.
  void skip_blanks() {
    bool comment = false;
    while (!at_end() && (comment || is_space(buffer_[place_]) || buffer_[place_] == '#')) {
      const char c = take();
      comment = c == '#' || (comment && c != '\n' && c != '\r');
    }
  }

  std::uint64_t number(const char* what, std::uint64_t most) {
    skip_blanks();
    if (at_end() || !is_digit(buffer_[place_])) {
      fail(std::string("expected ") + what + (at_end() ? ", not the end of the file" : " as a number"));
    }
    std::uint64_t value = 0;
    while (!at_end() && is_digit(buffer_[place_])) {
      value = value * 10 + static_cast<std::uint64_t>(take() - '0');
      if (value > most) fail(std::string(what) + " is above " + std::to_string(most));
    }
    return value;
  }

  std::uint64_t text_sample(std::size_t found, std::size_t expected) {
    skip_blanks();
    if (at_end()) fail_short(found, expected);
    return number("a pixel", 65535);
  }

  std::uint64_t sample(bool wide, std::size_t found, std::size_t expected) {
    std::uint64_t value = 0;
    for (int byte = wide ? 2 : 1; byte > 0; --byte) {
      if (at_end()) fail_short(found, expected);
      value = value << 8 | static_cast<unsigned char>(take());
    }
    return value;
  }

  Input& input_;
  char buffer_[1 << 16];
  std::size_t place_ = 0, filled_ = 0;
};

}  // namespace

GreyImage read_pgm(Input& input) { return PgmReader(input).read(); }

}  // namespace gpuhmm::image
