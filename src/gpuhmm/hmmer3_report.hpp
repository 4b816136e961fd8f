// What HMMER 3.3.2's hmmsearch and hmmscan write of their hits: report, tables and alignment, byte for byte
// but for the lines that name the program (docs/spec/hmmer3/reports.md; hmmscan.md, 1). Also the same hits as
// JSON (docs/json.md).
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/hmmer3_hits.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm::hmmer3 {

/// An option as it was given: its name with dashes, in full ("-E", "--domE"), and its value as it stood
/// there.
struct GivenOption {
  std::string name;
  std::string value = {};
};

/// What a run was asked to do. In a search the query is the profile file, in a scan the sequence file.
struct RunDescription {
  ReportKind kind = ReportKind::Search;
  std::string program;                  ///< its name as it was called
  std::string query_file, target_file;  ///< as given
  std::vector<GivenOption> options;     ///< in any order, those of the environment included
};

/// The profile of a search or the sequence of a scan. Accession and description are empty if there is none.
struct Query {
  std::string name, accession, description;
  std::int64_t length = 0;  ///< nodes or residues
};

/// How a report looks.
struct ReportStyle {
  ReportKind kind = ReportKind::Search;
  std::optional<int> width = 120;  ///< --textw: bytes of a line, at least 120; none with --notextw
  bool alignments = true;          ///< false: --noali
  bool accessions = false;         ///< --acc: in place of names where there are any
};

/// Seconds that the search of one query took.
struct QueryTimes {
  double user = 0, system = 0;  ///< of processors
  double elapsed = 0;
};

/// Titles of HMMER3's programs: the text of line 1.
inline constexpr std::string_view kSearchTitle = "hmmsearch :: search profile(s) against a sequence database",
                                  kScanTitle = "hmmscan :: search sequence(s) against a profile database",
                                  kPressTitle =
                                      "hmmpress :: prepare an HMM database for faster hmmscan searches";

/// Writes lines 1 to 5. What programs look for in lines 1 and 2 is HMMER's, the rest names gpuhmm of
/// version `version` and its licence.
void write_banner(const TextSink& out, ReportKind kind, std::string_view version);

/// The five lines for help pages, with HMMER's version and date in the second, where other programs look for
/// them.
void write_help_banner(const TextSink& out, std::string_view title, std::string_view version);

/// Writes files and options in use, from line 6 to the empty line. Throws std::logic_error if an option is
/// not one of the program's.
void write_header(const TextSink& out, const RunDescription& run);

/// Writes the lines that name the query. They can be written before its search.
void write_query(const TextSink& out, ReportKind kind, const Query& query);

/// Writes scores, domains, alignments and statistics of one query, up to its `//` line. `options` are those
/// of the search that gave `result`.
void write_results(const TextSink& out, const ReportStyle& style, const Query& query,
                   const QueryResult& result, const Options& options, const QueryTimes& times);

/// Writes the line after `//` that says what write_included_domains, which gave `aligned`, wrote to `path`.
void write_included_note(const TextSink& out, std::int64_t aligned, std::string_view path);

/// Writes the last line of a report.
void write_end(const TextSink& out);

/// Makes the text of one query's rows. The padded layout is HMMER's, to be followed by
/// write_table_tail; TableWriter::add puts the head before the first rows. The tab-separated layout is that
/// of HMMER2's results.
TableText make_table_text(const TableStyle& style, const Query& query, const QueryResult& result);

/// Makes the rows of one query in the table of --pfamtblout, with the heads that stand above those of every
/// query.
std::string make_pfam_table_text(const QueryResult& result, const Options& options);

/// Writes the closing lines of a padded table or, with `pfam`, of that of --pfamtblout. `date` is as ctime()
/// has it, without the end of the line.
void write_table_tail(const TextSink& out, const RunDescription& run, bool pfam, std::string_view directory,
                      std::string_view date);

/// A domain that is to be aligned has a gap character of the sequence file among its residues, which HMMER
/// cannot align (docs/spec/hmmer3/reports.md, 8).
class GapInDomain : public std::runtime_error {
 public:
  GapInDomain(std::string target_name, std::string query_name);

  const std::string& target() const { return target_; }
  const std::string& query() const { return query_; }

 private:
  std::string target_, query_;
};

/// Writes the included domains of a search as a Stockholm alignment, in blocks of 200 columns or, with
/// `one_block`, unbroken. Returns how many there are; of none it writes nothing. Throws GapInDomain before it
/// writes anything.
std::int64_t write_included_domains(const TextSink& out, const Query& query, const QueryResult& result,
                                    bool one_block);

/// Writes one line for each reported target with its reported domains, with `alignments` or without. Bytes
/// that are not valid UTF-8 are replaced.
void write_json_hits(const TextSink& out, ReportKind kind, const Query& query, const QueryResult& result,
                     bool alignments = true);

}  // namespace gpuhmm::hmmer3
