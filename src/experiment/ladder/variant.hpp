// Variants of the kernel: which of the publication's optimisations (docs/experiments/ladder.md) are on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiment/ladder/published.hpp"

namespace gpuhmm::experiment::ladder {

/// Minus infinity in the kernel; the sum of six fits 32 bits. Lower scores of a model are raised to it.
inline constexpr std::int32_t kLow = -300'000'000;

/// The order of statements. Printed: as the publication prints it, with wrong scores for two or more nodes
/// per step.
enum class Schedule { None, Interleaved, Printed };
enum class CellPlace { ItemMajor, Interleaved, Padded, Private };
enum class RegularPlace { Global, Constant, Local };
enum class SpecialPlace { Global, Local, Replicated };
enum class EmissionPlace { Global, Transposed, Local };
/// What a launch computes: whole sequences, some rows of each, or a cell of each.
enum class Grain { Coarse, Medium, Fine };
/// Where the number of a launch's first row comes from.
enum class Progress { Host, Item, Group };

/// A variant of the kernel in cl/viterbi_ladder.cl. The default is the publication's basic kernel.
struct Variant {
  std::string name = "basic";
  Schedule schedule = Schedule::None;
  int unroll = 1;
  bool max_form = false;
  bool sorted = false;     ///< sequences by falling length
  bool coalesced = false;  ///< residues by position; needs `sorted`
  int residues_a_read = 1;
  bool overlap = false;  ///< copies one half of the sequences while the kernel runs on the other
  CellPlace cells = CellPlace::ItemMajor;
  RegularPlace regular = RegularPlace::Global;
  SpecialPlace specials = SpecialPlace::Global;
  EmissionPlace emissions = EmissionPlace::Global;
  Grain grain = Grain::Coarse;
  int rows_a_launch = 1;  ///< for Grain::Medium
  Progress progress = Progress::Host;
};

/// The variant of a column of tables 8.1 to 9.5.
Variant single_variant(Single variant);

/// The variant with the given steps of the publication: 1 private cells, 2 unrolling by 8, 3 scheduling, 4
/// sorted coalesced residues, 5 local emissions, 6 local special transitions, 7 constant regular transitions.
/// Steps {1, 2, 3} have the name "1+2+3".
Variant with_steps(const std::vector<int>& steps);

/// The publication's final kernel: all steps but 5.
Variant final_variant();

/// The build options for a model with `nodes` nodes and for residues of `symbols` different codes.
std::string build_options(const Variant& variant, int nodes, int symbols);

/// Bytes of local memory for regular transitions, special transitions and emissions of a work-group of
/// `group` work-items; each has at least one number.
struct LocalBytes {
  std::size_t regular, specials, emissions;
  /// Bytes that the variant really uses.
  std::size_t used = 0;
};
LocalBytes local_bytes(const Variant& variant, int nodes, int symbols, std::size_t group);

/// The number of nodes, at least `nodes`, for which private cells are compiled.
int private_nodes(int nodes);

}  // namespace gpuhmm::experiment::ladder
