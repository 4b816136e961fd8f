// What HMMER3's programs look at before they read profiles: the first bytes of the file, and the parts of a
// pressed database (docs/spec/hmmer3/hmmscan.md, 2; reports.md, 9).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpuhmm/hmmer3_profile_file.hpp"

namespace gpuhmm::hmmer3 {

/// First words of the records of .h3f and .h3p, also their last ones, little-endian; of .h3i, big-endian.
inline constexpr std::uint32_t kFiltersMagic = 0xb3e6e6f3, kScoresMagic = 0xb3e6f0f3,
                               kIndexMagic = 0xd3d3c9b3;
/// Bytes of .h3i before its tables.
inline constexpr std::size_t kIndexHead = 78;

/// Which program's words an error has; only hmmscan looks at the first bytes of .h3f and .h3p.
enum class Program { Hmmsearch, Hmmscan };

/// True if `path` names a file that can have a pressed database, and PATH.h3m is there.
bool has_pressed_profiles(const std::string& path);

/// Opens the profiles of the database of `path`. Throws ProfileFileError unless all its parts are there and
/// begin as they should.
std::unique_ptr<Input> open_pressed_profiles(const std::string& path, Program program);

/// Number of names in an index, a file .h3i that begins as it should.
std::uint64_t names_in_index(const std::string& index);

/// Throws the error of a profile that has not the alphabet of those before it, of the file `name`, which
/// HMMER3 calls `path`.
[[noreturn]] void fail_for_alphabet(const std::string& name, const std::string& path,
                                    std::string_view profile, AlphabetKind alphabet, AlphabetKind before);

/// Opens the file, or standard input. Throws ProfileFileError if that fails.
std::unique_ptr<Input> open_profiles(const std::string& path, Program program);

/// How `input`, of the file `path`, starts; nothing is consumed. `tag`: the first word of a text.
struct Start {
  std::optional<Generation> generation;
  bool binary = false;
  std::string tag;
};
Start look_at_start(Input& input);

/// Throws the error of an `input` that does not start with profiles.
[[noreturn]] void refuse_start(Input& input, const std::string& path, Program program);

}  // namespace gpuhmm::hmmer3
