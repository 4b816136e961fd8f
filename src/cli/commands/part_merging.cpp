// Joins the records of parts query by query, and writes them as a run writes its results.
#include "cli/commands/part_merging.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands/hmmer3_outputs.hpp"
#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/commands/search_outputs.hpp"

namespace gpuhmm::cli {

namespace {

void drop_alignments(RegisteredHits& hits) {
  for (DomainHit& domain : hits.domains) domain.alignment = {};
}

// The outputs of one section: those for HMMER2 profiles or those for HMMER3 profiles.
class SectionOutputs {
 public:
  SectionOutputs(const Arguments& arguments, ReportKind kind, RunFiles& files, bool hmmer3) {
    if (hmmer3) {
      request_ = hmmer3_request(arguments, kind);
      hmmer3_.emplace(files, *request_);
    } else {
      refuse_hmmer3_options(arguments, kind);
      const RunRequest request = run_request(arguments, kind);
      alignments_ = request.alignments();
      hmmer2_.emplace(files, request.paths, request.style);
    }
  }

  bool takes(const PartContent& content) const {
    return std::holds_alternative<Hmmer3Record>(content) == hmmer3_.has_value();
  }

  void write(PartContent&& content) {
    std::visit([this](auto& record) { write_record(std::move(record)); }, content);
  }

  void finish() { hmmer3_ ? hmmer3_->finish() : hmmer2_->finish(); }

 private:
  // Without alignments the run itself makes none, for JSON either.
  void write_record(SearchRecord&& record) {
    if (!alignments_) drop_alignments(record.hits);
    SearchResult result;
    static_cast<RegisteredHits&>(result) = std::move(record.hits);
    result.histogram = std::move(record.histogram);
    result.searched = record.searched;
    hmmer2_->write(hmmer2_->texts(record.profile, record.thresholds, std::move(result)));
  }
  void write_record(ScanRecord&& record) {
    if (!alignments_) drop_alignments(record.hits);
    const SequenceView query{record.name, record.accession, record.description, {}};
    ScanResult result{std::move(record.hits), record.thresholds, record.profiles, record.database_size};
    hmmer2_->write(hmmer2_->texts(query, record.length, std::move(result)));
  }
  void write_record(Hmmer3Record&& record) {
    hmmer3_->write(hmmer3_->texts(record.query, record.result, record.times));
  }

  std::optional<Hmmer3Request> request_;
  std::optional<Hmmer3Outputs> hmmer3_;
  std::optional<SearchOutputs> hmmer2_;
  bool alignments_ = true;  // of HMMER2 profiles
};

// Gives the records of all parts query by query.
class Merging {
 public:
  Merging(std::vector<PartReader>& parts, ReportKind kind)
      : parts_(parts),
        // Otherwise a query is in one part.
        in_all_(kind == ReportKind::Search || parts.front().header().divided == PartsOf::Profiles) {
    for (PartReader& part : parts_) heads_.push_back(part.next());
  }

  // The place of the next query; nothing behind the last one.
  std::optional<QueryPlace> place() const {
    std::optional<QueryPlace> least;
    for (const auto& head : heads_) {
      if (head && (!least || head->place < *least)) least = head->place;
    }
    return least;
  }

  // The records of the query at `place`, in the order of the parts.
  std::vector<PartContent> take(const QueryPlace& place) {
    std::vector<PartContent> records;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!heads_[i] || heads_[i]->place != place) {
        if (in_all_) fail(parts_[i], place, "lacks");
        continue;
      }
      if (!in_all_ && !records.empty()) fail(parts_[i], place, "repeats");
      records.push_back(std::move(heads_[i]->content));
      if (records.back().index() != records.front().index()) fail(parts_[i], place, "has another kind of");
      heads_[i] = parts_[i].next();
      if (heads_[i] && heads_[i]->place <= place) fail(parts_[i], heads_[i]->place, "has in a wrong place");
    }
    return records;
  }

 private:
  [[noreturn]] static void fail(const PartReader& part, const QueryPlace& place, const char* what) {
    throw FileError(part.name() + ": " + what + " the results of query " + std::to_string(place.index + 1) +
                    " of section " + std::to_string(place.section + 1) + ", unlike the other parts");
  }

  std::vector<PartReader>& parts_;
  bool in_all_;
  std::vector<std::optional<PartRecord>> heads_;
};

}  // namespace

std::vector<PartReader> open_parts(const std::vector<std::string>& paths) {
  constexpr rlim_t kOthers = 100;  // files that are open besides
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < paths.size() + kOthers) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);  // otherwise opening will fail, and say so
  }
  std::vector<PartReader> parts;
  parts.reserve(paths.size());
  for (const std::string& path : paths) parts.emplace_back(path);
  return parts;
}

void merge_parts(std::vector<PartReader>& parts, const Arguments& arguments, ReportKind kind,
                 RunFiles& files) {
  Merging merging(parts, kind);
  std::optional<SectionOutputs> outputs;
  std::optional<std::uint64_t> section;
  hmmer3::Options options;
  while (const std::optional<QueryPlace> place = merging.place()) {
    std::vector<PartContent> records = merging.take(*place);
    const bool hmmer3 = std::holds_alternative<Hmmer3Record>(records.front());
    if (section != place->section) {
      if (outputs) outputs->finish();
      outputs.reset();
      if (hmmer3) options = hmmer3_request(arguments, kind).options.hmmer3;
      outputs.emplace(arguments, kind, files, hmmer3);
      section = place->section;
    }
    if (!outputs->takes(records.front()))
      throw FileError(parts.front().name() + ": has records of two kinds");
    outputs->write(joined(std::move(records), kind, options));
  }
  if (outputs) outputs->finish();
  files.commit();
}

}  // namespace gpuhmm::cli
