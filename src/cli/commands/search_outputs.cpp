// Writes the output files of a search or a scan.
#include "cli/commands/search_outputs.hpp"

#include <utility>

#include "cli/command.hpp"
#include "cli/output_sink.hpp"

namespace gpuhmm::cli {

namespace {

OutputFile* open(RunFiles& files, const std::optional<std::string>& path) {
  return path ? &files.open(*path).file : nullptr;
}

}  // namespace

struct SearchOutputs::Table {
  Table(const RunFiles::Opened& opened, TableContent content, const ReportStyle& style)
      : writer(sink_of(opened.file), {content, style.table_layout, style.kind}, opened.continued) {}
  TableWriter writer;
};

SearchOutputs::SearchOutputs(RunFiles& files, const OutputPaths& paths, ReportStyle style, unsigned threads)
    : style_(std::move(style)),
      threads_(threads),
      report_(open(files, paths.report)),
      json_(open(files, paths.json)) {
  if (paths.targets) {
    targets_ = std::make_unique<Table>(files.open(*paths.targets), TableContent::Targets, style_);
  }
  if (paths.domains) {
    domains_ = std::make_unique<Table>(files.open(*paths.domains), TableContent::Domains, style_);
  }
}

SearchOutputs::~SearchOutputs() = default;

QueryTexts SearchOutputs::texts(const Profile& profile, const Thresholds& thresholds,
                                SearchResult&& result) const {
  SearchReport report;
  report.thresholds = thresholds;
  report.compat = style_.compat;
  report.sequences = std::move(result.sequences);
  report.domains = std::move(result.domains);
  const double given_size = thresholds.database_size.value_or(0);
  report.database_size = given_size != 0 ? given_size : static_cast<double>(result.searched);
  report.alignment_limit = style_.alignment_limit;
  report.alignments = style_.alignments;
  report.profile = &profile;
  report.profile_file = style_.profile_file;
  report.sequence_file = style_.sequence_file;
  report.histogram = style_.histogram;
  report.scores = std::move(result.histogram);
  report.sequences_searched = result.searched;

  QueryTexts texts;
  if (report_) {
    const TextSink out = sink_of(texts.report);
    write_hmmer2_banner(out, ReportKind::Search, GPUHMM_VERSION);
    write_hmmsearch_header(out, report);
    write_hmmsearch_results(out, report, threads_);
  }
  add_tables(texts, report, {profile.name, profile.accession.value_or("")},
             {profile.name, profile.accession.value_or(""), profile.description.value_or(""), profile.nodes});
  return texts;
}

QueryTexts SearchOutputs::texts(const SequenceView& query, std::int64_t residues, ScanResult&& result) const {
  ScanReport report;
  report.thresholds = result.thresholds;
  report.compat = style_.compat;
  report.sequences = std::move(result.hits.sequences);
  report.domains = std::move(result.hits.domains);
  report.database_size = result.database_size;
  report.alignment_limit = style_.alignment_limit;
  report.alignments = style_.alignments;
  report.query_name = query.name;
  report.query_accession = query.accession;
  report.query_description = query.description;
  report.show_accessions = style_.accessions;

  QueryTexts texts;
  if (report_) write_hmmpfam_query(sink_of(texts.report), report, threads_);
  add_tables(texts, report, {report.query_name, report.query_accession},
             {report.query_name, report.query_accession, report.query_description, residues});
  return texts;
}

void SearchOutputs::add_tables(QueryTexts& texts, const HitReport& report, const TableQuery& query,
                               const JsonQuery& json_query) const {
  const HitLists ranked = rank_hits(report.sequences, report.domains, style_.kind);
  const HitLists reported = reported_hits(ranked, report.thresholds, report.database_size);
  texts.hits = reported.sequences.size();
  const auto table_text = [&](const Table& table) {
    return make_table_text(table.writer.style(), query, ranked, reported, report.database_size, threads_);
  };
  if (targets_) texts.targets = table_text(*targets_);
  if (domains_) texts.domains = table_text(*domains_);
  if (json_) {
    write_json_hits(sink_of(texts.json), style_.kind, json_query, reported, report.database_size);
  }
}

void SearchOutputs::begin_report() {
  if (!report_ || style_.kind != ReportKind::Scan || std::exchange(begun_, true)) return;
  const TextSink out = sink_of(*report_);
  write_hmmer2_banner(out, ReportKind::Scan, GPUHMM_VERSION);
  write_hmmpfam_header(out, style_.profile_file, style_.sequence_file);
}

void SearchOutputs::write(const QueryTexts& texts) {
  begin_report();
  if (report_) report_->write(texts.report);
  if (targets_) targets_->writer.add(texts.targets);
  if (domains_) domains_->writer.add(texts.domains);
  if (json_) json_->write(texts.json);
}

void SearchOutputs::finish() {
  begin_report();
  for (Table* table : {targets_.get(), domains_.get()}) {
    if (table == nullptr) continue;
    const bool is_search = style_.kind == ReportKind::Search;
    table->writer.finish(GPUHMM_VERSION, is_search ? style_.profile_file : style_.sequence_file,
                         is_search ? style_.sequence_file : style_.profile_file);
  }
}

}  // namespace gpuhmm::cli
