// The tables of HMMER3's hits (docs/spec/hmmer3/reports.md, 7): padded as hmmsearch and hmmscan write them,
// or tab-separated as those of HMMER2's hits.
#include <algorithm>

#include "formats/report/hmmer3_domains.hpp"
#include "formats/report/table_layout.hpp"
#include "gpuhmm/hmmer3_report.hpp"
#include "util/format.hpp"

namespace gpuhmm::hmmer3 {
namespace {

/// Widths of names and accessions.
struct Widths {
  std::size_t target = 20, target_accession = 10, query = 20, query_accession = 10;

  Widths(const Query& asked, const QueryResult& result) {
    query = std::max(query, asked.name.size());
    query_accession = std::max(query_accession, asked.accession.size());
    for (const Hit& hit : result.hits) {
      target = std::max(target, hit.name.size());
      target_accession = std::max(target_accession, hit.accession.size());
    }
  }
  std::size_t sum() const { return target + target_accession + query + query_accession; }
};

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }

/// A name and an accession with a blank after each.
std::string two_cells(std::string_view name, std::size_t name_width, std::string_view accession,
                      std::size_t accession_width) {
  return pad_right(name, name_width) + " " + pad_right(or_dash(accession), accession_width) + " ";
}

/// The dashes below the headings of a name and an accession, which stand at the right.
std::string two_rules(std::size_t dashes, std::size_t name_width, std::size_t accession_width) {
  return pad_left(std::string(dashes, '-'), name_width) + " " + pad_left("----------", accession_width) + " ";
}

std::string targets_head(const Widths& widths) {
  return "#" + std::string(widths.sum() + 2, ' ') +
         " --- full sequence ---- --- best 1 domain ---- --- domain number estimation ----\n"  //
         "#" +
         two_cells(" target name", widths.target - 1, "accession", widths.target_accession) +
         two_cells("query name", widths.query, "accession", widths.query_accession) +
         "  E-value  score  bias   E-value  score  bias   exp reg clu  ov env dom rep inc description of target\n"
         "#" +
         two_rules(19, widths.target - 1, widths.target_accession) +
         two_rules(20, widths.query, widths.query_accession) +
         "--------- ------ ----- --------- ------ -----   --- --- --- --- --- --- --- --- "
         "---------------------\n";
}

std::string domains_head(const Widths& widths) {
  return "#" + std::string(widths.sum() + 14, ' ') +
         "  --- full sequence --- -------------- this domain -------------   hmm coord   ali coord   env coord\n"
         "#" +
         two_cells(" target name", widths.target - 1, "accession", widths.target_accession) + " tlen " +
         two_cells("query name", widths.query, "accession", widths.query_accession) +
         " qlen   E-value  score  bias   #  of  c-Evalue  i-Evalue  score  bias  from    to  from    to  from  "
         "  to  acc description of target\n"
         "#" +
         two_rules(19, widths.target - 1, widths.target_accession) + "----- " +
         two_rules(20, widths.query, widths.query_accession) +
         "----- --------- ------ ----- --- --- --------- --------- ------ ----- ----- ----- ----- ----- ----- "
         "----- ---- ---------------------\n";
}

std::string targets_rows(const Widths& widths, const Query& query, const QueryResult& result) {
  std::string rows;
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    const Domain& best = hit.domains[hit.best];
    rows +=
        two_cells(hit.name, widths.target, hit.accession, widths.target_accession) +
        two_cells(query.name, widths.query, query.accession, widths.query_accession) +
        format("%9.2g %6.1f %5.1f %9.2g %6.1f %5.1f %5.1f %3d %3d %3d %3d %3d %3d %3d ",
               result.e_value(hit.log_p), hit.score, hit.bias(), result.e_value(best.log_p), best.bits,
               bias_bits(best), hit.expected_domains, hit.regions, hit.clustered, hit.overlaps, hit.envelopes,
               static_cast<int>(hit.domains.size()), hit.reported_domains, hit.included_domains);
    rows.append(or_dash(hit.description)).append("\n");
  }
  return rows;
}

std::string domains_rows(const Widths& widths, const Query& query, const QueryResult& result) {
  std::string rows;
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    for_each_reported(hit, [&](const Domain& domain, int number) {
      rows +=
          two_cells(hit.name, widths.target, hit.accession, widths.target_accession) +
          format("%5lld ", static_cast<long long>(hit.length)) +
          two_cells(query.name, widths.query, query.accession, widths.query_accession) +
          format("%5lld %9.2g %6.1f %5.1f %3d %3d %9.2g %9.2g %6.1f %5.1f ",
                 static_cast<long long>(query.length), result.e_value(hit.log_p), hit.score, hit.bias(),
                 number, hit.reported_domains, result.conditional_e_value(domain.log_p),
                 result.e_value(domain.log_p), domain.bits, bias_bits(domain)) +
          format("%5d %5d %5lld %5lld %5lld %5lld %4.2f ", domain.model_from, domain.model_to,
                 static_cast<long long>(domain.alignment_from), static_cast<long long>(domain.alignment_to),
                 static_cast<long long>(domain.envelope_from), static_cast<long long>(domain.envelope_to),
                 domain.mean_accuracy());
      rows.append(or_dash(hit.description)).append("\n");
    });
  }
  return rows;
}

/// Name and accession of target or query.
void add_names(TableRow& row, const std::string& name, const std::string& accession) {
  row.name(name);
  row.name(accession);
}

std::string tabbed_targets(const Query& query, const QueryResult& result) {
  std::string rows;
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    const Domain& best = hit.domains[hit.best];
    TableRow row(TableLayout::Tabbed);
    add_names(row, hit.name, hit.accession);
    add_names(row, query.name, query.accession);
    row.evalue(result.e_value(hit.log_p));
    row.score(hit.score);
    row.score(hit.bias());
    row.evalue(result.e_value(best.log_p));
    row.score(best.bits);
    row.score(static_cast<float>(bias_bits(best)));
    row.score(hit.expected_domains);
    for (const int count :
         {hit.regions, hit.clustered, hit.overlaps, hit.envelopes, static_cast<int>(hit.domains.size()),
          hit.reported_domains, hit.included_domains}) {
      row.integer(count);
    }
    row.description(hit.description);
    append_tabbed_line(rows, row);
  }
  return rows;
}

std::string tabbed_domains(const Query& query, const QueryResult& result) {
  std::string rows;
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    for_each_reported(hit, [&](const Domain& domain, int number) {
      TableRow row(TableLayout::Tabbed);
      add_names(row, hit.name, hit.accession);
      row.integer(hit.length);
      add_names(row, query.name, query.accession);
      row.integer(query.length);
      row.evalue(result.e_value(hit.log_p));
      row.score(hit.score);
      row.score(hit.bias());
      row.integer(number);
      row.integer(hit.reported_domains);
      row.evalue(result.conditional_e_value(domain.log_p));
      row.evalue(result.e_value(domain.log_p));
      row.score(domain.bits);
      row.score(static_cast<float>(bias_bits(domain)));
      for (const std::int64_t place :
           {std::int64_t{domain.model_from}, std::int64_t{domain.model_to}, domain.alignment_from,
            domain.alignment_to, domain.envelope_from, domain.envelope_to}) {
        row.integer(place);
      }
      row.accuracy(domain.mean_accuracy());
      row.description(hit.description);
      append_tabbed_line(rows, row);
    });
  }
  return rows;
}

}  // namespace

TableText make_table_text(const TableStyle& style, const Query& query, const QueryResult& result) {
  const bool is_targets = style.content == TableContent::Targets;
  if (style.layout == TableLayout::Tabbed) {
    return {tabbed_head(columns_of(style.content)),
            is_targets ? tabbed_targets(query, result) : tabbed_domains(query, result)};
  }
  const Widths widths(query, result);
  return {is_targets ? targets_head(widths) : domains_head(widths),
          is_targets ? targets_rows(widths, query, result) : domains_rows(widths, query, result)};
}

}  // namespace gpuhmm::hmmer3
