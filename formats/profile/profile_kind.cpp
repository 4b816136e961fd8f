// Detects the kind of a profile file by its first bytes.
#include "formats/profile/profile_kind.hpp"

#include <array>
#include <optional>

#include "formats/profile/hmmer2_binary_layout.hpp"

namespace gpuhmm {

namespace {

/// Bytes looked at to detect the kind: more than a magic, since blank lines may precede a HMMER3 record.
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

/// Says why a file is of no supported kind.
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

}  // namespace

std::string_view name_of(ProfileFileKind kind) {
  constexpr std::array<std::string_view, 3> names = {"HMMER2 text", "HMMER2 binary", "HMMER3 text"};
  return names[static_cast<std::size_t>(kind)];
}

ProfileFileKind find_kind(Input& input) {
  const std::string_view head = input.peek(kLookAhead);
  const std::optional<ProfileFileKind> kind = kind_of(head);
  if (!kind) throw FileError(input.name() + ": " + refusal(head));
  return *kind;
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

void OneAlphabet::check(const Profile& profile, const std::string& file) {
  if (first_.empty()) {
    kind_ = profile.alphabet;
    first_ = profile.name;
    return;
  }
  if (kind_ == profile.alphabet) return;
  const auto described = [](const std::string& name, AlphabetKind kind) {
    return "'" + name + "' (" + std::string(Alphabet::get(kind).name()) + ")";
  };
  throw FileError(file + ": profile " + described(profile.name, profile.alphabet) +
                  " has another alphabet than " + described(first_, kind_) +
                  " before it; expected one alphabet in a file");
}

}  // namespace gpuhmm
