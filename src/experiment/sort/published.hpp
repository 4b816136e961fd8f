// The publication's sets and figures: F. P. Bitencourt's bachelor's thesis on sorting strings with many long
// common prefixes on a GPU (UNEB, 2013).
#pragma once

#include <array>
#include <cstddef>

#include "experiment/sort/published_sort.hpp"

namespace gpuhmm::experiment::sorting {

/// A set of tables 1 and 2.
struct PublishedSet {
  unsigned number;
  std::size_t words;
  unsigned shared;
};

/// The thesis prints 15,360,000 words for set 4, but its size in bytes is that of ten times as many.
inline constexpr std::array<PublishedSet, 7> kSets{{{1, 1'536'000, 0},
                                                    {2, 7'680'000, 0},
                                                    {3, 38'400'000, 0},
                                                    {4, 153'600'000, 0},
                                                    {5, 38'400'000, 1},
                                                    {6, 38'400'000, 4},
                                                    {7, 38'400'000, 8}}};

/// A row of a table: a setting, and a figure for each of sets 1 to 4.
template <class Setting>
struct PublishedRow {
  Setting setting;
  std::array<double, 4> figures;
};

/// Table 3: seconds without initial costs, by words of a work-item.
inline constexpr std::array<PublishedRow<unsigned>, 3> kTable3{
    {{1, {0.05, 0.26, 1.33, 4.47}}, {5, {0.07, 0.36, 1.47, 5.79}}, {25, {0.12, 0.47, 2.27, 9.01}}}};

/// Table 4: seconds without initial costs, by work-group size.
inline constexpr std::array<PublishedRow<std::size_t>, 4> kTable4{{{192, {0.06, 0.26, 1.40, 4.49}},
                                                                   {256, {0.07, 0.26, 1.33, 4.44}},
                                                                   {384, {0.05, 0.26, 1.33, 4.47}},
                                                                   {768, {0.06, 0.24, 1.33, 4.47}}}};

/// Tables 5 and 7: speed-up over a rival, with all costs, and without selection and transfer.
inline constexpr std::array<PublishedRow<const char*>, 2> kTable5{
    {{"sample sort BTCU2", {0.34, 1.80, 2.40, 3.70}}, {"radix sort 16 bit", {0.34, 1.45, 3.75, 6.49}}}};
inline constexpr std::array<PublishedRow<const char*>, 2> kTable7{
    {{"sample sort BTCU2", {4.20, 4.46, 3.77, 4.53}}, {"radix sort 16 bit", {4.20, 5.08, 5.83, 8.06}}}};

/// Tables 6 and 9: seconds of a stage in sets 1 to 7; negative where none is printed.
struct PublishedStage {
  const char* name;
  double SortStages::*measured;  ///< null: opening the device, which is no stage of a sort
  std::array<double, 7> figures;
};
inline constexpr std::array<PublishedStage, 6> kStages{
    {{"GPU selection", nullptr, {0.510, 0.520, 0.560, 0.520, -1, -1, -1}},
     {"transfer", &SortStages::transfer, {0.060, 0.090, 0.190, 0.550, -1, -1, -1}},
     {"extra costs", &SortStages::extra, {0.000, 0.050, 0.320, 0.510, 0.310, 0.130, 0.120}},
     {"index counting", &SortStages::counting, {0.007, 0.031, 0.146, 0.577, 0.143, 0.165, 0.180}},
     {"index transformation", &SortStages::transformation, {0.009, 0.011, 0.011, 0.009, 0.011, 0.009, 0.011}},
     {"distribution", &SortStages::distribution, {0.034, 0.171, 0.856, 3.373, 0.832, 0.434, 0.220}}}};

/// Seconds of the rivals, computed from table 7 and the sums of table 6; the thesis does not print them.
inline constexpr std::array<PublishedRow<const char*>, 2> kRivalSeconds{
    {{"sample sort BTCU2", {0.21, 1.17, 5.0, 20.2}}, {"radix sort 16 bit", {0.21, 1.34, 7.8, 36.0}}}};

/// Table 8: how many times as fast sets 3, 5, 6 and 7 are as set 3.
inline constexpr std::array<double, 4> kTable8{1.00, 1.02, 1.79, 2.51};

}  // namespace gpuhmm::experiment::sorting
