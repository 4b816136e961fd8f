// Reads vectors, matrices and stacks of matrices of numbers from `.npy`, text and raw files, whole or in
// blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpuhmm/error.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

/// The element types of arrays.
enum class NumberType { Int32, Int64, Float32, Float64 };

/// numpy's name of the type: "int32", "int64", "float32", "float64".
std::string_view number_type_name(NumberType type);
/// The type of that name, or nothing.
std::optional<NumberType> number_type_of(std::string_view name);

/// Elements of one type; the index of the alternative is the NumberType.
using NumberValues = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                                  std::vector<double>>;

/// An empty vector of the type.
NumberValues no_numbers(NumberType type);
/// Number of elements.
std::size_t number_count(const NumberValues& values);

/// An array in row-major (C) order.
struct NumberArray {
  std::vector<std::uint64_t> shape;  // extents, outermost first; their product is the number of elements
  NumberValues values;

  NumberType type() const { return static_cast<NumberType>(values.index()); }
};

/// The format of a file. Detect: `.npy` by its first bytes, else text; never raw.
enum class NumberFormat { Detect, Npy, Text, Raw };

/// How to read a file of numbers.
struct NumberOptions {
  NumberFormat format = NumberFormat::Detect;
  /// Raw: the element type, required. Text: the type to read as; the default is int64 if every number is
  /// written as an integer, else float64. Ignored for `.npy`.
  std::optional<NumberType> type;
  bool big_endian = false;                // raw: byte order of the elements
  std::vector<std::uint64_t> item_shape;  // raw: all extents but the outermost: {} for a vector,
                                          // {columns} for a matrix, {rows, columns} for a stack
  /// Text read as a vector: the column to read from lines of tab-separated fields, by its number (from 1) or
  /// by its name in the first line, which may begin with `#`. The other columns may contain anything.
  std::optional<std::string> column;
  bool shape_line = true;         // text: take a first line that fits as the shape
  bool refuse_non_finite = true;  // NaN and infinity are errors that name their position
};

/// Reads an array of `rank` dimensions item by item: the elements of a vector, the rows of a matrix, the
/// matrices of a stack. Files of any format may be gzipped; "-" is standard input.
///
/// `.npy`: versions 1 to 3, C order, either byte order; types i4, i8, f4, f8 unchanged, i1, u1, i2, u2
/// widened to int32, u4 to int64.
///
/// Text: numbers separated by white space or one comma; lines that begin with `#` are comments. A vector
/// takes all numbers of the file. In a matrix each line is a row and blank lines are ignored; in a stack
/// blank lines separate the matrices. For both, a first line with as many whole numbers as there are
/// dimensions is the shape if the rest of the file has exactly that shape ("2 3", then two lines of three
/// numbers).
///
/// Text is read into memory whole; the other formats are read on demand, so files may be larger than memory.
class NumberReader {
 public:
  /// Opens `path`. Throws FileError (errors of Input, a bad header, not `rank` dimensions, text that is not a
  /// number, a number out of the range of its type, no such column); std::invalid_argument for raw without a
  /// type or with an item_shape that does not fit `rank` or has a zero extent, and for a column of anything
  /// but text read as a vector.
  NumberReader(const std::string& path, std::size_t rank, const NumberOptions& options = {});
  /// The same from an input of which nothing has been consumed.
  NumberReader(std::unique_ptr<Input> input, std::size_t rank, const NumberOptions& options = {});
  ~NumberReader();
  NumberReader(const NumberReader&) = delete;
  NumberReader& operator=(const NumberReader&) = delete;

  /// The path as given, for messages; "standard input" for "-".
  const std::string& name() const;
  NumberType type() const;
  /// Extents without the outermost: empty for a vector.
  const std::vector<std::uint64_t>& item_shape() const;
  /// Elements of one item, the product of item_shape.
  std::uint64_t item_size() const;
  /// The outermost extent; nothing for raw files.
  std::optional<std::uint64_t> items() const;
  /// Items read so far.
  std::uint64_t items_read() const;
  /// The part of the file's bytes that has been read, 0 to 1, where known.
  std::optional<double> fraction_read() const;

  /// Replaces the contents of `into` by the next items, at most `max_items`; returns their number, 0 at the
  /// end. `into` takes the type of the file. Throws FileError (file too short or too long, non-finite
  /// element).
  std::size_t read(std::size_t max_items, NumberValues& into);
  /// As read, but appends to `into`, which must have the type of the file.
  std::size_t append(std::size_t max_items, NumberValues& into);

  class Source;

 private:
  std::unique_ptr<Source> source_;
};

/// Reads a whole array of `rank` dimensions; see NumberReader.
NumberArray read_numbers(const std::string& path, std::size_t rank, const NumberOptions& options = {});
NumberArray read_numbers(std::unique_ptr<Input> input, std::size_t rank, const NumberOptions& options = {});

}  // namespace gpuhmm
