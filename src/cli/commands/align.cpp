// `gpuhmm align`: sequences aligned to a profile (hmmalign).
#include "gpuhmm/align.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/local_time.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/alignment.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/report.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(align PROFILE SEQUENCES
Align sequences to a profile (hmmalign)

Aligns every sequence of the file SEQUENCES to the profile in the file PROFILE
and writes the multiple alignment, as HMMER 2.3.2's hmmalign does. Each sequence
is aligned by its best path with one domain; letters in lower case are not
aligned to match states. Both files may be of any format that `gpuhmm search`
reads, gzipped, or '-' for standard input; SEQUENCES may be a prepared database.

With --mapali the rows of another alignment are added unchanged. It must be the
alignment that the profile was built from: the profile's map lists which of its
columns are match states. --withali adds any alignment and aligns its columns to
the profile.

examples:
gpuhmm align -q Pkinase.hmm kinases.fasta > kinases.sto
gpuhmm align -q --outformat a2m --mapali Pkinase.seed Pkinase.hmm new.fasta)";

OptionTable options() {
  OptionTable all("options");
  all.add("match-only,m", "show only residues aligned to match states, and '*' for the others");
  add_output_option(all, "write the alignment");
  add_message_options(all, "print nothing but the alignment");
  add_informat_option(all, "SEQUENCES");
  all.add("outformat", any_text("S", {"stockholm", "selex", "msf", "clustal", "phylip", "a2m"}, "stockholm"),
          "format of the alignment (also --format): stockholm, selex, msf, clustal, phylip or a2m");
  all.alias("format", "outformat");
  all.add("oneline", "Stockholm with one line per sequence, not in blocks");
  all.add("mapali", file("FILE", ValueKind::Alignments),
          "add the alignment in FILE that the profile was built from");
  all.add("withali", file("FILE", ValueKind::Alignments), "add the alignment in FILE, aligned as a whole");
  add_cpu_option(all);
  return all;
}

// The alignment format of that name. Throws UsageError.
SequenceFormat output_format_named(const std::string& name) {
  const std::optional<SequenceFormat> format = alignment_format_from_name(name);
  if (!format) {
    throw UsageError("alignments cannot be written as '" + name + "': expected " + alignment_format_names());
  }
  return *format;
}

// One alignment of sequences to a profile.
struct AlignRequest {
  std::string profiles;                  // path of the profile
  std::string sequences;                 // path
  std::optional<SequenceFormat> format;  // of the sequences; absent: detected from the content
  std::optional<std::string> output;     // path of the alignment; absent: standard output
  SequenceFormat output_format = SequenceFormat::Stockholm;
  std::optional<std::string> mapped_alignment;  // path of an alignment to add by the profile's map
  std::optional<std::string> fixed_alignment;   // path of an alignment to add and align as a whole
  bool matches_only = false;
  unsigned threads = 1;
  bool drop_in = false;  // hmmalign accepts several profiles, of which it uses the first, and empty files
};

AlignRequest request_from(const Arguments& arguments) {
  AlignRequest request;
  request.profiles = arguments.positional[0];
  request.sequences = arguments.positional[1];
  request.format = informat_from(arguments);
  request.output = output_file_from(arguments);
  request.output_format = output_format_named(arguments.get("outformat"));
  request.mapped_alignment = arguments.text("mapali");
  request.fixed_alignment = arguments.text("withali");
  const std::array inputs = {request.profiles, request.sequences, request.mapped_alignment.value_or(""),
                             request.fixed_alignment.value_or("")};
  if (std::ranges::count(inputs, "-") > 1) throw UsageError("only one file can be standard input");
  request.matches_only = arguments.has("match-only");
  request.threads = threads_from(arguments);
  request.drop_in = arguments.drop_in;
  return request;
}

Profile read_profile(const AlignRequest& request) {
  ProfileReader reader(locate_file(request.profiles, "HMMERDB"));
  std::optional<Profile> profile = reader.next();
  if (!profile) throw FileError(reader.name() + ": has no profiles; expected one");
  if (!request.drop_in && reader.next()) {
    throw FileError(reader.name() + ": has several profiles; expected one (`gpuhmm fetch` extracts one)");
  }
  return *std::move(profile);
}

/// Limits of one run (docs/limits.md).
constexpr std::size_t kMostSequences = std::size_t{1} << 24, kMostResidues = std::size_t{1} << 30;

SequenceBatch read_sequences(const AlignRequest& request, AlphabetKind alphabet) {
  SequenceBatch sequences;
  const SequenceSource source(request.sequences, request.format, request.threads,
                              request.drop_in ? EmptyInput::Allowed : EmptyInput::Refused);
  const auto reader = source.open(Alphabet::get(alphabet));
  while (reader->read(sequences)) {
    if (sequences.size() > kMostSequences || sequences.residue_count() > kMostResidues) {
      throw FileError(reader->name() + ": more than " + std::to_string(kMostSequences) + " sequences or " +
                      std::to_string(kMostResidues) +
                      " residues; expected fewer, since all are aligned at once");
    }
  }
  return sequences;
}

/// A row without its text, with names truncated where HMMER truncates them.
AlignmentRow named_row(std::string_view name, std::string_view accession, std::string_view description) {
  return {std::string(name.substr(0, kHmmer2NameBytes)),
          std::string(hmmer2_sequence_accession(accession)),
          std::string(hmmer2_sequence_description(description)),
          {}};
}

/// The profile's map of alignment columns. Throws FileError unless the profile was built from this alignment.
const std::vector<int>& checked_map(const std::string& path, const Alignment& alignment,
                                    const Profile& profile) {
  if (profile.map.empty()) {
    throw FileError("profile " + profile.name + " has no map of alignment columns (MAP); --mapali needs one");
  }
  const int checksum = gcg_checksum(alignment.rows());
  if (checksum != profile.checksum) {
    throw FileError(path + ": its checksum is " + std::to_string(checksum) + "; expected " +
                    std::to_string(profile.checksum) + " of the alignment that profile " + profile.name +
                    " was built from");
  }
  return profile.map;
}

std::vector<int> map_as_a_whole(const std::string& path, const Alignment& alignment, const Profile& profile) {
  std::vector<WeightedRow> rows;
  float total = 0;
  const bool weighted = alignment.rows().front().weight.has_value();
  for (const AlignmentRow& row : alignment.rows()) {
    if (row.weight.has_value() != weighted) {
      throw FileError(path + ": row " + row.name + (weighted ? " has no weight" : " has a weight") +
                      ", unlike those before it; expected weights of all rows or none");
    }
    rows.push_back({row.text, row.weight.value_or(1.0F)});
    total += rows.back().weight;
  }
  if (!(total > 0)) throw FileError(path + ": the weights of all rows are 0");
  return map_to_profile(profile, rows);
}

/// Appends the rows of another alignment to `rows` and `names`. `map` assigns its columns to match states.
void append_alignment(const std::string& path, const Alignment& alignment, const std::vector<int>& map,
                      const Profile& profile, std::vector<ProfileRow>& rows,
                      std::vector<AlignmentRow>& names) {
  try {
    for (const AlignmentRow& row : alignment.rows()) {
      rows.push_back(profile_row(Alphabet::get(profile.alphabet), map, row.text));
      names.push_back(named_row(row.name, row.accession, row.description));
    }
  } catch (const std::invalid_argument& error) {
    throw FileError(path + ": " + error.what());
  }
}

MultipleAlignment make_alignment(const AlignRequest& request, const Profile& profile,
                                 const SequenceBatch& sequences) {
  MultipleAlignment alignment;
  alignment.author = "HMMER 2.3.2";
  std::vector<ProfileRow> others;
  std::vector<AlignmentRow> other_names;
  if (request.mapped_alignment) {
    const Alignment other = read_alignment(*request.mapped_alignment);
    append_alignment(*request.mapped_alignment, other, checked_map(*request.mapped_alignment, other, profile),
                     profile, others, other_names);
  }
  if (request.fixed_alignment) {
    const Alignment other = read_alignment(*request.fixed_alignment);
    append_alignment(*request.fixed_alignment, other,
                     map_as_a_whole(*request.fixed_alignment, other, profile), profile, others, other_names);
  }
  std::vector<ProfileRow> rows = align_to_profile(profile, sequences, request.threads);
  std::move(others.begin(), others.end(), std::back_inserter(rows));
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const SequenceView sequence = sequences[i];
    alignment.rows.push_back(named_row(sequence.name, sequence.accession, sequence.description));
  }
  std::move(other_names.begin(), other_names.end(), std::back_inserter(alignment.rows));

  constexpr std::size_t kRowsAtOnce = 64;
  ProfileColumns columns(profile.nodes, request.matches_only ? InsertStyle::Marks : InsertStyle::Letters);
  for (const ProfileRow& row : rows) columns.widen(row);
  parallel_for(request.threads, rows.size(), kRowsAtOnce, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) alignment.rows[i].text = columns.spread(rows[i]);
  });
  alignment.reference = columns.reference();
  return alignment;
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const AlignRequest request = request_from(arguments);
  const std::string report_to = request.output ? report_path(*request.output) : "-";
  FileRoles files;
  files.reads(locate_file(request.profiles, "HMMERDB")).reads(request.sequences);
  files.reads(request.mapped_alignment).reads(request.fixed_alignment);
  files.writes(request.output).writes(report_to);
  const Profile profile = read_profile(request);
  const SequenceBatch sequences = read_sequences(request, profile.alphabet);
  OutputFile report(report_to);
  OutputFile file(request.output.value_or("/dev/null"));
  const TextSink print = sink_of(report);
  if (!arguments.has("quiet")) {
    write_hmmer2_banner(print, "hmmalign - align sequences to an HMM profile", GPUHMM_VERSION);
    print("HMM file:             " + request.profiles + "\nSequence file:        " + request.sequences +
          "\n" + dashed_line(kSettingsDashes) + "\n");
  }
  const MultipleAlignment alignment = make_alignment(request, profile, sequences);
  if (!request.drop_in) {  // HMMER has no such warning
    const std::string& name = request.sequences == "-" ? "standard input" : request.sequences;
    const auto warning = alphabet_warning(sequences, profile.alphabet, name);
    if (warning) warn(*warning);
  }
  const AlignmentStyle style{request.output_format, arguments.has("oneline"),
                             local_time_text("%B %d, %Y %H:%M")};
  write_alignment(request.output ? sink_of(file) : print, alignment, style);
  file.finish();
  if (request.output) print("Alignment saved in file " + *request.output + "\n");
  report.commit();
  file.commit();
  statistics.count("sequences", sequences.size());
  statistics.count("residues", sequences.residue_count());
  statistics.print();
}

}  // namespace

Command align_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
