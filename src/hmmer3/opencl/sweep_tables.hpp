// The models and pairs of a launch as the kernels of cl/hmmer3_sweeps.cl read them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "hmmer3/opencl/pair_launches.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// Whether all parameters are normal numbers or 0: devices may take smaller ones for 0, the host does not.
bool is_normal(const FloatModel& model);

/// Steps of the queries' models; for models that are not normal more than any device has room for.
std::vector<std::size_t> sweep_sizes(std::span<const PairQuery> queries);

/// The models of a launch, one after the other.
struct SweepTables {
  SweepTables(const LaunchModels& launch, std::span<const PairQuery> queries);

  std::vector<float> transitions;  ///< [step][stripe][Step]
  std::vector<float> deletes;      ///< [step][stripe] of M to D and D to D: a quarter of transitions
  std::vector<float> emissions;    ///< [code][step][stripe]
  /// Places in both (of transitions: in fours), steps, nodes; the nodes' last bit: no path of deletes grows.
  std::vector<Four> models;
};

/// Forward's score, nats, from the scale factors of its rows, those of 1 left out, and the last C.
float sweep_score(std::span<const float> scales, float last_c, const LengthModel& lengths);

/// What kernels read of a launch, on the device. Calls throw EngineFailure.
class SweepInput {
 public:
  explicit SweepInput(const Queue& queue) : queue_(queue) {}

  /// Begin to copy; the values must live and stay until the queue has done so.
  void send_models(const SweepTables& tables);
  void send_pairs(std::span<const Four> pairs, std::span<const std::array<float, 2>> lengths,
                  std::span<const Four> groups);

  const cl::Buffer& groups() const { return groups_.buffer(); }
  const cl::Buffer& models() const { return models_.buffer(); }
  const cl::Buffer& transitions() const { return transitions_.buffer(); }
  const cl::Buffer& deletes() const { return deletes_.buffer(); }
  const cl::Buffer& emissions() const { return emissions_.buffer(); }
  const cl::Buffer& pairs() const { return pairs_.buffer(); }
  /// Move and loop of N, J and C.
  const cl::Buffer& lengths() const { return lengths_.buffer(); }

 private:
  Queue queue_;
  GrowingBuffer models_, transitions_, deletes_, emissions_, pairs_, lengths_, groups_;
};

}  // namespace gpuhmm::hmmer3
