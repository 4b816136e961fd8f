// Hits and descriptions of profiles as tables, a line each, and as JSON. Columns are described in
// docs/tables.md, keys in docs/json.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gpuhmm/hits.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile.hpp"

namespace gpuhmm {

enum class TableContent { Targets, Domains };  ///< one row a target (--tblout) or a domain (--domtblout)
enum class TableLayout { Padded, Tabbed };

/// What a table is.
struct TableStyle {
  TableContent content = TableContent::Targets;
  TableLayout layout = TableLayout::Padded;
  ReportKind kind = ReportKind::Search;
};

/// What a table says about the query of the rows being written.
struct TableQuery {
  std::string name, accession;  ///< of the profile (search) or the sequence (scan); empty = none
};

/// The rows of one query, and the head that the table has if these rows are its first.
struct TableText {
  std::string head, rows;
};

/// Makes the text of one query's rows: exactly the hits in `reported`, in its order. `ranked` holds all
/// registered hits of the query, of which a target's best domain and bias are taken. Throws std::logic_error
/// if two targets have the same target_index.
TableText make_table_text(const TableStyle& style, const TableQuery& query, const HitLists& ranked,
                          const HitLists& reported, double database_size);

/// Writes one table, which may hold the hits of many queries: any number of add() calls, then finish() once.
/// The head of the table is written with the first of these calls.
class TableWriter {
 public:
  TableWriter(TextSink out, const TableStyle& style);
  const TableStyle& style() const { return style_; }

  /// Adds the rows of one query, made by make_table_text in the same style.
  void add(const TableText& text);

  /// Writes the closing comment lines: `version` of gpuhmm and the files. A tab-separated table has none.
  void finish(std::string_view version, std::string_view query_file, std::string_view target_file);

 private:
  TextSink out_;
  TableStyle style_;
  bool begun_ = false;
};

/// Collects the lines of a table, since the padded layout is as wide as its longest names.
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

/// One object on one line; `number` is the profile's place in its file, from 1. What a profile does not have
/// is null.
void write_profile_json(const TextSink& out, std::int64_t number, const Profile& profile);

/// What the objects say about the query.
struct JsonQuery {
  std::string name, accession, description;  ///< of the profile (search) or the sequence (scan); empty = none
  std::int64_t length = 0;                   ///< nodes or residues
};

/// Writes one line for each target in `reported`, in its order, with the reported domains of that target.
/// Bytes that are not valid UTF-8 are replaced. Throws std::logic_error if two targets have the same
/// target_index.
void write_json_hits(const TextSink& out, ReportKind kind, const JsonQuery& query, const HitLists& reported,
                     double database_size);

}  // namespace gpuhmm
