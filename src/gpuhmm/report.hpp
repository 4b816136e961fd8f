// Writes the text reports of HMMER 2.3.2's hmmsearch and hmmpfam (docs/spec/reports.md), byte for byte from
// line 6 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/histogram.hpp"
#include "gpuhmm/hits.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

/// Number of dashes in the line below the settings of a run.
inline constexpr int kSettingsDashes = 32;

/// `count` dashes with spaces between them, and a newline.
std::string dashed_line(int count);

/// Writes the five banner lines: the program's title, HMMER's version with gpuhmm's, and gpuhmm's licence.
void write_hmmer2_banner(const TextSink& out, std::string_view title, std::string_view version);

/// The same for help pages, with HMMER's version and date in the second line, where other programs look for
/// them.
void write_hmmer2_help_banner(const TextSink& out, std::string_view title, std::string_view version);

/// The contents common to both reports. Hits are in registration order, with names as in their files: the
/// writers cut sequence names to 63 and descriptions to 127 bytes as HMMER's sequence reader does.
struct HitReport {
  Thresholds thresholds;  ///< as applied in the final report
  bool compat = false;    ///< --compat: old style of query lines
  std::vector<SequenceHit> sequences;
  std::vector<DomainHit> domains;
  double database_size = 0;                     ///< Z: E-value = P-value * Z
  std::optional<std::int64_t> alignment_limit;  ///< -A; 0 omits the section; nothing or negative: no limit
  bool alignments = true;                       ///< false omits the section
};

/// One hmmsearch run: one profile against all sequences.
struct SearchReport : HitReport {
  const Profile* profile = nullptr;  ///< never null when written
  std::string profile_file, sequence_file;
  ScoreHistogram scores;  ///< of all sequences scored
  bool histogram = true;  ///< false omits the section
  std::int64_t sequences_searched = 0;
};

/// One query of an hmmpfam run: one sequence against all profiles. `thresholds` comes from
/// scan_report_thresholds.
struct ScanReport : HitReport {
  std::string query_name, query_accession, query_description;  ///< empty = none
  bool show_accessions = false;                                ///< --acc
};

/// Bytes to which HMMER's reader cuts a name or accession.
inline constexpr std::size_t kHmmer2NameBytes = 63;

/// Name, accession and description of a sequence as HMMER's reader keeps them: at most 63, 63 and 127 bytes,
/// and empty if they begin with '-'.
std::string_view hmmer2_sequence_name(std::string_view name);
std::string_view hmmer2_sequence_accession(std::string_view accession);
std::string_view hmmer2_sequence_description(std::string_view description);

/// Writes the five banner lines. Line 1 and the first two words of line 2 are HMMER's; the rest names gpuhmm,
/// its version and its licence.
void write_hmmer2_banner(const TextSink& out, ReportKind kind, std::string_view version);

/// hmmsearch: writes files, thresholds and query. Uses only these members of `report`, so it can run before
/// the search.
void write_hmmsearch_header(const TextSink& out, const SearchReport& report);

/// hmmsearch: writes lists, alignments, histogram and trailer. Formats the lines of hits on `threads` threads
/// and calls `out` in this one. Throws std::logic_error if an alignment to be shown has no rows.
void write_hmmsearch_results(const TextSink& out, const SearchReport& report, unsigned threads = 1);

/// hmmpfam: writes the names of the two files, once per run.
void write_hmmpfam_header(const TextSink& out, std::string_view profile_file, std::string_view sequence_file);

/// hmmpfam: writes query lines, lists and alignments of one sequence, up to its `//` line; otherwise like
/// write_hmmsearch_results.
void write_hmmpfam_query(const TextSink& out, const ScanReport& report, unsigned threads = 1);

}  // namespace gpuhmm
