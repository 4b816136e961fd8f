// Chooses the sizes of samples.
#include <algorithm>
#include <cmath>

#include "gpuhmm/run_plan.hpp"

namespace gpuhmm {

namespace {

// A run of so few cells is done as a whole at once.
constexpr double kFewCells = 5e8;

// The first sample, and the most by which the next one grows.
constexpr double kFirstNodes = 800, kFirstResidues = 30'000, kGrowth = 16;

// A batch of a sample should be large enough for host vectors and for the way of scans with large batches. It
// is as large as that of the run if that leaves profiles of so many nodes: of many families, as a few of them
// may take most of the time.
constexpr double kLeastResidues = 1.6e6, kManyNodes = 100'000;

// Shares: of a run that is sampled at all, of the time that is left for the largest sample, and the part of
// it that the last one is. A sample between these parts with the same profiles or sequences serves as well.
constexpr double kMostOfRun = 0.8, kLargest = 0.7, kContrast = 1.0 / 3;
constexpr double kLeastContrast = 1.0 / 8, kMostContrast = 1.0 / 2;

// A sample that took this share of its time was the largest. The time of one that took so many seconds more
// than the shortest tells how long a much larger run takes.
constexpr double kLargeEnough = 0.5, kTelling = 0.1;

}  // namespace

TrialPlan::TrialPlan(const RunSize& whole, double seconds, const RunSize& least)
    : whole_(whole), least_(least), seconds_(seconds) {}

RunSize TrialPlan::sample_of(double cells) const {
  const double batch = std::max(kLeastResidues, std::min(trials_.back().batch_residues, cells / kManyNodes));
  RunSize sample;
  const double nodes = std::max({cells / batch, kFirstNodes, least_.nodes});
  sample.nodes = std::min(whole_.nodes, nodes);
  sample.residues = std::min(whole_.residues, std::max(cells / std::max(sample.nodes, 1.0), least_.residues));
  // What the sequences do not give the profiles do.
  sample.nodes = std::min(whole_.nodes, std::max(sample.nodes, cells / std::max(sample.residues, 1.0)));
  return sample;
}

RunSize TrialPlan::contrast_to(const RunSize& largest) const {
  RunSize sample = largest;
  if (largest.residues < whole_.residues || largest.nodes <= least_.nodes) {
    sample.residues *= kContrast;
    sample.sequences = 0;
  } else {
    sample.nodes *= kContrast;
    sample.profiles = 0;
  }
  return sample;
}

bool TrialPlan::has_contrast_to(const RunSize& largest) const {
  return std::ranges::any_of(trials_, [&](const RunTrial& trial) {
    const double share = trial.size.cells() / largest.cells();
    return share >= kLeastContrast && share <= kMostContrast &&
           (trial.size.nodes == largest.nodes || trial.size.residues == largest.residues);
  });
}

std::optional<RunSize> TrialPlan::next() const {
  if (trials_.empty()) {
    if (whole_.cells() <= kFewCells) return whole_;
    return RunSize{.nodes = std::min(whole_.nodes, std::max(kFirstNodes, least_.nodes)),
                   .residues = std::min(whole_.residues, std::max(kFirstResidues, least_.residues))};
  }
  const auto less = [](const RunTrial& a, const RunTrial& b) { return a.size.cells() < b.size.cells(); };
  const RunTrial& first = trials_.front();
  const RunTrial& largest = *std::ranges::max_element(trials_, less);
  const RunTrial& last = trials_.back();
  if (largest.size.cells() >= whole_.cells()) return std::nullopt;
  if (trials_.size() > 1 && last.size.cells() < largest.size.cells()) return std::nullopt;  // the contrast

  const double start =
      std::ranges::min(trials_, {}, [](const RunTrial& t) { return t.costs.seconds; }).costs.seconds;
  double spent = 0;
  for (const RunTrial& trial : trials_) spent += trial.costs.seconds - start;
  if (trials_.size() == 1) return sample_of(kGrowth * first.size.cells());
  const double more = last.costs.seconds - start;
  const double rate = (last.size.cells() - first.size.cells()) / std::max(more, 1e-3);
  const double whole_seconds = whole_.cells() / rate;
  const bool tells = more >= kTelling || whole_.cells() <= kGrowth * last.size.cells();
  if (tells && spent + whole_seconds <= seconds_) return whole_;
  const double left = std::max(std::min(seconds_, kMostOfRun * whole_seconds) - spent, 0.0);
  const auto sample_in = [&](double time) {
    return sample_of(std::min(time * rate, kGrowth * last.size.cells()));
  };
  RunSize sample = sample_in(left);
  if (!has_contrast_to(sample)) sample = sample_in(kLargest * left);
  if (sample.cells() > last.size.cells() / kLargeEnough) return sample;
  if (has_contrast_to(largest.size)) return std::nullopt;
  return contrast_to(largest.size);
}

}  // namespace gpuhmm
