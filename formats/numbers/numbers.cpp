// Opens the reader of a file's number format and reads arrays from it.
#include "formats/numbers/numbers.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "formats/numbers/source.hpp"

namespace gpuhmm {

namespace {

constexpr std::array<std::string_view, 4> kTypeNames = {"int32", "int64", "float32", "float64"};
constexpr std::size_t kWholeBlock = std::size_t{1} << 22;  // elements a step when an array is read whole

std::unique_ptr<NumberReader::Source> open_source(std::unique_ptr<Input> input, std::size_t rank,
                                                  const NumberOptions& options) {
  NumberFormat format = options.format;
  if (format == NumberFormat::Detect) {
    format = input->peek(kNpyMagic.size()) == kNpyMagic ? NumberFormat::Npy : NumberFormat::Text;
  }
  if (options.column && (format != NumberFormat::Text || rank != 1)) {
    if (options.format == NumberFormat::Detect && rank == 1) {
      throw FileError(input->name() + ": a .npy file has no column '" + *options.column + "'; expected text");
    }
    throw std::invalid_argument("only text read as a vector has columns");
  }
  switch (format) {
    case NumberFormat::Npy:
      return open_npy(std::move(input), rank, options);
    case NumberFormat::Raw:
      return open_raw(std::move(input), rank, options);
    default:
      return open_number_text(std::move(input), rank, options);
  }
}

}  // namespace

std::string_view number_type_name(NumberType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

std::optional<NumberType> number_type_of(std::string_view name) {
  for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
    if (kTypeNames[i] == name) return static_cast<NumberType>(i);
  }
  return std::nullopt;
}

NumberValues no_numbers(NumberType type) {
  switch (type) {
    case NumberType::Int32:
      return std::vector<std::int32_t>();
    case NumberType::Int64:
      return std::vector<std::int64_t>();
    case NumberType::Float32:
      return std::vector<float>();
    default:
      return std::vector<double>();
  }
}

std::size_t number_count(const NumberValues& values) {
  return std::visit([](const auto& v) { return v.size(); }, values);
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

NumberReader::NumberReader(const std::string& path, std::size_t rank, const NumberOptions& options)
    : NumberReader(std::make_unique<Input>(path), rank, options) {}
NumberReader::NumberReader(std::unique_ptr<Input> input, std::size_t rank, const NumberOptions& options)
    : source_(open_source(std::move(input), rank, options)) {}
NumberReader::~NumberReader() = default;

const std::string& NumberReader::name() const { return source_->name(); }
NumberType NumberReader::type() const { return source_->type; }
const std::vector<std::uint64_t>& NumberReader::item_shape() const { return source_->item_shape; }
std::uint64_t NumberReader::item_size() const { return source_->item_size; }
std::optional<std::uint64_t> NumberReader::items() const { return source_->items; }
std::uint64_t NumberReader::items_read() const { return source_->items_read; }
std::optional<double> NumberReader::fraction_read() const { return source_->fraction_read(); }

std::size_t NumberReader::read(std::size_t max_items, NumberValues& into) {
  if (into.index() != static_cast<std::size_t>(type())) into = no_numbers(type());
  std::visit([](auto& values) { values.clear(); }, into);
  return append(max_items, into);
}

std::size_t NumberReader::append(std::size_t max_items, NumberValues& into) {
  if (into.index() != static_cast<std::size_t>(type())) {
    throw std::invalid_argument("NumberReader::append: elements of another type");
  }
  const std::size_t got = source_->append(max_items, into);
  source_->items_read += got;
  return got;
}

NumberArray read_numbers(const std::string& path, std::size_t rank, const NumberOptions& options) {
  return read_numbers(std::make_unique<Input>(path), rank, options);
}

NumberArray read_numbers(std::unique_ptr<Input> input, std::size_t rank, const NumberOptions& options) {
  NumberReader reader(std::move(input), rank, options);
  NumberArray array{{}, no_numbers(reader.type())};
  const std::size_t step =
      reader.items() ? *reader.items() : kWholeBlock / std::min<std::size_t>(kWholeBlock, reader.item_size());
  while (reader.append(std::max<std::size_t>(1, step), array.values) > 0) {
  }
  array.shape.push_back(reader.items_read());
  array.shape.insert(array.shape.end(), reader.item_shape().begin(), reader.item_shape().end());
  return array;
}

}  // namespace gpuhmm
