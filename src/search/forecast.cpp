// Extrapolates from samples to the whole run.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "gpuhmm/run_plan.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kTerms = 4;
using Terms = std::array<double, kTerms>;

struct Observation {
  Terms terms;
  double value, weight;
};

// Solves the normal equations for the terms in `chosen` (bits), the others are 0. False: there is no unique
// solution.
bool solve(std::span<const Observation> observations, unsigned chosen, Terms& factors) {
  std::array<std::array<double, kTerms + 1>, kTerms> rows{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    rows[i][i] = 1;
    if ((chosen >> i & 1U) == 0) continue;
    rows[i][i] = 0;
    for (const Observation& o : observations) {
      for (std::size_t j = 0; j < kTerms; ++j) {
        if ((chosen >> j & 1U) != 0) rows[i][j] += o.weight * o.terms[i] * o.terms[j];
      }
      rows[i][kTerms] += o.weight * o.terms[i] * o.value;
    }
  }
  for (std::size_t i = 0; i < kTerms; ++i) {
    constexpr double kTiny = 1e-9;
    const double before = rows[i][i];
    for (std::size_t k = 0; k < i; ++k) {
      const double factor = rows[i][k];
      for (std::size_t j = 0; j <= kTerms; ++j) rows[i][j] -= factor * rows[k][j];
    }
    if (!(rows[i][i] > kTiny * before)) return false;
    const double pivot = rows[i][i];
    for (double& entry : rows[i]) entry /= pivot;
  }
  for (std::size_t i = kTerms; i-- > 0;) {
    factors[i] = rows[i][kTerms];
    for (std::size_t j = i + 1; j < kTerms; ++j) factors[i] -= rows[i][j] * factors[j];
  }
  return true;
}

// Factors of the terms, none negative, with the least squares of the weighted differences. Of several equally
// good ones those with the fewest terms, later terms first.
Terms fitted(std::vector<Observation> observations) {
  Terms scale{}, best{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (const Observation& o : observations) scale[i] = std::max(scale[i], o.terms[i]);
    for (Observation& o : observations) o.terms[i] = scale[i] > 0 ? o.terms[i] / scale[i] : 0;
  }
  double least = std::numeric_limits<double>::infinity();
  std::vector<unsigned> choices;
  for (unsigned chosen = (1U << kTerms) - 1; chosen > 0; --chosen) choices.push_back(chosen);
  std::ranges::stable_sort(choices, {}, [](unsigned chosen) { return std::popcount(chosen); });
  for (const unsigned chosen : choices) {
    Terms factors{};
    if (!solve(observations, chosen, factors)) continue;
    if (std::ranges::any_of(factors, [](double factor) { return factor < 0; })) continue;
    double squares = 0;
    for (const Observation& o : observations) {
      double difference = -o.value;
      for (std::size_t i = 0; i < kTerms; ++i) difference += factors[i] * o.terms[i];
      squares += o.weight * difference * difference;
    }
    constexpr double kBetter = 1 - 1e-9;
    if (squares < kBetter * least - 1e-300) {
      least = squares;
      best = factors;
    }
  }
  for (std::size_t i = 0; i < kTerms; ++i) best[i] = scale[i] > 0 ? best[i] / scale[i] : 0;
  return best;
}

double sum(const Terms& factors, const Terms& terms) {
  double all = 0;
  for (std::size_t i = 0; i < kTerms; ++i) all += factors[i] * terms[i];
  return all;
}

using Cost = double RunCosts::*;
using TermsOf = std::function<Terms(const RunSize&, double hits)>;

Terms fitted(std::span<const RunTrial> trials, Cost cost, const TermsOf& terms) {
  std::vector<Observation> observations;
  for (const RunTrial& trial : trials) {
    const double value = trial.costs.*cost;
    constexpr double kLeast = 1e-3;  // seconds, or bytes
    observations.push_back({terms(trial.size, trial.costs.hits), value, 1 / std::max(value, kLeast)});
  }
  return fitted(std::move(observations));
}

// The largest sample, and the next one of the same profiles or sequences: what is added from one to the
// other.
class LargestSamples {
 public:
  explicit LargestSamples(std::span<const RunTrial> trials)
      : largest_(*std::ranges::max_element(trials, {}, cells_of)) {
    constexpr double kSmaller = 0.6;  // a sample of about the same size tells too little
    for (const RunTrial& trial : trials) {
      if (cells_of(trial) > kSmaller * cells_of(largest_)) continue;
      const bool same =
          trial.size.nodes == largest_.size.nodes || trial.size.residues == largest_.size.residues;
      if (same && (next_ == nullptr || cells_of(*next_) < cells_of(trial))) next_ = &trial;
    }
  }

  const RunTrial& largest() const { return largest_; }

  /// Whether a device was used and there is a next one.
  bool tell_use() const { return next_ != nullptr && largest_.costs.device > 0; }

  /// Processor seconds of a run of `cells` in which sequences are read for `read` seconds.
  double processor_seconds(double cells, double read) const {
    const RunCosts& costs = largest_.costs;
    return costs.processor_seconds - costs.read + read + processors_each() * more(cells);
  }

  /// Seconds of such a run with so many threads and devices. Runs on devices have several blocks under way at
  /// a time, so that the times of their stages overlap. Samples have too few blocks for that, which makes
  /// them slower for their size. A long run comes close to what its busiest resource allows: the processors
  /// or the devices, whose use grows with the cells.
  double seconds(double cells, double read, unsigned threads) const {
    const double read_more = std::max(read - largest_.costs.read, 0.0) / threads;
    const double each = std::max(processors_each() / threads, slope(&RunCosts::device));
    return largest_.costs.seconds + read_more + each * more(cells);
  }

  /// Memory of the whole, at least. Beyond a batch it grows with the largest pairs and the hits, by a power
  /// of the sequences less than one, but not for ever.
  double memory(Cost bytes, const RunSize& whole, double batch_residues) const {
    const double of_largest = largest_.costs.*bytes;
    const bool grows = next_ != nullptr && next_->size.nodes == largest_.size.nodes &&
                       largest_.size.residues >= batch_residues && next_->costs.*bytes > 0;
    if (!grows) return of_largest;
    constexpr double kFarthest = 8;
    const double power =
        std::log(of_largest / next_->costs.*bytes) / std::log(largest_.size.residues / next_->size.residues);
    return of_largest * std::pow(std::min(whole.residues / largest_.size.residues, kFarthest),
                                 std::clamp(power, 0.0, 1.0));
  }

 private:
  static double cells_of(const RunTrial& trial) { return trial.size.cells(); }
  double more(double cells) const { return cells - cells_of(largest_); }
  double slope(Cost cost) const {
    const double difference = largest_.costs.*cost - next_->costs.*cost;
    return std::max(difference, 0.0) / (cells_of(largest_) - cells_of(*next_));
  }
  // Without reading, which takes other times in samples.
  double processors_each() const {
    return std::max(slope(&RunCosts::processor_seconds) - slope(&RunCosts::read), 0.0);
  }

  const RunTrial& largest_;
  const RunTrial* next_ = nullptr;
};

}  // namespace

double RunLoops::batches(const RunSize& size) const {
  double count = 1;
  if (batch_residues > 0) count = std::max(count, std::ceil(size.residues / batch_residues));
  if (batch_sequences > 0) count = std::max(count, std::ceil(size.sequences / batch_sequences));
  return count;
}

double RunLoops::largest_batch(const RunSize& size) const {
  double residues = size.residues;
  if (batch_residues > 0) residues = std::min(residues, batch_residues);
  if (batch_sequences > 0 && size.sequences > batch_sequences) {
    residues = std::min(residues, size.residues / size.sequences * batch_sequences);
  }
  return residues;
}

double RunLoops::profile_passes(const RunSize& size) const {
  return kind == ReportKind::Scan ? batches(size) : 1;
}

double RunLoops::sequence_passes(const RunSize& size) const {
  const bool once = kind == ReportKind::Scan || group_nodes <= 0;
  return once ? 1 : std::max(1.0, std::ceil(size.nodes / group_nodes));
}

Forecast forecast(const RunSize& whole, const RunLoops& loops, std::span<const RunTrial> trials,
                  const ReadingBeside& reading) {
  const LargestSamples samples(trials);
  const RunTrial& largest = samples.largest();
  const double share = whole.cells() > 0 ? largest.size.cells() / whole.cells() : 1;
  Forecast result;
  result.measured = std::min(share, 1.0);
  // What a run takes to begin, a node in each pass of the profiles, and a cell.
  const TermsOf work = [&](const RunSize& size, double /*hits*/) {
    return Terms{1, size.nodes * loops.profile_passes(size), size.cells()};
  };
  const Terms seconds = fitted(trials, &RunCosts::seconds, work);
  result.start = seconds[0];
  result.profiles = seconds[1] * work(whole, 0)[1];
  if (share >= 1) {
    result.costs = largest.costs;
    return result;
  }
  const Terms processor = fitted(trials, &RunCosts::processor_seconds, work);
  RunCosts& costs = result.costs;
  costs.seconds = sum(seconds, work(whole, 0));
  costs.processor_seconds = sum(processor, work(whole, 0));
  for (const Cost cost :
       {&RunCosts::score, &RunCosts::align, &RunCosts::report, &RunCosts::device, &RunCosts::hits}) {
    costs.*cost = largest.costs.*cost / share;
  }
  // The memory of a run without inputs, of the profiles, of the batches in memory (the one that is worked at
  // and the next one, which is read meanwhile), and of hits: a scan keeps those of its batch. Those that a
  // search keeps grow with the whole file, too far to be foreseen from the residues of samples.
  const auto two_batches = [&](const RunSize& size) {
    return std::min(2 * loops.largest_batch(size), size.residues);
  };
  const TermsOf held = [&](const RunSize& size, double hits) {
    const double nodes = loops.group_nodes > 0 ? std::min(size.nodes, loops.group_nodes) : size.nodes;
    const double batches = loops.batches(size);
    return Terms{1, nodes, two_batches(size), loops.kind == ReportKind::Scan ? hits / batches : 0};
  };
  // Devices that search may have the next batch, too.
  const TermsOf on_device = [&](const RunSize& size, double /*hits*/) {
    return Terms{1, 0, loops.kind == ReportKind::Scan ? loops.largest_batch(size) : two_batches(size)};
  };
  const auto memory = [&](Cost bytes, const TermsOf& terms) {
    return std::max(sum(fitted(trials, bytes, terms), terms(whole, costs.hits)),
                    samples.memory(bytes, whole, loops.batch_residues));
  };
  costs.host_bytes = memory(&RunCosts::host_bytes, held);
  costs.device_bytes = memory(&RunCosts::device_bytes, on_device);
  // Samples lie in memory. Reading the file takes longer: before the first batch, and then at the same time
  // as the rest, by a processor that the run leaves free or by all that it uses.
  const double passes = loops.sequence_passes(whole);
  costs.read = reading.seconds * passes;
  const double in_samples =
      largest.costs.read / std::max(largest.size.residues, 1.0) * whole.residues * passes;
  const double more = std::max(costs.read - in_samples, 0.0);
  const double first = more / loops.batches(whole) / passes;
  const double beside = reading.threads < reading.processors ? 0 : (more - first) / reading.threads;
  costs.processor_seconds += more;
  costs.seconds += first + beside;
  if (samples.tell_use()) {
    costs.seconds = std::min(costs.seconds, samples.seconds(whole.cells(), costs.read, reading.threads));
    costs.processor_seconds = samples.processor_seconds(whole.cells(), costs.read);
  }
  costs.seconds = std::max(costs.seconds, costs.read);
  return result;
}

}  // namespace gpuhmm
