// Counts and samples profiles and sequences.
#include "cli/commands/plan_inputs.hpp"

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/profile_source.hpp"
#include "cli/commands/run_request.hpp"
#include "gpuhmm/alphabet.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::cli {

namespace {

// Of records that are held.
constexpr std::size_t kMostProfileBytes = std::size_t{256} << 20, kMostSequenceBytes = std::size_t{160} << 20;

// The number on a line of a profile, such as "LENG  42".
std::optional<std::uint64_t> length_in(std::string_view line) {
  constexpr std::string_view kTag = "LENG";
  if (!line.starts_with(kTag)) return std::nullopt;
  const std::size_t digits = line.find_first_of("0123456789");
  if (digits == std::string_view::npos) return std::nullopt;
  std::uint64_t length = 0;
  const std::string_view rest = line.substr(digits);
  std::from_chars(rest.data(), rest.data() + rest.size(), length);
  return length;
}

RunInput held(const std::string& path, std::string text) {
  HeldInput input;
  input.sequences.bytes = std::make_shared<const std::string>(std::move(text));
  return {path, std::make_shared<const HeldInput>(std::move(input))};
}

AlphabetKind alphabet_of_first(ProfileSource& source) {
  ProfileSections sections = source.sections();
  if (sections.generation() == hmmer3::Generation::Hmmer3) {
    const auto profile = sections.hmmer3().next();
    return profile ? profile->alphabet : AlphabetKind::Hmmer3Amino;
  }
  const auto profile = sections.hmmer2().next();
  return profile ? profile->alphabet : AlphabetKind::Amino;
}

RecordSample::Chosen chosen_of(const RecordSample& sample, double records, double size) {
  return records > 0 ? sample.choose_records(static_cast<std::uint64_t>(records)) : sample.choose(size);
}

// What is known of a whole of which this part was read.
double of_whole(std::uint64_t part, double fraction) { return static_cast<double>(part) / fraction; }

}  // namespace

PlanInputs::PlanInputs(const Arguments& arguments, ReportKind kind, const RunContext& context, double seconds)
    : profile_file_(context.profiles),
      sequence_file_(context.sequences),
      profiles_(kMostProfileBytes),
      sequences_(kMostSequenceBytes) {
  read_profiles(seconds);
  read_sequences(arguments, context, kind, seconds);
}

void PlanInputs::read_profiles(double seconds) {
  std::error_code error;
  std::unique_ptr<Input> input;
  if (is_reopenable(profile_file_.path)) input = std::make_unique<Input>(profile_file_.path);
  if (!input || !input->peek(5).starts_with("HMMER")) return count_binary_profiles();
  const double start = seconds_now();
  LineReader lines(*input);
  std::string record;
  std::uint64_t nodes = 0;
  for (std::string_view line; lines.next(line);) {
    if (profiles_.keeps_next()) record.append(line).append("\n");
    if (const auto length = length_in(line)) nodes = *length;
    if (!line.starts_with("//")) continue;
    profiles_.add(std::exchange(record, {}), std::exchange(nodes, 0));
    if (seconds_now() - start < seconds) continue;
    profiles_counted_ = false;
    break;
  }
  const double fraction = profiles_counted_ ? 1 : input->fraction_read().value_or(1);
  whole_.profiles = of_whole(profiles_.records(), fraction);
  whole_.nodes = of_whole(profiles_.size(), fraction);
}

// Binary files and pressed databases are read to the end.
void PlanInputs::count_binary_profiles() {
  profiles_fixed_ = true;
  Arguments none;
  none.positional = {profile_file_.path, ""};
  ProfileSource source(none, profile_file_);
  ProfileSections sections = source.sections();
  const auto add = [&](int nodes) {
    ++whole_.profiles;
    whole_.nodes += nodes;
  };
  if (sections.generation() == hmmer3::Generation::Hmmer3) {
    while (const auto profile = sections.hmmer3().next()) add(profile->nodes);
  } else {
    while (const auto profile = sections.hmmer2().next()) add(profile->nodes);
  }
}

void PlanInputs::read_sequences(const Arguments& arguments, const RunContext& context, ReportKind kind,
                                double seconds) {
  ProfileSource source(arguments, context.profiles);
  check_options(arguments, kind, source);
  const Alphabet& alphabet = Alphabet::get(alphabet_of_first(source));
  RunSequences sequences(arguments, context.sequences, source);
  const std::unique_ptr<SequenceReader> reader = sequences.source().open(alphabet);
  const double start = seconds_now();
  std::string record;
  for (SequenceBatch batch;; batch.clear()) {
    bool any = false;
    {
      const Stopwatch watch(reading_seconds_);
      any = reader->read(batch);
    }
    if (!any) break;
    const SequenceView sequence = batch[0];
    if (sequences_.keeps_next()) {
      record.assign(">").append(sequence.name).append(" ").append(sequence.description).append("\n");
      for (const std::uint8_t code : sequence.residues) record += alphabet.letter(code);
      record += '\n';
    }
    sequences_.add(record, sequence.residues.size());
    if (seconds_now() - start < seconds) continue;
    sequences_counted_ = false;
    break;
  }
  const double fraction = sequences_counted_ ? 1 : reader->fraction_read().value_or(1);
  whole_.sequences = of_whole(sequences_.records(), fraction);
  whole_.residues = of_whole(sequences_.size(), fraction);
  reading_seconds_ /= fraction;
}

PlanInputs::Sample PlanInputs::sample(const RunSize& wanted) const {
  Sample sample{profile_file_, sequence_file_, whole_};
  if (wanted.nodes < whole_.nodes) {
    RecordSample::Chosen chosen = chosen_of(profiles_, wanted.profiles, wanted.nodes);
    sample.profiles = held(profile_file_.path, std::move(chosen.text));
    sample.size.profiles = static_cast<double>(chosen.records);
    sample.size.nodes = static_cast<double>(chosen.size);
  }
  if (wanted.residues < whole_.residues) {
    RecordSample::Chosen chosen = chosen_of(sequences_, wanted.sequences, wanted.residues);
    sample.sequences = held(sequence_file_.path, std::move(chosen.text));
    sample.size.sequences = static_cast<double>(chosen.records);
    sample.size.residues = static_cast<double>(chosen.size);
  }
  return sample;
}

}  // namespace gpuhmm::cli
