// Stochastic traceback through a Forward matrix, plainly.
#include "hmmer3/traceback_ensemble.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "hmmer3/null2.hpp"
#include "hmmer3/random.hpp"

namespace gpuhmm::hmmer3 {

namespace {

enum class State { C, J, N, E, B, Match, Insert, Delete };

// One traceback, from the end of the region to its begin.
class Sampler {
 public:
  Sampler(const FloatModel& model, const SequenceTask& task, Random& random)
      : model_(model), task_(task), cells_(*task.forward_cells), random_(random) {}

  // A stretch from E to B: the segment, and the share of its residues that each node emits.
  struct Stretch {
    SampledSegment segment;
    std::size_t residues = 0;
    std::vector<float> weights;
  };

  // The stretches of one traceback, left to right.
  std::vector<Stretch> sample() {
    stretches_.clear();
    state_ = State::C;
    i_ = task_.sequence.size();
    while (!(state_ == State::N && i_ == 0)) step();
    for (Stretch& stretch : stretches_) {
      const float share = 1.0F / static_cast<float>(stretch.residues);
      for (float& weight : stretch.weights) weight = weight * share;
    }
    std::reverse(stretches_.begin(), stretches_.end());
    return std::move(stretches_);
  }

 private:
  template <std::size_t n>
  std::size_t choose(const std::array<float, n>& options) {
    return random_.choose(options);
  }
  float cell(std::size_t i, CellState state, int k) const {
    if (k == 0) return 0;
    const std::size_t place = model_.place_of(k), stripe = place % kStripes;
    return cells_.row(i)[(place - stripe) * kCellStates + state * kStripes + stripe];
  }
  float step_to(Step step, int k) const { return k == 0 ? 0 : model_.transition(step, k); }

  void step() {
    const std::vector<SpecialRow>& f = task_.forward;
    const LengthModel& lengths = task_.lengths;
    switch (state_) {
      case State::C:
        leave_after(choose<2>({f[i_ - 1].c * lengths.loop, f[i_].e * lengths.end_to_c * f[i_].scale}));
        break;
      case State::J:
        leave_after(choose<2>({f[i_ - 1].j * lengths.loop, f[i_].e * lengths.end_to_j * f[i_].scale}));
        break;
      case State::N:
        --i_;
        break;
      case State::E:
        leave_end();
        break;
      case State::B:
        state_ = choose<2>({f[i_].n * lengths.move, f[i_].j * lengths.move}) == 0 ? State::N : State::J;
        break;
      case State::Match:
        leave_match();
        break;
      case State::Insert:
        emit();
        state_ = choose<2>({cell(i_ - 1, kMatch, k_) * step_to(kMatchToInsert, k_),
                            cell(i_ - 1, kInsert, k_) * step_to(kInsertToInsert, k_)}) == 0
                     ? State::Match
                     : State::Insert;
        --i_;
        break;
      case State::Delete:
        state_ = choose<2>({cell(i_, kMatch, k_ - 1) * step_to(kMatchToDelete, k_ - 1),
                            cell(i_, kDelete, k_ - 1) * step_to(kDeleteToDelete, k_ - 1)}) == 0
                     ? State::Match
                     : State::Delete;
        --k_;
        break;
    }
  }

  // From C or J: the residue was emitted there, or a domain ends here.
  void leave_after(std::size_t choice) {
    if (choice == 0) {
      --i_;
    } else {
      state_ = State::E;
      stretches_.emplace_back().weights.assign(model_.steps() * kStripes, 0.0F);
    }
  }

  // The last node of the domain: by the share of its match and delete cells in E, steps first.
  void leave_end() {
    const double drawn = random_.uniform();
    const auto inverse = static_cast<float>(1.0 / static_cast<double>(task_.forward[i_].e));
    const std::size_t steps = model_.steps();
    const float* const row = cells_.row(i_);
    double sum = 0;
    for (std::size_t q = 0;; q = q + 1 == steps ? 0 : q + 1) {
      for (const CellState state : {kMatch, kDelete}) {
        for (std::size_t r = 0; r < kStripes; ++r) {
          sum += static_cast<double>(row[(q * kCellStates + state) * kStripes + r] * inverse);
          if (!(drawn < sum)) continue;
          state_ = state == kMatch ? State::Match : State::Delete;
          k_ = static_cast<int>(r * steps + q) + 1;
          return;
        }
      }
    }
  }

  void leave_match() {
    emit();
    SampledSegment& segment = stretches_.back().segment;
    if (segment.to == 0) {
      segment.to = i_;
      segment.model_to = k_;
    }
    segment.from = i_;
    segment.model_from = k_;
    const std::size_t before = i_ - 1;
    switch (choose<4>({task_.forward[before].b * step_to(kIntoFromBegin, k_),
                       cell(before, kMatch, k_ - 1) * step_to(kIntoFromMatch, k_),
                       cell(before, kInsert, k_ - 1) * step_to(kIntoFromInsert, k_),
                       cell(before, kDelete, k_ - 1) * step_to(kIntoFromDelete, k_)})) {
      case 0:
        state_ = State::B;
        break;
      case 1:
        state_ = State::Match;
        break;
      case 2:
        state_ = State::Insert;
        break;
      default:
        state_ = State::Delete;
    }
    --k_;
    --i_;
  }

  void emit() {
    Stretch& stretch = stretches_.back();
    float& weight = stretch.weights[model_.place_of(k_)];
    weight = weight + 1.0F;
    ++stretch.residues;
  }

  const FloatModel& model_;
  const SequenceTask& task_;
  const StripedMatrix& cells_;
  Random& random_;
  std::vector<Stretch> stretches_;  // of this traceback, right to left
  State state_ = State::C;
  std::size_t i_ = 0;
  int k_ = 0;
};

}  // namespace

TracebackEnsemble sample_tracebacks_plainly(const FloatModel& model, const Alphabet& alphabet,
                                            const SequenceTask& task, std::uint32_t seed) {
  const Residues sequence = task.sequence;
  TracebackEnsemble ensemble;
  ensemble.null2.assign(sequence.size(), 0.0F);
  Random random(seed);
  Sampler sampler(model, task, random);
  for (int t = 0; t < kTracebacks; ++t) {
    std::size_t done = 0;  // residues so far
    // Residues outside of domains, and the first of each domain, are unbiased.
    const auto unbiased_to = [&](std::size_t end) {
      for (; done < end; ++done) ensemble.null2[done] += 1.0F;
    };
    for (Sampler::Stretch& stretch : sampler.sample()) {
      const std::vector<float> odds = null2_odds(model, alphabet, stretch.weights, {}, 0);
      stretch.segment.traceback = t;
      ensemble.segments.push_back(stretch.segment);
      unbiased_to(stretch.segment.from);
      for (; done < stretch.segment.to; ++done) ensemble.null2[done] += odds[sequence[done]];
    }
    unbiased_to(sequence.size());
  }
  for (float& score : ensemble.null2) score = std::log(score / static_cast<float>(kTracebacks));
  return ensemble;
}

}  // namespace gpuhmm::hmmer3
