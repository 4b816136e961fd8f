// Reads and writes PNG images with libpng.
#include <png.h>

#include <array>
#include <csetjmp>
#include <exception>
#include <stdexcept>

#include "formats/image/image.hpp"

namespace gpuhmm::image {

namespace {

// libpng reports errors by longjmp, which runs no destructors. Functions that call setjmp therefore have no
// local objects with destructors; what they need is a member.
class PngReader {
 public:
  explicit PngReader(Input& input) : input_(input) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
    if (png_ == nullptr) throw std::bad_alloc();
    info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, this, on_read);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  GreyImage read() {
    check(read_header());
    check_size(input_, png_get_image_height(png_, info_), png_get_image_width(png_, info_));
    check(choose_format());
    image_.rows = png_get_image_height(png_, info_);
    image_.columns = png_get_image_width(png_, info_);
    row_.resize(png_get_rowbytes(png_, info_));
    const bool interlaced = png_get_interlace_type(png_, info_) == PNG_INTERLACE_ADAM7;
    interlaced ? read_passes() : read_part(image_.rows, image_.columns, image_.values);
    check(read_end());
    return std::move(image_);
  }

 private:
  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_info(png_, info_);
    return true;
  }

  bool choose_format() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);  // palettes to colours, grey of fewer than 8 bits to 8
    png_set_strip_alpha(png_);
    png_read_update_info(png_, info_);
    return true;
  }

  bool read_row() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_row(png_, row_.data(), nullptr);
    return true;
  }

  bool read_end() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_end(png_, nullptr);
    return true;
  }

  // Reads the next rows into `values`, which grows only as rows are read: the header may be false.
  void read_part(std::size_t rows, std::size_t columns, std::vector<std::int32_t>& values) {
    for (std::size_t row = 0; row < rows; ++row) {
      check(read_row());
      take_values(columns, values);
    }
  }

  // Reads an interlaced image: seven passes, each a coarser image, and puts them together.
  void read_passes() {
    constexpr int kPasses = PNG_INTERLACE_ADAM7_PASSES;
    std::array<std::vector<std::int32_t>, kPasses> parts;
    const auto rows = static_cast<png_uint_32>(image_.rows),
               columns = static_cast<png_uint_32>(image_.columns);
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::size_t wide = PNG_PASS_COLS(columns, pass);
      if (wide > 0) read_part(PNG_PASS_ROWS(rows, pass), wide, parts[static_cast<std::size_t>(pass)]);
    }
    image_.values.resize(image_.rows * image_.columns);
    for (int pass = 0; pass < kPasses; ++pass) {
      const std::vector<std::int32_t>& part = parts[static_cast<std::size_t>(pass)];
      const std::size_t wide = PNG_PASS_COLS(columns, pass);
      for (std::size_t i = 0; i < part.size(); ++i) {
        const std::size_t row = PNG_ROW_FROM_PASS_ROW(i / wide, pass);
        image_.values[row * image_.columns + PNG_COL_FROM_PASS_COL(i % wide, pass)] = part[i];
      }
    }
  }

  // Appends the values of row_, which has one or two bytes a sample and one or three samples a pixel.
  void take_values(std::size_t columns, std::vector<std::int32_t>& values) {
    const std::size_t sample_bytes = png_get_bit_depth(png_, info_) / 8,
                      channels = png_get_channels(png_, info_);
    const auto sample = [sample_bytes](const png_byte* at) {
      return sample_bytes == 1 ? at[0] : at[0] << 8 | at[1];
    };
    for (std::size_t column = 0; column < columns; ++column) {
      const png_byte* at = row_.data() + column * channels * sample_bytes;
      values.push_back(channels == 1
                           ? sample(at)
                           : weighed(sample(at), sample(at + sample_bytes), sample(at + 2 * sample_bytes)));
    }
  }

  // Weights in units of 2^-15. Their sum is 1, so grey stays unchanged.
  static int weighed(int red, int green, int blue) {
    return (6968 * red + 23434 * green + 2366 * blue + (1 << 14)) >> 15;
  }

  void check(bool done) const {
    if (done) return;
    if (failure_) std::rethrow_exception(failure_);
    throw FileError(input_.name() + ": not a valid PNG image: " + message_);
  }

  static void on_error(png_structp png, png_const_charp message) {
    static_cast<PngReader*>(png_get_error_ptr(png))->message_ = message;
    png_longjmp(png, 1);
  }
  static void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}

  static void on_read(png_structp png, png_bytep bytes, png_size_t size) {
    auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
    if (!reader->read_bytes(reinterpret_cast<char*>(bytes), size)) png_error(png, "truncated");
  }

  bool read_bytes(char* bytes, std::size_t size) {
    try {
      while (size > 0) {
        const std::size_t got = input_.read(bytes, size);
        if (got == 0) return false;
        bytes += got;
        size -= got;
      }
      return true;
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  Input& input_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string message_;
  std::exception_ptr failure_;  // thrown by input_
  GreyImage image_;
  std::vector<png_byte> row_;
};

}  // namespace

GreyImage read_png(Input& input) { return PngReader(input).read(); }

}  // namespace gpuhmm::image

namespace gpuhmm {

std::string png_of(const ColourImage& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.columns);
  png.height = static_cast<png_uint_32>(image.rows);
  png.format = PNG_FORMAT_RGBA;
  png_alloc_size_t size = 0;
  const auto write = [&](void* to) {
    if (png_image_write_to_memory(&png, to, &size, 0, image.pixels.data(), 0, nullptr) == 0) {
      throw std::runtime_error(std::string("libpng: ") + png.message);
    }
  };
  write(nullptr);
  std::string bytes(size, '\0');
  write(bytes.data());
  bytes.resize(size);
  return bytes;
}

}  // namespace gpuhmm
