// The frames of a part: each holds one record, and shows whether it is whole.
//
// A part is the line "gpuhmm part 1" and frames: kind (1 byte), section and index (8 each), size of the
// content (8), of the packed content (8), the content packed by zlib, CRC-32 of all that (4). Numbers are
// little-endian.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "gpuhmm/parts.hpp"

namespace gpuhmm::parts {

inline constexpr std::string_view kMagic = "gpuhmm part 1\n";

enum class FrameKind : std::uint8_t { Header = 'H', Record = 'R', End = 'E' };

struct Frame {
  FrameKind kind = FrameKind::Record;
  QueryPlace place;  ///< of the end: the number of sections
  std::string content;
};

/// The content packed by zlib, with its size in front.
std::string deflated(std::string_view content);

/// The bytes of a frame; `content` is deflated().
std::string frame_bytes(FrameKind kind, const QueryPlace& place, std::string_view content);

/// Fills a buffer as Input::read does.
using Source = std::function<std::size_t(char* buffer, std::size_t size)>;

/// What came of reading a frame.
enum class FrameState { Whole, Nothing, CutOff, Damaged };

/// Reads the next frame. `bytes`, if not null, gets its size in the file.
FrameState read_frame(const Source& source, Frame& frame, std::uint64_t* bytes = nullptr);

}  // namespace gpuhmm::parts
