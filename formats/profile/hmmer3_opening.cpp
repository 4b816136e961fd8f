// Checks of HMMER3's profile files at their start, with HMMER3's messages.
#include "formats/profile/hmmer3_opening.hpp"

#include <array>
#include <filesystem>

#include "formats/profile/hmmer2_binary_layout.hpp"
#include "formats/profile/hmmer3_binary.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

/// Bytes of comments before the first profile that are looked through.
constexpr std::size_t kMostLookAhead = std::size_t{1} << 20;

std::string format_problem(const std::string& path, Program program, const std::string& what) {
  return std::string("File format problem") + (program == Program::Hmmscan ? "," : " in") +
         " trying to open HMM file " + path + ".\n" + what + "\n";
}

std::string access_problem(const std::string& path, const std::string& what) {
  return "File existence/permissions problem in trying to open HMM file " + path + ".\n" + what + "\n";
}

/// `head` from its first line on that is neither blank nor a comment.
std::string_view first_line(std::string_view head) {
  for (;;) {
    const std::size_t start = head.find_first_not_of(kBlank);
    if (start == std::string_view::npos) return {};
    head.remove_prefix(start);
    if (head.front() != '#') return head;
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos) return {};
    head.remove_prefix(end);
  }
}

/// The first bytes of a part of a database, fewer if it is shorter; nothing if it is not there.
std::optional<std::string> head_of(const std::string& part, std::size_t size) {
  std::error_code ignored;
  if (!std::filesystem::exists(part, ignored)) return std::nullopt;
  Input input(part);
  return std::string(input.peek(size));
}

void check_magic(const std::string& path, const char* suffix, std::string_view head, std::uint32_t magic) {
  const std::string part = path + suffix;
  if (head.size() < 4) {
    throw ProfileFileError(part + ": is empty or cut short; press the profiles again",
                           "Unexpected error in reading HMMs from " + path);
  }
  if (decode_word(head.data(), ByteOrder::Little) != magic) {
    throw ProfileFileError(part + ": is no part of a pressed database of HMMER3/f; press the profiles again",
                           "bad format, binary auxfiles, " + path + ":\nbad magic; not an HMM database?");
  }
}

}  // namespace

bool has_pressed_profiles(const std::string& path) {
  std::error_code ignored;
  return path != "-" && !path.ends_with(".gz") && std::filesystem::exists(path + ".h3m", ignored);
}

std::unique_ptr<Input> open_pressed_profiles(const std::string& path, Program program) {
  constexpr std::array<const char*, 3> suffixes = {".h3f", ".h3p", ".h3i"};
  std::array<std::string, 3> heads;
  const std::string pressed = "Opened " + path + ".h3m, a pressed HMM file; but ";
  for (std::size_t i = 0; i < suffixes.size(); ++i) {
    std::optional<std::string> head = head_of(path + suffixes[i], kIndexHead);
    if (!head) {
      throw ProfileFileError(path + suffixes[i] + ": does not exist; expected it beside " + path + ".h3m",
                             access_problem(path, pressed + "no " + suffixes[i] + " file found"));
    }
    heads[i] = std::move(*head);
  }
  std::unique_ptr<Input> profiles = open_profiles(path + ".h3m", program);
  const std::string_view head = profiles->peek(4);
  if (head.size() < 4) {
    throw ProfileFileError(profiles->name() + ": is empty; expected profiles",
                           format_problem(path, program, "File exists, but appears to be empty?"));
  }
  if (!hmmer3_binary_version(head)) {
    throw ProfileFileError(
        profiles->name() + ": has no binary profiles of HMMER3; press the profiles again",
        format_problem(path, program,
                       "Binary format tag in " + path + ".h3m unrecognized\nCurrent H3 format is HMMER3/f. " +
                           "Previous H2/H3 formats also supported."));
  }
  if (heads[2].size() < kIndexHead || decode_word(heads[2].data(), ByteOrder::Big) != kIndexMagic) {
    throw ProfileFileError(path + ".h3i: is no index of a pressed database; press the profiles again",
                           format_problem(path, program, pressed + "format of its .h3i file unrecognized"));
  }
  if (program == Program::Hmmscan) {
    check_magic(path, ".h3f", heads[0], kFiltersMagic);
    check_magic(path, ".h3p", heads[1], kScoresMagic);
  }
  return profiles;
}

std::uint64_t names_in_index(const std::string& index) {
  constexpr std::size_t kNamesAt = 14;
  const std::string head = head_of(index, kIndexHead).value_or("");
  if (head.size() < kIndexHead) return 0;
  const std::uint64_t high = decode_word(&head[kNamesAt], ByteOrder::Big);
  return high << 32 | decode_word(&head[kNamesAt + 4], ByteOrder::Big);
}

void fail_for_alphabet(const std::string& name, const std::string& path, std::string_view profile,
                       AlphabetKind alphabet, AlphabetKind before) {
  throw ProfileFileError(name + ": profile '" + std::string(profile) + "' has the alphabet " +
                             std::string(Alphabet::get(alphabet).name()) + " after profiles of " +
                             std::string(Alphabet::get(before).name()) + "; expected one alphabet in a file",
                         "HMM file " + path + " contains different alphabets");
}

std::unique_ptr<Input> open_profiles(const std::string& path, Program program) {
  try {
    return std::make_unique<Input>(path);
  } catch (const FileError& error) {
    const std::string missing = path.ends_with(".gz")
                                    ? ".gz file " + path + " not found or not readable"
                                    : "HMM file " + path + " not found (nor an .h3m binary of it)" +
                                          (program == Program::Hmmscan ? "; also looked in PFAMDB" : "");
    std::error_code ignored;
    throw ProfileFileError(error.what(),
                           std::filesystem::is_directory(path, ignored)
                               ? format_problem(path, program, "File exists, but appears to be empty?")
                               : access_problem(path, missing));
  }
}

Start look_at_start(Input& input) {
  Start start;
  std::size_t wanted = 512;
  std::string_view head = input.peek(wanted);
  if (binary_profile_order(head)) {
    start.generation = Generation::Hmmer2;
  } else if (hmmer3_binary_version(head)) {
    start.generation = Generation::Hmmer3;
  }
  start.binary = start.generation.has_value();
  if (start.binary) return start;
  std::string_view line = first_line(head);
  while (line.size() < 16 && head.size() == wanted && wanted < kMostLookAhead) {
    head = input.peek(wanted *= 2);
    line = first_line(head);
  }
  const std::string_view word = line.substr(0, line.find_first_of(kBlank));
  start.tag = word.substr(0, word.find('\0'));
  if (word.starts_with("HMMER2.0")) {
    start.generation = Generation::Hmmer2;
  } else if (word.size() == 8 && word.starts_with("HMMER3/") && word.back() >= 'a' && word.back() <= 'f') {
    start.generation = Generation::Hmmer3;
  }
  return start;
}

void refuse_start(Input& input, const std::string& path, Program program) {
  const Start start = look_at_start(input);
  const auto error = [&](const std::string& what, const std::string& hmmer3_words) {
    return ProfileFileError(input.name() + ": " + what, format_problem(path, program, hmmer3_words));
  };
  const std::string_view head = input.peek(512);
  if (head.size() < 4 || head.find_first_not_of(kBlank) == std::string_view::npos) {
    throw error("is empty; expected a profile file", "File exists, but appears to be empty?");
  }
  if (start.generation == Generation::Hmmer2) {
    throw error(
        "has profiles of HMMER2; expected HMMER3/a to HMMER3/f or a binary profile file of HMMER3",
        "It has profiles of HMMER2: convert them by HMMER's hmmconvert first, or run gpuhmm search or scan,\n"
        "which give the answers of HMMER2.");
  }
  if (start.tag.empty()) {
    throw error("has only comments; expected profiles", "internal error in esl_fileparser_NextLinePeeked()");
  }
  std::string shown = start.tag.substr(0, 40);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  }
  const bool is_binary = static_cast<unsigned char>(head[3]) >= 0x80;  // as in HMMER3's magic numbers
  throw error("starts with '" + shown + "'; expected HMMER3/a to HMMER3/f or a binary profile file of HMMER3",
              is_binary ? "Format tag appears binary, but unrecognized\n"
                          "Current H3 format is HMMER3/f. Previous H2/H3 formats also supported."
                        : "Format tag is '" + start.tag + "': unrecognized.\n" +
                              "Current H3 format is 'HMMER3/f'. Previous H2/H3 formats also supported.");
}

}  // namespace gpuhmm::hmmer3
