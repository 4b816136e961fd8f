// The bias filter for several sequences side by side, one a lane; each operation is rounded as in
// bias_score(). A lane whose sequence ends takes the next one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hmmer3/fast_filters.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/bias_filter.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void bias_scores(const BiasModel& model, std::span<const Residues> sequences, std::span<float> scores) {
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    scores[i] = bias_score(model, sequences[i], NullModel(static_cast<std::int64_t>(sequences[i].size())));
  }
}

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, 8> kFloats;
using Floats = hn::Vec<decltype(kFloats)>;
constexpr std::size_t kLanes = hn::MaxLanes(kFloats);
using Lanes = std::array<float, kLanes>;

class BiasSweep {
 public:
  BiasSweep(const BiasModel& model, std::span<const Residues> sequences, std::span<float> scores)
      : model_(model), sequences_(sequences), scores_(scores) {}

  void run() {
    for (std::size_t lane = 0; lane < kLanes; ++lane) start(lane);
    for (;;) {
      std::size_t rows = kRowsAtOnce, busy = 0;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (!running_[lane]) continue;
        ++busy;
        rows = std::min(rows, left(lane));
      }
      if (busy == 0) return;
      pass_rows(rows);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (!running_[lane]) continue;
        at_[lane] += rows;
        if (left(lane) > 0) continue;
        finish(lane);
        start(lane);
      }
    }
  }

 private:
  static constexpr std::size_t kRowsAtOnce = 64;

  std::size_t left(std::size_t lane) const { return sequences_[sequence_[lane]].size() - at_[lane]; }

  // Gives the lane the next sequence and passes its first residue; one without or with one residue is done.
  void start(std::size_t lane) {
    running_[lane] = false;
    at_[lane] = 0;
    for (; next_ < sequences_.size(); ++next_) {
      const Residues sequence = sequences_[next_];
      const NullModel null(static_cast<std::int64_t>(sequence.size()));
      if (sequence.size() < 2) {
        scores_[next_] = bias_score(model_, sequence, null);
        continue;
      }
      constexpr float kFirstBackground = 0.999F, kFirstBiased = 0.001F;
      const float b = kFirstBiased * model_.odds[sequence[0]];
      float most = 0;
      if (kFirstBackground > most) most = kFirstBackground;
      if (b > most) most = b;
      background_[lane] = kFirstBackground / most;
      biased_[lane] = b / most;
      sum_[lane] = static_cast<float>(std::log(static_cast<double>(most)));
      loop_[lane] = null.loop;
      to_biased_[lane] = 1.0F - null.loop;
      running_[lane] = true;
      at_[lane] = 1;
      sequence_[lane] = next_++;
      return;
    }
  }

  void pass_rows(std::size_t rows) {
    constexpr std::uint8_t kNothing = 0;
    const std::uint8_t* residues[kLanes];
    std::size_t step[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      residues[lane] = running_[lane] ? sequences_[sequence_[lane]].data() + at_[lane] : &kNothing;
      step[lane] = running_[lane] ? 1 : 0;
    }
    Floats background = hn::Load(kFloats, background_.data()), biased = hn::Load(kFloats, biased_.data());
    const Floats loop = hn::Load(kFloats, loop_.data()), to_biased = hn::Load(kFloats, to_biased_.data());
    const Floats leave = hn::Set(kFloats, model_.leave), stay = hn::Set(kFloats, model_.stay);
    const Floats zero = hn::Zero(kFloats);
    alignas(32) float most_of_row[kRowsAtOnce * kLanes];
    for (std::size_t row = 0; row < rows; ++row) {
      alignas(32) float odds[kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        odds[lane] = model_.odds[*residues[lane]];
        residues[lane] += step[lane];
      }
      const Floats a = hn::Add(hn::Mul(background, loop), hn::Mul(biased, leave));
      const Floats b =
          hn::Mul(hn::Add(hn::Mul(background, to_biased), hn::Mul(biased, stay)), hn::Load(kFloats, odds));
      Floats most = hn::IfThenElse(hn::Gt(a, zero), a, zero);
      most = hn::IfThenElse(hn::Gt(b, most), b, most);
      background = hn::Div(a, most);
      biased = hn::Div(b, most);
      hn::Store(most, kFloats, most_of_row + row * kLanes);
    }
    hn::Store(background, kFloats, background_.data());
    hn::Store(biased, kFloats, biased_.data());
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        if (!running_[lane]) continue;
        sum_[lane] =
            sum_[lane] + static_cast<float>(std::log(static_cast<double>(most_of_row[row * kLanes + lane])));
      }
    }
  }

  void finish(std::size_t lane) {
    const std::size_t length = sequences_[sequence_[lane]].size();
    const float sum =
        sum_[lane] + static_cast<float>(std::log(static_cast<double>(background_[lane] + biased_[lane])));
    scores_[sequence_[lane]] = bias_score_of_sum(sum, loop_[lane], length);
  }

  const BiasModel& model_;
  std::span<const Residues> sequences_;
  std::span<float> scores_;
  std::size_t next_ = 0;
  alignas(32) Lanes background_{}, biased_{}, loop_{}, to_biased_{}, sum_{};
  std::array<std::size_t, kLanes> sequence_{}, at_{};
  std::array<bool, kLanes> running_{};
};

void bias_scores(const BiasModel& model, std::span<const Residues> sequences, std::span<float> scores) {
  BiasSweep(model, sequences, scores).run();
}

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(bias_scores);

void fast_bias_scores(const BiasModel& model, std::span<const Residues> sequences, std::span<float> scores) {
  GPUHMM_SIMD_CALL(bias_scores)(model, sequences, scores);
}

}  // namespace gpuhmm::hmmer3
#endif
