// The observer of search and scan with HMMER2 profiles: writes results, and ends the run.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cli/commands/progress_observer.hpp"
#include "cli/commands/run_request.hpp"
#include "cli/commands/search_outputs.hpp"

namespace gpuhmm::cli {

/// `Observer` is SearchObserver or ScanObserver. finished() of the last section ends the run
/// (RunContext::end): the command line then leaves, so that no time is spent on releasing engines and
/// batches.
template <class Observer>
class OutputObserver : public ProgressObserver<Observer> {
 public:
  /// Opens all outputs of the request, which was made from `arguments`. `section` must outlive this. Throws
  /// FileError.
  OutputObserver(const RunRequest& request, const Arguments& arguments, const RunSection& section)
      : ProgressObserver<Observer>(arguments.silent(), section),
        statistics_(arguments.has("stats")),
        outputs_(section.context.files, request.paths, request.style, threads_of(request, section.context)) {}

  void finished(const SearchStatistics& statistics) override {
    this->progress().finish();
    outputs_.finish();
    tell_totals(this->section(), statistics, hits_);
    end_section(this->section(), [&] {
      if (statistics_) print_statistics(statistics, survivors_);
    });
  }

 protected:
  const SearchOutputs& outputs() const { return outputs_; }
  /// A function that writes the texts of one query and records the number of its hits and its survivors.
  ResultWriter writer(QueryTexts&& texts, std::vector<Survivors> survivors = {}) {
    return [this, survivors = std::move(survivors), texts = std::make_shared<QueryTexts>(std::move(texts))] {
      const auto pause = this->progress().pause();
      hits_ += static_cast<std::int64_t>(texts->hits);
      outputs_.write(std::exchange(*texts, {}));
      survivors_.insert(survivors_.end(), survivors.begin(), survivors.end());
    };
  }

 private:
  bool statistics_;  // --stats was given
  SearchOutputs outputs_;
  std::int64_t hits_ = 0;
  std::vector<Survivors> survivors_;  // in file order
};

}  // namespace gpuhmm::cli
