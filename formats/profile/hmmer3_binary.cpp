// Reader and writer of binary HMMER3 profiles.
#include "formats/profile/hmmer3_binary.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "formats/profile/hmmer2_binary_layout.hpp"
#include "formats/profile/hmmer3_parser.hpp"
#include "formats/profile/record_reader.hpp"

namespace gpuhmm {

namespace {

/// First words of the formats 3/a to 3/f.
constexpr std::array<std::uint32_t, 6> kMagics = {0xe8ededb6, 0xe8ededb7, 0xe8ededb8,
                                                  0xe8ededb9, 0xe8ededb0, 0xe8ededba};

/// Upper limit of a string's length in bytes: keeps a damaged length from claiming memory.
constexpr std::int32_t kLongestText = 1 << 24;

/// Bits of the flag word: which optional items are there. Others have HMMER2's places.
constexpr std::uint32_t kStatistics = binary_flag::kEvd;
constexpr std::uint32_t kAccessibility = 1U << 13, kComposition = 1U << 14, kChecksum = 1U << 15,
                        kConsensus = 1U << 16, kMask = 1U << 17;

constexpr std::array<AlphabetKind, 3> kAlphabets = {AlphabetKind::Hmmer3Rna, AlphabetKind::Hmmer3Dna,
                                                    AlphabetKind::Hmmer3Amino};  // numbers 1 to 3

/// A string with its zero behind its size; size 0 if there is none.
void add_sized(Hmmer3Bytes& out, const std::optional<std::string>& value) {
  if (!value || value->empty()) {
    out.integer(0);
  } else {
    out.integer(static_cast<std::int32_t>(value->size()) + 1).text(*value);
  }
}

std::uint32_t flags_of(const hmmer3::Profile& p) {
  using namespace binary_flag;
  const auto bit = [](bool present, std::uint32_t flag) { return present ? flag : 0; };
  return bit(p.accession.has_value(), kAccession) | bit(p.description.has_value(), kDescription) |
         bit(!p.rf.empty(), kRf) | bit(!p.mm.empty(), kMask) | bit(!p.consensus.empty(), kConsensus) |
         bit(!p.cs.empty(), kCs) | bit(!p.map.empty(), kMap) | bit(p.gathering.has_value(), kGathering) |
         bit(p.trusted.has_value(), kTrusted) | bit(p.noise.has_value(), kNoise) |
         bit(p.composition.has_value(), kComposition) | bit(p.checksum.has_value(), kChecksum) |
         bit(p.statistics.calibrated(), kStatistics);
}

std::optional<std::string> joined(const std::vector<std::string>& commands) {
  if (commands.empty()) return std::nullopt;
  std::string all = commands.front();
  for (std::size_t i = 1; i < commands.size(); ++i) all += "\n" + commands[i];
  return all;
}

}  // namespace

std::optional<char> hmmer3_binary_version(std::string_view head) {
  if (head.size() < 4) return std::nullopt;
  const std::uint32_t magic = decode_word(head.data(), ByteOrder::Little);
  for (std::size_t i = 0; i < kMagics.size(); ++i) {
    if (magic == kMagics[i]) return static_cast<char>('a' + i);
  }
  return std::nullopt;
}

std::int32_t hmmer3_alphabet_number(AlphabetKind alphabet) {
  std::int32_t number = 1;
  while (kAlphabets[number - 1] != alphabet) ++number;
  return number;
}

std::optional<AlphabetKind> hmmer3_alphabet_of(std::int32_t number) {
  if (number < 1 || static_cast<std::size_t>(number) > kAlphabets.size()) return std::nullopt;
  return kAlphabets[number - 1];
}

Hmmer3Bytes& Hmmer3Bytes::number(std::uint64_t value, std::size_t size) {
  for (; size > 0; --size, value >>= 8) bytes_ += static_cast<char>(value & 0xff);
  return *this;
}

Hmmer3Bytes& Hmmer3Bytes::real(float value) { return word(std::bit_cast<std::uint32_t>(value)); }

Hmmer3Bytes& Hmmer3Bytes::text(std::string_view value) {
  bytes_.append(value) += '\0';
  return *this;
}

Hmmer3Bytes& Hmmer3Bytes::statistics(const hmmer3::Statistics& s) {
  return real(s.msv_mu)
      .real(s.msv_lambda)
      .real(s.viterbi_mu)
      .real(s.viterbi_lambda)
      .real(s.forward_tau)
      .real(s.forward_lambda);
}

Hmmer3Bytes& Hmmer3Bytes::cutoffs(const hmmer3::Profile& profile) {
  for (const auto* cutoff : {&profile.gathering, &profile.trusted, &profile.noise}) {
    const hmmer3::Cutoff bits = cutoff->value_or(hmmer3::Cutoff{hmmer3::kUnset, hmmer3::kUnset});
    real(bits.sequence).real(bits.domain);
  }
  return *this;
}

std::string hmmer3_binary(const hmmer3::Profile& profile) {
  Hmmer3Bytes out;
  out.word(kMagics.back()).word(flags_of(profile)).integer(profile.nodes);
  out.integer(hmmer3_alphabet_number(profile.alphabet));
  const auto residues = static_cast<std::size_t>(profile.residues());
  for (std::size_t i = residues; i < profile.match.size(); ++i) out.real(profile.match[i]);
  for (const float p : profile.insert) out.real(p);
  for (const auto& transitions : profile.transition) {
    for (const float p : transitions) out.real(p);
  }
  add_sized(out, profile.name);
  if (profile.accession) add_sized(out, profile.accession);
  if (profile.description) add_sized(out, profile.description);
  for (const std::string* line : {&profile.rf, &profile.mm, &profile.consensus, &profile.cs}) {
    if (!line->empty()) out.text(*line);
  }
  add_sized(out, joined(profile.commands));
  out.integer(profile.sequence_count.value_or(-1)).real(profile.effective_count.value_or(-1.0F));
  out.integer(profile.max_length.value_or(-1));
  add_sized(out, profile.date);
  for (const std::int32_t column : profile.map) out.integer(column);
  out.word(profile.checksum.value_or(0)).statistics(profile.statistics).cutoffs(profile);
  for (const float p : profile.composition.value_or(std::vector<float>{})) out.real(p);
  return out.bytes();
}

std::optional<hmmer3::Profile> Hmmer3BinaryParser::next() {
  if (!bytes_.next_profile()) return std::nullopt;
  std::array<char, 4> magic;
  if (bytes_.read_some(magic.data(), magic.size()) < magic.size()) return std::nullopt;
  const std::optional<char> version = hmmer3_binary_version({magic.data(), magic.size()});
  if (!version || (version_ != '\0' && version_ != *version)) {
    bytes_.fail("expected the next profile, of the same format, or the end of the file");
  }
  version_ = *version;
  const std::uint32_t flags = word();
  hmmer3::Profile profile;
  read_sizes(profile);
  const auto residues = static_cast<std::size_t>(profile.residues());
  reals(profile.match.data() + residues, profile.match.size() - residues);
  reals(profile.insert.data(), profile.insert.size());
  for (auto& transitions : profile.transition) reals(transitions.data(), transitions.size());
  profile.name = text("name").value_or("");
  if (profile.name.empty()) bytes_.fail("the profile has no name");
  if ((flags & binary_flag::kAccession) != 0) profile.accession = text("accession");
  if ((flags & binary_flag::kDescription) != 0) profile.description = text("description");
  read_annotation(profile, flags);
  if (version_ < 'e') derive_consensus(profile);  // HMMER3 does not use the one in the file
  read_provenance(profile, flags);
  read_scores(profile, flags);
  return profile;
}

void Hmmer3BinaryParser::read_sizes(hmmer3::Profile& profile) {
  profile.nodes = integer();
  if (profile.nodes < 1 || profile.nodes > kLongestProfile) {
    bytes_.fail("the profile's length is " + std::to_string(profile.nodes) + "; expected 1 to " +
                std::to_string(kLongestProfile) + " nodes");
  }
  const std::int32_t number = integer();
  const std::optional<AlphabetKind> alphabet = hmmer3_alphabet_of(number);
  if (!alphabet) {
    bytes_.fail("the alphabet is number " + std::to_string(number) +
                "; expected 1 (RNA), 2 (DNA) or 3 (amino)");
  }
  profile.alphabet = *alphabet;
  const auto places = static_cast<std::size_t>(profile.nodes) + 1;
  const auto residues = static_cast<std::size_t>(profile.residues());
  profile.match.assign(places * residues, 0.0F);
  profile.insert.assign(places * residues, 0.0F);
  profile.transition.assign(places, {});
}

void Hmmer3BinaryParser::read_annotation(hmmer3::Profile& profile, std::uint32_t flags) {
  const auto line = [&](std::uint32_t flag) { return annotation(profile.nodes, (flags & flag) != 0); };
  profile.rf = line(binary_flag::kRf);
  profile.mm = line(kMask);
  profile.consensus = line(kConsensus);
  profile.cs = line(binary_flag::kCs);
  line(kAccessibility);
}

void Hmmer3BinaryParser::read_provenance(hmmer3::Profile& profile, std::uint32_t flags) {
  if (const std::optional<std::string> commands = text("command log")) {
    for (std::size_t start = 0, end = 0; end != std::string::npos; start = end + 1) {
      end = commands->find('\n', start);
      profile.commands.push_back(commands->substr(start, end - start));
    }
  }
  if (const std::int32_t count = integer(); count != -1) profile.sequence_count = count;
  if (const float count = real(); count != -1.0F) profile.effective_count = count;
  if (version_ >= 'c') {
    if (const std::int32_t length = integer(); length != -1) profile.max_length = length;
  }
  profile.date = text("date");
  if ((flags & binary_flag::kMap) != 0) {
    profile.map.resize(static_cast<std::size_t>(profile.nodes) + 1);
    for (std::int32_t& column : profile.map) column = integer();
  }
  const std::uint32_t checksum = word();
  if ((flags & kChecksum) != 0) profile.checksum = checksum;
}

void Hmmer3BinaryParser::read_scores(hmmer3::Profile& profile, std::uint32_t flags) {
  hmmer3::Statistics& s = profile.statistics;
  if (version_ == 'a') {
    s.msv_lambda = s.viterbi_lambda = s.forward_lambda = real();
    s.msv_mu = s.viterbi_mu = real();
    s.forward_tau = real();
  } else {
    for (float* const value :
         {&s.msv_mu, &s.msv_lambda, &s.viterbi_mu, &s.viterbi_lambda, &s.forward_tau, &s.forward_lambda}) {
      *value = real();
    }
  }
  const auto cutoff = [&](std::uint32_t flag, std::optional<hmmer3::Cutoff>& bits) {
    const float sequence = real();
    const float domain = real();
    if ((flags & flag) != 0) bits = hmmer3::Cutoff{sequence, domain};
  };
  cutoff(binary_flag::kGathering, profile.gathering);
  cutoff(binary_flag::kTrusted, profile.trusted);
  cutoff(binary_flag::kNoise, profile.noise);
  if ((flags & kComposition) == 0) return;
  profile.composition.emplace(static_cast<std::size_t>(profile.residues()));
  reals(profile.composition->data(), profile.composition->size());
}

std::uint32_t Hmmer3BinaryParser::word() {
  std::array<char, 4> bytes;
  bytes_.read(bytes.data(), bytes.size());
  return decode_word(bytes.data(), ByteOrder::Little);
}

std::int32_t Hmmer3BinaryParser::integer() { return std::bit_cast<std::int32_t>(word()); }
float Hmmer3BinaryParser::real() { return std::bit_cast<float>(word()); }

/// Probabilities.
void Hmmer3BinaryParser::reals(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = real();
    if (!std::isfinite(values[i]) || values[i] < 0) {
      bytes_.fail("a probability is " + std::to_string(values[i]) + "; expected zero or above");
    }
  }
}

/// The size counts the final zero; size 0 stands for no string.
std::optional<std::string> Hmmer3BinaryParser::text(const char* what) {
  const std::int32_t size = integer();
  if (size < 0 || size > kLongestText) {
    bytes_.fail(std::string("the length of the ") + what + " is " + std::to_string(size) +
                "; expected 0 to " + std::to_string(kLongestText));
  }
  if (size == 0) return std::nullopt;
  std::string value(static_cast<std::size_t>(size), '\0');
  bytes_.read(value.data(), value.size());
  if (value.find('\0') != value.size() - 1) {
    bytes_.fail(std::string("the ") + what + " does not end with its only zero byte");
  }
  value.pop_back();
  return value;
}

/// Of the nodes, with a blank before and a zero behind them.
std::string Hmmer3BinaryParser::annotation(int nodes, bool present) {
  if (!present) return "";
  std::string line(static_cast<std::size_t>(nodes) + 2, ' ');
  bytes_.read(line.data(), line.size());
  line.front() = ' ';
  line.pop_back();
  return line;
}

}  // namespace gpuhmm
