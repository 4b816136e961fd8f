// Writes descriptions of profiles, as a table or as JSON.
#include <array>
#include <vector>

#include "formats/json/json_value.hpp"
#include "formats/report/table_layout.hpp"
#include "gpuhmm/tables.hpp"
#include "plan7/consensus.hpp"

namespace gpuhmm {

namespace {

constexpr const char* kEvd = "calibration";
constexpr const char* kGathering = "GA";
constexpr const char* kTrusted = "TC";
constexpr const char* kNoise = "NC";

constexpr std::array<Column, 16> kColumns{{
    {"# nr", "number", CellKind::Name, 6, nullptr},
    {"name", "name", CellKind::Name, 20, nullptr},
    {"accession", "accession", CellKind::Name, 10, nullptr},
    {"length", "length", CellKind::Number, 6, nullptr},
    {"alphabet", "alphabet", CellKind::Name, 8, nullptr},
    {"style", "style", CellKind::Name, 5, nullptr},
    {"mu", "mu", CellKind::Number, 11, kEvd},
    {"lambda", "lambda", CellKind::Number, 8, kEvd},
    {"seq", "ga_sequence", CellKind::Number, 6, kGathering},
    {"dom", "ga_domain", CellKind::Number, 6, kGathering},
    {"seq", "tc_sequence", CellKind::Number, 6, kTrusted},
    {"dom", "tc_domain", CellKind::Number, 6, kTrusted},
    {"seq", "nc_sequence", CellKind::Number, 6, kNoise},
    {"dom", "nc_domain", CellKind::Number, 6, kNoise},
    {"nseq", "nseq", CellKind::Number, 6, nullptr},
    {"consensus", "consensus", CellKind::Description, 9, nullptr},
}};

Json cutoff_json(const std::optional<ScoreCutoff>& cutoff) {
  if (!cutoff) return nullptr;
  return {{"sequence", json_decimal(cutoff->sequence)}, {"domain", json_decimal(cutoff->domain)}};
}

Json text_json(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

}  // namespace

struct ProfileTable::Rows {
  std::vector<TableRow> all;
};

ProfileTable::ProfileTable(TableLayout layout) : layout_(layout), rows_(std::make_unique<Rows>()) {}
ProfileTable::~ProfileTable() = default;

void ProfileTable::add(const Profile& profile) {
  TableRow row(layout_);
  const auto cutoff = [&row](const std::optional<ScoreCutoff>& bits) {
    if (bits) {
      row.score(bits->sequence);
      row.score(bits->domain);
    } else {
      row.absent();
      row.absent();
    }
  };
  row.integer(static_cast<std::int64_t>(rows_->all.size()) + 1);
  row.name(profile.name);
  row.name(profile.accession.value_or(""));
  row.integer(profile.nodes);
  row.name(Alphabet::get(profile.alphabet).name());
  row.name(search_style(profile));
  if (profile.evd) {
    row.parameter(profile.evd->mu);
    row.parameter(profile.evd->lambda);
  } else {
    row.absent();
    row.absent();
  }
  cutoff(profile.gathering);
  cutoff(profile.trusted);
  cutoff(profile.noise);
  row.integer(profile.sequence_count);
  row.description(Consensus(profile).letters());
  rows_->all.push_back(std::move(row));
}

void ProfileTable::write(const TextSink& out) const {
  const auto widths = column_widths(kColumns, rows_->all);
  const bool padded = layout_ == TableLayout::Padded;
  out(padded ? padded_head(kColumns, widths) : tabbed_head(kColumns));
  std::string lines;
  for (const TableRow& row : rows_->all) {
    padded ? append_padded_line(lines, kColumns, widths, row) : append_tabbed_line(lines, row);
  }
  out(lines);
}

void write_profile_json(const TextSink& out, std::int64_t number, const Profile& profile) {
  Json object;
  object["number"] = number;
  object["name"] = profile.name;
  object["accession"] = text_json(profile.accession);
  object["description"] = text_json(profile.description);
  object["length"] = profile.nodes;
  object["alphabet"] = Alphabet::get(profile.alphabet).name();
  object["style"] = search_style(profile);
  object["calibration"] =
      profile.evd ? Json{{"mu", json_decimal(profile.evd->mu)}, {"lambda", json_decimal(profile.evd->lambda)}}
                  : Json(nullptr);
  object["ga"] = cutoff_json(profile.gathering);
  object["tc"] = cutoff_json(profile.trusted);
  object["nc"] = cutoff_json(profile.noise);
  object["sequences"] = profile.sequence_count;
  object["date"] = text_json(profile.date);
  object["command_log"] = Json::array();
  for (const std::string& command : profile.command_log) {
    if (!command.empty()) object["command_log"].push_back(command);
  }
  object["consensus"] = Consensus(profile).letters();
  out(json_line(object));
}

}  // namespace gpuhmm
