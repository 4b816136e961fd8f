// The columns of the tables of hits, in the order of HMMER 3's tables.
#include <array>

#include "formats/report/table_layout.hpp"

namespace gpuhmm {
namespace {

constexpr const char* kFull = "full sequence";
constexpr const char* kBest = "best 1 domain";
constexpr const char* kDomains = "domain number estimation";
constexpr const char* kThis = "this domain";
constexpr const char* kHmm = "hmm coord";
constexpr const char* kAli = "ali coord";
constexpr const char* kEnv = "env coord";

constexpr std::array<Column, 19> kTargetColumns{{
    {"# target name", "target_name", CellKind::Name, 20, nullptr},
    {"accession", "target_accession", CellKind::Name, 10, nullptr},
    {"query name", "query_name", CellKind::Name, 20, nullptr},
    {"accession", "query_accession", CellKind::Name, 10, nullptr},
    {"E-value", "sequence_evalue", CellKind::Number, 9, kFull},
    {"score", "sequence_score", CellKind::Number, 6, kFull},
    {"bias", "sequence_bias", CellKind::Number, 5, kFull},
    {"E-value", "best_domain_evalue", CellKind::Number, 9, kBest},
    {"score", "best_domain_score", CellKind::Number, 6, kBest},
    {"bias", "best_domain_bias", CellKind::Number, 5, kBest},
    {"exp", "exp", CellKind::Number, 5, kDomains},
    {"reg", "reg", CellKind::Number, 3, kDomains},
    {"clu", "clu", CellKind::Number, 3, kDomains},
    {"ov", "ov", CellKind::Number, 3, kDomains},
    {"env", "env", CellKind::Number, 3, kDomains},
    {"dom", "dom", CellKind::Number, 3, kDomains},
    {"rep", "rep", CellKind::Number, 3, kDomains},
    {"inc", "inc", CellKind::Number, 3, kDomains},
    {"description of target", "target_description", CellKind::Description, 21, nullptr},
}};

constexpr std::array<Column, 23> kDomainColumns{{
    {"# target name", "target_name", CellKind::Name, 20, nullptr},
    {"accession", "target_accession", CellKind::Name, 10, nullptr},
    {"tlen", "target_length", CellKind::Number, 5, nullptr},
    {"query name", "query_name", CellKind::Name, 20, nullptr},
    {"accession", "query_accession", CellKind::Name, 10, nullptr},
    {"qlen", "query_length", CellKind::Number, 5, nullptr},
    {"E-value", "sequence_evalue", CellKind::Number, 9, kFull},
    {"score", "sequence_score", CellKind::Number, 6, kFull},
    {"bias", "sequence_bias", CellKind::Number, 5, kFull},
    {"#", "domain_number", CellKind::Number, 3, kThis},
    {"of", "domain_count", CellKind::Number, 3, kThis},
    {"c-Evalue", "domain_c_evalue", CellKind::Number, 9, kThis},
    {"i-Evalue", "domain_i_evalue", CellKind::Number, 9, kThis},
    {"score", "domain_score", CellKind::Number, 6, kThis},
    {"bias", "domain_bias", CellKind::Number, 5, kThis},
    {"from", "hmm_from", CellKind::Number, 5, kHmm},
    {"to", "hmm_to", CellKind::Number, 5, kHmm},
    {"from", "ali_from", CellKind::Number, 5, kAli},
    {"to", "ali_to", CellKind::Number, 5, kAli},
    {"from", "env_from", CellKind::Number, 5, kEnv},
    {"to", "env_to", CellKind::Number, 5, kEnv},
    {"acc", "acc", CellKind::Number, 4, nullptr},
    {"description of target", "target_description", CellKind::Description, 21, nullptr},
}};

}  // namespace

std::span<const Column> columns_of(TableContent content) {
  if (content == TableContent::Targets) return kTargetColumns;
  return kDomainColumns;
}

}  // namespace gpuhmm
