// The interface of the readers of single formats, which NumberReader uses.
#pragma once

#include <limits>

#include "formats/numbers/numbers.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

/// Items of an array, read front to back.
class NumberReader::Source {
 public:
  virtual ~Source() = default;
  /// Appends up to `max_items` items to `into`, which has the source's type; returns their number.
  virtual std::size_t append(std::size_t max_items, NumberValues& into) = 0;
  virtual const std::string& name() const = 0;
  virtual std::optional<double> fraction_read() const = 0;

  NumberType type = NumberType::Int64;
  std::vector<std::uint64_t> item_shape;
  std::uint64_t item_size = 1;
  std::optional<std::uint64_t> items;
  std::uint64_t items_read = 0;
};

/// Product of the extents; nothing if it exceeds 63 bits.
inline std::optional<std::uint64_t> extent_product(const std::vector<std::uint64_t>& extents) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  bool zero = false;
  for (const std::uint64_t extent : extents) zero = zero || extent == 0;
  if (zero) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t extent : extents) {
    if (extent > kMost / product) return std::nullopt;
    product *= extent;
  }
  return product;
}

/// "(3, 4)" and "(3,)", as numpy writes a shape.
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// The readers of the formats; errors as those of NumberReader's constructors.
std::unique_ptr<NumberReader::Source> open_npy(std::unique_ptr<Input> input, std::size_t rank,
                                               const NumberOptions& options);
std::unique_ptr<NumberReader::Source> open_raw(std::unique_ptr<Input> input, std::size_t rank,
                                               const NumberOptions& options);
std::unique_ptr<NumberReader::Source> open_number_text(std::unique_ptr<Input> input, std::size_t rank,
                                                       const NumberOptions& options);

/// The first bytes of every `.npy` file.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

}  // namespace gpuhmm
