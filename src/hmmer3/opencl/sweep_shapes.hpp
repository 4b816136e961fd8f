// How work-items share the nodes of a model in the kernels of cl/hmmer3_sweeps.cl and cl/hmmer3_backward.cl:
// their cells stay in registers, so that a kernel is built for so many steps at most.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/device.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "hmmer3/search_profile.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// `parts` work-items share a stripe; each has up to `steps` steps, a multiple of four. Loops over steps are
/// unrolled, or not (`block` 4 or 1): PoCL takes long to build unrolled ones.
struct SweepShape {
  std::size_t steps = 0, parts = 0, block = 4;

  std::size_t most_steps() const { return steps * parts; }
  /// Whether one program serves both.
  bool shares_program(const SweepShape& other) const { return steps == other.steps && block == other.block; }
};

/// By rising room: the first one that has room for a model is used.
using SweepShapes = std::vector<SweepShape>;

/// Those for a device; none if its work-groups are too small.
SweepShapes sweep_shapes(const DeviceInfo& device);

/// Steps for which there is room, in all and in each program.
std::size_t most_steps(const SweepShapes& shapes);
std::vector<std::size_t> program_classes(const SweepShapes& shapes);
/// Those of programs, but models of the first shape apart: kernels of the domain stage have as much local
/// memory as the largest model of a launch needs.
std::vector<std::size_t> domain_classes(const SweepShapes& shapes);

/// The kernels of a program for shapes. Not thread-safe. Calls throw EngineFailure.
class SweepKernels {
 public:
  /// The program is the text of `files`, one after the other, with these build options and those of a shape.
  /// It is built at the first use of a shape. `device` must outlive it.
  SweepKernels(const OpenDevice& device, std::vector<std::string> files, std::string options,
               SweepShapes shapes);

  /// Begins to build the programs that these profiles need (OpenDevice::begin_program).
  void begin(std::span<const SearchProfile* const> profiles);

  /// What a launch is done with.
  struct Use {
    KernelSet& kernels;
    std::size_t items;   ///< of a work-group
    SweepShapes shapes;  ///< those of the program

    /// The work-groups of pairs of the launch as the kernels read them: pair_groups(), and the parts.
    std::vector<Four> groups(std::span<const Pair> pairs, const LaunchModels& models,
                             std::span<const std::size_t> sizes) const;
    WorkItems work(std::size_t groups) const { return {{groups * items}, {items}}; }
    /// The last argument of the kernels: what the work-items of a group tell each other.
    cl::LocalSpaceArg joins() const { return cl::Local(2 * items * sizeof(cl_float4)); }
  };
  /// `launch`: of models for which there is room.
  Use for_launch(const PairLaunch& launch);

 private:
  // The kernels of a shape, which are not built yet.
  KernelSet& kernels_of(const SweepShape& shape);

  const OpenDevice* device_;
  std::vector<std::string> files_;
  std::string options_;
  SweepShapes shapes_;
  std::map<std::string, KernelSet> kernels_;  // by the options of the shape
};

}  // namespace gpuhmm::hmmer3
