// A model's scores in the form of cl/gpu_paths.cl.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "align/grid_model.hpp"
#include "align/opencl/path_variant.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm::grid {

/// Work-items that share a sequence.
inline constexpr std::size_t kPathItems = PathVariant::kItems;

/// The tables of cl/gpu_paths.cl.
struct PathModel {
  /// `model` has kPathItems lanes.
  explicit PathModel(const GridModel& model);

  std::size_t steps;               ///< nodes of a work-item
  cl_int nothing;                  ///< stands for minus infinity in a cell
  std::vector<cl_int2> deletes;    ///< [step][item] M->D, D->D
  std::vector<cl_int2> inserts;    ///< [step][item] M->I, I->I
  std::vector<cl_int> begins;      ///< [step][item] B->M of the next node
  std::vector<cl_int2> emissions;  ///< [code][step][item] match, insert
  std::vector<cl_int> crossings;   ///< [step of the scan][item]
  /// N->B, N->N, E->C, C->C; E->J, J->J, J->B, C->T; B->M of node 1.
  std::array<cl_int4, 3> specials;
};

}  // namespace gpuhmm::grid
