// Reads numbers written as text; NumberReader describes the format.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

#include "formats/numbers/source.hpp"

namespace gpuhmm {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

constexpr bool is_integer(std::string_view token) {
  return !token.empty() &&
         std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
}

class TextNumbers : public NumberReader::Source {
 public:
  TextNumbers(std::unique_ptr<Input> input, std::size_t rank, const NumberOptions& options)
      : input_(std::move(input)),
        rank_(rank),
        shape_line_(options.shape_line),
        refuse_non_finite_(options.refuse_non_finite),
        fixed_type_(options.type.has_value()),
        column_(options.column),
        values_(no_numbers(options.type.value_or(NumberType::Int64))) {
    read_lines();
    set_shape();
    type = static_cast<NumberType>(values_.index());
  }

  const std::string& name() const override { return input_->name(); }
  std::optional<double> fraction_read() const override {
    if (*items == 0) return 1.0;
    return static_cast<double>(items_read) / static_cast<double>(*items);
  }

  std::size_t append(std::size_t max_items, NumberValues& into) override {
    const std::uint64_t count = std::min<std::uint64_t>(max_items, *items - items_read);
    std::visit(
        [&](auto& to) {
          auto& from = std::get<std::decay_t<decltype(to)>>(values_);
          if (to.empty() && count == *items) {
            to = std::move(from);
            return;
          }
          const auto first = from.begin() + static_cast<std::ptrdiff_t>(items_read * item_size);
          to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(count * item_size));
        },
        into);
    return static_cast<std::size_t>(count);
  }

 private:
  /// A line of numbers: its line number, how many numbers it has, and the index of its matrix.
  struct Row {
    std::uint64_t line = 0, size = 0, block = 0;
  };

  [[noreturn]] void fail(std::uint64_t line, const std::string& message) const {
    throw FileError(input_->name() + ": line " + std::to_string(line) + ": " + message);
  }

  void read_lines() {
    LineReader lines(*input_);
    std::string_view line;
    std::uint64_t block = 0;
    bool after_row = false;
    if (column_) return read_column(lines);
    while (lines.next(line)) {
      const std::uint64_t numbers = parse_line(line, lines.number());
      if (numbers > 0) {
        if (rank_ > 1) rows_.push_back({lines.number(), numbers, block});
        after_row = true;
      } else if (numbers == 0 && after_row && !is_remark(line)) {
        ++block;
        after_row = false;
      }
    }
  }

  static bool is_remark(std::string_view line) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    return !line.empty() && line.front() == '#';
  }

  /// The fields of a line between tabs, without blanks around them.
  static std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find('\t', begin), line.size());
      std::string_view field = line.substr(begin, end - begin);
      while (!field.empty() && is_blank(field.front())) field.remove_prefix(1);
      while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
      fields.push_back(field);
      begin = end + 1;
    }
    return fields;
  }

  /// Index of column_ among the fields. If column_ is a name, reads the header line.
  std::size_t find_column(LineReader& lines) const {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(column_->data(), column_->data() + column_->size(), number);
    if (error == std::errc() && end == column_->data() + column_->size() && number > 0) return number - 1;
    std::string_view line;
    while (lines.next(line)) {
      if (!line.empty() && line.front() == '#') line.remove_prefix(1);
      if (std::all_of(line.begin(), line.end(), is_blank)) continue;
      const std::vector<std::string_view> names = fields_of(line);
      const auto found = std::find(names.begin(), names.end(), *column_);
      if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
      break;
    }
    fail(std::max<std::uint64_t>(1, lines.number()), "no column is called '" + *column_ + "'");
  }

  void read_column(LineReader& lines) {
    const std::size_t place = find_column(lines);
    std::string_view line;
    while (lines.next(line)) {
      if (is_remark(line) || std::all_of(line.begin(), line.end(), is_blank)) continue;
      const std::vector<std::string_view> fields = fields_of(line);
      if (place >= fields.size() || fields[place].empty()) {
        fail(lines.number(), "no number in column " + std::to_string(place + 1) + " of " +
                                 std::to_string(fields.size()) + " (separated by tabs)");
      }
      add(fields[place], lines.number());
    }
  }

  /// Appends the numbers of a line to values_; returns how many.
  std::uint64_t parse_line(std::string_view line, std::uint64_t number) {
    if (is_remark(line)) return 0;
    const std::size_t lone = rank_ > 1 ? line.find('\r') : std::string_view::npos;
    if (lone < line.size() &&
        !std::all_of(line.begin() + static_cast<std::ptrdiff_t>(lone), line.end(), is_blank)) {
      fail(number, "a carriage return among the numbers; expected lines that end in a newline");
    }
    const std::size_t before = number_count(values_);
    const char* at = line.data();
    const char* const end = at + line.size();
    bool after_comma = false;
    for (;;) {
      while (at != end && is_blank(*at)) ++at;
      if (at == end) break;
      const char* const begin = at;
      while (at != end && *at != ',' && !is_blank(*at)) ++at;
      if (at == begin) fail(number, "an empty field; expected a number");
      add({begin, static_cast<std::size_t>(at - begin)}, number);
      while (at != end && is_blank(*at)) ++at;
      after_comma = at != end && *at == ',';
      if (after_comma) ++at;
    }
    if (after_comma) fail(number, "an empty field after the last comma; expected a number");
    const std::size_t added = number_count(values_) - before;
    if (rank_ > 1 && rows_.empty() && added == rank_ && first_row_integers(line)) first_is_whole_ = true;
    return added;
  }

  static bool first_row_integers(std::string_view line) {
    return std::all_of(line.begin(), line.end(),
                       [](char c) { return is_blank(c) || c == ',' || (c >= '0' && c <= '9'); });
  }

  void add(std::string_view token, std::uint64_t line) {
    if (!fixed_type_ && std::holds_alternative<std::vector<std::int64_t>>(values_)) {
      const std::string_view digits =
          token.substr(!token.empty() && (token[0] == '-' || token[0] == '+') ? 1 : 0);
      if (!is_integer(digits)) {
        check_number(token, line);
        const auto& whole = std::get<std::vector<std::int64_t>>(values_);
        values_ = std::vector<double>(whole.begin(), whole.end());
      }
    } else if (!fixed_type_ && is_integer(token.substr(token[0] == '-' || token[0] == '+' ? 1 : 0))) {
      parse<std::int64_t>(token, line);  // integers beyond 64 bits are refused among real numbers as well
    }
    std::visit(
        [&](auto& values) {
          using T = typename std::decay_t<decltype(values)>::value_type;
          const T value = parse<T>(token, line);
          if constexpr (std::is_floating_point_v<T>) {
            if (refuse_non_finite_ && !std::isfinite(value)) {
              fail(line, "element " + std::to_string(values.size()) + " of the file (counted from 0) is '" +
                             std::string(token) + "'; expected finite numbers");
            }
          }
          if (values.size() == values.capacity()) reserve(values);
          values.push_back(value);
        },
        values_);
  }

  /// Makes space for as many numbers as the rest of the file promises, but at most for 16 times as many as
  /// there are: pages that are not used take no memory, but those that are copied take time.
  template <class T>
  void reserve(std::vector<T>& values) const {
    constexpr std::size_t kFew = 4096, kMost = 16;
    if (values.size() < kFew) return;
    const double part = std::max(input_->fraction_read().value_or(1.0), 1.0 / kMost);
    const double expected = 1.01 * static_cast<double>(values.size()) / part;
    values.reserve(std::max(static_cast<std::size_t>(expected), values.size() + values.size() / 2));
  }

  void check_number(std::string_view token, std::uint64_t line) const { parse<double>(token, line); }

  template <class T>
  T parse(std::string_view token, std::uint64_t line) const {
    const std::string_view digits = token.substr(token[0] == '+' ? 1 : 0);
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool signs = token[0] == '+' && !digits.empty() && digits[0] == '-';
    const bool whole = end == digits.data() + digits.size() && !signs;
    constexpr auto kType = std::is_same_v<T, std::int32_t>   ? NumberType::Int32
                           : std::is_same_v<T, std::int64_t> ? NumberType::Int64
                           : std::is_same_v<T, float>        ? NumberType::Float32
                                                             : NumberType::Float64;
    const std::string type_name(number_type_name(kType));
    if (error == std::errc::result_out_of_range && whole) {
      fail(line, "'" + std::string(token) + "' is out of the range of " + type_name);
    }
    if (error != std::errc() || !whole) {
      fail(line, "'" + std::string(token.substr(0, 40)) + "'; expected " +
                     (fixed_type_ ? "a number of type " + type_name : "a number"));
    }
    return value;
  }

  void set_shape() {
    if (rank_ == 1) {
      items = number_count(values_);
      return;
    }
    if (shape_line_ && first_is_whole_ && take_shape_line()) return;
    const std::uint64_t columns = rows_.empty() ? 0 : rows_[0].size;
    check_columns(columns);
    if (rank_ == 2) {
      item_shape = {columns};
      items = rows_.size();
    } else {
      const auto first_block_end = std::find_if(rows_.begin(), rows_.end(),
                                                [&](const Row& row) { return row.block != rows_[0].block; });
      const std::uint64_t height = static_cast<std::uint64_t>(first_block_end - rows_.begin());
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        if ((rows_[i].block - rows_[0].block) != i / height) {
          fail(rows_[i].line, "a matrix of another height; expected " + std::to_string(height) + " rows");
        }
      }
      if (height > 0 && rows_.size() % height != 0) {
        fail(rows_.back().line, "the last matrix ends early; expected " + std::to_string(height) + " rows");
      }
      item_shape = {height, columns};
      items = height == 0 ? 0 : rows_.size() / height;
    }
    item_size = *extent_product(item_shape);
  }

  void check_columns(std::uint64_t columns) const {
    for (const Row& row : rows_) {
      if (row.size != columns) {
        fail(row.line, std::to_string(row.size) + " numbers; expected " + std::to_string(columns) +
                           " as in the first row (line " + std::to_string(rows_[0].line) + ")");
      }
    }
  }

  /// Takes the first line as the shape if the other lines have that shape.
  bool take_shape_line() {
    std::vector<std::uint64_t> shape;
    std::visit(
        [&](const auto& values) {
          for (std::size_t i = 0; i < rank_; ++i) shape.push_back(static_cast<std::uint64_t>(values[i]));
        },
        values_);
    const std::uint64_t columns = shape.back();
    const auto lines = extent_product({shape.begin(), shape.end() - 1});
    if (!lines || *lines != rows_.size() - 1) return false;
    if (!std::all_of(rows_.begin() + 1, rows_.end(), [&](const Row& r) { return r.size == columns; }))
      return false;
    std::visit([&](auto& v) { v.erase(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(rank_)); }, values_);
    items = shape[0];
    item_shape.assign(shape.begin() + 1, shape.end());
    item_size = *extent_product(item_shape);
    return true;
  }

  std::unique_ptr<Input> input_;
  std::size_t rank_;
  bool shape_line_;
  bool refuse_non_finite_;
  bool fixed_type_;  // the type was given, not found from the numbers
  std::optional<std::string> column_;
  bool first_is_whole_ = false;  // the first line has `rank_` numbers, all whole and without a sign
  NumberValues values_;
  std::vector<Row> rows_;  // not kept for vectors
};

}  // namespace

std::unique_ptr<NumberReader::Source> open_number_text(std::unique_ptr<Input> input, std::size_t rank,
                                                       const NumberOptions& options) {
  return std::make_unique<TextNumbers>(std::move(input), rank, options);
}

}  // namespace gpuhmm
