// Finds the shares of parts and numbers their results.
#include "cli/commands/part_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace gpuhmm::cli {

PartRun::PartRun(ReportKind kind, PartsOf divided, std::uint64_t number, std::uint64_t count, Taker take)
    : kind_(kind), divided_(divided), number_(number), count_(count), take_(std::move(take)) {
  if (divided_ == PartsOf::Profiles) sequences_.emplace();
}

PartRun::PartRun(ReportKind kind, const RecordRange& sequences, Taker take)
    : kind_(kind), sequences_(sequences), take_(std::move(take)) {}

void PartRun::begin_section() {
  ++sections_;
  next_ = 0;
}

RecordRange PartRun::left(RecordRange whole) const {
  const std::uint64_t section = sections_ - 1;
  if (section < start_.section) whole.first = whole.end;
  if (section == start_.section) whole.first = std::max(whole.first, start_.index);
  return whole;
}

std::unique_ptr<SequenceReader> PartRun::open(const SequenceSource& source, const Alphabet& alphabet) {
  if (!sequences_) sequences_ = share(census_of(*source.open(alphabet)));
  std::unique_ptr<SequenceReader> reader = source.open(alphabet);
  const RecordRange range = kind_ == ReportKind::Scan ? left(*sequences_) : *sequences_;
  if (kind_ == ReportKind::Scan) next_ = range.first;
  reader->set_range(range);
  return reader;
}

RecordRange PartRun::searched_profiles() {
  const RecordRange range = left({});
  next_ = range.first;
  return range;
}

RecordRange PartRun::scanned_profiles(const ProfileOpener& open) {
  if (divided_ == PartsOf::Sequences) return {};
  constexpr double kNodes = 1e6;
  RecordCensus census;
  ProfileBlocks all = open();
  for (std::vector<Profile> profiles; !(profiles = all.next(kNodes)).empty();) {
    for (const Profile& profile : profiles) census.add(static_cast<std::uint64_t>(profile.nodes));
  }
  return share(census);
}

RecordRange PartRun::scanned_profiles(const hmmer3::ProfileOpener& open) {
  if (divided_ == PartsOf::Sequences) return {};
  RecordCensus census;
  hmmer3::ProfileReader all = open();
  while (const std::optional<hmmer3::Profile> profile = all.next()) {
    census.add(static_cast<std::uint64_t>(profile->nodes));
  }
  return share(census);
}

void PartRun::add(std::string_view content) { take_({sections_ - 1, next_++}, content); }

}  // namespace gpuhmm::cli
