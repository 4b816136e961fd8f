// The figures that the publication (docs/experiments/ladder.md) gives for each family, by the numbers of its
// tables.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace gpuhmm::experiment::ladder {

/// The variants of tables 8.1 to 9.5 in the order of PublishedFamily::seconds.
enum class Single : std::size_t {
  Basic,
  U2,
  U4,
  U8,
  Sch,
  U2Sch,
  U4Sch,
  U8Sch,
  Overlap,
  SeqCoal,
  ScGlob,
  ScPad,
  ScPriv,
  PtrConst,
  PtrLoc,
  PtsLoc,
  PtsGlob,
  PeLoc
};
inline constexpr std::size_t kSingles = 18;

/// The published figures of a family; NaN where there is none. Times are seconds for 70,000 sequences, except
/// for the whole base. Comments have the numbers of the tables.
struct PublishedFamily {
  char name[20];
  char accession[8];
  double nodes;                                ///< 7.2
  double hits, hits_percent;                   ///< 7.4
  double basic_as_printed, hmmer2_as_printed;  ///< 7.5, in whose rows families are mixed up
  double hmmer2;                               ///< 7.5, moved to the row of its family
  std::array<double, kSingles> seconds;        ///< 8.1, 8.2, 8.4, 9.1 to 9.5
  /// 8.5: percent of kernel, copies of sequences, other copies; 8.6: sets 1, 2; 8.7: sets 3, 4
  std::array<double, 7> shares_and_sets;
  /// 10.4: seconds of the final kernel and HMMER2 and speed-up, subset and whole base; GCUPS of both
  std::array<double, 8> final_kernel;

  double of(Single variant) const { return seconds[static_cast<std::size_t>(variant)]; }
};

/// The twenty families.
std::span<const PublishedFamily> published_families();

/// The printed means of all columns.
const PublishedFamily& published_means();

/// The publication's data: sequences and residues of the subset and of the whole base.
inline constexpr double kSubsetSequences = 70'000, kSubsetResidues = 70'000.0 * 786;
inline constexpr double kBaseSequences = 530'264, kBaseResidues = 189'891'553;

}  // namespace gpuhmm::experiment::ladder
