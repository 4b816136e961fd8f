// Reads numbers stored in binary: `.npy` (numpy.lib.format, versions 1 to 3) and raw files.
#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "formats/numbers/source.hpp"

namespace gpuhmm {

namespace {

static_assert(std::endian::native == std::endian::little, "elements are swapped for little-endian machines");

constexpr std::size_t kConvertBlock = std::size_t{1} << 16;  // elements converted at a time
constexpr std::size_t kReadBlock = std::size_t{1} << 22;  // elements read before memory for more is allocated

/// The type of an element in the file; `kind` is 'i', 'u' or 'f'.
struct StoredType {
  char kind = 'i';
  std::size_t bytes = 4;
  bool big_endian = false;
};

template <class Int>
Int load(const unsigned char* at, bool big_endian) {
  unsigned char bytes[sizeof(Int)];
  std::memcpy(bytes, at, sizeof(Int));
  if (big_endian) std::reverse(bytes, bytes + sizeof(Int));
  Int value;
  std::memcpy(&value, bytes, sizeof(Int));
  return value;
}

/// Converts `count` elements of type Stored from `at` to `to`.
template <class Stored, class T>
void convert(const unsigned char* at, std::size_t count, bool big_endian, T* to) {
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = static_cast<T>(load<Stored>(at + i * sizeof(Stored), big_endian));
  }
}

class BinaryNumbers : public NumberReader::Source {
 public:
  BinaryNumbers(std::unique_ptr<Input> input, StoredType stored, std::vector<std::uint64_t> shape_of_item,
                std::optional<std::uint64_t> count, bool refuse_non_finite)
      : input_(std::move(input)), stored_(stored), refuse_non_finite_(refuse_non_finite) {
    item_shape = std::move(shape_of_item);
    items = count;
    const auto size = extent_product(item_shape);
    if (!size) fail("an item of shape " + shape_text(item_shape) + " is too large");
    item_size = *size;
    check_size();
    const bool wide = stored.bytes == 8 || (stored.kind == 'u' && stored.bytes == 4);
    if (stored.kind == 'f') {
      type = wide ? NumberType::Float64 : NumberType::Float32;
    } else {
      type = wide ? NumberType::Int64 : NumberType::Int32;
    }
  }

  const std::string& name() const override { return input_->name(); }
  std::optional<double> fraction_read() const override { return input_->fraction_read(); }

  std::size_t append(std::size_t max_items, NumberValues& into) override {
    std::uint64_t wanted = max_items;
    if (items) wanted = std::min<std::uint64_t>(wanted, *items - items_read);
    if (item_size == 0) return static_cast<std::size_t>(wanted);
    const std::uint64_t most = std::numeric_limits<std::int64_t>::max() / item_size;
    const std::uint64_t elements = std::min(wanted, most) * item_size;
    const std::uint64_t got =
        std::visit([&](auto& values) { return append_elements(elements, values); }, into);
    if (got % item_size != 0 || (items && got < elements)) fail_short(items_read * item_size + got);
    const std::uint64_t whole = got / item_size;
    if (items && items_read + whole == *items && !input_->peek(1).empty()) {
      fail("has more bytes after its last element; expected " + std::to_string(*items * item_size) +
           " elements");
    }
    return static_cast<std::size_t>(whole);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(input_->name() + ": " + message);
  }
  [[noreturn]] void fail_short(std::uint64_t found) const {
    fail("ends after " + std::to_string(found) + " elements; expected " +
         (items ? std::to_string(*items * item_size) : "a multiple of " + std::to_string(item_size)));
  }

  /// Refuses a file that is shorter than its header says before memory is allocated for it.
  void check_size() const {
    const std::optional<std::uint64_t> left = input_->bytes_left();
    if (left && items && *left / stored_.bytes < *items * item_size && *left % stored_.bytes == 0) {
      fail_short(*left / stored_.bytes);
    }
  }

  /// Reads up to `size` bytes; fewer only at the end.
  std::size_t read_fully(char* to, std::size_t size) {
    std::size_t at = 0;
    while (at < size) {
      const std::size_t got = input_->read(to + at, size - at);
      if (got == 0) break;
      at += got;
    }
    return at;
  }

  template <class T>
  std::uint64_t append_elements(std::uint64_t elements, std::vector<T>& values) {
    const std::size_t first = values.size();
    std::uint64_t done = 0;
    while (done < elements) {
      // Grows by a block or to twice the size: the header may be false.
      const std::uint64_t growth = std::max<std::uint64_t>(kReadBlock, done);
      const std::size_t step = static_cast<std::size_t>(std::min(elements - done, growth));
      if (values.capacity() < first + done + step) {
        values.reserve(std::max<std::size_t>(
            first + done + step, std::min<std::uint64_t>(first + elements, 2 * values.capacity())));
      }
      values.resize(first + done + step);
      const std::size_t got = read_elements(values.data() + first + done, step);
      done += got;
      if (got < step) break;
    }
    values.resize(first + done);
    if constexpr (std::is_floating_point_v<T>) {
      if (refuse_non_finite_) check_finite(values, first);
    }
    return done;
  }

  template <class T>
  std::size_t read_elements(T* to, std::size_t count) {
    const std::size_t bytes = stored_.bytes;
    const bool as_is = bytes == sizeof(T) && !stored_.big_endian;
    std::size_t done = 0, got = 0;
    if (as_is) {
      got = read_fully(reinterpret_cast<char*>(to), count * bytes);
      done = got / bytes;
    } else {
      std::vector<unsigned char> block(kConvertBlock * bytes);
      while (done < count) {
        const std::size_t step = std::min(count - done, kConvertBlock);
        got = read_fully(reinterpret_cast<char*>(block.data()), step * bytes);
        convert_block(block.data(), got / bytes, to + done);
        done += got / bytes;
        if (got < step * bytes) break;
      }
    }
    if (got % bytes != 0) fail("ends in the middle of an element of " + std::to_string(bytes) + " bytes");
    return done;
  }

  template <class T>
  void convert_block(const unsigned char* at, std::size_t count, T* to) const {
    const bool big = stored_.big_endian;
    if constexpr (std::is_floating_point_v<T>) {
      convert<T>(at, count, big, to);
    } else if (stored_.kind == 'u') {
      if (stored_.bytes == 1) return convert<std::uint8_t>(at, count, big, to);
      if (stored_.bytes == 2) return convert<std::uint16_t>(at, count, big, to);
      convert<std::uint32_t>(at, count, big, to);
    } else {
      if (stored_.bytes == 1) return convert<std::int8_t>(at, count, big, to);
      if (stored_.bytes == 2) return convert<std::int16_t>(at, count, big, to);
      convert<T>(at, count, big, to);
    }
  }

  template <class T>
  void check_finite(const std::vector<T>& values, std::size_t first) const {
    const auto bad = std::find_if(values.begin() + static_cast<std::ptrdiff_t>(first), values.end(),
                                  [](T v) { return !std::isfinite(v); });
    if (bad == values.end()) return;
    const std::uint64_t offset = static_cast<std::uint64_t>(bad - values.begin()) - first;
    std::vector<std::uint64_t> position{items_read + offset / item_size};
    std::uint64_t inside = offset % item_size, size = item_size;
    for (const std::uint64_t extent : item_shape) {
      size /= extent;
      position.push_back(inside / size);
      inside %= size;
    }
    std::string where = std::to_string(position[0]);
    if (position.size() > 1) where = shape_text(position);
    fail("element " + where + " (counted from 0) is " + (std::isnan(*bad) ? "not a number" : "infinite") +
         "; expected finite numbers");
  }

  std::unique_ptr<Input> input_;
  StoredType stored_;
  bool refuse_non_finite_;
};

/// The header of a `.npy` file: a Python dictionary of three known keys.
class NpyHeader {
 public:
  NpyHeader(std::string text, const std::string& name) : text_(std::move(text)), name_(name) {}

  void parse() {
    expect('{');
    bool has_type = false, has_order = false, has_shape = false;
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        parse_type();
        has_type = true;
      } else if (key == "fortran_order") {
        fortran_order = boolean();
        has_order = true;
      } else if (key == "shape") {
        parse_shape();
        has_shape = true;
      } else {
        fail("unknown key '" + key + "'");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (at_ != text_.size()) fail("text after the dictionary");
    if (!has_type || !has_order || !has_shape) fail("expected the keys descr, fortran_order and shape");
  }

  StoredType stored;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(name_ + ": bad .npy header at byte " + std::to_string(at_) + ": " + message);
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }
  std::string quoted() {
    skip();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) fail("expected a quoted string");
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string::npos) fail("a string without an end");
    const std::string value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return value;
  }
  bool boolean() {
    skip();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.compare(at_, word.size(), word) == 0) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail("expected True or False");
  }
  void parse_type() {
    skip();
    if (at_ < text_.size() && text_[at_] == '[') fail("a structured type; expected plain numbers");
    const std::string descr = quoted();
    constexpr std::string_view kKnown[] = {"i1", "u1", "i2", "u2", "i4", "u4", "i8", "f4", "f8"};
    const bool ordered = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
    const std::string_view rest = std::string_view(descr).substr(ordered ? 1 : 0);
    if (std::find(std::begin(kKnown), std::end(kKnown), rest) == std::end(kKnown)) {
      fail("elements of type '" + descr + "'; expected int32, int64, float32, float64 or smaller integers");
    }
    stored = {rest[0], static_cast<std::size_t>(rest[1] - '0'), descr[0] == '>' && rest[1] != '1'};
  }
  void parse_shape() {
    expect('(');
    while (!take(')')) {
      skip();
      std::uint64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc()) fail("expected an extent of the shape");
      at_ = static_cast<std::size_t>(end - text_.data());
      take('L');  // the suffix of Python 2's long integers
      shape.push_back(extent);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

std::string take_bytes(Input& input, std::size_t size, const char* what) {
  std::string bytes(size, '\0');
  std::size_t at = 0;
  while (at < size) {
    const std::size_t got = input.read(bytes.data() + at, size - at);
    if (got == 0) throw FileError(input.name() + ": ends inside " + what);
    at += got;
  }
  return bytes;
}

}  // namespace

std::unique_ptr<NumberReader::Source> open_npy(std::unique_ptr<Input> input, std::size_t rank,
                                               const NumberOptions& options) {
  const char* const kWhat = "its .npy header";
  constexpr std::size_t kLongestHeader = std::size_t{1} << 20;
  if (take_bytes(*input, kNpyMagic.size(), kWhat) != kNpyMagic) {
    throw FileError(input->name() + ": not a .npy file; expected \\x93NUMPY at its beginning");
  }
  const std::string version = take_bytes(*input, 2, kWhat);
  const int major = static_cast<unsigned char>(version[0]);
  if (major < 1 || major > 3 || version[1] != 0) {
    throw FileError(input->name() + ": .npy version " + std::to_string(major) + "." +
                    std::to_string(static_cast<unsigned char>(version[1])) + "; expected 1.0, 2.0 or 3.0");
  }
  const std::string length = take_bytes(*input, major == 1 ? 2 : 4, kWhat);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(length.data());
  const std::size_t size = major == 1 ? load<std::uint16_t>(bytes, false) : load<std::uint32_t>(bytes, false);
  if (size > kLongestHeader) {
    throw FileError(input->name() + ": .npy header of " + std::to_string(size) + " bytes; expected at most " +
                    std::to_string(kLongestHeader));
  }
  NpyHeader header(take_bytes(*input, size, kWhat), input->name());
  header.parse();
  const std::vector<std::uint64_t>& shape = header.shape;
  if (shape.size() != rank) {
    throw FileError(input->name() + ": shape " + shape_text(shape) + " has " + std::to_string(shape.size()) +
                    " dimensions; expected " + std::to_string(rank));
  }
  const auto spread = std::count_if(shape.begin(), shape.end(), [](std::uint64_t e) { return e > 1; });
  if (header.fortran_order && spread > 1) {
    throw FileError(input->name() + ": in Fortran order; expected C order (numpy.ascontiguousarray)");
  }
  if (!extent_product(shape)) {
    throw FileError(input->name() + ": shape " + shape_text(shape) + " has more than 2^63 elements");
  }
  std::vector<std::uint64_t> item(shape.begin() + 1, shape.end());
  return std::make_unique<BinaryNumbers>(std::move(input), header.stored, std::move(item), shape[0],
                                         options.refuse_non_finite);
}

std::unique_ptr<NumberReader::Source> open_raw(std::unique_ptr<Input> input, std::size_t rank,
                                               const NumberOptions& options) {
  if (!options.type) throw std::invalid_argument("raw numbers without a type");
  const auto size = extent_product(options.item_shape);
  if (!size) throw FileError(input->name() + ": items of the shape given are too large");
  if (options.item_shape.size() + 1 != rank || *size == 0) {
    throw std::invalid_argument("raw numbers: item_shape does not fit the number of dimensions");
  }
  const bool wide = *options.type == NumberType::Int64 || *options.type == NumberType::Float64;
  const bool real = *options.type == NumberType::Float32 || *options.type == NumberType::Float64;
  const StoredType stored{real ? 'f' : 'i', wide ? std::size_t{8} : std::size_t{4}, options.big_endian};
  return std::make_unique<BinaryNumbers>(std::move(input), stored, options.item_shape, std::nullopt,
                                         options.refuse_non_finite);
}

}  // namespace gpuhmm
