// What search and scan do with results: output files, the progress line, and the end of the program.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/commands/search_outputs.hpp"
#include "cli/progress.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm::cli {

/// `Observer`: SearchObserver or ScanObserver. Ends the program when all is written: engines and batches are
/// left to the system.
template <class Observer>
class OutputObserver : public Observer {
 public:
  /// Opens all outputs of the request, which was made of `arguments`. Throws FileError.
  OutputObserver(const RunRequest& asked, const Arguments& arguments)
      : statistics_(arguments.has("stats")),
        outputs_(asked.paths, asked.style),
        progress_(arguments.silent(), kCells) {}

  WorkMeter& meter() { return progress_.meter(); }
  void warning(const std::string& message) override { progress_.warn(message); }
  void finished(const SearchStatistics& statistics) override {
    progress_.finish();
    outputs_.commit();
    if (statistics_) print_statistics(statistics, survivors_);
    leave(kDone);
  }

 protected:
  const SearchOutputs& outputs() const { return outputs_; }
  /// Writes the texts of one query and notes the survivors of its filter.
  ResultWriter writer(QueryTexts&& texts, std::vector<Survivors> survivors = {}) {
    return [this, survivors = std::move(survivors), texts = std::make_shared<QueryTexts>(std::move(texts))] {
      const auto pause = progress_.pause();
      outputs_.write(std::exchange(*texts, {}));
      survivors_.insert(survivors_.end(), survivors.begin(), survivors.end());
    };
  }

 private:
  bool statistics_;  // are to be printed
  SearchOutputs outputs_;
  ProgressLine progress_;
  std::vector<Survivors> survivors_;  // in file order
};

}  // namespace gpuhmm::cli
