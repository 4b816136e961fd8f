// Writes HMMER2.0 binary profiles (docs/spec/profile-format.md, 1.5).
#include <bit>
#include <optional>
#include <span>
#include <string>

#include "formats/profile/hmmer2_binary_layout.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

namespace {

/// Collects the bytes of one profile.
class Record {
 public:
  void word(std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(value >> shift & 0xffU);
  }
  void integer(std::int32_t value) { word(std::bit_cast<std::uint32_t>(value)); }
  void number(float value) { word(std::bit_cast<std::uint32_t>(value)); }
  void numbers(std::span<const float> values) {
    for (const float value : values) number(value);
  }
  void string(const std::optional<std::string>& text) {
    integer(text ? static_cast<std::int32_t>(text->size()) + 1 : 0);
    if (text) bytes_.append(*text).push_back('\0');
  }
  /// A padding byte and characters 1.. of a node annotation.
  void annotation(const std::string& text) { bytes_.append(1, '\0').append(text, 1); }
  void cutoff(const std::optional<ScoreCutoff>& cutoff) {
    if (!cutoff) return;
    number(cutoff->sequence);
    number(cutoff->domain);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::uint32_t flags_of(const Profile& profile) {
  std::uint32_t flags = binary_flag::kProbabilities;
  const auto set = [&flags](bool present, std::uint32_t flag) { flags |= present ? flag : 0U; };
  set(profile.description.has_value(), binary_flag::kDescription);
  set(!profile.rf.empty(), binary_flag::kRf);
  set(!profile.cs.empty(), binary_flag::kCs);
  set(profile.evd.has_value(), binary_flag::kEvd);
  set(!profile.map.empty(), binary_flag::kMap);
  set(profile.accession.has_value(), binary_flag::kAccession);
  set(profile.gathering.has_value(), binary_flag::kGathering);
  set(profile.trusted.has_value(), binary_flag::kTrusted);
  set(profile.noise.has_value(), binary_flag::kNoise);
  set(profile.accessibility, binary_flag::kAccessibility);
  return flags;
}

std::optional<std::string> joined_log(const Profile& profile) {
  if (profile.command_log.empty()) return std::nullopt;
  std::string log;
  for (const std::string& entry : profile.command_log) {
    if (&entry != &profile.command_log.front()) log += '\n';
    log += entry;
  }
  return log;
}

void write_annotation(Record& record, const Profile& profile) {
  record.string(profile.name);
  if (profile.accession) record.string(profile.accession);
  if (profile.description) record.string(profile.description);
  record.integer(profile.nodes);
  record.integer(profile.alphabet == AlphabetKind::Amino ? kBinaryAmino : kBinaryNucleic);
  if (!profile.rf.empty()) record.annotation(profile.rf);
  if (!profile.cs.empty()) record.annotation(profile.cs);
  for (const int column : profile.map) record.integer(column);
  record.string(joined_log(profile));
  record.integer(profile.sequence_count);
  record.string(profile.date);
  record.integer(profile.checksum);
  record.cutoff(profile.gathering);
  record.cutoff(profile.trusted);
  record.cutoff(profile.noise);
}

void write_numbers(Record& record, const Profile& profile) {
  const SpecialTransitions& s = profile.special;
  for (const float p : {s.n_move, s.n_loop, s.e_move, s.e_loop, s.c_move, s.c_loop, s.j_move, s.j_loop}) {
    record.number(p);
  }
  record.number(profile.null_loop);
  record.numbers(profile.null_emission);
  if (profile.evd) {
    record.number(profile.evd->mu);
    record.number(profile.evd->lambda);
  }
  record.number(profile.begin_delete);
  record.numbers(profile.begin);
  record.numbers(profile.end);
  const auto residues = static_cast<std::size_t>(profile.residues());
  const auto nodes = static_cast<std::size_t>(profile.nodes);
  record.numbers(std::span(profile.match).subspan(residues, nodes * residues));
  record.numbers(std::span(profile.insert).subspan(residues, (nodes - 1) * residues));
  for (std::size_t k = 1; k < nodes; ++k) {
    const Transitions& t = profile.transition[k];
    for (const float p : {t.mm, t.mi, t.md, t.im, t.ii, t.dm, t.dd}) record.number(p);
  }
}

}  // namespace

void write_hmmer2_binary(std::ostream& out, const Profile& profile) {
  Record record;
  record.word(kHmmer2Magic);
  record.word(flags_of(profile));
  write_annotation(record, profile);
  write_numbers(record, profile);
  out << record.bytes();
}

}  // namespace gpuhmm
