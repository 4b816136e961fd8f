// Stochastic tracebacks with tables by node; null2 odds of a stretch from the nodes that emit in it.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "hmmer3/null2.hpp"
#include "hmmer3/random.hpp"
#include "hmmer3/traceback_ensemble.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/fast_tracebacks.cpp"
#include "simd/foreach_target.hpp"

#ifndef GPUHMM_HMMER3_EMITTING_NODES
#define GPUHMM_HMMER3_EMITTING_NODES
namespace gpuhmm::hmmer3 {

// Residues of the largest alphabet, as a number of whole vectors.
constexpr std::size_t kPaddedResidues = 24;

// A node and how many residues it emits in a stretch.
struct EmittingNode {
  std::size_t node;
  float residues;
};

}  // namespace gpuhmm::hmmer3
#endif

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The sums over a stretch's nodes, given from the last to the first, in the order of the stripes. Nodes
// that emit nothing would add 0. `emissions`: [node][kPaddedResidues].
void stretch_odds(const float* emissions, std::span<const EmittingNode> nodes, std::size_t steps, float share,
                  float* odds) {
  constexpr hn::CappedTag<float, 8> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d), kVectors = kPaddedResidues / kLanes;
  alignas(64) float sums[kStripes][kPaddedResidues];
  std::size_t left = nodes.size();
  for (std::size_t r = 0; r < kStripes; ++r) {
    hn::Vec<decltype(d)> of_stripe[kVectors];
    for (auto& sum : of_stripe) sum = hn::Zero(d);
    for (; left > 0 && nodes[left - 1].node <= (r + 1) * steps; --left) {
      const float* const of_node = emissions + nodes[left - 1].node * kPaddedResidues;
      const auto weight = hn::Set(d, nodes[left - 1].residues * share);
      for (std::size_t v = 0; v < kVectors; ++v) {
        of_stripe[v] = hn::Add(of_stripe[v], hn::Mul(weight, hn::Load(d, of_node + v * kLanes)));
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(of_stripe[v], d, sums[r] + v * kLanes);
  }
  for (std::size_t x = 0; x < kPaddedResidues; ++x) {
    odds[x] = (sums[0][x] + sums[1][x]) + (sums[2][x] + sums[3][x]);
  }
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(stretch_odds);

namespace {

// A part of a traceback from E to B.
struct Stretch {
  SampledSegment segment;
  std::size_t residues = 0;
  std::size_t first = 0, last = 0;  // places of its emitting nodes
};

// Sums over the cells of one row in the order in which the end of a domain is drawn: for each step match
// cells, then delete cells. As many as have been needed.
struct EndSums {
  std::vector<double> sums;
  std::size_t steps = 0;  // that have been summed
};

}  // namespace

class TracebackSampler::State {
 public:
  State(const FloatModel& model, const Alphabet& alphabet)
      : alphabet_(alphabet),
        steps_(model.steps()),
        places_(steps_ * kStripes + 1),
        transitions_(steps_ * kStripes + 1),
        emissions_((steps_ * kStripes + 1) * kPaddedResidues, 0.0F) {
    const auto residues = static_cast<std::size_t>(alphabet.size());
    for (std::size_t k = 1; k < places_.size(); ++k) {
      const int node = static_cast<int>(k);
      places_[k] = {model.step_of(node), model.stripe_of(node)};
      for (std::size_t step = 0; step < kSteps; ++step) {
        transitions_[k][step] = model.transition(static_cast<Step>(step), node);
      }
      for (std::size_t x = 0; x < residues; ++x) {
        emissions_[k * kPaddedResidues + x] = model.emission(x, node);
      }
    }
    // Nothing comes from node 0: its cells, which stand for those of node 1, count 0.
    for (const Step step : {kIntoFromMatch, kIntoFromInsert, kIntoFromDelete}) transitions_[1][step] = 0;
  }

  TracebackEnsemble sample(const KeptForward& region, std::uint32_t seed) {
    begin(region);
    const Residues sequence = region.task.sequence;
    TracebackEnsemble ensemble;
    ensemble.null2.assign(sequence.size(), 0.0F);
    const bool degenerate = std::any_of(sequence.begin(), sequence.end(), [&](std::uint8_t x) {
      return x >= static_cast<std::uint8_t>(alphabet_.size());
    });
    Random random(seed);
    std::vector<float> odds;
    alignas(64) std::array<float, kPaddedResidues> of_plain{};
    for (int t = 0; t < kTracebacks; ++t) {
      trace(random);
      std::size_t done = 0;  // residues so far
      // Residues outside of domains, and the first of each domain, are unbiased.
      const auto unbiased_to = [&](std::size_t end) {
        for (; done < end; ++done) ensemble.null2[done] += 1.0F;
      };
      for (std::size_t s = stretches_.size(); s-- > 0;) {
        Stretch& stretch = stretches_[s];
        GPUHMM_SIMD_CALL(stretch_odds)
        (emissions_.data(), std::span(emitting_).subspan(stretch.first, stretch.last - stretch.first), steps_,
         1.0F / static_cast<float>(stretch.residues), of_plain.data());
        const float* of_code = of_plain.data();
        if (degenerate) {
          odds.assign(of_plain.begin(), of_plain.begin() + alphabet_.size());
          complete_odds(alphabet_, 0, odds);
          of_code = odds.data();
        }
        stretch.segment.traceback = t;
        ensemble.segments.push_back(stretch.segment);
        unbiased_to(stretch.segment.from);
        for (; done < stretch.segment.to; ++done) ensemble.null2[done] += of_code[sequence[done]];
      }
      unbiased_to(sequence.size());
    }
    for (float& score : ensemble.null2) score = std::log(score / static_cast<float>(kTracebacks));
    return ensemble;
  }

 private:
  struct Place {
    std::size_t step = 0, stripe = 0;
  };

  void begin(const KeptForward& region) {
    task_ = &region.task;
    rows_ = &region.rows;
    group_ = region.group;
    const std::size_t width = rows_->width();
    match_at_.resize(places_.size());
    delete_at_.resize(places_.size());
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const std::size_t lane = group_ * kStripes + places_[k].stripe;
      match_at_[k] = 2 * places_[k].step * width + lane;
      delete_at_[k] = places_[k].step * width + lane;
    }
    const std::vector<SpecialRow>& f = task_->forward;
    factors_.resize(f.size());
    for (std::size_t i = 0; i < f.size(); ++i) {
      factors_[i] = f[i].scale == 1.0F ? 1.0F : static_cast<float>(1.0 / static_cast<double>(f[i].scale));
    }
    end_sums_.resize(f.size());
    for (EndSums& of_row : end_sums_) of_row.steps = 0;
  }

  float match(std::size_t i, std::size_t k) const { return rows_->row(i)[match_at_[k]] * factors_[i]; }
  float insert(std::size_t i, std::size_t k) const {
    return rows_->row(i)[match_at_[k] + rows_->width()] * factors_[i];
  }
  float deletion(std::size_t i, std::size_t k) const {
    return rows_->deletes(i)[delete_at_[k]] * factors_[i];
  }

  // One traceback: its stretches, right to left.
  void trace(Random& random) {
    const std::vector<SpecialRow>& f = task_->forward;
    const LengthModel& lengths = task_->lengths;
    stretches_.clear();
    emitting_.clear();
    std::size_t i = task_->sequence.size();
    for (bool in_c = true; true; in_c = false) {
      // Residues that C or J emits.
      const auto stays = [&] {
        using Two = std::array<float, 2>;
        const SpecialRow &before = f[i - 1], &row = f[i];
        return random.choose(in_c ? Two{before.c * lengths.loop, row.e * lengths.end_to_c * row.scale}
                                  : Two{before.j * lengths.loop, row.e * lengths.end_to_j * row.scale}) == 0;
      };
      while (stays()) --i;
      i = trace_stretch(i, random);
      if (random.choose<2>({f[i].n * lengths.move, f[i].j * lengths.move}) == 0) return;
    }
  }

  // From E at row i to B; returns its row.
  std::size_t trace_stretch(std::size_t i, Random& random) {
    const std::vector<SpecialRow>& f = task_->forward;
    Stretch stretch;
    stretch.first = emitting_.size();
    CellState state = kMatch;
    std::size_t k = draw_end(i, random.uniform(), state);
    const auto emit = [&] {
      ++stretch.residues;
      if (emitting_.size() > stretch.first && emitting_.back().node == k) {
        emitting_.back().residues += 1.0F;
      } else {
        emitting_.push_back({k, 1.0F});
      }
    };
    while (true) {
      if (state == kMatch) {
        emit();
        SampledSegment& segment = stretch.segment;
        if (segment.to == 0) {
          segment.to = i;
          segment.model_to = static_cast<int>(k);
        }
        segment.from = i;
        segment.model_from = static_cast<int>(k);
        const std::array<float, kSteps>& t = transitions_[k];
        --i;
        --k;
        const std::size_t choice =
            random.choose<4>({f[i].b * t[kIntoFromBegin], match(i, k) * t[kIntoFromMatch],
                              insert(i, k) * t[kIntoFromInsert], deletion(i, k) * t[kIntoFromDelete]});
        if (choice == 0) break;
        state = choice == 1 ? kMatch : choice == 2 ? kInsert : kDelete;
      } else if (state == kInsert) {
        emit();
        --i;
        const std::array<float, kSteps>& t = transitions_[k];
        state = random.choose<2>({match(i, k) * t[kMatchToInsert], insert(i, k) * t[kInsertToInsert]}) == 0
                    ? kMatch
                    : kInsert;
      } else {
        --k;
        const std::array<float, kSteps>& t = transitions_[k];
        state = random.choose<2>({match(i, k) * t[kMatchToDelete], deletion(i, k) * t[kDeleteToDelete]}) == 0
                    ? kMatch
                    : kDelete;
      }
    }
    stretch.last = emitting_.size();
    stretches_.push_back(stretch);
    return i;
  }

  // The last node of a domain that ends at row i: by the share of its match and delete cells in E.
  std::size_t draw_end(std::size_t i, double drawn, CellState& state) {
    constexpr std::size_t kOfStep = 2 * kStripes;
    EndSums& known = end_sums_[i];
    known.sums.resize(steps_ * kOfStep);
    double* const sums = known.sums.data();
    while (known.steps < steps_ && (known.steps == 0 || !(drawn < sums[known.steps * kOfStep - 1]))) {
      const double before = known.steps == 0 ? 0 : sums[known.steps * kOfStep - 1];
      add_end_step(i, known.steps, before, sums + known.steps * kOfStep);
      ++known.steps;
    }
    const std::size_t count = known.steps * kOfStep;
    auto place = static_cast<std::size_t>(std::upper_bound(sums, sums + count, drawn) - sums);
    // All cells together may be less, by rounding: then they come once more.
    double sum = sums[count - 1];
    for (std::size_t q = 0; place == count; q = q + 1 == steps_ ? 0 : q + 1) {
      std::array<double, kOfStep> again;
      add_end_step(i, q, sum, again.data());
      sum = again.back();
      if (!(drawn < sum)) continue;
      place = q * kOfStep +
              static_cast<std::size_t>(std::upper_bound(again.begin(), again.end(), drawn) - again.begin());
      break;
    }
    state = place % kOfStep < kStripes ? kMatch : kDelete;
    return place % kStripes * steps_ + place / kOfStep + 1;
  }

  // The sums after each match and delete cell of a step, given the sum before.
  void add_end_step(std::size_t i, std::size_t q, double sum, double* sums) const {
    const auto inverse = static_cast<float>(1.0 / static_cast<double>(task_->forward[i].e));
    const std::size_t lane = group_ * kStripes, width = rows_->width();
    const float* const matches = rows_->row(i) + 2 * q * width + lane;
    const float* const deletes = rows_->deletes(i) + q * width + lane;
    std::array<float, 2 * kStripes> shares;
    for (std::size_t r = 0; r < kStripes; ++r) {
      shares[r] = matches[r] * factors_[i] * inverse;
      shares[kStripes + r] = deletes[r] * factors_[i] * inverse;
    }
    for (std::size_t place = 0; place < shares.size(); ++place) {
      sum += static_cast<double>(shares[place]);
      sums[place] = sum;
    }
  }

  const Alphabet& alphabet_;
  std::size_t steps_;
  // By node.
  std::vector<Place> places_;
  std::vector<std::array<float, kSteps>> transitions_;
  simd::AlignedBuffer<float> emissions_;
  // Of the region.
  const SequenceTask* task_ = nullptr;
  const SharedRows* rows_ = nullptr;
  std::size_t group_ = 0;
  std::vector<std::size_t> match_at_, delete_at_;  // by node, in a row
  std::vector<float> factors_;                     // of each row's cells
  std::vector<EndSums> end_sums_;                  // by row
  // Of the traceback.
  std::vector<Stretch> stretches_;
  std::vector<EmittingNode> emitting_;
};

TracebackSampler::TracebackSampler(const FloatModel& model, const Alphabet& alphabet)
    : state_(std::make_unique<State>(model, alphabet)) {}

TracebackSampler::~TracebackSampler() = default;

TracebackEnsemble TracebackSampler::sample(const KeptForward& region, std::uint32_t seed) {
  return state_->sample(region, seed);
}

void sample_regions(const FloatModel& model, const Alphabet& alphabet, std::span<RegionTask* const> regions,
                    std::uint32_t seed) {
  if (regions.empty()) return;
  std::vector<SequenceTask> tasks(regions.size());
  std::vector<SequenceTask*> pointers;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    tasks[r].sequence = regions[r]->sequence;
    tasks[r].lengths = regions[r]->lengths;
    pointers.push_back(&tasks[r]);
  }
  BorrowedRows borrowed;
  SharedRows& rows = borrowed.rows();
  TracebackSampler sampler(model, alphabet);
  for (std::size_t done = 0; done < tasks.size();) {
    const std::size_t count = run_forward_keeping(model, std::span(pointers).subspan(done), rows);
    for (std::size_t g = 0; g < count; ++g, ++done)
      regions[done]->ensemble = sampler.sample({tasks[done], rows, g}, seed);
  }
}

}  // namespace gpuhmm::hmmer3
#endif
