// Runs Harris's ladder of reductions (cl/reduce_ladder.cl) and today's reduction on an OpenCL device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "experiment/reduce/stacks.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::experiment {

/// The kernels of cl/reduce_ladder.cl, from the slowest form to the fastest.
enum class Rung : std::uint8_t {
  InterleavedDivergent,
  Interleaved,
  Sequential,
  FirstOnLoad,
  LastUnrolled,
  Unrolled,
  SeveralElements
};
inline constexpr std::array kRungs = {Rung::InterleavedDivergent, Rung::Interleaved,  Rung::Sequential,
                                      Rung::FirstOnLoad,          Rung::LastUnrolled, Rung::Unrolled,
                                      Rung::SeveralElements};
/// The name of a kernel in tables: "interleaved, divergent" and so on.
const char* rung_name(Rung rung);

/// How a stack is reduced.
struct LadderShape {
  enum class Launches : std::uint8_t {
    Nine,       ///< as published: for each position one copy, one launch, and a copy of the minima back
    One,        ///< one copy and one launch for all positions
    SecondPass  ///< as One, and a second launch joins the minima of the work-groups
  };

  Rung rung = Rung::FirstOnLoad;
  std::size_t group = 32;  ///< work-items of a work-group, a power of two of at most 1024
  Launches launches = Launches::Nine;
};

/// The result of a run and its times in seconds.
struct LadderRun {
  Minima minima;
  double kernels = 0;  ///< sum of all launches
  double all = 0;      ///< wall time from the host's stack to the minima on the host
};

/// Reduces stacks on one device. Calls throw EngineFailure.
class LadderKernels {
 public:
  explicit LadderKernels(const DeviceInfo& device);

  /// The reason why the device cannot reduce `count` matrices in this way; empty if it can.
  std::string obstacle(std::size_t count, const LadderShape& shape) const;
  /// `arrays`: of a stack of at least one matrix (arrays_of).
  LadderRun run(std::span<const std::int32_t> arrays, const LadderShape& shape);
  /// Reduces a stack of matrices, not arrays, by the kernels of `gpuhmm reduce`.
  LadderRun run_todays(std::span<const std::int32_t> stack);

 private:
  cl::Event launch(const LadderShape& shape, const cl::Buffer& arrays, std::size_t count, std::size_t first,
                   std::size_t positions, const cl::Buffer& minima) const;

  OpenDevice device_;
  Queue queue_;
  GrowingBuffer stack_, minima_, result_;
};

}  // namespace gpuhmm::experiment
