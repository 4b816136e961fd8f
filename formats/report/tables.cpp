// Writes the tables of hits: the content of their columns.
#include "gpuhmm/tables.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/report/table_layout.hpp"
#include "formats/report/target_hits.hpp"

namespace gpuhmm {
namespace {

using Rows = std::vector<TableRow>;

/// Registered hits by target_index.
using TargetsByIndex = std::unordered_map<std::uint64_t, TargetHits>;

/// HMMER2's domains have no posterior probabilities to average.
constexpr double kAccuracy = 1;

float total_bias(const std::vector<const DomainHit*>& domains) {
  float bias = 0;
  for (const DomainHit* domain : domains) bias += domain->bias;
  return bias;
}

Rows target_rows(TableLayout layout, const TableQuery& query, const TargetsByIndex& registered,
                 const HitLists& reported, double database_size) {
  Rows rows;
  for (const TargetHits& target : group_by_target(reported)) {
    if (!target.hit) continue;
    const SequenceHit& hit = *target.hit;
    const std::vector<const DomainHit*>& domains = registered.at(hit.target_index).domains;
    TableRow row(layout);
    row.name(hit.name);
    row.name(hit.accession);
    row.name(query.name);
    row.name(query.accession);
    row.evalue(hit.p_value * database_size);
    row.score(hit.score);
    row.score(total_bias(domains));
    if (domains.empty()) {
      constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
      row.evalue(kNone);
      row.score(kNone);
      row.score(kNone);
    } else {
      const DomainHit& best = **std::max_element(
          domains.begin(), domains.end(),
          [](const DomainHit* first, const DomainHit* second) { return first->score < second->score; });
      row.evalue(best.p_value * database_size);
      row.score(best.score);
      row.score(best.bias);
    }
    row.score(static_cast<float>(hit.domain_count));
    row.integer(hit.domain_count);
    row.integer(0);
    row.integer(0);
    row.integer(hit.domain_count);
    row.integer(hit.domain_count);
    row.integer(static_cast<std::int64_t>(target.domains.size()));
    row.integer(static_cast<std::int64_t>(target.domains.size()));
    row.description(hit.description);
    rows.push_back(std::move(row));
  }
  return rows;
}

Rows domain_rows(TableLayout layout, ReportKind kind, const TableQuery& query,
                 const TargetsByIndex& registered, const HitLists& reported, double database_size) {
  Rows rows;
  for (const TargetHits& target : group_by_target(reported)) {
    for (const DomainHit* hit : target.domains) {
      const std::int64_t profile_length = hit->profile_length;
      const bool is_search = kind == ReportKind::Search;
      const double evalue = hit->p_value * database_size;
      TableRow row(layout);
      row.name(hit->name);
      row.name(hit->accession);
      row.integer(is_search ? hit->sequence_length : profile_length);
      row.name(query.name);
      row.name(query.accession);
      row.integer(is_search ? profile_length : hit->sequence_length);
      row.evalue(hit->sequence_p_value * database_size);
      row.score(hit->sequence_score);
      row.score(total_bias(registered.at(hit->target_index).domains));
      row.integer(hit->number);
      row.integer(hit->count);
      row.evalue(evalue);
      row.evalue(evalue);
      row.score(hit->score);
      row.score(hit->bias);
      row.integer(hit->profile_from);
      row.integer(hit->profile_to);
      for (int coordinates = 0; coordinates < 2; ++coordinates) {
        row.integer(hit->sequence_from);
        row.integer(hit->sequence_to);
      }
      row.accuracy(kAccuracy);
      row.description(hit->description);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace

TableText make_table_text(const TableStyle& style, const TableQuery& query, const HitLists& ranked,
                          const HitLists& reported, double database_size) {
  TargetsByIndex registered;
  for (TargetHits& target : group_by_target(ranked)) {
    const std::uint64_t index = target.hit ? target.hit->target_index : target.domains.front()->target_index;
    registered.emplace(index, std::move(target));
  }
  const Rows rows = style.content == TableContent::Targets
                        ? target_rows(style.layout, query, registered, reported, database_size)
                        : domain_rows(style.layout, style.kind, query, registered, reported, database_size);
  const std::span<const Column> columns = columns_of(style.content);
  const std::vector<std::size_t> widths = column_widths(columns, rows);
  const bool padded = style.layout == TableLayout::Padded;
  TableText text{padded ? padded_head(columns, widths) : tabbed_head(columns), ""};
  for (const TableRow& row : rows) text.rows += padded ? padded_line(columns, widths, row) : tabbed_line(row);
  return text;
}

TableWriter::TableWriter(TextSink out, const TableStyle& style, bool continued)
    : out_(std::move(out)), style_(style), begun_(continued && style.layout == TableLayout::Tabbed) {}

void TableWriter::add(const TableText& text) {
  if (!std::exchange(begun_, true)) out_(text.head);
  out_(text.rows);
}

void TableWriter::finish(std::string_view version, std::string_view query_file,
                         std::string_view target_file) {
  if (!begun_) add(make_table_text(style_, {}, {}, {}, 0));
  if (style_.layout == TableLayout::Tabbed) return;
  const bool is_search = style_.kind == ReportKind::Search;
  out_("#\n# Program:         gpuhmm " + std::string(is_search ? "search" : "scan") + "\n");
  out_("# Version:         " + std::string(version) + " (answers of HMMER 2.3.2)\n");
  out_("# Pipeline mode:   " + std::string(is_search ? "SEARCH" : "SCAN") + "\n");
  out_("# Query file:      " + table_sentence(query_file) + "\n");
  out_("# Target file:     " + table_sentence(target_file) + "\n");
  out_("# [ok]\n");
}

}  // namespace gpuhmm
