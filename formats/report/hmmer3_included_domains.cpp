// The Stockholm alignment of a search's included domains (docs/spec/hmmer3/reports.md, 8).
#include <algorithm>
#include <set>
#include <utility>

#include "gpuhmm/hmmer3_report.hpp"
#include "util/format.hpp"

namespace gpuhmm::hmmer3 {
namespace {

constexpr std::size_t kBlockColumns = 200;

/// A character of a sequence and that of its posterior probability.
struct Cell {
  char residue, posterior;
};

/// One domain by the nodes of the profile.
struct Row {
  std::string name, accession, description;
  std::vector<Cell> match;                 ///< of node k at [k - 1]
  std::vector<std::vector<Cell>> inserts;  ///< after node k at [k - 1]
};

Row make_row(const Hit& hit, const Domain& domain, const Query& query) {
  const std::size_t nodes = static_cast<std::size_t>(query.length);
  Row row{hit.name + format("/%lld-%lld", static_cast<long long>(domain.alignment_from),
                            static_cast<long long>(domain.alignment_to)),
          hit.accession, "[subseq from] " + (hit.description.empty() ? hit.name : hit.description),
          std::vector<Cell>(nodes, {'-', '.'}), std::vector<std::vector<Cell>>(nodes)};
  const AlignmentRows& rows = domain.rows;
  std::size_t node = static_cast<std::size_t>(domain.model_from) - 1;  // nodes before this column
  for (std::size_t c = 0; c < rows.model.size(); ++c) {
    const Cell cell{rows.sequence[c], rows.posterior[c]};
    if (rows.model[c] != '.') {
      row.match[node++] = cell;
    } else if (cell.residue == '-') {
      throw GapInDomain(hit.name, query.name);
    } else {
      row.inserts[node - 1].push_back(cell);
    }
  }
  return row;
}

/// Puts the prefix that makes names unique before each.
void number_names(std::vector<Row>& rows, std::size_t digits) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name.insert(0, format("%0*zu|", static_cast<int>(digits), i));
  }
}

bool has_equal_names(const std::vector<Row>& rows) {
  std::set<std::string_view> names;
  return !std::all_of(rows.begin(), rows.end(),
                      [&](const Row& row) { return names.insert(row.name).second; });
}

/// For each node the largest number of residues inserted after it.
std::vector<std::size_t> insert_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().inserts.size());
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < widths.size(); ++k) widths[k] = std::max(widths[k], row.inserts[k].size());
  }
  return widths;
}

/// Two lines of an alignment: residues and posterior probabilities.
struct Lines {
  std::string residues, posteriors;

  void add(Cell cell) {
    residues += cell.residue;
    posteriors += cell.posterior;
  }
};

/// The first half of an insertion stands at the left, the rest at the right; '*' and '~' do not count for the
/// half.
Lines spread(const Row& row, const std::vector<std::size_t>& widths) {
  Lines lines;
  for (std::size_t k = 0; k < widths.size(); ++k) {
    const std::vector<Cell>& insert = row.inserts[k];
    const auto letters = std::count_if(insert.begin(), insert.end(), [](const Cell& cell) {
      return cell.residue != '*' && cell.residue != '~';
    });
    const auto left = static_cast<std::size_t>(letters / 2);
    lines.add(row.match[k]);
    for (std::size_t i = 0; i < left; ++i) lines.add(insert[i]);
    for (std::size_t gap = insert.size(); gap < widths[k]; ++gap) lines.add({'.', '.'});
    for (std::size_t i = left; i < insert.size(); ++i) lines.add(insert[i]);
  }
  return lines;
}

float posterior_value(char posterior) {
  if (posterior == '*') return 1.0F;
  if (posterior == '0') return 0.01F;
  return static_cast<float>(posterior - '0') / 10.0F;
}

/// The character of a probability (docs/spec/hmmer3/domains.md, 10).
char posterior_character(float probability) {
  const double rounded = static_cast<double>(probability) + 0.05;
  return rounded >= 1.0 ? '*' : static_cast<char>('0' + static_cast<int>(rounded * 10.0));
}

/// The mean probability of the residues at a node; '.' if there are none.
char mean_posterior(const std::vector<Row>& rows, std::size_t k) {
  double sum = 0;
  int residues = 0;
  for (const Row& row : rows) {
    if (row.match[k].posterior == '.') continue;
    sum += static_cast<double>(posterior_value(row.match[k].posterior));
    ++residues;
  }
  return residues == 0 ? '.' : posterior_character(static_cast<float>(sum / residues));
}

/// What is said of the columns.
struct ColumnLines {
  std::string posteriors, reference;

  ColumnLines(const std::vector<Row>& rows, const std::vector<std::size_t>& widths) {
    for (std::size_t k = 0; k < widths.size(); ++k) {
      posteriors += mean_posterior(rows, k) + std::string(widths[k], '.');
      reference += 'x' + std::string(widths[k], '.');
    }
  }
};

void write_texts(const TextSink& out, const Query& query, const std::vector<Row>& rows, bool numbered,
                 std::size_t name_width) {
  out("# STOCKHOLM 1.0\n");
  if (numbered) out("# WARNING: seq names have been made unique by adding a prefix of \"<seq#>|\"\n");
  out("#=GF ID " + query.name + "\n");
  if (!query.accession.empty()) out("#=GF AC " + query.accession + "\n");
  if (!query.description.empty()) out("#=GF DE " + query.description + "\n");
  out("#=GF AU hmmsearch (HMMER 3.3.2)\n\n");

  bool has_accessions = false;
  for (const Row& row : rows) {
    if (row.accession.empty()) continue;
    out("#=GS " + pad_right(row.name, name_width) + " AC " + row.accession + "\n");
    has_accessions = true;
  }
  if (has_accessions) out("\n");
  for (const Row& row : rows) {
    out("#=GS " + pad_right(row.name, name_width) + " DE " + row.description + "\n");
  }
  out("\n");
}

std::vector<Row> included_rows(const Query& query, const QueryResult& result) {
  std::vector<Row> rows;
  for (const Hit& hit : result.hits) {
    if (!hit.included) continue;
    for (const Domain& domain : hit.domains) {
      if (domain.included) rows.push_back(make_row(hit, domain, query));
    }
  }
  return rows;
}

}  // namespace

GapInDomain::GapInDomain(std::string target_name, std::string query_name)
    : std::runtime_error("an included domain of " + target_name + " for " + query_name +
                         " has a gap character of the sequence file, so it cannot be aligned"),
      target_(std::move(target_name)),
      query_(std::move(query_name)) {}

std::int64_t write_included_domains(const TextSink& out, const Query& query, const QueryResult& result,
                                    bool one_block) {
  std::vector<Row> rows = included_rows(query, result);
  if (rows.empty()) return 0;
  const bool numbered = has_equal_names(rows);
  if (numbered) number_names(rows, std::to_string(rows.size()).size());
  std::size_t name_width = 0;
  for (const Row& row : rows) name_width = std::max(name_width, row.name.size());
  const std::size_t margin = std::max<std::size_t>(13, name_width + 9);
  write_texts(out, query, rows, numbered, name_width);

  const std::vector<std::size_t> widths = insert_widths(rows);
  std::vector<Lines> lines;
  for (const Row& row : rows) lines.push_back(spread(row, widths));
  const ColumnLines columns(rows, widths);
  const std::size_t step = one_block ? columns.reference.size() : kBlockColumns;
  for (std::size_t start = 0; start < columns.reference.size(); start += step) {
    const auto write_line = [&](const std::string& label, const std::string& text) {
      out(pad_right(label, margin - 1) + " " + text.substr(start, step) + "\n");
    };
    if (start > 0) out("\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      write_line(rows[i].name, lines[i].residues);
      write_line("#=GR " + pad_right(rows[i].name, name_width) + " PP", lines[i].posteriors);
    }
    write_line("#=GC PP_cons", columns.posteriors);
    write_line("#=GC RF", columns.reference);
  }
  out("//\n");
  return static_cast<std::int64_t>(rows.size());
}

}  // namespace gpuhmm::hmmer3
