// Reader of HMMER2.0 binary profiles in either byte order (docs/spec/profile-format.md, 1.5).
#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/profile/hmmer2_binary_layout.hpp"
#include "formats/profile/profile_check.hpp"
#include "formats/profile/record_bytes.hpp"
#include "formats/profile/record_reader.hpp"

namespace gpuhmm {

namespace {

/// Upper limit of a string's length in bytes: keeps a damaged length from claiming memory.
constexpr std::int32_t kLongestString = 1 << 20;

class Hmmer2BinaryReader final : public RecordReader {
 public:
  explicit Hmmer2BinaryReader(Input& input) : bytes_(input) {}
  std::optional<Profile> next() override;
  std::uint64_t position() const override { return bytes_.consumed(); }

 private:
  void read_magic();
  std::uint32_t read_word();
  std::int32_t read_integer() { return std::bit_cast<std::int32_t>(read_word()); }
  float read_float() { return std::bit_cast<float>(read_word()); }
  void read_floats(std::span<float> values) {
    for (float& value : values) value = read_float();
  }
  /// Length including the final zero, bytes; length 0 stands for no string.
  std::optional<std::string> read_string(const char* what);
  std::string read_annotation(int nodes);
  ScoreCutoff read_cutoff();
  void read_description(Profile& profile, std::uint32_t flags);
  void read_history(Profile& profile, std::uint32_t flags);
  void read_numbers(Profile& profile, std::uint32_t flags);

  RecordBytes bytes_;
  std::optional<ByteOrder> order_;
};

std::optional<Profile> Hmmer2BinaryReader::next() {
  if (!bytes_.next_profile()) return std::nullopt;
  read_magic();
  const std::uint32_t flags = read_word();
  if ((flags & binary_flag::kProbabilities) == 0) bytes_.fail("the profile has no probabilities");
  Profile profile;
  read_description(profile, flags);
  read_history(profile, flags);
  read_numbers(profile, flags);
  if (const std::string fault = profile_fault(profile); !fault.empty()) {
    bytes_.fail("profile '" + profile.name + "' that ends here cannot be used: " + fault);
  }
  return profile;
}

void Hmmer2BinaryReader::read_magic() {
  char magic[4];
  bytes_.read(magic, sizeof magic);
  const std::optional<ByteOrder> order = binary_profile_order({magic, sizeof magic});
  if (!order || (order_ && *order_ != *order)) {
    bytes_.fail("expected the next profile, in the same byte order, or the end of the file");
  }
  order_ = order;
}

std::uint32_t Hmmer2BinaryReader::read_word() {
  char word[4];
  bytes_.read(word, sizeof word);
  return decode_word(word, *order_);
}

std::optional<std::string> Hmmer2BinaryReader::read_string(const char* what) {
  const std::int32_t size = read_integer();
  if (size < 0 || size > kLongestString) {
    bytes_.fail(std::string("the length of the ") + what + " is " + std::to_string(size) +
                "; expected 0 to " + std::to_string(kLongestString));
  }
  if (size == 0) return std::nullopt;
  std::string text(static_cast<std::size_t>(size), '\0');
  bytes_.read(text.data(), text.size());
  if (text.find('\0') != text.size() - 1) {
    bytes_.fail(std::string("the ") + what + " does not end with its only zero byte");
  }
  text.pop_back();
  return text;
}

std::string Hmmer2BinaryReader::read_annotation(int nodes) {
  std::string annotation(static_cast<std::size_t>(nodes) + 1, ' ');
  bytes_.read(annotation.data(), annotation.size());
  annotation[0] = ' ';  // padding, whatever it was
  return annotation;
}

ScoreCutoff Hmmer2BinaryReader::read_cutoff() {
  const float sequence = read_float();
  return {sequence, read_float()};
}

void Hmmer2BinaryReader::read_description(Profile& profile, std::uint32_t flags) {
  profile.name = read_string("name").value_or("");
  if (profile.name.empty()) bytes_.fail("the profile has no name");
  if (flags & binary_flag::kAccession) profile.accession = read_string("accession");
  if (flags & binary_flag::kDescription) profile.description = read_string("description");
  const std::int32_t nodes = read_integer();
  if (nodes < 1 || nodes > kLongestProfile) {
    bytes_.fail("the profile's length is " + std::to_string(nodes) + "; expected 1 to " +
                std::to_string(kLongestProfile) + " nodes");
  }
  const std::int32_t alphabet = read_integer();
  if (alphabet != kBinaryAmino && alphabet != kBinaryNucleic) {
    bytes_.fail("the alphabet is number " + std::to_string(alphabet) + "; expected 3 (amino) or 2 (nucleic)");
  }
  profile.alphabet = alphabet == kBinaryAmino ? AlphabetKind::Amino : AlphabetKind::Nucleic;
  if (flags & binary_flag::kRf) profile.rf = read_annotation(nodes);
  if (flags & binary_flag::kCs) profile.cs = read_annotation(nodes);
  profile.accessibility = (flags & binary_flag::kAccessibility) != 0;
  if (flags & binary_flag::kMap) {
    profile.map.resize(static_cast<std::size_t>(nodes) + 1);
    for (int& column : profile.map) column = read_integer();
    profile.map[0] = 0;  // padding
  }
  profile.resize(nodes);
}

void Hmmer2BinaryReader::read_history(Profile& profile, std::uint32_t flags) {
  if (const std::optional<std::string> log = read_string("command log")) {
    std::size_t start = 0;
    for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
      end = log->find('\n', start);
      profile.command_log.push_back(log->substr(start, end - start));
    }
  }
  profile.sequence_count = read_integer();
  profile.date = read_string("date");
  profile.checksum = read_integer();
  if (flags & binary_flag::kGathering) profile.gathering = read_cutoff();
  if (flags & binary_flag::kTrusted) profile.trusted = read_cutoff();
  if (flags & binary_flag::kNoise) profile.noise = read_cutoff();
}

void Hmmer2BinaryReader::read_numbers(Profile& profile, std::uint32_t flags) {
  SpecialTransitions& s = profile.special;
  for (float* const value :
       {&s.n_move, &s.n_loop, &s.e_move, &s.e_loop, &s.c_move, &s.c_loop, &s.j_move, &s.j_loop}) {
    *value = read_float();
  }
  profile.null_loop = read_float();
  const auto residues = static_cast<std::size_t>(profile.residues());
  profile.null_emission.resize(residues);
  read_floats(profile.null_emission);
  if (flags & binary_flag::kEvd) {
    const float mu = read_float();
    profile.evd = ExtremeValue{mu, read_float()};
  }
  profile.begin_delete = read_float();
  read_floats(profile.begin);
  read_floats(profile.end);
  profile.begin[0] = profile.end[0] = 0;  // padding
  const auto nodes = static_cast<std::size_t>(profile.nodes);
  read_floats(std::span(profile.match).subspan(residues, nodes * residues));
  read_floats(std::span(profile.insert).subspan(residues, (nodes - 1) * residues));
  for (std::size_t k = 1; k < nodes; ++k) {
    Transitions& t = profile.transition[k];
    for (float* const value : {&t.mm, &t.mi, &t.md, &t.im, &t.ii, &t.dm, &t.dd}) *value = read_float();
  }
}

}  // namespace

std::unique_ptr<RecordReader> make_hmmer2_binary_reader(Input& input) {
  return std::make_unique<Hmmer2BinaryReader>(input);
}

}  // namespace gpuhmm
