// Vectors, matrices and stacks are read from .npy, text and raw files; damaged files are refused.
#include "formats/numbers/numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "formats/io/gzip_data.hpp"
#include "formats/io/temporary_folder.hpp"
#include "formats/numbers/npy_writer.hpp"

namespace gpuhmm {
namespace {

using Ints = std::vector<std::int64_t>;
using Shape = std::vector<std::uint64_t>;

/// A .npy file of the given version with these bytes of elements.
std::string npy(const std::string& descr, const std::string& shape, const std::string& data, int version = 1,
                const std::string& order = "False") {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  while ((8 + length_bytes + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return file + header + data;
}

template <class T>
std::string bytes(const std::vector<T>& values, bool swap = false) {
  std::string out;
  for (const T value : values) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &value, sizeof(T));
    if (swap) one.assign(one.rbegin(), one.rend());
    out += one;
  }
  return out;
}

class Numbers : public testing::Test {
 protected:
  NumberArray read(const std::string& content, std::size_t rank = 1, const NumberOptions& options = {}) {
    return read_numbers(folder_.write("numbers", content), rank, options);
  }
  template <class T>
  std::vector<T> values(const std::string& content, std::size_t rank = 1, const NumberOptions& options = {}) {
    return std::get<std::vector<T>>(read(content, rank, options).values);
  }
  /// The message of the FileError that reading throws, without the name of the file.
  std::string error(const std::string& content, std::size_t rank = 1, const NumberOptions& options = {}) {
    try {
      read(content, rank, options);
    } catch (const FileError& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      EXPECT_TRUE(what.starts_with(folder_.file("numbers") + ": ")) << what;
      return what.substr(folder_.file("numbers").size() + 2);
    }
    return "no error";
  }
  test::TemporaryFolder folder_;
};

TEST_F(Numbers, AreReadFromNpyOfEveryTypeOrderAndVersion) {
  const std::vector<std::int32_t> i4 = {1, -2, 2147483647, std::numeric_limits<std::int32_t>::min()};
  const Ints i8 = {5, -1, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  const std::vector<float> f4 = {1.5F, -0.0F, 3e38F};
  const std::vector<double> f8 = {0.1, -1e300};
  for (const int version : {1, 2, 3}) {
    for (const bool big : {false, true}) {
      const std::string order = big ? ">" : "<";
      EXPECT_EQ(values<std::int32_t>(npy(order + "i4", "(4,)", bytes(i4, big), version)), i4);
      EXPECT_EQ(values<std::int64_t>(npy(order + "i8", "(4,)", bytes(i8, big), version)), i8);
      EXPECT_EQ(values<float>(npy(order + "f4", "(3,)", bytes(f4, big), version)), f4);
      EXPECT_EQ(values<double>(npy(order + "f8", "(2,)", bytes(f8, big), version)), f8);
    }
  }
}

TEST_F(Numbers, AreWidenedFromSmallIntegersInNpy) {
  using Int32s = std::vector<std::int32_t>;
  EXPECT_EQ(values<std::int32_t>(npy("|u1", "(2,)", "\x01\xff")), (Int32s{1, 255}));
  EXPECT_EQ(values<std::int32_t>(npy("|i1", "(2,)", "\x01\xff")), (Int32s{1, -1}));
  EXPECT_EQ(values<std::int32_t>(npy(">i2", "(1,)", "\xff\xfe")), (Int32s{-2}));
  EXPECT_EQ(values<std::int32_t>(npy("<u2", "(1,)", "\xfe\xff")), (Int32s{65534}));
  EXPECT_EQ(values<std::int64_t>(npy("<u4", "(1,)", "\xff\xff\xff\xff")), (Ints{4294967295}));
}

TEST_F(Numbers, HaveTheShapeOfTheNpyHeader) {
  const std::vector<std::int32_t> six = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(read(npy("<i4", "(2, 3)", bytes(six)), 2).shape, (Shape{2, 3}));
  EXPECT_EQ(read(npy("<i4", "(3, 1, 2)", bytes(six)), 3).shape, (Shape{3, 1, 2}));
  EXPECT_EQ(read(npy("<i4", "(0,)", "")).shape, (Shape{0}));
  EXPECT_EQ(read(npy("<i4", "(0, 3)", ""), 2).shape, (Shape{0, 3}));
  EXPECT_EQ(read(npy("<i4", "(4, 0)", ""), 2).shape, (Shape{4, 0}));
  EXPECT_EQ(values<std::int32_t>(npy("<i4", "(6,)", bytes(six), 1, "True")), six);
  EXPECT_EQ(read(npy("<i4", "(1, 6)", bytes(six), 1, "True"), 2).shape, (Shape{1, 6}));
}

TEST_F(Numbers, AreRefusedIfTheNpyIsDamaged) {
  const std::string four = bytes(std::vector<std::int32_t>{1, 2, 3, 4});
  EXPECT_EQ(error(npy("<i4", "(2, 2)", four)), "shape (2, 2) has 2 dimensions; expected 1");
  EXPECT_EQ(error(npy("<i4", "(2, 2)", four, 1, "True"), 2),
            "in Fortran order; expected C order (numpy.ascontiguousarray)");
  EXPECT_EQ(error(npy("<i4", "(5,)", four)), "ends after 4 elements; expected 5");
  EXPECT_EQ(error(npy("<i4", "(3,)", four)), "has more bytes after its last element; expected 3 elements");
  EXPECT_EQ(error(npy("<i4", "(5,)", four + "x")), "ends in the middle of an element of 4 bytes");
  EXPECT_NE(error(npy("<c8", "(2,)", four)).find("elements of type '<c8'"), std::string::npos);
  EXPECT_NE(error(npy("<u8", "(2,)", four)).find("elements of type '<u8'"), std::string::npos);
  EXPECT_NE(error(npy("<i4", "(4", four)).find("bad .npy header"), std::string::npos);
  EXPECT_NE(error(npy("<i4", "(-4,)", four)).find("bad .npy header"), std::string::npos);
  EXPECT_NE(error(npy("<i4", "(4,)", four, 4)).find(".npy version 4.0"), std::string::npos);
  EXPECT_NE(error(npy("<i4", "(4611686018427387904, 4)", four), 2).find("more than 2^63"), std::string::npos);
  EXPECT_EQ(error(npy("<i4", "(400000000000,)", four)), "ends after 4 elements; expected 400000000000");
  const std::string whole = npy("<i4", "(4,)", four);
  for (std::size_t cut = 6; cut < whole.size(); ++cut) {
    EXPECT_NE(error(whole.substr(0, cut)), "no error") << cut;
  }
}

TEST_F(Numbers, AreRefusedWithTheirPositionIfNotFinite) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error(npy("<f8", "(3,)", bytes(std::vector<double>{1, 2, nan}))),
            "element 2 (counted from 0) is not a number; expected finite numbers");
  EXPECT_EQ(error(npy("<f8", "(2, 2)", bytes(std::vector<double>{1, 2, -inf, 3})), 2),
            "element (1, 0) (counted from 0) is infinite; expected finite numbers");
  EXPECT_EQ(error("1\n2 nan"),
            "line 2: element 2 of the file (counted from 0) is 'nan'; expected finite numbers");
  NumberOptions keep;
  keep.refuse_non_finite = false;
  EXPECT_TRUE(std::isnan(values<double>("1 nan", 1, keep)[1]));
  EXPECT_EQ(values<double>("-inf", 1, keep)[0], -inf);
}

TEST_F(Numbers, AreReadFromTextAsVectors) {
  EXPECT_EQ(values<std::int64_t>("3 5\t10,-5 , +7\r\n\n# remark\n  # another\n1"),
            (Ints{3, 5, 10, -5, 7, 1}));
  EXPECT_EQ(values<double>("3 -1e2 .5"), (std::vector<double>{3, -100, 0.5}));
  EXPECT_EQ(values<std::int64_t>(""), Ints{});
  EXPECT_EQ(values<std::int64_t>("9223372036854775807 -9223372036854775808"),
            (Ints{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}));
  NumberOptions as_float;
  as_float.type = NumberType::Float32;
  EXPECT_EQ(values<float>("1 2.5", 1, as_float), (std::vector<float>{1, 2.5}));
  EXPECT_EQ(values<std::int64_t>(test::gzip("1 2\n3")), (Ints{1, 2, 3}));
}

TEST_F(Numbers, AreReadFromLongTextsOfUnevenNumbers) {
  std::string text;
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < 60'000; ++i) {  // short numbers first: fewer follow than they promise
    expected.push_back(i < 30'000 ? i % 10 : i * 1'000'000'007);
    text += std::to_string(expected.back()) + "\n";
  }
  EXPECT_TRUE(values<std::int64_t>(text) == expected);
  text += "0.5\n";  // all of them are real numbers now
  const auto real = values<double>(text);
  ASSERT_EQ(real.size(), expected.size() + 1);
  EXPECT_EQ(real[29'999], 9.0);
  EXPECT_EQ(real.back(), 0.5);
}

TEST_F(Numbers, AreRefusedIfTheTextIsDamaged) {
  EXPECT_EQ(error("1\n2 x3"), "line 2: 'x3'; expected a number");
  EXPECT_EQ(error("1 12abc"), "line 1: '12abc'; expected a number");
  EXPECT_EQ(error("1,,2"), "line 1: an empty field; expected a number");
  EXPECT_EQ(error("1,2,"), "line 1: an empty field after the last comma; expected a number");
  EXPECT_EQ(error("1 2\r3 4\r", 2),
            "line 1: a carriage return among the numbers; expected lines that end in a newline");
  EXPECT_EQ(error("1 2\r\n3 4 \r \n", 2), "no error");
  EXPECT_EQ(error("+-1"), "line 1: '+-1'; expected a number");
  EXPECT_EQ(error("+"), "line 1: '+'; expected a number");
  EXPECT_EQ(error("9223372036854775808"), "line 1: '9223372036854775808' is out of the range of int64");
  EXPECT_EQ(error("0.5\n9223372036854775808"), "line 2: '9223372036854775808' is out of the range of int64");
  EXPECT_EQ(error("1e999"), "line 1: '1e999' is out of the range of float64");
  NumberOptions as_int;
  as_int.type = NumberType::Int32;
  EXPECT_EQ(error("1 2147483648", 1, as_int), "line 1: '2147483648' is out of the range of int32");
  EXPECT_EQ(error("1.5", 1, as_int), "line 1: '1.5'; expected a number of type int32");
}

TEST_F(Numbers, AreReadFromTextAsMatrices) {
  EXPECT_EQ(read("1 2 3\n\n4,5,6\n", 2).shape, (Shape{2, 3}));
  EXPECT_EQ(read("2 3\n1 2 3\n4 5 6\n", 2).shape, (Shape{2, 3}));
  EXPECT_EQ(values<std::int64_t>("2 3\n1 2 3\n4 5 6\n", 2), (Ints{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read("2 2\n1 2\n", 2).shape, (Shape{2, 2}))
      << "the first line is a row: one row follows, not two";
  EXPECT_EQ(read("1 2\n3 4\n", 2).shape, (Shape{1, 2})) << "the first line fits as a shape";
  EXPECT_EQ(read("", 2).shape, (Shape{0, 0}));
  EXPECT_EQ(error("1 2 3\n4 5\n", 2), "line 2: 2 numbers; expected 3 as in the first row (line 1)");
}

TEST_F(Numbers, AreReadFromTextAsStacks) {
  EXPECT_EQ(read("1 2\n3 4\n\n\n5 6\n7 8\n", 3).shape, (Shape{2, 2, 2}));
  EXPECT_EQ(read("2 2 2\n1 2\n3 4\n5 6\n7 8\n", 3).shape, (Shape{2, 2, 2}));
  EXPECT_EQ(read("\n1 2\n# remark\n3 4\n", 3).shape, (Shape{1, 2, 2}));
  EXPECT_EQ(error("1 2\n3 4\n\n5 6\n", 3), "line 4: the last matrix ends early; expected 2 rows");
  EXPECT_EQ(error("1 2\n\n3 4\n5 6\n", 3), "line 4: a matrix of another height; expected 1 rows");
}

TEST_F(Numbers, AreReadFromRawFiles) {
  const Ints i8 = {5, -1, 7, 8};
  NumberOptions raw;
  raw.format = NumberFormat::Raw;
  raw.type = NumberType::Int64;
  EXPECT_EQ(values<std::int64_t>(bytes(i8), 1, raw), i8);
  raw.big_endian = true;
  EXPECT_EQ(values<std::int64_t>(bytes(i8, true), 1, raw), i8);
  EXPECT_EQ(error("abc", 1, raw), "ends in the middle of an element of 8 bytes");
  raw.item_shape = {2};
  EXPECT_EQ(read(bytes(i8), 2, raw).shape, (Shape{2, 2}));
  raw.item_shape = {3};
  EXPECT_EQ(error(bytes(i8), 2, raw), "ends after 4 elements; expected a multiple of 3");
  EXPECT_THROW(read(bytes(i8), 1, raw), std::invalid_argument);
  raw.type.reset();
  EXPECT_THROW(read(bytes(i8), 2, raw), std::invalid_argument);
}

TEST_F(Numbers, AreTheSameInBlocksAndWhole) {
  std::mt19937 random(7);
  std::vector<std::int32_t> data(300000 * 9);
  for (auto& v : data) v = static_cast<std::int32_t>(random());
  std::string text;
  for (std::size_t i = 0; i < 100 * 9; ++i) {
    text += std::to_string(data[i]) + (i % 3 == 2 ? "\n" : " ") + (i % 9 == 8 ? "\n" : "");
  }
  const std::string path = folder_.write("stack.npy", npy("<i4", "(300000, 3, 3)", bytes(data)));
  const std::string swapped = folder_.write("big.npy", npy(">i4", "(300000, 3, 3)", bytes(data, true)));
  NumberReader reader(path, 3), other(swapped, 3), lines(folder_.write("stack.txt", text), 3);
  EXPECT_EQ(reader.items(), 300000);
  EXPECT_EQ(reader.item_size(), 9);
  std::vector<std::int32_t> all;
  NumberValues block, same;
  while (reader.read(70001, block) > 0) {
    other.read(70001, same);
    EXPECT_TRUE(block == same);
    const auto& v = std::get<0>(block);
    all.insert(all.end(), v.begin(), v.end());
  }
  EXPECT_EQ(reader.items_read(), 300000);
  EXPECT_TRUE(all == data);
  Ints from_text;
  while (lines.read(7, block) > 0) {
    const auto& v = std::get<1>(block);
    from_text.insert(from_text.end(), v.begin(), v.end());
  }
  EXPECT_TRUE(from_text == Ints(data.begin(), data.begin() + 900));
}

TEST_F(Numbers, HaveTypesWithNames) {
  for (const auto type : {NumberType::Int32, NumberType::Int64, NumberType::Float32, NumberType::Float64}) {
    EXPECT_EQ(number_type_of(number_type_name(type)), type);
    EXPECT_EQ(no_numbers(type).index(), static_cast<std::size_t>(type));
  }
  EXPECT_EQ(number_type_of("complex64"), std::nullopt);
}

NumberOptions column(const std::string& name) {
  NumberOptions options;
  options.column = name;
  return options;
}

TEST_F(Numbers, AreReadFromOneColumnOfATable) {
  const std::string table = "# gene\tfold change\tn\na b\t 1.5 \t3\n# remark\n\nc\t-2\t4\r\n";
  EXPECT_EQ(values<double>(table, 1, column("2")), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(values<double>(table, 1, column("fold change")), (std::vector<double>{1.5, -2}));
  EXPECT_EQ(values<std::int64_t>(table, 1, column("n")), (Ints{3, 4}));
  EXPECT_EQ(values<std::int64_t>("x\ty\n", 1, column("y")), Ints{});
}

TEST_F(Numbers, AreRefusedIfTheColumnIsMissing) {
  EXPECT_EQ(error("x\ty\n1\t2\n", 1, column("z")), "line 1: no column is called 'z'");
  EXPECT_EQ(error("1\t2\n3\n", 1, column("2")), "line 2: no number in column 2 of 1 (separated by tabs)");
  EXPECT_EQ(error("1\t\t2\n", 1, column("2")), "line 1: no number in column 2 of 3 (separated by tabs)");
  EXPECT_EQ(error("a\n1\n", 1, column("1")), "line 1: 'a'; expected a number");
  EXPECT_EQ(error(npy("<i4", "(0,)", ""), 1, column("1")), "a .npy file has no column '1'; expected text");
  EXPECT_THROW(read("1\n", 2, column("1")), std::invalid_argument);
}

TEST_F(Numbers, AreReadBackAsWritten) {
  const std::vector<NumberArray> arrays = {{{2, 1, 2}, std::vector<std::int32_t>{1, -2, 3, 4}},
                                           {{3}, Ints{5, std::numeric_limits<std::int64_t>::min(), 7}},
                                           {{1, 2}, std::vector<float>{0.5F, -1}},
                                           {{0, 4}, std::vector<double>{}}};
  for (const NumberArray& array : arrays) {
    const std::string path = folder_.file("written.npy");
    OutputFile out(path);
    write_npy(out, array);
    out.commit();
    const NumberArray again = read_numbers(path, array.shape.size());
    EXPECT_EQ(again.shape, array.shape);
    EXPECT_EQ(again.values, array.values);
  }
}

}  // namespace
}  // namespace gpuhmm
