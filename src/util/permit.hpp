// Limits how many threads do something at the same time.
#pragma once

#include <semaphore>

namespace gpuhmm {

/// Waits for a permit and holds it until destruction.
class Permit {
 public:
  explicit Permit(std::counting_semaphore<>& free) : free_(free) { free_.acquire(); }
  ~Permit() { free_.release(); }
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;

 private:
  std::counting_semaphore<>& free_;
};

}  // namespace gpuhmm
