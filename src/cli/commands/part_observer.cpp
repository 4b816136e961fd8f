// Makes records of results.
#include "cli/commands/part_observer.hpp"

namespace gpuhmm::cli {

ResultWriter SearchPartObserver::result(const Profile& profile, const Thresholds& thresholds,
                                        SearchResult&& result) {
  SearchRecord record;
  record.profile.name = profile.name;
  record.profile.accession = profile.accession;
  record.profile.description = profile.description;
  record.profile.nodes = profile.nodes;
  record.profile.evd = profile.evd;
  record.profile.rf = profile.rf.substr(0, 1);  // reports only ask whether it is there
  record.profile.cs = profile.cs.substr(0, 1);
  record.thresholds = thresholds;
  record.histogram = std::move(result.histogram);
  record.searched = result.searched;
  record.hits = std::move(static_cast<RegisteredHits&>(result));
  return writer(std::move(record));
}

ResultWriter ScanPartObserver::result(const SequenceView& query, ScanResult&& result) {
  return writer(ScanRecord{std::string(query.name), std::string(query.accession),
                           std::string(query.description), static_cast<std::int64_t>(query.residues.size()),
                           std::move(result.hits), result.thresholds, result.profiles, result.database_size});
}

ResultWriter Hmmer3PartObserver::result(const hmmer3::Query& query, hmmer3::QueryResult&& result,
                                        const hmmer3::QueryTimes& times) {
  return writer(Hmmer3Record{query, std::move(result), times});
}

}  // namespace gpuhmm::cli
