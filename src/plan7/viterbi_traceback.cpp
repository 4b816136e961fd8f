// Traceback through the full Viterbi matrix.
#include "plan7/viterbi_matrix.hpp"

namespace gpuhmm {

int ViterbiMatrix::exit_node(const ScoreModel& model, std::int64_t i) const {
  const std::int64_t e = special(i).e;
  int k = model.nodes;
  while (k > 0 && e != std::int64_t{match(i, k)} + model.end[k]) --k;
  return k;
}

std::optional<Trace> ViterbiMatrix::traceback(const ScoreModel& model, const Profile& profile,
                                              std::span<const std::uint8_t> residues) const {
  return ViterbiWalk<const ViterbiMatrix>(*this, model, profile, residues).run();
}

}  // namespace gpuhmm
