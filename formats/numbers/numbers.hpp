// Vectors, matrices and stacks of matrices of numbers out of `.npy`, text and raw files, whole or a block at
// a time.
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

/// The element types that numbers are handed out in.
enum class NumberType { Int32, Int64, Float32, Float64 };

/// numpy's name of the type: "int32", "int64", "float32", "float64".
std::string_view number_type_name(NumberType type);
/// The type of that name, or nothing.
std::optional<NumberType> number_type_of(std::string_view name);

/// Elements of one type; the index of the alternative is the NumberType.
using NumberValues = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                                  std::vector<double>>;

/// No elements, of the type.
NumberValues no_numbers(NumberType type);
/// How many elements.
std::size_t number_count(const NumberValues& values);

/// An array in row-major (C) order.
struct NumberArray {
  std::vector<std::uint64_t> shape;  // extents, outermost first; their product is the number of elements
  NumberValues values;

  NumberType type() const { return static_cast<NumberType>(values.index()); }
};

/// What a file is. Detect: `.npy` by its first bytes, else text; raw data cannot be detected and are never
/// guessed.
enum class NumberFormat { Detect, Npy, Text, Raw };

/// How to read.
struct NumberOptions {
  NumberFormat format = NumberFormat::Detect;
  /// Raw: the element type, which must be given. Text: the type to read as; without it int64 if every number
  /// is written as an integer, else float64. Not used for `.npy`.
  std::optional<NumberType> type;
  bool big_endian = false;                // raw: byte order of the elements
  std::vector<std::uint64_t> item_shape;  // raw: extents without the outermost: {} a vector, {columns} a
                                          // matrix, {rows, columns} a stack
  /// Text read as a vector: the one column to take of lines of tab-separated fields, by its number (from 1)
  /// or by its name in the first line, which may begin with `#`. The other columns may hold anything.
  std::optional<std::string> column;
  bool shape_line = true;         // text: a first line that can be the shape is
  bool refuse_non_finite = true;  // NaN and infinity are errors that name their position
};

/// Reads an array of `rank` dimensions, one after another of its items: the elements of a vector, the rows of
/// a matrix, the matrices of a stack. Any of the formats may be gzipped, and "-" is standard input.
///
/// `.npy`: versions 1 to 3, C order; types i4, i8, f4, f8 of either byte order as they are, i1, u1, i2, u2
/// widened to int32, u4 to int64. Text: numbers parted by white space or one comma; lines beginning with `#`
/// are remarks. A vector takes all numbers of the file; in a matrix a line is a row and blank lines do not
/// count; in a stack blank lines part the matrices. A first line of as many whole numbers as there are
/// dimensions is taken as the shape if the rest of the file has exactly that shape ("2 3", then two lines of
/// three), for matrices and stacks. Text is held in memory whole; the other formats are read as asked for, so
/// files may be larger than memory.
class NumberReader {
 public:
  /// Opens `path`. Throws FileError (what Input throws, a bad header, another number of dimensions than
  /// `rank`, text that is not numbers, a number that leaves its type, no such column), std::invalid_argument
  /// for raw without a type or with an item_shape that does not fit `rank` or has a zero extent, and for a
  /// column of anything but text read as a vector.
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
  /// The outermost extent, where it is known before all is read (not for raw).
  std::optional<std::uint64_t> items() const;
  /// Items handed out so far.
  std::uint64_t items_read() const;
  /// The part of the file's bytes that has been read, 0 to 1, where known.
  std::optional<double> fraction_read() const;

  /// Replaces the contents of `into` by the next `max_items` items, or what is left of them; gives their
  /// number, 0 at the end. `into` takes the type of the file. Throws FileError (data cut short or too long,
  /// non-finite element).
  std::size_t read(std::size_t max_items, NumberValues& into);
  /// As read, but adds behind the elements of `into`, which must be of the type of the file.
  std::size_t append(std::size_t max_items, NumberValues& into);

  class Source;

 private:
  std::unique_ptr<Source> source_;
};

/// Reads a whole array of `rank` dimensions; see NumberReader.
NumberArray read_numbers(const std::string& path, std::size_t rank, const NumberOptions& options = {});
NumberArray read_numbers(std::unique_ptr<Input> input, std::size_t rank, const NumberOptions& options = {});

}  // namespace gpuhmm
