// Writes hits as JSON objects.
#include "formats/json/json_value.hpp"
#include "formats/report/target_hits.hpp"
#include "formats/sequence/text.hpp"
#include "gpuhmm/tables.hpp"

namespace gpuhmm {
namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json kept_or_null(const std::string& kept) {
  const std::optional<std::string_view> text = text::text_of(kept);
  return text ? Json(*text) : Json(nullptr);
}

Json party(const std::string& name, const std::string& accession, const std::string& description,
           const Json& length) {
  return {{"name", name},
          {"accession", kept_or_null(accession)},
          {"description", kept_or_null(description)},
          {"length", length}};
}

Json alignment(const DomainAlignment& rows) {
  if (rows.model.empty()) return nullptr;
  return {{"cs", text_or_null(rows.cs)},
          {"rf", text_or_null(rows.rf)},
          {"profile", rows.model},
          {"match", rows.middle},
          {"sequence", rows.sequence}};
}

Json domain_object(const DomainHit& hit, double database_size) {
  return {{"number", hit.number},
          {"count", hit.count},
          {"score", json_decimal(hit.score)},
          {"evalue", hit.p_value * database_size},
          {"pvalue", hit.p_value},
          {"bias", json_decimal(hit.bias)},
          {"sequence_from", hit.sequence_from},
          {"sequence_to", hit.sequence_to},
          {"profile_from", hit.profile_from},
          {"profile_to", hit.profile_to},
          {"alignment", alignment(hit.alignment)}};
}

/// The hit of the whole sequence, from the copy of its values in a domain.
SequenceHit whole_sequence(const DomainHit& domain) {
  return {.score = domain.sequence_score,
          .p_value = domain.sequence_p_value,
          .domain_count = domain.count,
          .sequence_length = domain.sequence_length,
          .name = domain.name,
          .accession = domain.accession,
          .description = domain.description};
}

/// The keys of the whole target, from its own hit or, if it has none, from its first domain.
Json target_object(const TargetHits& target, ReportKind kind, const JsonQuery& query, double database_size) {
  const bool is_search = kind == ReportKind::Search;
  const DomainHit* domain = target.domains.empty() ? nullptr : target.domains.front();
  const SequenceHit hit = target.hit ? *target.hit : whole_sequence(*target.domains.front());
  const Json profile_length = domain ? Json(domain->profile_length) : Json(nullptr);
  const Json query_party = party(query.name, query.accession, query.description, query.length);
  const Json target_party =
      party(hit.name, hit.accession, hit.description, is_search ? Json(hit.sequence_length) : profile_length);
  return {{"profile", is_search ? query_party : target_party},
          {"sequence", is_search ? target_party : query_party},
          {"score", json_decimal(hit.score)},
          {"evalue", hit.p_value * database_size},
          {"pvalue", hit.p_value},
          {"domain_count", hit.domain_count}};
}

}  // namespace

void write_json_hits(const TextSink& out, ReportKind kind, const JsonQuery& query, const HitLists& reported,
                     double database_size) {
  for (const TargetHits& target : group_by_target(reported)) {
    Json object = target_object(target, kind, query, database_size);
    Json& domains = object["domains"] = Json::array();
    for (const DomainHit* hit : target.domains) domains.push_back(domain_object(*hit, database_size));
    out(json_line(object));
  }
}

}  // namespace gpuhmm
