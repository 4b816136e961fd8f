// Model parameters in the striped layout of the kernels: lane l of the `vectors` vectors holds the
// consecutive nodes l * vectors + 1 .. (l + 1) * vectors, so that vector v holds the v-th node of every lane.
// The places behind the last node are padding that no path enters or leaves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "filter/simd/score_levels.hpp"
#include "plan7/score_model.hpp"
#include "plan7/single_hit_model.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::simd {

/// How sequences share vectors: one sequence in a vector, or one in every 16 bytes of it.
enum class Packing { Whole, Chunks };

/// How the nodes of a model are distributed over vectors and lanes.
struct StripedShape {
  /// Shape for `nodes` nodes and `lane_count` scores side by side.
  StripedShape(int nodes, std::size_t lane_count)
      : lanes(lane_count), vectors((static_cast<std::size_t>(nodes) + lane_count - 1) / lane_count) {}

  std::size_t lanes, vectors;

  /// Number of nodes including padding.
  std::size_t places() const { return vectors * lanes; }

  /// The first node of the lane that holds node k.
  std::size_t lane_start(std::size_t k) const { return k - (k - 1) % vectors; }

  /// Where the scores of node k lie.
  struct Place {
    std::size_t vector, lane;
  };
  Place place(int k) const {
    const std::size_t index = static_cast<std::size_t>(k) - 1;
    return {index % vectors, index / vectors};
  }
};

/// The parameters of a kernel with scores of type T. Each kernel defines its planes.
template <class T>
struct StripedModel {
  /// All scores are `impossible` at first.
  StripedModel(StripedShape striped_shape, std::size_t transition_planes, std::size_t crossing_plane_count,
               int code_count, T impossible, T cell_floor)
      : shape(striped_shape),
        planes(transition_planes),
        codes(static_cast<std::size_t>(code_count)),
        floor(cell_floor),
        first_q(cell_floor),
        first_d(cell_floor),
        crossing_planes(crossing_plane_count),
        transitions(transition_count(), impossible),
        emissions(emission_count(), impossible),
        crossings(crossing_count(), impossible) {}

  StripedShape shape;
  std::size_t planes;  ///< vectors of transition scores per vector of nodes
  std::size_t codes;
  T floor;             ///< stands for minus infinity in a cell
  T first_q, first_d;  ///< Q and D of node 0, in every row
  /// Whether no sum of D and a transition leaves the range of T within a lane that begins with first_d.
  bool deletes_fit = false;
  std::size_t crossing_planes;

  AlignedBuffer<T> transitions;  ///< [vector][plane][lane]
  AlignedBuffer<T> emissions;    ///< [code][vector][match, insert][lane]
  AlignedBuffer<T> crossings;    ///< [plane][lane], scores for paths that cross lanes
  AlignedBuffer<T> inserts;      ///< [code][lane], insert emissions of all nodes; see set_insert

  /// Whether `inserts` holds the insert emissions of all nodes, which kernels then use.
  bool has_same_inserts() const { return inserts.capacity() > 0; }
  void forget_same_inserts() { inserts = {}; }
  /// To be called for all codes if the insert emission of each is the same at all nodes: it is also that of
  /// places without an insert state, which the transitions forbid.
  void set_insert(std::size_t code, T score) {
    inserts.reserve(codes * shape.lanes);
    std::fill_n(inserts.data() + code * shape.lanes, shape.lanes, score);
  }

  std::size_t transition_count() const { return shape.places() * planes; }
  std::size_t emission_count() const { return shape.places() * codes * 2; }
  std::size_t crossing_count() const { return crossing_planes * shape.lanes; }

  T& transition(int k, std::size_t plane) {
    const StripedShape::Place p = shape.place(k);
    return transitions[(p.vector * planes + plane) * shape.lanes + p.lane];
  }
  /// Match emission of a node; the insert emission is shape.lanes elements further.
  T* emission(int k, std::size_t code) {
    const StripedShape::Place p = shape.place(k);
    return emissions.data() + (code * shape.vectors + p.vector) * 2 * shape.lanes + p.lane;
  }
  T& crossing(std::size_t plane, std::size_t lane) { return crossings[plane * shape.lanes + lane]; }
};

/// Steps of a scan over `lanes` lanes: 1, 2, 4, ... lanes at a time.
constexpr std::size_t scan_steps(std::size_t lanes) {
  std::size_t steps = 0;
  for (std::size_t step = 1; step < lanes; step *= 2) ++steps;
  return steps;
}

/// Transition planes of the single-hit kernel. kLazyF exists only with LazyFRule::Always.
enum SingleHitPlane : std::size_t {
  kEntry,
  kMatchInsert,
  kInsertInsert,
  kMatchDelete,
  kDeleteDelete,
  kLazyF
};
/// Crossing planes of the single-hit kernel; from kScanWeights on one plane for each step of the scan.
enum SingleHitCrossing : std::size_t { kHarmless, kScanWeights };

/// When a delete path is followed from one lane to the next: always, or only where it can beat the entry from
/// B at some later node.
enum class LazyFRule { Always, WhenUseful };

/// Whether sums of D and transitions may saturate, or shall not if that costs nothing else
/// (StripedModel::deletes_fit).
enum class DeleteSums { Saturate, Fit };

/// A striped model and the meaning of its values.
template <class T>
struct LevelledModel : ScoreLevels {
  StripedModel<T> striped;
};

/// Exact 32-bit single-hit parameters. E of a sequence of L residues is exact if it is above
/// single.gain(L) - kImpossible, provided that single.fits(L).
LevelledModel<std::int32_t> stripe_exact32(const ScoreModel& model, const SingleHitModel& single,
                                           LazyFRule rule, const StripedShape& shape);

/// A mark (1/1000 bit) above which few sequences of a search score: close to 0 bits, or where a second hit
/// may pay.
std::int64_t useful_mark(const SingleHitModel& single);

/// Exact 16-bit single-hit parameters, or nothing if E is not provably exact up to `least_mark` (1/1000 bit).
std::optional<LevelledModel<std::int16_t>> stripe_exact16(const ScoreModel& model,
                                                          const SingleHitModel& single, LazyFRule rule,
                                                          const StripedShape& shape, std::int64_t least_mark,
                                                          DeleteSums sums = DeleteSums::Saturate);

}  // namespace gpuhmm::simd
