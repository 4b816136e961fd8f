// Constants of binary profile files that reader, writer and kind detection share
// (docs/spec/profile-format.md, 1.1, 1.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuhmm {

/// First four bytes of a HMMER2.0 binary profile as a number in the file's byte order.
inline constexpr std::uint32_t kHmmer2Magic = 0xe8ededb5;

/// Numbers of the alphabets in binary files.
inline constexpr std::int32_t kBinaryAmino = 3;
inline constexpr std::int32_t kBinaryNucleic = 2;

/// Bits of the flag word: which optional items follow.
namespace binary_flag {
inline constexpr std::uint32_t kDescription = 1U << 1;
inline constexpr std::uint32_t kRf = 1U << 2;
inline constexpr std::uint32_t kCs = 1U << 3;
inline constexpr std::uint32_t kProbabilities = 1U << 5;
inline constexpr std::uint32_t kEvd = 1U << 7;
inline constexpr std::uint32_t kMap = 1U << 8;
inline constexpr std::uint32_t kAccession = 1U << 9;
inline constexpr std::uint32_t kGathering = 1U << 10;
inline constexpr std::uint32_t kTrusted = 1U << 11;
inline constexpr std::uint32_t kNoise = 1U << 12;
inline constexpr std::uint32_t kAccessibility = 1U << 13;  // the line itself is not in the file
}  // namespace binary_flag

enum class ByteOrder { Little, Big };

/// Decodes four bytes as a number.
inline std::uint32_t decode_word(const char* bytes, ByteOrder order) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const int shift = order == ByteOrder::Little ? 8 * i : 24 - 8 * i;
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << shift;
  }
  return value;
}

/// The byte order in which `head`, the first bytes of a file, starts with a word from `first` to `last`;
/// nothing if neither does.
inline std::optional<ByteOrder> magic_order(std::string_view head, std::uint32_t first, std::uint32_t last) {
  if (head.size() < 4) return std::nullopt;
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const std::uint32_t magic = decode_word(head.data(), order);
    if (magic >= first && magic <= last) return order;
  }
  return std::nullopt;
}

/// Byte order of a HMMER2.0 binary profile; nothing if `head` does not start one.
inline std::optional<ByteOrder> binary_profile_order(std::string_view head) {
  return magic_order(head, kHmmer2Magic, kHmmer2Magic);
}

/// True for a binary profile of HMMER 1.0 to 1.9.
inline bool old_binary_profile(std::string_view head) {
  return magic_order(head, 0xe8ededb1, 0xe8ededb4).has_value();
}

/// True for a binary profile of HMMER3 or a file made by its hmmpress.
inline bool hmmer3_binary_profile(std::string_view head) {
  return magic_order(head, 0xe8ededb6, 0xe8ededbf) || magic_order(head, 0xe8ededb0, 0xe8ededb0) ||
         magic_order(head, 0xb3e6e600, 0xb3e6f0ff);
}

}  // namespace gpuhmm
