// Writes report, tables, alignment and JSON of HMMER3 results.
#include "cli/commands/hmmer3_outputs.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/local_time.hpp"
#include "cli/output_sink.hpp"

namespace gpuhmm::cli {

namespace {

std::optional<RunFiles::Opened> open(RunFiles& files, const std::optional<std::string>& path,
                                     Hmmer3Output output) {
  if (!path) return std::nullopt;
  try {
    return files.open(*path);
  } catch (const FileError& error) {
    throw Hmmer3OutputError(error.what(), output, *path);
  }
}

OutputFile* file_of(const std::optional<RunFiles::Opened>& opened) {
  return opened ? &opened->file : nullptr;
}

}  // namespace

struct Hmmer3Outputs::Table {
  Table(const RunFiles::Opened& opened, TableContent content, const Hmmer3Request& request)
      : file(opened.file),
        writer(sink_of(file), {content, request.table_layout, request.style.kind}, opened.continued) {}
  OutputFile& file;
  TableWriter writer;
};

Hmmer3Outputs::Hmmer3Outputs(RunFiles& files, const Hmmer3Request& request,
                             std::optional<Surroundings> surroundings)
    : request_(request),
      report_(file_of(open(files, request.paths.report, Hmmer3Output::Report))),
      included_(file_of(open(files, request.paths.included, Hmmer3Output::Included))),
      surroundings_(std::move(surroundings)) {
  const Hmmer3OutputPaths& paths = request.paths;
  if (const auto opened = open(files, paths.targets, Hmmer3Output::Targets)) {
    targets_ = std::make_unique<Table>(*opened, TableContent::Targets, request);
  }
  if (const auto opened = open(files, paths.domains, Hmmer3Output::Domains)) {
    domains_ = std::make_unique<Table>(*opened, TableContent::Domains, request);
  }
  pfam_ = file_of(open(files, paths.pfam, Hmmer3Output::Pfam));
  json_ = paths.json ? &files.open(*paths.json).file : nullptr;
}

Hmmer3Outputs::~Hmmer3Outputs() = default;

Hmmer3Texts Hmmer3Outputs::texts(const hmmer3::Query& query, const hmmer3::QueryResult& result,
                                 const hmmer3::QueryTimes& times) const {
  const hmmer3::ReportStyle& style = request_.style;
  const hmmer3::Options& options = request_.options.hmmer3;
  Hmmer3Texts texts;
  if (report_) {
    const TextSink out = sink_of(texts.report);
    write_query(out, style.kind, query);
    write_results(out, style, query, result, options, times);
  }
  if (included_) {
    const std::int64_t aligned =
        write_included_domains(sink_of(texts.included), query, result, !style.width.has_value());
    if (report_) hmmer3::write_included_note(sink_of(texts.report), aligned, *request_.paths.included);
  }
  if (targets_) texts.targets = hmmer3::make_table_text(targets_->writer.style(), query, result);
  if (domains_) texts.domains = hmmer3::make_table_text(domains_->writer.style(), query, result);
  if (pfam_) texts.pfam = hmmer3::make_pfam_table_text(result, options);
  if (json_) hmmer3::write_json_hits(sink_of(texts.json), style.kind, query, result, style.alignments);
  return texts;
}

void Hmmer3Outputs::begin_report() {
  if (!report_ || std::exchange(begun_, true)) return;
  const TextSink out = sink_of(*report_);
  hmmer3::write_banner(out, request_.style.kind, GPUHMM_VERSION);
  hmmer3::write_header(out, request_.description);
}

void Hmmer3Outputs::write(const Hmmer3Texts& texts) {
  begin_report();
  if (report_) report_->write(texts.report);
  if (included_) included_->write(texts.included);
  if (targets_) targets_->writer.add(texts.targets);
  if (domains_) domains_->writer.add(texts.domains);
  if (pfam_) pfam_->write(texts.pfam);
  if (json_) json_->write(texts.json);
}

void Hmmer3Outputs::write_interrupted(const std::optional<hmmer3::Query>& query) {
  begin_report();
  if (report_ && query) write_query(sink_of(*report_), request_.style.kind, *query);
}

void Hmmer3Outputs::finish() {
  if (request_.style.kind == ReportKind::Scan) begin_report();  // also without a sequence
  if (report_) hmmer3::write_end(sink_of(*report_));
  constexpr const char* kDate = "%a %b %e %H:%M:%S %Y";
  const std::string directory =
      surroundings_ ? surroundings_->directory : std::filesystem::current_path().string();
  const std::string date =
      surroundings_ ? time_text(kDate, surroundings_->utc_offset) : local_time_text(kDate);
  for (Table* const table : {targets_.get(), domains_.get()}) {
    if (table != nullptr && request_.table_layout == TableLayout::Padded) {
      hmmer3::write_table_tail(sink_of(table->file), request_.description, false, directory, date);
    }
  }
  if (pfam_) hmmer3::write_table_tail(sink_of(*pfam_), request_.description, true, directory, date);
}

}  // namespace gpuhmm::cli
