// Decodes UTF-8 and escapes what a terminal could interpret.
#include "util/printable.hpp"

#include <array>
#include <cstdint>

namespace gpuhmm {

namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

/// The first character of `text`, which is not empty. Overlong forms, surrogates and codes above U+10FFFF are
/// not UTF-8 (RFC 3629).
Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, bytes};
}

bool is_shown(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return false;
  // marks, embeddings, overrides and isolates of direction; separators of lines and paragraphs
  return code != 0x61c && code != 0x200e && code != 0x200f && !(code >= 0x2028 && code <= 0x202e) &&
         !(code >= 0x2066 && code <= 0x2069) && code != 0xfeff;
}

void append_escaped(std::string_view bytes, std::string& to) {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const char c : bytes) {
    switch (c) {
      case '\t':
        to += "\\t";
        break;
      case '\n':
        to += "\\n";
        break;
      case '\r':
        to += "\\r";
        break;
      default:
        to += "\\x";
        to += kHex[static_cast<unsigned char>(c) >> 4];
        to += kHex[static_cast<unsigned char>(c) & 15];
    }
  }
}

void append_printable(std::string_view text, std::string& to) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes > 0 ? character.bytes : 1);
    if (character.bytes > 0 && is_shown(character.code)) {
      to += bytes;
    } else {
      append_escaped(bytes, to);
    }
    text.remove_prefix(bytes.size());
  }
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::size_t kEnd = kLongestMessage / 4;
  std::string shown;
  if (text.size() <= kLongestMessage) {
    append_printable(text, shown);
  } else {
    append_printable(text.substr(0, kLongestMessage - kEnd), shown);
    shown += " ... ";
    append_printable(text.substr(text.size() - kEnd), shown);
  }
  return shown;
}

}  // namespace gpuhmm
