// What all observers of searches and scans do: they show warnings and progress.
#pragma once

#include <string>

#include "cli/commands/run_context.hpp"
#include "cli/progress.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm::cli {

/// `Observer` is one of the library's interfaces of observers.
template <class Observer>
class ProgressObserver : public Observer {
 public:
  /// `silent`: no progress is shown. `section` must outlive this.
  ProgressObserver(bool silent, const RunSection& section)
      : section_(section), progress_(silent || section.context.silent, kCells) {}

  WorkMeter& meter() { return progress_.meter(); }
  void warning(const std::string& message) override {
    section_.context.warn ? section_.context.warn(message) : progress_.warn(message);
  }

 protected:
  const RunSection& section() const { return section_; }
  ProgressLine& progress() { return progress_; }

 private:
  const RunSection& section_;
  ProgressLine progress_;
};

}  // namespace gpuhmm::cli
