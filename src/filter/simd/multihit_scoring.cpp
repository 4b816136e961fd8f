// Scores sequences by the full recurrence with several threads.
#include "filter/simd/multihit_scoring.hpp"

#include "filter/simd/kernels.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm::simd {

void score_by_multihit(const ScoreModel& model, const std::optional<SingleHitModel>& single,
                       std::size_t vector_bytes, const SequenceSet& sequences,
                       std::span<const std::size_t> places, SharedThreads& threads,
                       std::span<std::int32_t> scores) {
  constexpr std::size_t kBlock = 4;  // sequences handed out at a time
  if (places.empty()) return;
  std::optional<MultihitModel> multihit;
  if (vector_bytes > 0) multihit = stripe_multihit(model, single, vector_bytes / sizeof(std::int32_t));
  threads.run(places.size(), kBlock, [&](std::size_t first, std::size_t last) {
    SweepState<std::int32_t> state;
    for (const std::size_t place : places.subspan(first, last - first)) {
      const std::span<const std::uint8_t> residues = sequences.residues(place);
      if (multihit && multihit->fits_watched(residues.size())) {
        const std::optional<std::int64_t> score = sweep_multihit(*multihit, residues, state);
        if (score && *score > multihit->exact_above(residues.size())) {
          scores[place] = static_cast<std::int32_t>(*score);
          continue;
        }
      }
      scores[place] = viterbi_score(model, residues);
    }
  });
}

}  // namespace gpuhmm::simd
