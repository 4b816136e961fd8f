// Reads HMMER3/a to HMMER3/f text profiles. The result is what HMMER 2.3.2 reads after HMMER 3.3.2's
// `hmmconvert -2`: all numbers go through HMMER2's integer fields (docs/spec/profile-format.md, 1.7).
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/profile/hmmer3_conversion.hpp"
#include "formats/profile/hmmer3_parser.hpp"
#include "formats/profile/hmmer3_record.hpp"
#include "formats/profile/record_reader.hpp"
#include "formats/profile/text_record.hpp"

namespace gpuhmm {

namespace {

/// Longest value of a header line: HMMER 2.3.2 reads lines of 511 characters, the value from the seventh on.
constexpr std::size_t kLongestValue = 511 - 6;

/// A header value as HMMER 2.3.2 reads it from a line of the converted file.
std::string value_as_read(std::string_view value) {
  return std::string(trim_end(value.substr(0, kLongestValue)));
}

std::optional<std::string> as_read(const std::optional<std::string>& value) {
  return value ? std::optional(value_as_read(*value)) : std::nullopt;
}

std::optional<ScoreCutoff> as_read(const std::optional<ScoreCutoff>& cutoff) {
  if (!cutoff) return std::nullopt;
  return ScoreCutoff{static_cast<float>(std::stod(hmmer3_cutoff(cutoff->sequence))),
                     static_cast<float>(std::stod(hmmer3_cutoff(cutoff->domain)))};
}

void copy_header(const Hmmer3Record& record, Profile& profile) {
  profile.name = value_as_read(record.name);
  profile.accession = as_read(record.accession);
  profile.description = as_read(record.description);
  profile.date = as_read(record.date);
  profile.alphabet = record.alphabet;
  profile.nodes = record.nodes;
  // A blank replaces the number in brackets of an entry.
  for (const std::string& command : record.commands)
    profile.command_log.push_back(value_as_read(" " + command));
  profile.sequence_count = record.sequence_count.value_or(0);
  profile.gathering = as_read(record.gathering);
  profile.trusted = as_read(record.trusted);
  profile.noise = as_read(record.noise);
}

/// Sets what all converted profiles share: HMMER3's null model and the glocal multi-hit style.
void configure(const Hmmer3Record& record, Profile& profile) {
  const Hmmer3SpecialScores scores = hmmer3_special_scores(record.alphabet);
  const float move = decode(scores.move, 1.0F);
  const float loop = decode(scores.loop, 1.0F);
  const float end = decode(scores.end, 1.0F);
  profile.special = {move, loop, end, end, move, loop, move, loop};
  profile.null_loop = loop / (loop + move);
  const auto uniform = static_cast<float>(1.0 / static_cast<double>(record.background().size()));
  for (const float g : record.background()) {
    profile.null_emission.push_back(decode(hmmer3_field(g, uniform), uniform));
  }
  profile.begin[1] = decode(record.begin_match, 1.0F);
  profile.end[profile.nodes] = 1.0F;
  const float main = decode(record.begin_main, 1.0F);
  const float deletion = decode(record.begin_delete, 1.0F);
  profile.begin_delete = deletion / (main + deletion);
}

/// Decodes the fields of nodes 1, 2, ... into a table that starts with node 0.
void decode_emissions(const std::vector<ScoreField>& fields, const std::vector<float>& null,
                      std::vector<float>& table) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    table[null.size() + i] = decode(fields[i], null[i % null.size()]);
  }
}

Profile profile_of(const Hmmer3Record& record) {
  Profile profile;
  copy_header(record, profile);
  size_tables(profile, !record.rf.empty(), !record.cs.empty(), !record.map.empty());
  configure(record, profile);
  decode_emissions(record.match, profile.null_emission, profile.match);
  decode_emissions(record.insert, profile.null_emission, profile.insert);
  for (int k = 1; k < profile.nodes; ++k) {
    const ScoreField* const fields = &record.transition[(k - 1) * Hmmer3Record::kTransitions];
    const auto probability = [&](std::size_t i) { return decode(fields[i], 1.0F); };
    profile.transition[k] = {probability(0), probability(1), probability(2), probability(3),
                             probability(4), probability(5), probability(6)};
  }
  if (!record.rf.empty()) profile.rf = " " + record.rf;
  if (!record.cs.empty()) profile.cs = " " + record.cs;
  std::copy(record.map.begin(), record.map.end(),
            profile.map.empty() ? profile.map.end() : profile.map.begin() + 1);
  return profile;
}

class Hmmer3TextReader final : public RecordReader {
 public:
  explicit Hmmer3TextReader(Input& input) : parser_(input, Hmmer3Rules::Strict) {}

  std::uint64_t position() const override { return parser_.lines().consumed(); }
  void stop_at_other() override { parser_.stop_at_hmmer2(); }
  bool other_follows() const override { return parser_.hmmer2_follows(); }
  void put_back() override { parser_.lines().put_back(); }

  std::optional<Profile> next() override {
    std::optional<hmmer3::Profile> read = parser_.next();
    if (!read) return std::nullopt;
    record_.emplace(std::move(*read));
    Profile profile = profile_of(*record_);
    finish(parser_.lines(), profile);
    return profile;
  }

  void write_text(std::ostream& out, const Profile& /*profile*/) const override {
    write_converted_hmmer3(out, record_.value());
  }

 private:
  Hmmer3Parser parser_;
  std::optional<Hmmer3Record> record_;
};

}  // namespace

std::unique_ptr<RecordReader> make_hmmer3_text_reader(Input& input) {
  return std::make_unique<Hmmer3TextReader>(input);
}

}  // namespace gpuhmm
