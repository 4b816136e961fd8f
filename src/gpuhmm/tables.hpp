// Writes hits and descriptions of profiles as tables, one line each, and as JSON. Columns are described in
// docs/tables.md, keys in docs/json.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

enum class TableContent { Targets, Domains };  ///< one row per target (--tblout) or domain (--domtblout)
enum class TableLayout { Padded, Tabbed };

/// Content and layout of a table.
struct TableStyle {
  TableContent content = TableContent::Targets;
  TableLayout layout = TableLayout::Padded;
  ReportKind kind = ReportKind::Search;
};

/// The query, as the rows of a table show it.
struct TableQuery {
  std::string name, accession;  ///< of the profile (search) or the sequence (scan); empty = none
};

/// The rows of one query, and the head of the table in case these are its first rows.
struct TableText {
  std::string head, rows;
};

/// Makes the text of one query's rows on `threads` threads, exactly the hits of `reported` in its order.
/// `ranked` holds all registered hits of the query, from which a target's best domain and bias are taken.
/// Throws std::logic_error if two targets have the same target_index.
TableText make_table_text(const TableStyle& style, const TableQuery& query, const HitLists& ranked,
                          const HitLists& reported, double database_size, unsigned threads = 1);

/// Writes one table with the hits of any number of queries: any number of add() calls, then finish() once.
/// The first call writes the head.
class TableWriter {
 public:
  /// `continued`: the rows follow those of another table of this style, with the same head if it is tabbed.
  TableWriter(TextSink out, const TableStyle& style, bool continued = false);
  const TableStyle& style() const { return style_; }

  /// Writes the rows of one query, made by make_table_text in the same style.
  void add(const TableText& text);

  /// Writes the closing comment lines: `version` of gpuhmm and the files. A tabbed table has none.
  void finish(std::string_view version, std::string_view query_file, std::string_view target_file);

 private:
  TextSink out_;
  TableStyle style_;
  bool begun_ = false;
};

/// A table of profiles. Collects its lines first, since the padded layout is as wide as the longest names.
class ProfileTable {
 public:
  explicit ProfileTable(TableLayout layout);
  ~ProfileTable();

  void add(const Profile& profile);
  /// Writes head and lines.
  void write(const TextSink& out) const;

 private:
  struct Rows;

  TableLayout layout_;
  std::unique_ptr<Rows> rows_;
};

/// Writes one JSON object on one line; `number` is the profile's place in its file, from 1. Absent values are
/// null.
void write_profile_json(const TextSink& out, std::int64_t number, const Profile& profile);

/// The query, as the JSON objects show it.
struct JsonQuery {
  std::string name, accession, description;  ///< of the profile (search) or the sequence (scan); empty = none
  std::int64_t length = 0;                   ///< nodes or residues
};

/// Writes one line for each target of `reported`, in its order, with the target's reported domains. Bytes
/// that are not valid UTF-8 are replaced. Throws std::logic_error if two targets have the same target_index.
void write_json_hits(const TextSink& out, ReportKind kind, const JsonQuery& query, const HitLists& reported,
                     double database_size);

}  // namespace gpuhmm
