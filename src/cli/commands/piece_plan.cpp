// Chooses the sizes of pieces.
#include "cli/commands/piece_plan.hpp"

#include <algorithm>

namespace gpuhmm::cli {

namespace {

// A piece should take this long: what is lost when a run is killed, against what it costs to begin a piece.
// In long runs pieces may take longer, so that there are not too many of them.
constexpr double kSeconds = 15, kShareOfElapsed = 0.02;
// The first pieces of each worker: this share of its part of the run. From one piece to the next, the size
// grows by this factor at most.
constexpr double kFirstShare = 1.0 / 256, kGrowth = 4;
// Of several workers each takes at most this share of an equal part of what is left, so that they end at
// about the same time, but no less than what takes this long.
constexpr double kShareOfRest = 0.5, kLeastSeconds = 0.5;

}  // namespace

PiecePlan::PiecePlan(const RecordCensus& sequences, const std::vector<RecordRange>& done, std::size_t workers)
    : census_(sequences), workers_(workers) {
  std::vector<RecordRange> taken = done;
  std::ranges::sort(taken, {}, &RecordRange::first);
  taken.push_back({sequences.records(), RecordRange{}.end});
  RecordRange gap;
  std::vector<RecordRange> gaps;
  for (const RecordRange& piece : taken) {
    gap.end = piece.first;
    if (!gap.empty()) gaps.push_back(gap);
    gap.first = piece.end;
  }
  // A run without sequences has one piece, too: its results name the profiles.
  if (done.empty() && gaps.empty()) gaps.push_back({});
  for (const RecordRange& records : gaps) {
    const std::uint64_t from = census_.size_before(records.first), to = census_.size_before(records.end);
    gaps_.insert(gaps_.begin(), {records, from, to});
    left_ += to - from;
  }
  done_ = census_.size() - left_;
}

double PiecePlan::wanted_residues(const Worker& worker) const {
  const auto count = static_cast<double>(workers_.size());
  const double first = static_cast<double>(census_.size()) / count * kFirstShare;
  if (worker.residues_per_second == 0) return first;
  const double seconds = std::max(kSeconds, kShareOfElapsed * elapsed_ / count);
  double wanted = std::min(worker.residues_per_second * seconds, kGrowth * static_cast<double>(worker.taken));
  if (workers_.size() > 1) {
    const double rest = static_cast<double>(left_) / count * kShareOfRest;
    wanted = std::min(wanted, std::max(rest, worker.residues_per_second * kLeastSeconds));
  }
  return std::max(wanted, 1.0);
}

std::optional<RecordRange> PiecePlan::take(std::size_t number) {
  if (gaps_.empty()) return std::nullopt;
  Worker& worker = workers_[number];
  Gap& gap = gaps_.back();
  RecordRange piece = gap.records;
  const double wanted = wanted_residues(worker);
  std::uint64_t end = gap.to;
  if (wanted < static_cast<double>(gap.to - gap.from)) {
    const std::uint64_t cut =
        std::max(census_.cut_behind(gap.from + static_cast<std::uint64_t>(wanted)), piece.first + 1);
    if (cut < std::min(gap.records.end, census_.records())) {
      piece.end = cut;
      end = census_.size_before(cut);
    }
  }
  worker.taken = end - gap.from;
  left_ -= worker.taken;
  gap.records.first = piece.end;
  gap.from = end;
  if (piece.end == gap.records.end) gaps_.pop_back();
  // Records that the census does not know belong to the last piece.
  if (piece.end == census_.records()) piece.end = RecordRange{}.end;
  return piece;
}

void PiecePlan::finished(std::size_t number, double seconds) {
  Worker& worker = workers_[number];
  constexpr double kShortest = 1e-3;
  worker.residues_per_second =
      static_cast<double>(std::max<std::uint64_t>(worker.taken, 1)) / std::max(seconds, kShortest);
  elapsed_ += seconds;
  done_ += worker.taken;
}

double PiecePlan::fraction_done() const {
  return census_.size() == 0 ? 1 : static_cast<double>(done_) / static_cast<double>(census_.size());
}

}  // namespace gpuhmm::cli
