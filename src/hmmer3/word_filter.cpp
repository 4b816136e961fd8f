// The Viterbi filter in vectors of 16-bit scores, row by row.
//
// Of a row only two scores a node stay: the best way from the node into the match state of the next one, and
// its insert state one row on. B's score hardly ever changes, so B and its entries are added only when it
// does. Deletions run along the lanes; where one leaves a lane, it is followed into the next lane as long as
// WordTables::delete_gains lets it be better than an entry from B.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hmmer3/fast_filters.hpp"

#define HWY_TARGET_INCLUDE "hmmer3/word_filter.cpp"
#include "simd/foreach_target.hpp"
// For each instruction set:
#include "simd/lane_moves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

float viterbi(const FilterProfile& model, Residues sequence) { return viterbi_score(model.words, sequence); }

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::int16_t, 16> kWords;
using Words = hn::Vec<decltype(kWords)>;
constexpr std::size_t kLanes = hn::MaxLanes(kWords);

HWY_INLINE Words load(const std::int16_t* from) { return hn::Load(kWords, from); }
HWY_INLINE Words sum(Words a, const std::int16_t* b) { return hn::SaturatedAdd(a, load(b)); }

class ViterbiSweep {
 public:
  ViterbiSweep(const WordTables& tables, int b_score)
      : tables_(tables),
        vectors_(tables.stripes.vectors),
        rows_(kRowStates * tables.stripes.cells(), WordModel::kImpossible),
        entries_(tables.stripes.cells(), WordModel::kImpossible) {
    set_begin(b_score);
  }

  // B's score for the rows to come.
  void set_begin(int score) {
    begin_ = hn::Set(kWords, static_cast<std::int16_t>(score));
    for (std::size_t place = 0; place < vectors_ * kLanes; place += kLanes) {
      hn::Store(sum(begin_, tables_.begin.data() + place), kWords, entries_.data() + place);
    }
  }

  // One residue; takes the best M along.
  HWY_INLINE Words row(std::uint8_t residue, Words best) {
    const Words lowest = hn::Set(kWords, WordModel::kImpossible);
    const std::int16_t* HWY_RESTRICT emissions = tables_.match.data() + residue * vectors_ * kLanes;
    const std::int16_t* HWY_RESTRICT entries = entries_.data();
    const std::int16_t* HWY_RESTRICT steps = tables_.steps.data();
    std::int16_t* HWY_RESTRICT state = rows_.data();
    Words deletion = lowest;
    Words into_match = simd::HWY_NAMESPACE::lanes_moved_up<1>(
        kWords, load(state + (vectors_ - 1) * kRowStates * kLanes), lowest);
    for (std::size_t q = 0; q < vectors_; ++q) {
      const Words match = sum(hn::Max(into_match, load(entries)), emissions);
      best = hn::Max(best, match);
      into_match = load(state);
      const Words insert = load(state + kLanes);
      const auto after = [&](Words from, WordStep step) { return sum(from, steps + step * kLanes); };
      hn::Store(hn::Max(hn::Max(after(match, kOutMatchMatch), after(insert, kOutInsertMatch)),
                        after(deletion, kOutDeleteMatch)),
                kWords, state);
      hn::Store(hn::Max(after(match, kOutMatchInsert), after(insert, kOutInsertInsert)), kWords,
                state + kLanes);
      deletion = hn::Max(after(match, kOutMatchDelete), after(deletion, kOutDeleteDelete));
      emissions += kLanes;
      entries += kLanes;
      steps += kWordSteps * kLanes;
      state += kRowStates * kLanes;
    }
    carry(deletion);
    return best;
  }

 private:
  // Takes deletions over the borders of lanes.
  HWY_INLINE void carry(Words deletion) {
    const Words lowest = hn::Set(kWords, WordModel::kImpossible);
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
      deletion = simd::HWY_NAMESPACE::lanes_moved_up<1>(kWords, deletion, lowest);
      const std::int16_t* HWY_RESTRICT gains = tables_.delete_gains.data();
      const std::int16_t* HWY_RESTRICT steps = tables_.steps.data();
      std::int16_t* HWY_RESTRICT state = rows_.data();
      for (std::size_t q = 0; q < vectors_; ++q) {
        if (tables_.gains_hold && hn::AllFalse(kWords, hn::Gt(sum(deletion, gains), begin_))) return;
        hn::Store(hn::Max(load(state), sum(deletion, steps + kOutDeleteMatch * kLanes)), kWords, state);
        deletion = sum(deletion, steps + kOutDeleteDelete * kLanes);
        gains += kLanes;
        steps += kWordSteps * kLanes;
        state += kRowStates * kLanes;
      }
    }
  }

  static constexpr std::size_t kRowStates = 2;  // the way into the next match state, the insert state

  const WordTables& tables_;
  std::size_t vectors_;
  simd::AlignedBuffer<std::int16_t> rows_;     // [vector][state][lane]
  simd::AlignedBuffer<std::int16_t> entries_;  // B and its steps
  Words begin_;
};

float viterbi(const FilterProfile& model, Residues sequence) {
  constexpr int kMost = std::numeric_limits<std::int16_t>::max();
  const auto length = static_cast<std::int64_t>(sequence.size());
  const int move = WordModel::move_score(length), end_score = model.words.end_score;
  ViterbiSweep sweep(model.word_tables, WordModel::kBase + move);
  Words best = hn::Set(kWords, WordModel::kImpossible);
  const auto largest = [&] {
    alignas(32) std::int16_t lanes[kLanes];
    hn::Store(best, kWords, lanes);
    return static_cast<int>(*std::max_element(lanes, lanes + kLanes));
  };
  // The largest M that leaves B as it is.
  Words unimportant = hn::Set(kWords, static_cast<std::int16_t>(WordModel::kBase - end_score));
  for (const std::uint8_t residue : sequence) {
    best = sweep.row(residue, best);
    if (hn::AllFalse(kWords, hn::Gt(best, unimportant))) continue;
    const int most = largest();
    if (most >= kMost) return std::numeric_limits<float>::infinity();
    sweep.set_begin(most + end_score + move);
    unimportant = hn::Set(kWords, static_cast<std::int16_t>(most));
  }
  return word_score(std::max<int>(WordModel::kImpossible, largest() + end_score), length);
}

#endif

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(viterbi);

float fast_viterbi_score(const FilterProfile& model, Residues sequence) {
  return GPUHMM_SIMD_CALL(viterbi)(model, sequence);
}

}  // namespace gpuhmm::hmmer3
#endif
