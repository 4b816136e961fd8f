// Runs one variant of the kernel on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiment/ladder/layout.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::experiment::ladder {

/// Thrown if the device lacks a resource that a variant needs; what() names it.
class Unfit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Times of one run, in seconds.
struct RunTimes {
  double total = 0;    ///< wall time from the first copy of residues to the last score on the host
  double kernel = 0;   ///< from the start of the first launch to the end of the last, measured by the device
  double send = 0;     ///< copies of residues, measured by the device
  double receive = 0;  ///< copies of scores, measured by the device
};

/// Resources that the kernel uses.
struct KernelResources {
  std::size_t private_bytes = 0;  ///< of a work-item, as the device reports (often spilled registers)
  std::size_t local_bytes = 0;    ///< of a work-group
};

/// Bytes of device memory.
struct MemoryUse {
  std::size_t residues = 0, regular = 0, specials = 0, emissions = 0, cells = 0, special_cells = 0,
              scores = 0;
};

/// A model, sequences and a variant, ready to run. The device must outlive this object. There must be
/// sequences.
class DeviceJob {
 public:
  /// `group`: work-items of a work-group. Throws Unfit, EngineFailure, std::invalid_argument.
  DeviceJob(const OpenDevice& device, const Variant& variant, const ScoreModel& model,
            const SequenceSet& sequences, std::size_t group);

  /// Scores all sequences, including the copies of residues and scores.
  RunTimes run();
  /// The scores of the last run, in the order of the set.
  std::vector<std::int32_t> scores() const;

  KernelResources resources() const;
  /// Registers of a work-item, which only NVIDIA's compiler reports. Builds the kernel once more.
  std::optional<int> registers() const;
  const MemoryUse& memory() const { return memory_; }
  /// Seconds that the copies of parameters took; they are made once.
  double parameter_seconds() const { return parameter_seconds_; }

 private:
  struct Part {
    Arrangement arrangement;
    std::vector<std::size_t> order;
    std::vector<std::int32_t> scores;
    Queue queue;
    cl::Buffer residues{}, starts{}, lengths{}, specials{}, score_buffer{}, progress{};
    cl::Buffer match{}, insertion{}, deletion{}, special_cells{};
    std::size_t stride = 0, global = 0;
    cl::Event sent{}, received{}, first_launch{}, last_launch{};
  };

  void make_part(const SequenceSet& sequences, std::vector<std::size_t> order, const ScoreModel& model);
  template <class T>
  cl::Buffer allocate(std::size_t count, std::size_t& use) const;
  cl::Buffer upload(const Queue& queue, const std::vector<std::int32_t>& table, std::size_t& use);
  template <class... More>
  void launch(Part& part, const More&... more);
  void launch_all(Part& part);
  std::string options() const;

  const OpenDevice& device_;
  Variant variant_;
  int nodes_, symbols_;
  std::size_t group_;
  LocalBytes local_;
  cl::Kernel kernel_;
  cl::Buffer regular_, match_emissions_, insert_emissions_;
  MemoryUse memory_;
  double parameter_seconds_ = 0;
  std::vector<Part> parts_;
};

/// The number of registers that a build log of NVIDIA's compiler reports for the kernel of that name.
std::optional<int> registers_in(const std::string& log, const std::string& kernel);

}  // namespace gpuhmm::experiment::ladder
