// Resizes and renormalises profiles.
#include "gpuhmm/profile.hpp"

#include <span>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

void normalise_pair(float& a, float& b) {
  float pair[2] = {a, b};
  normalise(pair);
  a = pair[0];
  b = pair[1];
}

}  // namespace

void Profile::resize(int node_count) {
  nodes = node_count;
  const std::size_t rows = static_cast<std::size_t>(node_count) + 1;
  begin.assign(rows, 0);
  end.assign(rows, 0);
  match.assign(rows * residues(), 0);
  insert.assign(rows * residues(), 0);
  transition.assign(rows, {});
}

void Profile::renormalise() {
  const auto row = [this](std::vector<float>& table, int k) {
    return std::span<float>(table).subspan(static_cast<std::size_t>(k) * residues(), residues());
  };
  for (int k = 1; k <= nodes; ++k) normalise(row(match, k));
  for (int k = 1; k < nodes; ++k) normalise(row(insert, k));

  float sum = 0;
  for (int k = 1; k <= nodes; ++k) sum += begin[k];
  sum += begin_delete;
  const auto scale = static_cast<float>(1.0 / sum);
  for (int k = 1; k <= nodes; ++k) begin[k] *= scale;
  begin_delete /= sum;

  for (int k = 1; k < nodes; ++k) {
    Transitions& t = transition[k];
    float total = 0;
    total += t.mm;
    total += t.mi;
    total += t.md;
    total += end[k];
    const auto factor = static_cast<float>(1.0 / total);
    t.mm *= factor;
    t.mi *= factor;
    t.md *= factor;
    end[k] /= total;
    normalise_pair(t.im, t.ii);
    normalise_pair(t.dm, t.dd);
  }
  normalise(null_emission);
  normalise_pair(special.n_move, special.n_loop);
  normalise_pair(special.e_move, special.e_loop);
  normalise_pair(special.c_move, special.c_loop);
  normalise_pair(special.j_move, special.j_loop);
}

}  // namespace gpuhmm
