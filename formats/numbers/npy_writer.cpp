// Writes the `.npy` header, then the elements.
#include "formats/numbers/npy_writer.hpp"

#include <array>

#include "formats/numbers/source.hpp"

namespace gpuhmm {

void write_npy(OutputFile& out, const NumberArray& array) {
  constexpr std::array<const char*, 4> kDescr = {"<i4", "<i8", "<f4", "<f8"};
  constexpr std::size_t kBeforeHeader = 10, kAlignment = 64;
  std::string header = std::string("{'descr': '") + kDescr[array.values.index()] +
                       "', 'fortran_order': False, 'shape': " + shape_text(array.shape) + ", }";
  const std::size_t used = (kBeforeHeader + header.size() + 1) % kAlignment;
  header.append((kAlignment - used) % kAlignment, ' ');
  header += '\n';
  std::string start(kNpyMagic);
  start += '\x01';
  start += '\0';
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  out.write(start + header);
  std::visit(
      [&](const auto& values) {
        out.write({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0])});
      },
      array.values);
}

}  // namespace gpuhmm
