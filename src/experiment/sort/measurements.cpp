// Makes sets of words, checks results and measures runs.
#include "experiment/sort/measurements.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "experiment/reasons.hpp"
#include "experiment/resources.hpp"
#include "experiment/sort/gnu_sort.hpp"
#include "experiment/sort/multikey_quicksort.hpp"
#include "experiment/sort/today_sort.hpp"
#include "util/format.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

constexpr std::size_t kRuns = 3;
// The most words that are sorted without --full, on a GPU and otherwise.
constexpr std::size_t kMostOnGpu = 38'400'000, kMostElsewhere = 1'536'000;
// Memory for the set, its order, the device's copies and a rival's pointers, as a multiple of the text's
// size.
constexpr double kTexts = 6;

std::string size_text(const WordShape& words) {
  return grouped_digits(words.count) + " words of " + std::to_string(words.length) + " letters";
}

void check(std::string_view sorted, const std::string& expected, const std::string& variant,
           const WordShape& words) {
  if (sorted != expected) throw WrongResult(variant + " sorts " + size_text(words) + " wrongly");
}

// Sorts pointers to the words by a rival.
template <class Sort>
double seconds_to_sort_pointers(const WordSet& set, std::vector<const char*>& pointers, const Sort& sort) {
  pointers.resize(set.shape.count);
  for (std::size_t i = 0; i < pointers.size(); ++i) pointers[i] = set.word(i);
  return seconds_of([&] { sort(pointers); });
}

std::string text_of(const std::vector<const char*>& pointers, std::size_t bytes) {
  std::string text;
  text.reserve(pointers.size() * bytes);
  for (const char* const word : pointers) text.append(word, bytes);
  return text;
}

}  // namespace

const char* rival_name(Rival rival) {
  switch (rival) {
    case Rival::MultikeyQuicksort:
      return "multikey quicksort";
    case Rival::StdSort:
      return "std::sort";
    case Rival::GnuSort:
      return "GNU sort";
    case Rival::TodayHost:
      return "today's sorter, host";
  }
  return "";
}

Measurements::Measurements(Request request) : request_(std::move(request)) {
  if (request_.words_per_item > 0) work_.each = request_.words_per_item;
  if (request_.work_group > 0) work_.group = request_.work_group;
}

const Measurements::Loaded& Measurements::load(const WordShape& words) {
  if (!loaded_ || loaded_->set.shape != words) {
    loaded_.reset();  // frees it before the next set is made
    WordSet set = random_words(words, request_.seed, request_.threads);
    std::string expected = sorted_words(set);
    loaded_ = {std::move(set), std::move(expected)};
  }
  return *loaded_;
}

std::optional<std::string> Measurements::too_large(const WordShape& words, bool on_device) const {
  if (const auto reason = request_.leaves_out(words.count)) return reason;
  const bool on_gpu = on_device && request_.devices.front().type == DeviceType::Gpu;
  const WordShape most{.count = on_gpu ? kMostOnGpu : kMostElsewhere};
  if (!request_.full && words.bytes() > most.bytes()) return size_text(words) + ": with --full";
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double needed = kTexts * static_cast<double>(words.bytes());
  if (needed <= memory) return std::nullopt;
  return format("needs %.1f GB of memory; the host has %.1f", needed / 1e9, memory / 1e9);
}

const Outcome<Spread>& Measurements::selection() {
  if (!selection_) {
    if (request_.devices.empty()) {
      selection_ = kNoDevice;
    } else {
      request_.report("opening the device");
      selection_ = measured(request_.runs_or(kRuns), [this] {
        return seconds_of([this] { PublishedSort(request_.devices.front(), work_); });
      });
    }
  }
  return *selection_;
}

const Outcome<std::vector<SortStages>>& Measurements::stages(const WordShape& words, const WorkShape& work) {
  const auto key = std::pair(words, work);
  const auto found = stages_.find(key);
  return found != stages_.end() ? found->second
                                : stages_.emplace(key, measure_stages(words, work)).first->second;
}

Outcome<std::vector<SortStages>> Measurements::measure_stages(const WordShape& words, const WorkShape& work) {
  if (request_.devices.empty()) return kNoDevice;
  const DeviceInfo& device = request_.devices.front();
  if (const auto reason = PublishedSort::lacking(device, work, words)) return *reason;
  if (const auto reason = too_large(words, true)) return *reason;
  const std::string variant =
      format("the publication's sort, %u words a work-item, work-groups of %zu", work.each, work.group);
  request_.report(size_text(words) + ": " + variant);
  const Loaded& loaded = load(words);
  PublishedSort sort(device, work);
  std::string sorted(loaded.set.text.size(), ' ');
  sort.sort(loaded.set, sorted);
  check(sorted, loaded.expected, variant, words);
  std::vector<SortStages> runs(request_.runs_or(kRuns));
  for (SortStages& run : runs) run = sort.sort(loaded.set, sorted);
  return runs;
}

const Outcome<TodayTimes>& Measurements::today(const WordShape& words) {
  const auto found = today_.find(words);
  return found != today_.end() ? found->second : today_.emplace(words, measure_today(words)).first->second;
}

Outcome<TodayTimes> Measurements::measure_today(const WordShape& words) {
  if (request_.devices.empty()) return kNoDevice;
  const DeviceInfo& device = request_.devices.front();
  if (const auto reason = too_large(words, true)) return *reason;
  request_.report(size_text(words) + ": today's sorter on the device");
  const Loaded& loaded = load(words);
  if (const auto reason = lacking_today(device, loaded.set)) return *reason;
  SortKernels kernels(device);
  std::string sorted(loaded.set.text.size(), ' ');
  sort_today_on(kernels, loaded.set, sorted);
  check(sorted, loaded.expected, "today's sorter on the device", words);
  std::vector<TodaySeconds> runs(request_.runs_or(kRuns));
  for (TodaySeconds& run : runs) run = sort_today_on(kernels, loaded.set, sorted);
  const auto spread = [&runs](double TodaySeconds::*part) {
    std::vector<double> seconds;
    for (const TodaySeconds& run : runs) seconds.push_back(run.*part);
    return spread_of(std::move(seconds));
  };
  return TodayTimes{spread(&TodaySeconds::counting), spread(&TodaySeconds::scan),
                    spread(&TodaySeconds::writing), spread(&TodaySeconds::kernels),
                    spread(&TodaySeconds::with_copies)};
}

const Outcome<Spread>& Measurements::rival(const WordShape& words, Rival rival) {
  const auto key = std::pair(words, rival);
  const auto found = rivals_.find(key);
  return found != rivals_.end() ? found->second
                                : rivals_.emplace(key, measure_rival(words, rival)).first->second;
}

Outcome<Spread> Measurements::measure_rival(const WordShape& words, Rival rival) {
  if (const auto reason = too_large(words, false)) return *reason;
  if (rival == Rival::GnuSort && !has_gnu_sort()) return "there is no GNU sort on this system";
  request_.report(size_text(words) + ": " + rival_name(rival));
  const Loaded& loaded = load(words);
  // Checks the result of the first run. A large set has only that run, whose time then counts.
  const auto timed = [&](const auto& run, const auto& result) {
    std::vector<double> seconds{run()};
    check(result(), loaded.expected, rival_name(rival), words);
    if (request_.runs > 0 || words.count <= kMostElsewhere) {
      seconds.resize(request_.runs_or(kRuns));
      for (double& one : seconds) one = run();
    }
    return spread_of(std::move(seconds));
  };
  if (rival == Rival::GnuSort) {
    const GnuSort sort(loaded.set.text, request_.threads);
    return timed([&] { return sort.run(); }, [&] { return sort.output(); });
  }
  if (rival == Rival::TodayHost) {
    std::string sorted;
    return timed(
        [&] { return seconds_of([&] { sorted = sort_today_on_host(loaded.set, request_.threads); }); },
        [&] { return std::string_view(sorted); });
  }
  const std::size_t length = words.length;
  const auto by_bytes = [length](const char* a, const char* b) {
    return std::string_view(a, length) < std::string_view(b, length);
  };
  std::vector<const char*> pointers;
  return timed(
      [&] {
        return seconds_to_sort_pointers(loaded.set, pointers, [&](std::vector<const char*>& all) {
          if (rival == Rival::StdSort) {
            std::sort(all.begin(), all.end(), by_bytes);
          } else {
            multikey_quicksort(all);
          }
        });
      },
      [&] { return text_of(pointers, length + 1); });
}

}  // namespace gpuhmm::experiment::sorting
