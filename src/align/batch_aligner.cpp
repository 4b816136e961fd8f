// Spreads alignments over threads, two sequences of similar length at a time, and over devices, some hundred
// at a time.
#include "align/batch_aligner.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <vector>

#include "align/grid_aligner.hpp"
#include "align/grid_parse.hpp"
#include "align/opencl/device_paths.hpp"
#include "align/task_shares.hpp"
#include "simd/instruction_set.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// Work space of one thread.
using Aligners = std::array<grid::GridAligner, grid::kTracks>;

// Indices of the tasks, longest sequence first.
std::vector<std::size_t> by_length(std::span<const AlignmentTask> tasks) {
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t t) { return tasks[t].residues.size(); });
  return order;
}

std::vector<Portion> portions_of(const grid::GridModel& model, std::span<const AlignmentTask> tasks) {
  std::vector<Portion> portions;
  portions.reserve(tasks.size());
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::size_t waiting = kNone;
  for (const std::size_t t : by_length(tasks)) {
    if (!grid::GridAligner::records(model, tasks[t].residues.size())) {
      portions.push_back({t, std::nullopt});
    } else if (waiting != kNone) {
      portions.push_back({waiting, t});
      waiting = kNone;
    } else {
      waiting = t;
    }
  }
  if (waiting != kNone) portions.push_back({waiting, std::nullopt});
  return portions;
}

class Batch {
 public:
  Batch(const Profile& profile, const ScoreModel& model, std::span<const AlignmentTask> tasks,
        const AlignmentTaker& take, AlignmentClock* clock)
      : profile_(profile), model_(model), tasks_(tasks), take_(take), clock_(clock) {}

  void run_on_matrices(unsigned threads) const {
    parallel_for(threads, tasks_.size(), 1, [&](std::size_t first, std::size_t last) {
      ViterbiMatrix matrix;
      MatrixAligner aligner(model_, profile_, matrix);
      for (std::size_t t = first; t < last; ++t) align_one(t, aligner);
    });
  }

  void run_on_grids(unsigned threads, PathDevices* devices) const {
    const grid::GridModel grid_model(model_);
    std::vector<Portion> portions = portions_of(grid_model, tasks_);
    std::optional<DevicePaths> paths;
    if (devices != nullptr && devices->worth(cells())) {
      paths.emplace(*devices, profile_, model_, tasks_);
      for (Portion& portion : portions) {
        portion.for_devices =
            paths->can_align(portion.first) && (!portion.second || paths->can_align(*portion.second));
      }
      std::ranges::stable_partition(portions, [](const Portion& portion) { return !portion.for_devices; });
    }
    TaskShares shares(std::move(portions));
    // Each thread works until nothing is left.
    const std::size_t workers = std::min<std::size_t>(threads, shares.size());
    parallel_for(threads, workers, 1, [&](std::size_t, std::size_t) {
      Aligners aligners{grid::GridAligner(grid_model, profile_), grid::GridAligner(grid_model, profile_)};
      try {
        while (align_some(paths, shares, aligners)) {
        }
      } catch (...) {
        shares.drop();
        throw;
      }
    });
  }

 private:
  double cells() const {
    double residues = 0;
    for (const AlignmentTask& task : tasks_) residues += static_cast<double>(task.residues.size());
    return residues * model_.nodes;
  }

  // False if nothing is left.
  bool align_some(std::optional<DevicePaths>& paths, TaskShares& shares, Aligners& aligners) const {
    if (paths && align_on_device(*paths, shares, aligners)) return true;
    const std::optional<Portion> portion = shares.take_portion();
    if (portion) align_portion(*portion, aligners);
    return portion.has_value();
  }

  // Whether a device had time and something to do. What it cannot align this thread does.
  bool align_on_device(DevicePaths& paths, TaskShares& shares, Aligners& aligners) const {
    std::vector<std::optional<AlignedSequence>> aligned;
    AlignmentTimes times;
    std::vector<std::size_t> launch;
    {
      const Stopwatch watch(times.device);
      launch = paths.align_some(shares, aligned, aligners[0]);
    }
    if (launch.empty()) return false;
    for (std::size_t n = 0; n < launch.size(); ++n) {
      if (!aligned[n]) {
        align_one(launch[n], aligners[0]);
        continue;
      }
      const Stopwatch watch(times.traceback);
      take_(launch[n], std::move(*aligned[n]));
      ++times.by_devices;
    }
    if (clock_ != nullptr) clock_->add(times);
    return true;
  }

  void align_one(std::size_t t, FullAligner& aligner) const {
    AlignmentTimes times;
    times.by_threads = 1;
    align_and_take(t, aligner, times.fill, times.traceback);
    if (clock_ != nullptr) clock_->add(times);
  }

  void align_portion(const Portion& portion, Aligners& aligners) const {
    if (!portion.second) {
      align_one(portion.first, aligners[0]);
      return;
    }
    const std::array both{portion.first, *portion.second};
    AlignmentTimes times;
    times.by_threads = 2;
    {
      const Stopwatch watch(times.fill);
      grid::GridAligner::sweep_both(aligners[0], tasks_[both[0]].residues, aligners[1],
                                    tasks_[both[1]].residues);
    }
    for (std::size_t s = 0; s < both.size(); ++s) {
      align_and_take(both[s], aligners[s], times.traceback, times.traceback);
    }
    if (clock_ != nullptr) clock_->add(times);
  }

  // Adds the times of both steps to `aligning` and `taking`.
  void align_and_take(std::size_t t, FullAligner& aligner, double& aligning, double& taking) const {
    const AlignmentTask& task = tasks_[t];
    MatrixRule rule = task.rule;
    std::optional<AlignedSequence> aligned;
    {
      const Stopwatch watch(aligning);
      aligned = align(task.residues, rule, task.lowest_traced, aligner);
    }
    const Stopwatch watch(taking);
    take_(t, std::move(*aligned));
  }

  const Profile& profile_;
  const ScoreModel& model_;
  std::span<const AlignmentTask> tasks_;
  const AlignmentTaker& take_;
  AlignmentClock* clock_;
};

}  // namespace

void align_batch(const Profile& profile, const ScoreModel& model, std::span<const AlignmentTask> tasks,
                 unsigned threads, const AlignmentTaker& take, AlignmentClock* clock, PathDevices* devices) {
  if (tasks.empty()) return;
  const Batch batch(profile, model, tasks, take, clock);
  if (simd::vector_bytes() > 0) {
    batch.run_on_grids(threads, devices);
  } else {
    batch.run_on_matrices(threads);
  }
}

SegmentParse parse_segments_fast(const ScoreModel& model, std::span<const std::uint8_t> residues) {
  if (simd::vector_bytes() == 0) return parse_segments(model, residues);
  const grid::GridModel grid_model(model);
  grid::Track track;
  grid::TileSpace space;
  grid::GridParser parser(grid_model, track, space);
  std::optional<SegmentParse> parse = parser.parse(residues, std::numeric_limits<std::int32_t>::min());
  return parse ? std::move(*parse) : parse_segments(model, residues);
}

}  // namespace gpuhmm
