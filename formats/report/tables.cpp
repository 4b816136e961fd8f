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
#include "util/ordered_blocks.hpp"
#include "util/parallel.hpp"

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

/// What the rows of a table show, and what they are made of.
struct TableRows {
  TableStyle style;
  const TableQuery& query;
  const TargetsByIndex& registered;
  double database_size;

  TableRow row_of(const TargetHits& target) const {
    const SequenceHit& hit = *target.hit;
    const std::vector<const DomainHit*>& domains = registered.at(hit.target_index).domains;
    TableRow row(style.layout);
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
    return row;
  }

  TableRow row_of(const DomainHit* hit) const {
    const std::int64_t profile_length = hit->profile_length;
    const bool is_search = style.kind == ReportKind::Search;
    const double evalue = hit->p_value * database_size;
    TableRow row(style.layout);
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
    return row;
  }

  /// The rows of `items`, as text. All rows are made before the first line, since names decide the widths.
  template <class Item>
  TableText text(const std::vector<Item>& items, unsigned threads) const {
    constexpr std::size_t kBlock = 128;  // rows that a thread takes at a time
    Rows rows(items.size(), TableRow(style.layout));
    parallel_for(threads, items.size(), kBlock, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) rows[i] = row_of(items[i]);
    });
    const std::span<const Column> columns = columns_of(style.content);
    const std::vector<std::size_t> widths = column_widths(columns, rows);
    const bool padded = style.layout == TableLayout::Padded;
    TableText text{padded ? padded_head(columns, widths) : tabbed_head(columns), ""};
    const auto append_block = [&](std::size_t first, std::size_t last, std::string& lines) {
      for (std::size_t i = first; i < last; ++i) {
        const TableRow row = std::move(rows[i]);
        padded ? append_padded_line(lines, columns, widths, row) : append_tabbed_line(lines, row);
      }
    };
    ordered_blocks(threads, rows.size(), kBlock, append_block,
                   [&](std::string_view lines) { text.rows += lines; });
    return text;
  }
};

}  // namespace

TableText make_table_text(const TableStyle& style, const TableQuery& query, const HitLists& ranked,
                          const HitLists& reported, double database_size, unsigned threads) {
  TargetsByIndex registered;
  for (TargetHits& target : group_by_target(ranked)) {
    const std::uint64_t index = target.hit ? target.hit->target_index : target.domains.front()->target_index;
    registered.emplace(index, std::move(target));
  }
  const TableRows rows{style, query, registered, database_size};
  std::vector<TargetHits> targets = group_by_target(reported);
  if (style.content == TableContent::Targets) {
    std::erase_if(targets, [](const TargetHits& target) { return target.hit == nullptr; });
    return rows.text(targets, threads);
  }
  std::vector<const DomainHit*> domains;
  domains.reserve(reported.domains.size());
  for (const TargetHits& target : targets) {
    domains.insert(domains.end(), target.domains.begin(), target.domains.end());
  }
  return rows.text(domains, threads);
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
