// PGM and PNG images are read, damaged ones refused.
#include "formats/image/image.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include "formats/io/gzip_data.hpp"
#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

using Values = std::vector<std::int32_t>;

class Images : public testing::Test {
 protected:
  GreyImage read(const std::string& content) {
    Input input(folder_.write("image", content));
    const std::optional<ImageFormat> format = detect_image(input);
    if (!format) throw std::logic_error("not recognized as an image");
    return read_image(input, *format);
  }
  std::string error(const std::string& content) {
    try {
      read(content);
    } catch (const FileError& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      EXPECT_TRUE(what.starts_with(folder_.file("image") + ": ")) << what;
      return what;
    }
    return "read";
  }

  test::TemporaryFolder folder_;
};

// A PNG file that libpng writes from pixels in one of its simple formats.
std::string png(png_uint_32 format, png_uint_32 width, png_uint_32 height, const void* pixels,
                const void* colours = nullptr, png_uint_32 colour_count = 0) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = format;
  image.colormap_entries = colour_count;
  png_alloc_size_t size = 0;
  png_image_write_to_memory(&image, nullptr, &size, 0, pixels, 0, colours);
  std::string bytes(size, '\0');
  EXPECT_NE(png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, colours), 0)
      << image.message;
  bytes.resize(size);
  return bytes;
}

TEST_F(Images, AreReadFromTextPgm) {
  const GreyImage image = read("P2 # remark\n# another\n3 2\n15\n0 1 2\n13 14 15\n");
  EXPECT_EQ(image.rows, 2U);
  EXPECT_EQ(image.columns, 3U);
  EXPECT_EQ(image.values, (Values{0, 1, 2, 13, 14, 15}));
}

TEST_F(Images, AreReadFromBinaryPgm) {
  EXPECT_EQ(read(std::string("P5\n2 2\n255\n\x00\x7f\x80\xff", 15)).values, (Values{0, 127, 128, 255}));
  EXPECT_EQ(read(std::string("P5 2 1 65535\n\x01\x02\xff\xff", 17)).values, (Values{258, 65535}));
  // The first pixel has the value of a blank.
  EXPECT_EQ(read("P5 2 1 255\n \n").values, (Values{32, 10}));
}

TEST_F(Images, AreReadFromGzippedPgm) { EXPECT_EQ(read(test::gzip("P2 2 1 9 4 5")).values, (Values{4, 5})); }

TEST_F(Images, AreRefusedIfThePgmIsDamaged) {
  EXPECT_NE(error("P2 3 2 15 0 1 2 13 14").find("truncated: the image has 5 of 6"), std::string::npos);
  EXPECT_NE(error(std::string("P5 2 2 255\n\x00\x01\x02", 14)).find("truncated: the image has 3 of 4"),
            std::string::npos);
  EXPECT_NE(error("P2 3 1 15 0 16 2").find("row 0, column 1: 16 is above"), std::string::npos);
  EXPECT_NE(error("P2 0 4 15").find("0 x 4"), std::string::npos);
  EXPECT_NE(error("P2 100000 100000 15").find("100000 x 100000"), std::string::npos);
  EXPECT_NE(error("P2 x 4 15").find("expected the width as a number"), std::string::npos);
  EXPECT_NE(error("P2 4 4 65536").find("above 65535"), std::string::npos);
  EXPECT_NE(error("P2 1 1 0 0").find("largest value of 0"), std::string::npos);
  EXPECT_NE(error("P2 4 4 -1").find("largest value as a number"), std::string::npos);
  EXPECT_NE(error("P5 1 1 9").find("no white space"), std::string::npos);
}

TEST_F(Images, AreNotDetectedInOtherFiles) {
  for (const char* text : {"", "P", "P2", "P3 1 1 1", "1 2 3", "P25 1"}) {
    Input input(folder_.write("other", text));
    EXPECT_FALSE(detect_image(input)) << text;
  }
}

TEST_F(Images, AreReadFromGreyPngOfEightBits) {
  const std::uint8_t pixels[] = {0, 100, 255, 3, 2, 1};
  const GreyImage image = read(png(PNG_FORMAT_GRAY, 3, 2, pixels));
  EXPECT_EQ(image.rows, 2U);
  EXPECT_EQ(image.columns, 3U);
  EXPECT_EQ(image.values, (Values{0, 100, 255, 3, 2, 1}));
}

TEST_F(Images, AreReadFromGreyPngOfSixteenBits) {
  const std::uint16_t pixels[] = {0, 258, 65535};
  EXPECT_EQ(read(png(PNG_FORMAT_LINEAR_Y, 3, 1, pixels)).values, (Values{0, 258, 65535}));
}

TEST_F(Images, BecomeGreyIfThePngHasColours) {
  const std::uint8_t pixels[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 77, 77, 77};
  EXPECT_EQ(read(png(PNG_FORMAT_RGB, 4, 1, pixels)).values, (Values{54, 182, 18, 77}));
  const std::uint8_t clear[] = {77, 77, 77, 0, 9, 9, 9, 255};
  EXPECT_EQ(read(png(PNG_FORMAT_RGBA, 2, 1, clear)).values, (Values{77, 9}));
}

TEST_F(Images, AreReadFromPngWithAPalette) {
  const std::uint8_t colours[] = {10, 10, 10, 200, 200, 200};
  const std::uint8_t pixels[] = {1, 0, 1};
  EXPECT_EQ(read(png(PNG_FORMAT_RGB_COLORMAP, 3, 1, pixels, colours, 2)).values, (Values{200, 10, 200}));
}

TEST_F(Images, AreRefusedIfThePngIsDamaged) {
  const std::uint8_t pixels[64] = {1, 2, 3};
  const std::string whole = png(PNG_FORMAT_GRAY, 8, 8, pixels);
  for (std::size_t size : {std::size_t{9}, whole.size() / 2, whole.size() - 13}) {
    EXPECT_NE(error(whole.substr(0, size)).find("truncated"), std::string::npos) << size;
  }
  std::string damaged = whole;
  damaged[20] = static_cast<char>(damaged[20] ^ 1);  // in the header, which has a checksum
  EXPECT_NE(error(damaged).find("not a valid PNG image"), std::string::npos);
  const std::string packed = test::gzip(whole);
  EXPECT_NE(error(packed.substr(0, packed.size() - 12)).find("image: "), std::string::npos);
}

TEST_F(Images, AreReadBackAsWritten) {
  ColourImage image(2, 3, {7, 7, 7, 255});
  image.at(1, 2) = {200, 200, 200, 255};
  EXPECT_EQ(read(png_of(image)).values, (Values{7, 7, 7, 7, 7, 200}));
}

}  // namespace
}  // namespace gpuhmm
