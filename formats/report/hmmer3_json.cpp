// JSON objects of HMMER3's hits.
#include "formats/json/json_value.hpp"
#include "formats/report/hmmer3_domains.hpp"
#include "gpuhmm/hmmer3_report.hpp"

namespace gpuhmm::hmmer3 {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json party(const std::string& name, const std::string& accession, const std::string& description,
           std::int64_t length) {
  return {{"name", name},
          {"accession", text_or_null(accession)},
          {"description", text_or_null(description)},
          {"length", length}};
}

Json alignment(const AlignmentRows& rows) {
  if (rows.model.empty()) return nullptr;
  return {{"cs", text_or_null(rows.cs)}, {"rf", text_or_null(rows.rf)}, {"profile", rows.model},
          {"match", rows.middle},        {"sequence", rows.sequence},   {"posterior", rows.posterior}};
}

/// The P-value with E-values' flush to 0: that of one comparison.
double p_value(double log_p) {
  QueryResult one;
  one.targets = 1;
  return one.e_value(log_p);
}

Json domain_object(const QueryResult& result, const Hit& hit, const Domain& domain, int number,
                   bool alignments) {
  return {{"number", number},
          {"count", hit.reported_domains},
          {"score", json_decimal(domain.bits)},
          {"evalue", result.e_value(domain.log_p)},
          {"conditional_evalue", result.conditional_e_value(domain.log_p)},
          {"pvalue", p_value(domain.log_p)},
          {"bias", json_decimal(static_cast<float>(bias_bits(domain)))},
          {"included", domain.included},
          {"sequence_from", domain.alignment_from},
          {"sequence_to", domain.alignment_to},
          {"profile_from", domain.model_from},
          {"profile_to", domain.model_to},
          {"envelope_from", domain.envelope_from},
          {"envelope_to", domain.envelope_to},
          {"accuracy", json_decimal(static_cast<float>(domain.mean_accuracy()))},
          {"alignment", alignments ? alignment(domain.rows) : nullptr}};
}

Json target_object(ReportKind kind, const Query& query, const QueryResult& result, const Hit& hit) {
  const Json query_party = party(query.name, query.accession, query.description, query.length);
  const Json target_party = party(hit.name, hit.accession, hit.description, hit.length);
  const bool is_search = kind == ReportKind::Search;
  return {{"profile", is_search ? query_party : target_party},
          {"sequence", is_search ? target_party : query_party},
          {"score", json_decimal(hit.score)},
          {"evalue", result.e_value(hit.log_p)},
          {"pvalue", p_value(hit.log_p)},
          {"bias", json_decimal(hit.bias())},
          {"included", hit.included},
          {"domain_count", hit.domains.size()},
          {"expected_domains", json_decimal(hit.expected_domains)},
          {"regions", hit.regions},
          {"clustered_regions", hit.clustered},
          {"overlapping_envelopes", hit.overlaps},
          {"envelopes", hit.envelopes},
          {"included_domains", hit.included_domains}};
}

}  // namespace

void write_json_hits(const TextSink& out, ReportKind kind, const Query& query, const QueryResult& result,
                     bool alignments) {
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    Json object = target_object(kind, query, result, hit);
    Json& domains = object["domains"] = Json::array();
    for_each_reported(hit, [&](const Domain& domain, int number) {
      domains.push_back(domain_object(result, hit, domain, number, alignments));
    });
    out(json_line(object));
  }
}

}  // namespace gpuhmm::hmmer3
