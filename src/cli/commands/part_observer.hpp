// Observers that pass results on to a part.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "cli/commands/part_run.hpp"
#include "cli/commands/progress_observer.hpp"
#include "cli/commands/run_request.hpp"
#include "gpuhmm/parts.hpp"
#include "gpuhmm/scan.hpp"
#include "gpuhmm/search.hpp"

namespace gpuhmm::cli {

/// `Observer` is one of the library's interfaces of observers. finished() of the last section ends the run.
template <class Observer>
class PartObserverOf : public ProgressObserver<Observer> {
 public:
  PartObserverOf(bool silent, bool statistics, const RunSection& section)
      : ProgressObserver<Observer>(silent, section), statistics_(statistics) {
    section.context.part->begin_section();
  }

  void finished(const SearchStatistics& statistics) override {
    this->progress().finish();
    end_section(this->section(), [&] {
      if (statistics_) print_statistics(statistics, {});
    });
  }

 protected:
  /// A function that adds the result.
  ResultWriter writer(const PartContent& content) {
    return [this, bytes = std::make_shared<std::string>(packed(content))] {
      const auto pause = this->progress().pause();
      this->section().context.part->add(std::exchange(*bytes, {}));
    };
  }

 private:
  bool statistics_;
};

class SearchPartObserver : public PartObserverOf<SearchObserver> {
 public:
  using PartObserverOf::PartObserverOf;
  ResultWriter result(const Profile& profile, const Thresholds& thresholds, SearchResult&& result) override;
};

class ScanPartObserver : public PartObserverOf<ScanObserver> {
 public:
  using PartObserverOf::PartObserverOf;
  ResultWriter result(const SequenceView& query, ScanResult&& result) override;
};

class Hmmer3PartObserver : public PartObserverOf<hmmer3::SearchObserver> {
 public:
  using PartObserverOf::PartObserverOf;
  ResultWriter result(const hmmer3::Query& query, hmmer3::QueryResult&& result,
                      const hmmer3::QueryTimes& times) override;
};

}  // namespace gpuhmm::cli
