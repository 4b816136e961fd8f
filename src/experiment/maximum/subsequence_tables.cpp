// Tables and figures on the maximum subsequence.
#include "experiment/maximum/published.hpp"
#include "experiment/maximum/segment_bench.hpp"
#include "experiment/maximum/table_parts.hpp"
#include "experiment/maximum/tables.hpp"

namespace gpuhmm::experiment::maximum {

namespace {

constexpr ScanShape kShared{}, kGlobal{.staged = false};
constexpr std::size_t kMostDevices = 4;

const char* const kVariantsNote =
    "S-seq, S-global and S-shared are the publication's, without its errors; gpuhmm is the engine of "
    "gpuhmm segments.";
const char* const kTimesNote =
    "Times of kernels are those of their events, of several devices the slowest. Answer: from the launch until the "
    "host has the sum. The copy of the vector to the devices is in neither.";

// Tables 6.1 to 6.4.
Table times(SegmentBench& bench, std::size_t devices) {
  const std::string on = gpus_text(devices);
  Table table;
  table.columns = {{"elements", "", Origin::Setting},          {"sequential", "ms", Origin::Published},
                   {"deviation", "ms", Origin::Published},     {on, "ms", Origin::Published},
                   {"deviation", "ms", Origin::Published},     {"speed-up", "", Origin::Published},
                   {"S-seq", "ms", Origin::Measured},          {"S-global", "ms", Origin::Measured},
                   {"S-shared", "ms", Origin::Measured},       {"S-shared, answer", "ms", Origin::Measured},
                   {"gpuhmm", "ms", Origin::Measured},         {"gpuhmm, answer", "ms", Origin::Measured},
                   {"speed-up S-shared", "", Origin::Derived}, {"speed-up gpuhmm", "", Origin::Derived}};
  for (const PublishedSubsequence& row : published_subsequences()) {
    const SegmentTask task{row.size, devices};
    const PublishedTime& published = row.on_gpus[devices - 1];
    const Cell sequential = bench.sequential(task).answer;
    const Times global = bench.scan(kGlobal, task), shared = bench.scan(kShared, task),
                engine = bench.engine(task);
    table.rows.push_back({static_cast<double>(row.size), row.sequential, row.sequential_deviation,
                          published.mean, published.deviation, published.speed_up, sequential, global.kernel,
                          shared.kernel, shared.answer, engine.kernel, engine.answer,
                          ratio(sequential, shared.answer), ratio(sequential, engine.answer)});
  }
  table.notes = {
      kVariantsNote, kTimesNote,
      "S-global and S-shared: 90 work-groups of 128 work-items on each device. Speed-ups: S-seq by answer.",
      kRunsNote};
  table.plot = lines_over_size({1, 3, 6, 7, 8, 10});
  return table;
}

// Figures 6.1 and 6.2: without the sequential times in the latter.
Table times_by_devices(SegmentBench& bench, bool sequential_too) {
  Table table = TimesByDevices<PublishedSubsequence>("elements", "S", "ms")
                    .table(
                        published_subsequences(), sequential_too ? "S-seq" : "",
                        [&](std::size_t size) { return bench.sequential({size}).answer; },
                        [&](std::size_t size, std::size_t d) {
                          return bench.scan(kShared, {size, d}).kernel;
                        });
  table.notes = {kVariantsNote, kTimesNote, kRunsNote};
  return table;
}

// Figure 6.3.
Table speed_ups(SegmentBench& bench) {
  Table table;
  table.columns = {{"elements", "", Origin::Setting}};
  std::vector<std::size_t> series;
  const auto add = [&](const std::string& name, Origin origin) {
    series.push_back(table.columns.size());
    table.columns.push_back({name, "", origin});
  };
  for (std::size_t d = 1; d <= kMostDevices; ++d) add(gpus_text(d), Origin::Published);
  for (std::size_t d = 1; d <= kMostDevices; ++d) add("S-shared, " + devices_text(d), Origin::Derived);
  for (const PublishedSubsequence& row : published_subsequences()) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.emplace_back(static_cast<double>(row.size));
    for (const PublishedTime& time : row.on_gpus) cells.emplace_back(time.speed_up);
    const Cell sequential = bench.sequential({row.size}).answer;
    for (std::size_t d = 1; d <= kMostDevices; ++d) {
      cells.push_back(ratio(sequential, bench.scan(kShared, {row.size, d}).answer));
    }
  }
  table.notes = {kVariantsNote, "Measured: S-seq by the answer of S-shared, without the copy of the vector.",
                 kRunsNote};
  table.plot = lines_over_size(series);
  return table;
}

Table memories(SegmentBench& bench) {
  constexpr ScanShape kPadded{.pitch = 33};
  Table table;
  table.columns = {{"elements", "", Origin::Setting},        {"S-global", "ms", Origin::Measured},
                   {"S-shared", "ms", Origin::Measured},     {"S-shared, padded", "ms", Origin::Measured},
                   {"gpuhmm", "ms", Origin::Measured},       {"global by shared", "", Origin::Derived},
                   {"global by padded", "", Origin::Derived}};
  for (const PublishedSubsequence& row : published_subsequences()) {
    const SegmentTask task{row.size};
    const Cell global = bench.scan(kGlobal, task).kernel, shared = bench.scan(kShared, task).kernel,
               padded = bench.scan(kPadded, task).kernel;
    table.rows.push_back({static_cast<double>(row.size), global, shared, padded, bench.engine(task).kernel,
                          ratio(global, shared), ratio(global, padded)});
  }
  table.notes = {
      kVariantsNote, kTimesNote,
      "The publication has no figures of S-global; its text says that the speed-up was about 1.",
      "Padded: a work-item's elements are 33 places apart in local memory, not 32, so that neighbours "
      "read different banks.",
      kRunsNote};
  table.plot = lines_over_size();
  return table;
}

Table work_groups(SegmentBench& bench) {
  const std::size_t size = bench.largest_size();
  Table table;
  table.columns = {{"work-groups", "", Origin::Setting},
                   {"S-global, 128 work-items", "ms", Origin::Measured},
                   {"S-shared, 64 work-items", "ms", Origin::Measured},
                   {"S-shared, 128 work-items", "ms", Origin::Measured},
                   {"S-shared, 256 work-items", "ms", Origin::Measured}};
  for (const unsigned groups : {30U, 60U, 90U, 120U, 240U, 480U, 960U, 1920U, 3840U}) {
    const auto kernel = [&](ScanShape shape) {
      shape.groups = groups;
      return bench.scan(shape, {size}).kernel;
    };
    table.rows.push_back({static_cast<double>(groups), kernel(kGlobal), kernel({.group = 64}),
                          kernel(kShared), kernel({.group = 256})});
  }
  table.notes = {grouped_digits(size) +
                     " elements. The publication found 90 work-groups of 128, three for each of "
                     "its GPU's 30 multiprocessors, best by trial, without figures.",
                 kTimesNote, kRunsNote};
  table.plot = lines_over_size();
  return table;
}

Table branches(SegmentBench& bench) {
  constexpr std::size_t kSize = 5'000'000;
  Table table = branches_table(bench, SegmentTask{kSize}, kGlobal, kShared, "S", "ms");
  table.notes = {
      grouped_digits(kSize) +
          " elements. random: the publication's numbers. positive, negative: all "
          "work-items always take one branch. in-step: random numbers, but all work-items take the same "
          "branch. out-of-step: neighbours take four different branches.",
      "The publication names this as future work. Branch-free: maxima and selections in place of if and "
      "else.",
      kTimesNote, kRunsNote};
  return table;
}

}  // namespace

std::vector<TableSource> subsequence_tables() {
  TableSources<SegmentBench> tables;
  for (std::size_t d = 1; d <= kMostDevices; ++d) {
    tables.add("6." + std::to_string(d), "Maximum subsequence on " + devices_text(d),
               [d](SegmentBench& bench) { return times(bench, d); });
  }
  tables.add("figure-6.1", "Maximum subsequence, sequential and parallel times",
             [](SegmentBench& bench) { return times_by_devices(bench, true); });
  tables.add("figure-6.2", "Maximum subsequence, parallel times",
             [](SegmentBench& bench) { return times_by_devices(bench, false); });
  tables.add("figure-6.3", "Maximum subsequence, speed-ups", speed_ups);
  tables.add("subsequence-memory", "Maximum subsequence, global and local memory", memories);
  tables.add("subsequence-groups", "Maximum subsequence by work-groups", work_groups);
  tables.add("subsequence-branches", "Maximum subsequence, divergent and uniform branches", branches);
  return std::move(tables).sources();
}

}  // namespace gpuhmm::experiment::maximum
