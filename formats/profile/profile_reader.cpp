// Tells the kind of a profile file from its first bytes and hands its records on; see the header.
#include "formats/profile/profile_reader.hpp"

#include <array>

#include "formats/io/input.hpp"
#include "formats/profile/hmmer2_binary_layout.hpp"
#include "formats/profile/record_reader.hpp"
#include "plan7/alphabet.hpp"

namespace gpuhmm {

namespace {

/// Bytes looked at to tell the kind. Blank lines before a HMMER3 record are allowed, hence more than a magic.
constexpr std::size_t kLookAhead = 512;

bool is_hmmer3_text(std::string_view head) {
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return false;
  const std::string_view word = head.substr(start, std::string_view("HMMER3/x").size());
  const std::string_view after = head.substr(start + word.size(), 1);
  return word.size() == 8 && word.starts_with("HMMER3/") && word.back() >= 'a' && word.back() <= 'f' &&
         (after.empty() || std::string_view(" \t\r\n").find(after.front()) != std::string_view::npos);
}

bool starts_old_text(std::string_view head) {
  return head.starts_with("HMMER v1.") || head.starts_with("# HMM v1.");
}

/// What is wrong with a file that is of no supported kind.
std::string refusal(std::string_view head) {
  if (head.empty()) return "is empty; expected a profile file";
  if (starts_old_text(head) || old_binary_profile(head)) {
    return "is a profile file of HMMER 1; convert it with HMMER 2's hmmconvert (hmm2convert) first";
  }
  if (hmmer3_binary_profile(head)) {
    return "is a binary or pressed profile file of HMMER3; write it as text with HMMER3's hmmconvert first";
  }
  const std::size_t start = head.find_first_not_of(" \t\r\n");
  if (start != std::string_view::npos && head.substr(start).starts_with("HMMER3")) {
    return "is a HMMER3 profile file of an unknown version; expected HMMER3/a to HMMER3/f";
  }
  return "is not a profile file; expected HMMER2.0 text, HMMER2.0 binary or HMMER3 text";
}

std::optional<ProfileFileKind> kind_of(std::string_view head) {
  if (binary_profile_order(head)) return ProfileFileKind::Hmmer2Binary;
  if (head.starts_with("HMMER2.0")) return ProfileFileKind::Hmmer2Text;
  if (is_hmmer3_text(head)) return ProfileFileKind::Hmmer3Text;
  return std::nullopt;
}

std::unique_ptr<RecordReader> make_record_reader(ProfileFileKind kind, Input& input) {
  switch (kind) {
    case ProfileFileKind::Hmmer2Text:
      return make_hmmer2_text_reader(input);
    case ProfileFileKind::Hmmer2Binary:
      return make_hmmer2_binary_reader(input);
    case ProfileFileKind::Hmmer3Text:
      return make_hmmer3_text_reader(input);
  }
  return nullptr;
}

}  // namespace

struct ProfileReader::State {
  State(const std::string& path, std::uint64_t start) : input(path, start), offset(start) {
    const std::string_view head = input.peek(kLookAhead);
    const std::optional<ProfileFileKind> found = kind_of(head);
    if (!found) throw FileError(input.name() + ": " + refusal(head));
    kind = *found;
    records = make_record_reader(kind, input);
  }

  Input input;
  std::uint64_t offset;
  ProfileFileKind kind = ProfileFileKind::Hmmer2Text;
  std::unique_ptr<RecordReader> records;
  std::optional<AlphabetKind> alphabet;  // of the profiles read so far ...
  std::string first;                     // ... and the name of the first one
};

std::string_view name_of(ProfileFileKind kind) {
  constexpr std::array<std::string_view, 3> names = {"HMMER2 text", "HMMER2 binary", "HMMER3 text"};
  return names[static_cast<std::size_t>(kind)];
}

ProfileReader::ProfileReader(const std::string& path, std::uint64_t offset)
    : state_(std::make_unique<State>(path, offset)) {}
ProfileReader::~ProfileReader() = default;
ProfileReader::ProfileReader(ProfileReader&&) noexcept = default;
ProfileReader& ProfileReader::operator=(ProfileReader&&) noexcept = default;

const std::string& ProfileReader::name() const { return state_->input.name(); }
ProfileFileKind ProfileReader::kind() const { return state_->kind; }
std::optional<double> ProfileReader::fraction_read() const { return state_->input.fraction_read(); }
std::optional<std::uint64_t> ProfileReader::position() const {
  if (!state_->input.seekable()) return std::nullopt;
  return state_->offset + state_->records->position();
}

std::optional<Profile> ProfileReader::next() {
  State& s = *state_;
  std::optional<Profile> profile = s.records->next();
  if (!profile) return profile;
  if (!s.alphabet) {
    s.alphabet = profile->alphabet;
    s.first = profile->name;
  } else if (*s.alphabet != profile->alphabet) {
    const auto described = [](const std::string& name, AlphabetKind kind) {
      return "'" + name + "' (" + std::string(Alphabet::get(kind).name()) + ")";
    };
    throw FileError(name() + ": profile " + described(profile->name, profile->alphabet) +
                    " has another alphabet than " + described(s.first, *s.alphabet) +
                    " before it; expected one alphabet in a file");
  }
  return profile;
}

std::vector<Profile> read_profiles(const std::string& path) {
  ProfileReader reader(path);
  std::vector<Profile> profiles;
  while (std::optional<Profile> profile = reader.next()) profiles.push_back(std::move(*profile));
  return profiles;
}

}  // namespace gpuhmm
