// The ladder of reductions on an OpenCL device (cl/reduce_ladder.cl), and today's reduction beside it.
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

/// Kernels of cl/reduce_ladder.cl.
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
/// "interleaved, divergent" and so on.
const char* rung_name(Rung rung);

/// How a stack is reduced.
struct LadderShape {
  enum class Launches : std::uint8_t {
    Nine,       ///< as published: for each position a copy, a launch, and the groups' minima back to the host
    One,        ///< one copy and one launch for all positions
    SecondPass  ///< the same, and a second launch joins the groups' minima
  };

  Rung rung = Rung::FirstOnLoad;
  std::size_t group = 32;  ///< work-items of a work-group, a power of two of at most 1024
  Launches launches = Launches::Nine;
};

/// Minima and times in seconds.
struct LadderRun {
  Minima minima;
  double kernels = 0;  ///< sum of all launches
  double all = 0;      ///< wall time from the host's stack to the minima on the host
};

/// A device in use. Calls throw EngineFailure.
class LadderKernels {
 public:
  explicit LadderKernels(const DeviceInfo& device);

  /// Why the device cannot reduce `count` matrices so; empty if it can.
  std::string obstacle(std::size_t count, const LadderShape& shape) const;
  /// `arrays`: of a stack of at least one matrix (arrays_of).
  LadderRun run(std::span<const std::int32_t> arrays, const LadderShape& shape);
  /// By the kernels of `gpuhmm reduce`, which take the stack as it lies.
  LadderRun run_todays(std::span<const std::int32_t> stack);

 private:
  cl::Event launch(const LadderShape& shape, const cl::Buffer& arrays, std::size_t count, std::size_t first,
                   std::size_t positions, const cl::Buffer& minima) const;

  OpenDevice device_;
  Queue queue_;
  GrowingBuffer stack_, minima_, result_;
};

}  // namespace gpuhmm::experiment
