// Brings calls together whose models can share launches of cl/gpu_packed.cl: two models against each sequence
// take less time than one after the other.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>

#include "filter/opencl/gpu_batch.hpp"
#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_variant.hpp"

namespace gpuhmm {

/// Any number of threads may call.
class GpuModelPairs {
 public:
  /// What a call wants: bounds of the short sequences of a batch.
  struct Call {
    const GpuBoundModel& model;
    int pairs;  ///< of nodes
    const GpuBatch& batch;
    cl_int* bounds;  ///< where they go, batch.size() values
  };

  explicit GpuModelPairs(const GpuVariant& variant) : variant_(variant) {}

  /// A call that will come soon, for which others wait.
  class Coming {
   public:
    explicit Coming(GpuModelPairs& pairs);
    ~Coming();
    Coming(const Coming&) = delete;
    Coming& operator=(const Coming&) = delete;

   private:
    friend GpuModelPairs;
    GpuModelPairs* pairs_;  // null once the call has come
  };

  /// Returns when the bounds are there. While the device has enough to do, or another call is coming, this
  /// waits for a call with a model of similar size and the same batch. Then one of the two calls `launch`
  /// with the other, and otherwise with null. If a shared launch fails, both go on alone.
  void run(const Call& call, Coming& coming, const std::function<void(const Call* other)>& launch);

 private:
  enum class State { Waiting, Taken, Done, Alone };
  struct Waiter {
    const Call& call;
    State state = State::Waiting;
  };

  void note_arrival(Coming& coming);
  static bool suit(const Call& a, const Call& b);
  Waiter* take_partner(const Call& call);
  bool wait_for_partner(const Call& call, std::unique_lock<std::mutex>& lock);

  const GpuVariant& variant_;
  std::mutex mutex_;  // of the members below
  std::condition_variable changed_;
  std::list<Waiter*> waiters_;
  unsigned running_ = 0, coming_ = 0;
};

}  // namespace gpuhmm
