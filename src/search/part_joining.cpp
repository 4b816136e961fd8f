// Joins what parts of a run have found for one query. Hits are in the order of the targets within each part,
// and the parts in the order of their shares, so that hits that follow each other are in order.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "gpuhmm/parts.hpp"
#include "hmmer3/hit_list.hpp"

namespace gpuhmm {

namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void append(RegisteredHits& to, RegisteredHits&& from) {
  append(to.sequences, std::move(from.sequences));
  append(to.domains, std::move(from.domains));
}

void join(SearchRecord& to, SearchRecord&& from) {
  append(to.hits, std::move(from.hits));
  for (const auto& [bin, count] : from.histogram.bins()) to.histogram.add(bin, count);
  to.searched = std::max(to.searched, from.searched);
}

// A profile's cut-offs are not in force for the report of a query with a hit
// (docs/spec/postprocessing-statistics.md, 5.7), which any of the parts may have.
void join(ScanRecord& to, ScanRecord&& from) {
  if (!from.hits.sequences.empty()) to.thresholds = from.thresholds;
  append(to.hits, std::move(from.hits));
}

// The shares of a search see the same profile, those of a scan the same sequence.
void join(Hmmer3Record& to, Hmmer3Record&& from, ReportKind kind) {
  hmmer3::Counters& counters = to.result.counters;
  counters.add_passed(from.result.counters);
  if (kind == ReportKind::Search) {
    counters.sequences = std::max(counters.sequences, from.result.counters.sequences);
    counters.residues += from.result.counters.residues;
  } else {
    counters.models += from.result.counters.models;
    counters.nodes += from.result.counters.nodes;
  }
  append(to.result.hits, std::move(from.result.hits));
  to.times.user += from.times.user;
  to.times.system += from.times.system;
  to.times.elapsed += from.times.elapsed;
}

}  // namespace

PartContent joined(std::vector<PartContent>&& parts, ReportKind kind, const hmmer3::Options& options) {
  PartContent whole = std::move(parts.front());
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    std::visit(
        [&]<class Record>(Record& to) {
          Record& from = std::get<Record>(*part);
          if constexpr (std::is_same_v<Record, Hmmer3Record>) {
            join(to, std::move(from), kind);
          } else {
            join(to, std::move(from));
          }
        },
        whole);
  }
  if (auto* const record = std::get_if<Hmmer3Record>(&whole); record != nullptr && parts.size() > 1) {
    const hmmer3::Counters& counters = record->result.counters;
    const std::int64_t targets = kind == ReportKind::Search ? counters.sequences : counters.models;
    finish_hits(record->result, options, static_cast<double>(targets));
  }
  return whole;
}

}  // namespace gpuhmm
