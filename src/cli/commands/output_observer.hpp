// The observer of search and scan with HMMER2 profiles: writes results, shows progress, and ends the run.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/run_context.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/commands/search_outputs.hpp"
#include "cli/progress.hpp"
#include "gpuhmm/run.hpp"

namespace gpuhmm::cli {

/// `Observer` is SearchObserver or ScanObserver. finished() of the last part ends the run (RunContext::end):
/// the command line then leaves, so that no time is spent on releasing engines and batches.
template <class Observer>
class OutputObserver : public Observer {
 public:
  /// Opens all outputs of the request, which was made from `arguments`. `part` must outlive this. Throws
  /// FileError.
  OutputObserver(const RunRequest& request, const Arguments& arguments, const RunPart& part)
      : part_(part),
        statistics_(arguments.has("stats")),
        outputs_(part.context.files, request.paths, request.style),
        progress_(arguments.silent() || part.context.shared != nullptr, kCells) {}

  WorkMeter& meter() { return progress_.meter(); }
  void warning(const std::string& message) override {
    part_.context.warn ? part_.context.warn(message) : progress_.warn(message);
  }
  void finished(const SearchStatistics& statistics) override {
    progress_.finish();
    outputs_.finish();
    end_part(part_, [&] {
      if (statistics_) print_statistics(statistics, survivors_);
    });
  }

 protected:
  const SearchOutputs& outputs() const { return outputs_; }
  /// A function that writes the texts of one query and records its survivors.
  ResultWriter writer(QueryTexts&& texts, std::vector<Survivors> survivors = {}) {
    return [this, survivors = std::move(survivors), texts = std::make_shared<QueryTexts>(std::move(texts))] {
      const auto pause = progress_.pause();
      outputs_.write(std::exchange(*texts, {}));
      survivors_.insert(survivors_.end(), survivors.begin(), survivors.end());
    };
  }

 private:
  const RunPart& part_;
  bool statistics_;  // --stats was given
  SearchOutputs outputs_;
  ProgressLine progress_;
  std::vector<Survivors> survivors_;  // in file order
};

}  // namespace gpuhmm::cli
