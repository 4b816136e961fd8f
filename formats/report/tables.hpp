// Tables of hits a line each: the space-padded layouts of HMMER 3's --tblout and --domtblout, and the same
// columns separated by tabs. Columns are described in docs/tables.md.
#pragma once

#include <string>

#include "formats/report/text_sink.hpp"
#include "plan7/hits.hpp"
#include "plan7/reporting.hpp"

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

}  // namespace gpuhmm
