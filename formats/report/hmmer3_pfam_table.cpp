// The table of --pfamtblout (docs/spec/hmmer3/reports.md, 7.3).
#include <algorithm>
#include <tuple>

#include "formats/report/hmmer3_domains.hpp"
#include "gpuhmm/hmmer3_report.hpp"
#include "util/format.hpp"

namespace gpuhmm::hmmer3 {
namespace {

struct DomainRow {
  const Hit* hit;
  const Domain* domain;
  int number;  ///< among the hit's reported domains
};

/// All reported domains, the best first.
std::vector<DomainRow> ranked_domains(const QueryResult& result, bool by_score) {
  std::vector<DomainRow> rows;
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    for_each_reported(hit, [&](const Domain& domain, int number) {
      rows.push_back({&hit, &domain, number});
    });
  }
  std::stable_sort(rows.begin(), rows.end(), [by_score](const DomainRow& a, const DomainRow& b) {
    const auto key = [by_score](const Domain& domain) {
      return by_score ? static_cast<double>(domain.bits) : -domain.log_p;
    };
    if (key(*a.domain) != key(*b.domain)) return key(*a.domain) > key(*b.domain);
    const auto place = [](const DomainRow& row) {
      return std::tuple(std::string_view(row.hit->name),
                        row.domain->alignment_from >= row.domain->alignment_to, row.domain->alignment_from);
    };
    return place(a) < place(b);
  });
  return rows;
}

}  // namespace

std::string make_pfam_table_text(const QueryResult& result, const Options& options) {
  std::size_t width = 20;
  for (const Hit& hit : result.hits) width = std::max(width, hit.name.size());
  const std::string rule = "# " + pad_left(std::string(19, '-'), width - 1);
  const auto description = [](const Hit& hit) { return hit.description.empty() ? "-" : hit.description; };

  std::string text = "# Sequence scores\n# ---------------\n#\n# " + pad_right("name", width - 1) +
                     "   bits   E-value   n   exp  bias    description\n" + rule +
                     " ------ --------- --- ----- -----    ---------------------\n";
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    text += pad_right(hit.name, width) +
            format("  %6.1f %9.2g %3d %5.1f %5.1f    ", hit.score, result.e_value(hit.log_p),
                   static_cast<int>(hit.domains.size()), hit.expected_domains, hit.bias()) +
            description(hit) + "\n";
  }

  text += "\n# Domain scores\n# -------------\n#\n# " + pad_right(" name", width - 1) +
          "   bits   E-value   hit  bias env-st env-en ali-st ali-en hmm-st hmm-en     description\n" + rule +
          " ------ --------- ----- ----- ------ ------ ------ ------ ------ ------      "
          "---------------------\n";
  for (const DomainRow& row : ranked_domains(result, options.includes_by_score())) {
    const Domain& domain = *row.domain;
    text += pad_right(row.hit->name, width) +
            format("  %6.1f %9.2g %5d %5.1f %6lld %6lld %6lld %6lld %6d %6d     ", domain.bits,
                   result.e_value(domain.log_p), row.number, bias_bits(domain),
                   static_cast<long long>(domain.envelope_from), static_cast<long long>(domain.envelope_to),
                   static_cast<long long>(domain.alignment_from), static_cast<long long>(domain.alignment_to),
                   domain.model_from, domain.model_to) +
            description(*row.hit) + "\n";
  }
  return text;
}

}  // namespace gpuhmm::hmmer3
