// Packs and checks frames.
#include "formats/parts/frame.hpp"

#include <zlib.h>

#include <array>
#include <stdexcept>

#include "formats/io/checksum.hpp"

namespace gpuhmm::parts {

namespace {

constexpr std::size_t kNumber = 8, kChecksum = 4;
constexpr std::size_t kHead = 1 + 4 * kNumber;
constexpr std::uint64_t kMostExpansion = 1040;  // of zlib, for any content

void append(std::string& bytes, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(number >> (8 * i)));
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return number;
}

// Reads `size` bytes; fewer at the end. Memory grows with what is there.
std::string take(const Source& source, std::uint64_t size) {
  constexpr std::uint64_t kPiece = std::uint64_t{16} << 20;
  std::string bytes;
  while (bytes.size() < size) {
    const std::size_t before = bytes.size();
    bytes.resize(before + static_cast<std::size_t>(std::min(size - before, kPiece)));
    const std::size_t got = source(bytes.data() + before, bytes.size() - before);
    bytes.resize(before + got);
    if (got == 0) break;
  }
  return bytes;
}

}  // namespace

std::string deflated(std::string_view content) {
  std::string bytes;
  append(bytes, content.size(), kNumber);
  uLongf size = compressBound(content.size());
  bytes.resize(kNumber + size);
  const int result = compress2(reinterpret_cast<Bytef*>(bytes.data() + kNumber), &size,
                               reinterpret_cast<const Bytef*>(content.data()), content.size(), Z_BEST_SPEED);
  if (result != Z_OK) throw std::runtime_error("zlib cannot pack a record");
  bytes.resize(kNumber + size);
  return bytes;
}

std::string frame_bytes(FrameKind kind, const QueryPlace& place, std::string_view content) {
  std::string bytes;
  bytes.reserve(kHead + content.size() + kChecksum);
  bytes.push_back(static_cast<char>(kind));
  append(bytes, place.section, kNumber);
  append(bytes, place.index, kNumber);
  bytes.append(content.substr(0, kNumber));
  append(bytes, content.size() - kNumber, kNumber);
  bytes.append(content.substr(kNumber));
  append(bytes, extend_checksum(0, bytes), kChecksum);
  return bytes;
}

FrameState read_frame(const Source& source, Frame& frame, std::uint64_t* bytes) {
  const std::string head = take(source, kHead);
  if (head.empty()) return FrameState::Nothing;
  if (head.size() < kHead) return FrameState::CutOff;
  frame.kind = static_cast<FrameKind>(head[0]);
  frame.place = {number_at(head, 1, kNumber), number_at(head, 1 + kNumber, kNumber)};
  const std::uint64_t size = number_at(head, 1 + 2 * kNumber, kNumber);
  const std::uint64_t packed_size = number_at(head, 1 + 3 * kNumber, kNumber);
  if (size / kMostExpansion > packed_size) return FrameState::Damaged;
  const std::string packed = take(source, packed_size);
  const std::string checksum = take(source, kChecksum);
  if (checksum.size() < kChecksum) return FrameState::CutOff;
  if (extend_checksum(extend_checksum(0, head), packed) != number_at(checksum, 0, kChecksum)) {
    return FrameState::Damaged;
  }
  frame.content.resize(static_cast<std::size_t>(size));
  uLongf unpacked = size;
  const int result = uncompress(reinterpret_cast<Bytef*>(frame.content.data()), &unpacked,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (result != Z_OK || unpacked != size) return FrameState::Damaged;
  if (bytes != nullptr) *bytes = kHead + packed.size() + kChecksum;
  return FrameState::Whole;
}

}  // namespace gpuhmm::parts
