// Keeps the least place.
#include "hmmer3/first_impossible.hpp"

namespace gpuhmm::hmmer3 {

bool FirstImpossible::precedes(std::uint64_t profile, std::uint64_t sequence) const {
  if (!any_) return false;
  const std::lock_guard lock(mutex_);
  return first_ < place(profile, sequence);
}

void FirstImpossible::add(std::uint64_t profile, std::uint64_t sequence, const ImpossibleComparison& error) {
  const std::lock_guard lock(mutex_);
  if (error_ && first_ <= place(profile, sequence)) return;
  first_ = place(profile, sequence);
  error_ = error;
  any_ = true;
}

void FirstImpossible::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_) throw ImpossibleComparison(*error_);
}

}  // namespace gpuhmm::hmmer3
