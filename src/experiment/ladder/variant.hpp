// The forms of the kernel: which of the publication's optimisations are on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "experiment/ladder/published.hpp"

namespace gpuhmm::experiment::ladder {

/// Minus infinity of the kernel: six of them fit in 32 bits. Lesser scores of a model are raised to it.
inline constexpr std::int32_t kLow = -300'000'000;

/// Printed: the schedule as the publication prints it, whose scores are wrong from two nodes a step on.
enum class Schedule { None, Interleaved, Printed };
enum class CellPlace { ItemMajor, Interleaved, Padded, Private };
enum class RegularPlace { Global, Constant, Local };
enum class SpecialPlace { Global, Local, Replicated };
enum class EmissionPlace { Global, Transposed, Local };
/// What a launch computes: whole sequences, some rows of each, or a cell of each.
enum class Grain { Coarse, Medium, Fine };
/// Who tells the first row of a launch.
enum class Progress { Host, Item, Group };

/// A form of the kernel cl/viterbi_ladder.cl. The default is the publication's basic kernel.
struct Variant {
  std::string name = "basic";
  Schedule schedule = Schedule::None;
  int unroll = 1;
  bool max_form = false;
  bool sorted = false;     ///< sequences by falling length
  bool coalesced = false;  ///< residues by position; needs `sorted`
  int residues_a_read = 1;
  bool overlap = false;  ///< two halves, the copy of one beside the kernel of the other
  CellPlace cells = CellPlace::ItemMajor;
  RegularPlace regular = RegularPlace::Global;
  SpecialPlace specials = SpecialPlace::Global;
  EmissionPlace emissions = EmissionPlace::Global;
  Grain grain = Grain::Coarse;
  int rows_a_launch = 1;  ///< Medium
  Progress progress = Progress::Host;
};

/// The variant of a column of tables 8.1 to 9.5.
Variant single_variant(Single variant);

/// The publication's numbered steps together, such as {1, 2, 3}: 1 private cells, 2 unrolling by 8,
/// 3 scheduling, 4 sorted coalesced residues, 5 local emissions, 6 local special transitions, 7 constant
/// regular transitions. Named "1+2+3".
Variant with_steps(const std::vector<int>& steps);

/// The publication's final kernel: all steps but 5.
Variant final_variant();

/// The build options for a model of so many nodes and residues of so many symbols.
std::string build_options(const Variant& variant, int nodes, int symbols);

/// Local memory, in bytes, of regular transitions, special ones and emissions, for groups of so many items;
/// at least one number each.
struct LocalBytes {
  std::size_t regular, specials, emissions;
  /// What the variant stores there; the least sizes of arguments do not count.
  std::size_t used = 0;
};
LocalBytes local_bytes(const Variant& variant, int nodes, int symbols, std::size_t group);

/// Nodes that private cells are made for: a model of so many fits.
int private_nodes(int nodes);

}  // namespace gpuhmm::experiment::ladder
