// Measures the tables of the experiment.
#include "experiment/subsequence/subsequence_experiment.hpp"

#include <random>
#include <span>

#include "companion/subsequence/ranked_vector.hpp"
#include "experiment/resources.hpp"
#include "experiment/subsequence/subsequence_cases.hpp"

namespace gpuhmm::experiment {

namespace {

using Memory = ElementLaunch::Memory;
using Pace = ElementLaunch::Pace;

constexpr std::size_t kElements = 5000;       // figure 1
constexpr std::size_t kLengthOfFigure2 = 10;  // K
constexpr std::size_t kPublishedGroup = 32;   // work-items, of the kernel in global memory
constexpr std::size_t kBlockGroup = 64;       // work-items, of the kernel in local memory

// A column and the function that measures its cells.
struct Method {
  std::string name;
  std::function<Cell(const SubsequenceCase&)> measure;
};

std::string with_threads(unsigned threads, const char* what) {
  return std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + what;
}

// The columns of the figures.
std::vector<Method> all_methods(SubsequenceMethods& use, unsigned threads) {
  const auto threaded = [&use, threads](Join join) {
    return
        [&use, threads, join](const SubsequenceCase& input) { return use.by_threads(input, threads, join); };
  };
  const auto launched = [&use](Memory memory, Pace pace, std::size_t group) {
    return [&use, launch = ElementLaunch{memory, pace, group}](const SubsequenceCase& input) {
      return use.by_elements(input, launch);
    };
  };
  const auto levels = [&use](DeviceLevelMethod method) {
    return [&use, method](const SubsequenceCase& input) { return use.on_device(input, method); };
  };
  const auto host = [&use, threads](SubsequenceMethod method) {
    return
        [&use, threads, method](const SubsequenceCase& input) { return use.on_host(input, method, threads); };
  };
  return {{"sequential", [&use](const SubsequenceCase& input) { return use.in_sequence(input); }},
          {with_threads(threads, "lock"), threaded(Join::Locked)},
          {with_threads(threads, "own maxima"), threaded(Join::OwnMaxima)},
          {"global", launched(Memory::Global, Pace::Waiting, kPublishedGroup)},
          {"local, 64", launched(Memory::Local, Pace::Waiting, kBlockGroup)},
          {"global, queued", launched(Memory::Global, Pace::Queued, kPublishedGroup)},
          {"local, queued", launched(Memory::Local, Pace::Queued, 0)},
          {with_threads(threads, "plain"), host(SubsequenceMethod::Plain)},
          {with_threads(threads, "fenwick"), host(SubsequenceMethod::Fenwick)},
          {"elements", levels(DeviceLevelMethod::Elements)},
          {"levels", levels(DeviceLevelMethod::Levels)},
          {"blocks", levels(DeviceLevelMethod::Blocks)}};
}

Table empty_table(const char* id, const char* title, const char* setting,
                  const std::vector<Method>& methods) {
  Table table{.id = id, .title = title, .columns = {{setting, "", Origin::Setting}}};
  for (const Method& method : methods) table.columns.push_back({method.name, "ms", Origin::Measured});
  return table;
}

void add_row(Table& table, double setting, const std::vector<Method>& methods, const SubsequenceCase& input) {
  std::vector<Cell>& row = table.rows.emplace_back();
  row.emplace_back(setting);
  for (const Method& method : methods) row.push_back(method.measure(input));
}

void add_notes(Table& table, const Request& request) {
  table.notes.emplace_back(
      "Publication: curves without readable values, so that all columns are measured. Data: random integers from "
      "1 to 1,000,000, seed " +
      std::to_string(request.seed) + " (the publication does not describe its own).");
  table.notes.emplace_back(
      "Host: wall time, the table of sums included. Device: from the start of the first kernel to the end of the "
      "last by events, without transfer. Every result has the sum of the plain reference.");
}

void add_figure_notes(Table& table, const Request& request) {
  add_notes(table, request);
  table.notes.emplace_back(
      "global, local: a launch an element over all n, then the host waits, as published, in work-groups of 32 and "
      "64; queued: as many work-items as earlier elements, one wait, and smaller work-groups where K needs more local "
      "memory. plain, fenwick, elements, levels, blocks: gpuhmm subsequence.");
}

Table figure_1(const Request& request) {
  SubsequenceMethods use(request);
  const std::vector<Method> methods = all_methods(use, request.threads);
  Table table = empty_table("figure-1", "time by K, 5,000 elements", "K", methods);
  const std::vector<std::int32_t> values = subsequence_data(kElements, request.seed);
  std::vector<std::size_t> lengths = {2, 5, 10, 20, 50, 100};
  if (request.full) lengths.insert(lengths.end(), {187, 200, 500, 1000});
  for (const std::size_t k : lengths) {
    request.report("K " + std::to_string(k));
    add_row(table, static_cast<double>(k), methods, SubsequenceCase(values, k, request.threads));
  }
  add_figure_notes(table, request);
  const auto ranks = follower_ranks(std::span<const std::int32_t>(values), false);
  table.notes.push_back("The longest increasing subsequence of these data has " +
                        std::to_string(longest_increasing(ranks)) +
                        " elements: for larger K there is no answer, and nothing to be updated.");
  table.plot = {.kind = PlotStyle::Kind::Lines, .log_level = true, .log_upright = true};
  return table;
}

Table figure_2(const Request& request) {
  SubsequenceMethods use(request);
  const std::vector<Method> methods = all_methods(use, request.threads);
  Table table = empty_table("figure-2", "time by number of elements, K = 10", "elements", methods);
  std::vector<std::size_t> counts = {500, 1000, 2000, 5000, 10'000};
  if (request.full) counts.insert(counts.end(), {20'000, 50'000, 100'000});
  for (const std::size_t n : counts) {
    if (request.leaves_out(n)) continue;
    request.report(grouped_digits(n) + " elements");
    add_row(table, static_cast<double>(n), methods,
            SubsequenceCase(subsequence_data(n, request.seed), kLengthOfFigure2, request.threads));
  }
  add_figure_notes(table, request);
  table.plot = {.kind = PlotStyle::Kind::Lines, .log_level = true, .log_upright = true};
  return table;
}

// 1, 2, 4, ... and `most`.
std::vector<unsigned> thread_counts(unsigned most) {
  std::vector<unsigned> counts;
  for (unsigned threads = 1; threads < most; threads *= 2) counts.push_back(threads);
  counts.push_back(most);
  return counts;
}

Table by_threads(const Request& request) {
  SubsequenceMethods use(request);
  Table table{.id = "threads",
              .title = "time by host threads, 5,000 elements, K = 5",
              .columns = {{"threads", "", Origin::Setting},
                          {"lock", "ms", Origin::Measured},
                          {"own maxima", "ms", Origin::Measured},
                          {"plain", "ms", Origin::Measured},
                          {"fenwick", "ms", Origin::Measured}}};
  const SubsequenceCase input(subsequence_data(kElements, request.seed), 5, request.threads);
  for (const unsigned threads : thread_counts(request.threads)) {
    request.report(std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
    table.rows.push_back({static_cast<double>(threads), use.by_threads(input, threads, Join::Locked),
                          use.by_threads(input, threads, Join::OwnMaxima),
                          use.on_host(input, SubsequenceMethod::Plain, threads),
                          use.on_host(input, SubsequenceMethod::Fenwick, threads)});
  }
  add_notes(table, request);
  table.notes.emplace_back(
      "lock: every update under one lock, as published; own maxima: each thread joins its maxima once an element; "
      "fenwick takes one thread below 16,384 elements.");
  return table;
}

Table by_groups(const Request& request) {
  SubsequenceMethods use(request);
  Table table{.id = "groups",
              .title = "time by work-group size, 2,000 elements, K = 10",
              .columns = {{"work-items", "", Origin::Setting},
                          {"global", "ms", Origin::Measured},
                          {"local", "ms", Origin::Measured},
                          {"global, queued", "ms", Origin::Measured},
                          {"local, queued", "ms", Origin::Measured}}};
  const SubsequenceCase input(subsequence_data(2000, request.seed), kLengthOfFigure2, request.threads);
  for (const std::size_t group : {16, 32, 64, 128, 256, 512, 1024}) {
    request.report("work-groups of " + std::to_string(group));
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(static_cast<double>(group));
    for (const Pace pace : {Pace::Waiting, Pace::Queued}) {
      for (const Memory memory : {Memory::Global, Memory::Local})
        row.push_back(use.by_elements(input, {memory, pace, group}));
    }
  }
  add_notes(table, request);
  table.notes.emplace_back("The publication found no relevant gain from other grids.");
  return table;
}

}  // namespace

std::vector<std::int32_t> subsequence_data(std::size_t count, std::uint32_t seed) {
  constexpr std::uint32_t kMost = 1'000'000;
  std::mt19937 random(seed);
  std::vector<std::int32_t> values(count);
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(1 + random() % kMost);
  return values;
}

Experiment subsequence_experiment() {
  return {"subsequence",
          "Increasing subsequence of K elements with the largest sum",
          "Goncalves, Miranda, Guardia: Explorando paralelismo no problema da subsequencia de soma maxima",
          {{"figure-1", "time by K, 5,000 elements", figure_1},
           {"figure-2", "time by number of elements, K = 10", figure_2},
           {"threads", "time by host threads", by_threads},
           {"groups", "time by work-group size", by_groups}}};
}

}  // namespace gpuhmm::experiment
