// Makes gzip members and BGZF blocks with zlib.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpuhmm::test {

namespace detail {

inline std::string deflate_member(std::string_view text, gz_header* header) {
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  if (header != nullptr) deflateSetHeader(&stream, header);
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return out;
}

}  // namespace detail

/// One gzip member.
inline std::string gzip(std::string_view text) { return detail::deflate_member(text, nullptr); }

/// One BGZF block: a gzip member whose extra field BC holds its size less one.
inline std::string bgzf_block(std::string_view text) {
  unsigned char extra[] = {'B', 'C', 2, 0, 0, 0};
  gz_header header{};
  header.os = 255;
  header.extra = extra;
  header.extra_len = sizeof extra;
  const std::size_t size = detail::deflate_member(text, &header).size() - 1;
  extra[4] = static_cast<unsigned char>(size & 0xff);
  extra[5] = static_cast<unsigned char>(size >> 8);
  return detail::deflate_member(text, &header);
}

/// A whole BGZF file in blocks of at most `block` bytes of text, with the empty block at its end.
inline std::string bgzf(std::string_view text, std::size_t block) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += block) out += bgzf_block(text.substr(at, block));
  return out + bgzf_block("");
}

}  // namespace gpuhmm::test
