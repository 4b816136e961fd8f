// Forward and Backward by the reference's lanes.
#include "hmmer3/forward_backward.hpp"

#include "hmmer3/backward_sweep-inl.hpp"
#include "hmmer3/forward_sweep-inl.hpp"
#include "hmmer3/plain_lanes.hpp"

namespace gpuhmm::hmmer3 {

void run_forward_plainly(const FloatModel& model, SequenceTask& task) {
  SequenceTask* const tasks[] = {&task};
  HWY_NAMESPACE::ForwardSweep<PlainLanes>(model, tasks).run();
}

void run_backward_plainly(const FloatModel& model, SequenceTask& task) {
  SequenceTask* const tasks[] = {&task};
  HWY_NAMESPACE::BackwardSweep<PlainLanes>(model, tasks).run();
}

}  // namespace gpuhmm::hmmer3
