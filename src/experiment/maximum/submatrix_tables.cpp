// Tables and figures on the maximum submatrix.
#include "experiment/maximum/published.hpp"
#include "experiment/maximum/submatrix_bench.hpp"
#include "experiment/maximum/table_parts.hpp"
#include "experiment/maximum/tables.hpp"

namespace gpuhmm::experiment::maximum {

namespace {

constexpr PairShape kShared{}, kGlobal{.staged = false};
constexpr std::size_t kMostDevices = 2;

const char* const kVariantsNote =
    "M-seq, M-global and M-shared are the publication's, without its errors; gpuhmm is the engine of gpuhmm "
    "submatrix.";
const char* const kTimesNote =
    "M-global and M-shared: 16 work-groups of 1,024 work-items on each device; kernels with the prefix sums, by "
    "events, of several devices the slowest; the copy of the matrix is not in them. gpuhmm: its kernels.";
const char* const kAnswerNote =
    "M-seq contains the prefix sums and, transposed, the transposition. gpuhmm, answer: with prefix sums and copies; "
    "gpuhmm, host: on all threads of the run.";

// Tables 6.5 and 6.6.
Table times(SubmatrixBench& bench, std::size_t devices) {
  Table table;
  table.columns = {{"rows", "", Origin::Setting},
                   {"sequential", "s", Origin::Published},
                   {"deviation", "s", Origin::Published},
                   {gpus_text(devices), "s", Origin::Published},
                   {"deviation", "s", Origin::Published},
                   {"speed-up", "", Origin::Published},
                   {"M-seq, row-major", "s", Origin::Measured},
                   {"M-seq, transposed", "s", Origin::Measured},
                   {"M-global", "s", Origin::Measured},
                   {"M-shared", "s", Origin::Measured},
                   {"gpuhmm", "s", Origin::Measured},
                   {"gpuhmm, answer", "s", Origin::Measured},
                   {"gpuhmm, host", "s", Origin::Measured},
                   {"row-major by M-shared", "", Origin::Derived},
                   {"transposed by M-shared", "", Origin::Derived},
                   {"transposed by gpuhmm", "", Origin::Derived}};
  for (const PublishedSubmatrix& row : published_submatrices()) {
    const SubmatrixTask task{row.size, devices};
    const PublishedTime& published = row.on_gpus[devices - 1];
    const Cell by_rows = bench.sequential(ColumnOrder::RowMajor, task).answer;
    const Cell transposed = bench.sequential(ColumnOrder::Transposed, task).answer;
    const Times global = bench.scan(kGlobal, task), shared = bench.scan(kShared, task),
                engine = bench.engine(task);
    table.rows.push_back({static_cast<double>(row.size), row.sequential, row.sequential_deviation,
                          published.mean, published.deviation, published.speed_up, by_rows, transposed,
                          global.kernel, shared.kernel, engine.kernel, engine.answer, bench.host(task).answer,
                          ratio(by_rows, shared.answer), ratio(transposed, shared.answer),
                          ratio(transposed, engine.answer)});
  }
  table.notes = {kVariantsNote, kTimesNote, kAnswerNote,
                 "Speed-ups are by the time until the host has the answer.", kRunsNote};
  table.plot = lines_over_size({1, 3, 6, 7, 8, 9, 10, 12});
  return table;
}

// Figure 6.4.
Table times_by_devices(SubmatrixBench& bench) {
  const auto sequential = [&](std::size_t size) {
    return bench.sequential(ColumnOrder::RowMajor, {size}).answer;
  };
  Table table = TimesByDevices<PublishedSubmatrix>("rows", "M", "s")
                    .table(published_submatrices(), "M-seq, row-major", sequential,
                           [&](std::size_t size, std::size_t d) {
                             return bench.scan(kShared, {size, d}).kernel;
                           });
  table.notes = {kVariantsNote, kTimesNote, kRunsNote};
  return table;
}

// Figure 6.5.
Table speed_ups(SubmatrixBench& bench) {
  Table table;
  table.columns = {{"rows", "", Origin::Setting}};
  for (std::size_t d = 1; d <= kMostDevices; ++d)
    table.columns.push_back({gpus_text(d), "", Origin::Published});
  for (std::size_t d = 1; d <= kMostDevices; ++d) {
    table.columns.push_back({"row-major by M-shared, " + devices_text(d), "", Origin::Derived});
    table.columns.push_back({"transposed by M-shared, " + devices_text(d), "", Origin::Derived});
  }
  for (const PublishedSubmatrix& row : published_submatrices()) {
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells.emplace_back(static_cast<double>(row.size));
    for (const PublishedTime& time : row.on_gpus) cells.emplace_back(time.speed_up);
    for (std::size_t d = 1; d <= kMostDevices; ++d) {
      const Cell shared = bench.scan(kShared, {row.size, d}).answer;
      cells.push_back(ratio(bench.sequential(ColumnOrder::RowMajor, {row.size}).answer, shared));
      cells.push_back(ratio(bench.sequential(ColumnOrder::Transposed, {row.size}).answer, shared));
    }
  }
  table.notes = {
      kVariantsNote,
      "The publication compares with M-seq on the row-major matrix, which reads columns and misses the "
      "cache; transposed is the fair comparison.",
      kRunsNote};
  table.plot = lines_over_size({1, 2, 3, 4, 5, 6});
  return table;
}

// Figure 6.6.
Table memories(SubmatrixBench& bench) {
  Table table;
  table.columns = {{"rows", "", Origin::Setting},
                   {"M-global", "s", Origin::Measured},
                   {"M-shared", "s", Origin::Measured},
                   {"gpuhmm", "s", Origin::Measured},
                   {"global by shared", "", Origin::Derived}};
  for (const PublishedSubmatrix& row : published_submatrices()) {
    const SubmatrixTask task{row.size};
    const Cell global = bench.scan(kGlobal, task).kernel, shared = bench.scan(kShared, task).kernel;
    table.rows.push_back(
        {static_cast<double>(row.size), global, shared, bench.engine(task).kernel, ratio(global, shared)});
  }
  table.notes = {
      "The publication's values cannot be read off its figure; its text says that M-shared is faster.",
      kVariantsNote, kTimesNote, kRunsNote};
  table.plot = lines_over_size();
  return table;
}

Table branches(SubmatrixBench& bench) {
  const std::size_t size = bench.branches_size();
  Table table = branches_table(bench, SubmatrixTask{size}, kGlobal, kShared, "M", "s");
  table.notes = {
      grouped_digits(size) +
          " rows. random: the publication's numbers. positive, negative: all "
          "work-items always take one branch. in-step: the rows are of one number each, so all work-items take "
          "the same branch. out-of-step: neighbours take different branches.",
      "The publication names this as future work. Branch-free: maxima in place of if and else.", kTimesNote,
      kRunsNote};
  return table;
}

}  // namespace

std::vector<TableSource> submatrix_tables() {
  TableSources<SubmatrixBench> tables;
  for (std::size_t d = 1; d <= kMostDevices; ++d) {
    tables.add("6." + std::to_string(4 + d), "Maximum submatrix on " + devices_text(d),
               [d](SubmatrixBench& bench) { return times(bench, d); });
  }
  tables.add("figure-6.4", "Maximum submatrix, times", times_by_devices);
  tables.add("figure-6.5", "Maximum submatrix, speed-ups", speed_ups);
  tables.add("figure-6.6", "Maximum submatrix, global and local memory", memories);
  tables.add("submatrix-branches", "Maximum submatrix, divergent and uniform branches", branches);
  return std::move(tables).sources();
}

}  // namespace gpuhmm::experiment::maximum
