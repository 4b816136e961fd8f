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

std::unique_ptr<OutputFile> open(const std::optional<std::string>& path, Hmmer3Output output) {
  try {
    return path ? std::make_unique<OutputFile>(*path) : nullptr;
  } catch (const FileError& error) {
    throw Hmmer3OutputError(error.what(), output, *path);
  }
}

std::unique_ptr<OutputFile> open_json(const std::optional<std::string>& path) {
  return path ? std::make_unique<OutputFile>(*path) : nullptr;
}

}  // namespace

struct Hmmer3Outputs::Table {
  Table(std::unique_ptr<OutputFile> opened, TableContent content, const Hmmer3Request& request)
      : file(std::move(opened)),
        writer(sink_of(*file), {content, request.table_layout, request.style.kind}) {}
  std::unique_ptr<OutputFile> file;
  TableWriter writer;
};

Hmmer3Outputs::Hmmer3Outputs(const Hmmer3Request& request)
    : request_(request),
      report_(open(request.paths.report, Hmmer3Output::Report)),
      included_(open(request.paths.included, Hmmer3Output::Included)) {
  const Hmmer3OutputPaths& paths = request.paths;
  if (auto file = open(paths.targets, Hmmer3Output::Targets)) {
    targets_ = std::make_unique<Table>(std::move(file), TableContent::Targets, request);
  }
  if (auto file = open(paths.domains, Hmmer3Output::Domains)) {
    domains_ = std::make_unique<Table>(std::move(file), TableContent::Domains, request);
  }
  pfam_ = open(paths.pfam, Hmmer3Output::Pfam);
  json_ = open_json(paths.json);
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
  if (json_) hmmer3::write_json_hits(sink_of(texts.json), style.kind, query, result);
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

void Hmmer3Outputs::commit() {
  if (request_.style.kind == ReportKind::Scan) begin_report();  // also without a sequence
  if (report_) hmmer3::write_end(sink_of(*report_));
  const std::string directory = std::filesystem::current_path().string();
  const std::string date = local_time_text("%a %b %e %H:%M:%S %Y");
  std::vector<OutputFile*> files = {report_.get(), pfam_.get(), included_.get(), json_.get()};
  for (Table* const table : {targets_.get(), domains_.get()}) {
    if (table == nullptr) continue;
    files.push_back(table->file.get());
    if (request_.table_layout == TableLayout::Padded) {
      hmmer3::write_table_tail(sink_of(*table->file), request_.description, false, directory, date);
    }
  }
  if (pfam_) hmmer3::write_table_tail(sink_of(*pfam_), request_.description, true, directory, date);
  std::erase(files, nullptr);
  for (OutputFile* const file : files) file->finish();
  for (OutputFile* const file : files) file->commit();
}

}  // namespace gpuhmm::cli
