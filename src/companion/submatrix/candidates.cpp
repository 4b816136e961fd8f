// A heap of candidates.
#include "companion/submatrix/candidates.hpp"

#include <algorithm>

namespace gpuhmm {

Rectangle rectangle_of(const Candidate& candidate, bool transposed) {
  const std::size_t last = candidate.end - std::size_t{1};
  return transposed ? Rectangle{candidate.g, candidate.start, candidate.h, last}
                    : Rectangle{candidate.start, candidate.g, last, candidate.h};
}

bool CandidateQueue::comes_after(const Candidate& a, const Candidate& b) const {
  if (a.sum != b.sum) return a.sum < b.sum;
  const bool a_placed = a.state == Candidate::State::Placed, b_placed = b.state == Candidate::State::Placed;
  if (!a_placed || !b_placed) return a_placed && !b_placed;
  return rectangle_of(b, transposed_).ends_before(rectangle_of(a, transposed_));
}

void CandidateQueue::push(const Candidate& candidate) {
  heap_.push_back(candidate);
  std::push_heap(heap_.begin(), heap_.end(),
                 [this](const Candidate& a, const Candidate& b) { return comes_after(a, b); });
}

Candidate CandidateQueue::pop() {
  std::pop_heap(heap_.begin(), heap_.end(),
                [this](const Candidate& a, const Candidate& b) { return comes_after(a, b); });
  const Candidate candidate = heap_.back();
  heap_.pop_back();
  return candidate;
}

void CandidateQueue::order() {
  std::make_heap(heap_.begin(), heap_.end(),
                 [this](const Candidate& a, const Candidate& b) { return comes_after(a, b); });
}

}  // namespace gpuhmm
