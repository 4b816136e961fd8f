// Measures the tables of the experiment.
#include "experiment/reduce/reduce_experiment.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <variant>

#include "companion/reduce/reduce.hpp"
#include "experiment/reasons.hpp"
#include "experiment/reduce/ladder_kernels.hpp"
#include "experiment/reduce/time_histogram.hpp"
#include "experiment/resources.hpp"

namespace gpuhmm::experiment {

namespace {

using Launches = LadderShape::Launches;

constexpr std::size_t kFewMatrices = 131'072;     // of section 2.1
constexpr std::size_t kManyMatrices = 1'048'576;  // of section 2.2
constexpr std::size_t kBins = 24;
constexpr double kPublishedGain = 3;  // "about 3 times"
constexpr LadderShape kPublishedShape = {Rung::FirstOnLoad, 32, Launches::Nine};

// The kernels of the first device; nothing without a device.
std::unique_ptr<LadderKernels> kernels_for(const Request& request) {
  return request.devices.empty() ? nullptr : std::make_unique<LadderKernels>(request.devices.front());
}

Minima todays_host_minima(const NumberValues& stack, unsigned threads) {
  const auto reducer = make_host_reducer(NumberType::Int32, kPositions, {.threads = threads});
  reducer->add(stack);
  const NumberValues reduced = reducer->result();
  Minima minima;
  std::ranges::copy(std::get<std::vector<std::int32_t>>(reduced), minima.begin());
  return minima;
}

// The methods in histograms and means, in their order.
enum Series : std::size_t {
  Sequential,
  PublishedKernels,
  Published,
  HostToday,
  TodayKernels,
  Today,
  kSeries
};

// Times of all methods in ms. Each run has new random matrices; the first one is not counted.
std::vector<TimeSeries> time_methods(const Request& request, std::size_t count, std::size_t runs) {
  std::vector<TimeSeries> series = {
      {"sequential"},
      {"published kernel"},
      {"published, with transfer"},
      {"today, " + std::to_string(request.threads) + (request.threads == 1 ? " thread" : " threads")},
      {"today's kernels"},
      {"today, with transfer"}};
  std::unique_ptr<LadderKernels> kernels = kernels_for(request);
  if (kernels && !kernels->obstacle(count, kPublishedShape).empty()) kernels.reset();
  for (std::size_t run = 0; run <= runs; ++run) {
    const std::vector<std::int32_t> stack =
        random_stack(count, request.seed + static_cast<std::uint32_t>(run));
    const ExpectedMinima expected(stack);
    const auto add = [&](Series method, double seconds) {
      if (run > 0) series[method].times.push_back(seconds * 1e3);
    };
    const auto on_host = [&](Series method, const auto& reduce) {
      Minima minima;
      const double seconds = seconds_of([&] { minima = reduce(); });
      expected.check(series[method].name, minima);
      add(method, seconds);
    };
    on_host(Sequential, [&] { return sequential_minima(stack); });
    const NumberValues values = stack;
    on_host(HostToday, [&] { return todays_host_minima(values, request.threads); });
    if (!kernels) continue;
    const LadderRun published = kernels->run(arrays_of(stack), kPublishedShape);
    expected.check(series[Published].name, published.minima);
    add(PublishedKernels, published.kernels);
    add(Published, published.all);
    const LadderRun today = kernels->run_todays(stack);
    expected.check(series[Today].name, today.minima);
    add(TodayKernels, today.kernels);
    add(Today, today.all);
  }
  return series;
}

// The reason why the device's series have no times, if so.
std::string device_reason(const Request& request, std::size_t count) {
  const std::unique_ptr<LadderKernels> kernels = kernels_for(request);
  return kernels ? kernels->obstacle(count, kPublishedShape) : kNoDevice;
}

void add_data_note(Table& table, const Request& request) {
  table.notes.push_back(
      "Data: random 32-bit integers, seed " + std::to_string(request.seed) +
      " (the publication does not give its range). Every result is that of the plain reference.");
}

void add_time_note(Table& table) {
  table.notes.emplace_back(
      "Kernels: sum of all launches by events. With transfer: wall time from the host's memory to nine minima on "
      "the host; buffers are there, and the nine arrays of the published form are made before.");
}

Table histogram(const Request& request, const char* id, std::size_t count, std::size_t published_runs,
                std::size_t few_runs) {
  const std::size_t runs = request.runs_or(request.full ? published_runs : few_runs);
  Table table = time_histogram(id, "histogram of times, " + grouped_digits(count) + " matrices",
                               time_methods(request, count, runs), kBins, device_reason(request, count));
  table.notes.push_back("Publication: " + grouped_digits(published_runs) +
                        " runs, histograms without readable values. Here: " + grouped_digits(runs) +
                        " runs, each with new random matrices.");
  add_time_note(table);
  add_data_note(table, request);
  return table;
}

Table histogram_of_few(const Request& request) { return histogram(request, "2.1", kFewMatrices, 2000, 100); }
Table histogram_of_many(const Request& request) { return histogram(request, "2.2", kManyMatrices, 250, 20); }

Table means(const Request& request) {
  constexpr std::size_t kRuns = 20;
  Table table{.id = "means", .title = "times and gains over the sequential program", .columns = {}};
  table.columns = {{"method", "", Origin::Setting}};
  table.rows.resize(kSeries);
  for (const std::size_t count : {kFewMatrices, kManyMatrices}) {
    request.report(grouped_digits(count) + " matrices");
    table.columns.push_back({grouped_digits(count) + " matrices", "ms", Origin::Measured});
    table.columns.push_back({"mean", "ms", Origin::Measured});
    table.columns.push_back({"gain", "", Origin::Derived});
    const std::vector<TimeSeries> series = time_methods(request, count, request.runs_or(kRuns));
    const std::string reason = device_reason(request, count);
    const double base = spread_of(series[Sequential].times).mean;
    for (std::size_t method = 0; method < kSeries; ++method) {
      std::vector<Cell>& row = table.rows[method];
      if (row.empty()) row.emplace_back(series[method].name);
      if (series[method].times.empty()) {
        row.insert(row.end(), 3, Cell::absent(reason));
      } else {
        const Spread spread = spread_of(series[method].times);
        row.insert(row.end(), {spread, spread.mean, base / spread.mean});
      }
    }
  }
  table.columns.push_back({"gain", "", Origin::Published});
  for (std::size_t method = 0; method < kSeries; ++method)
    table.rows[method].push_back(method == Published ? Cell(kPublishedGain) : Cell(""));
  table.notes.emplace_back(
      "First the median. Gains are of means. Published gain: \"about 3 times\"; its times are not readable.");
  add_time_note(table);
  add_data_note(table, request);
  table.plot = {.kind = PlotStyle::Kind::Bars, .along = 0, .series = {1, 4}, .log_upright = true};
  return table;
}

// A row of the ladder; without a shape it is that of today's kernels.
struct LadderRow {
  std::string name;
  std::optional<LadderShape> shape;
};

std::vector<LadderRow> ladder_rows() {
  constexpr std::size_t kGroup = 256;
  std::vector<LadderRow> rows;
  for (const Rung rung : kRungs) {
    if (rung == kPublishedShape.rung) rows.push_back({"as published", kPublishedShape});
    rows.push_back({rung_name(rung), LadderShape{rung, kGroup, Launches::Nine}});
  }
  rows.push_back({"one launch", LadderShape{Rung::SeveralElements, kGroup, Launches::One}});
  rows.push_back(
      {"second pass on the device", LadderShape{Rung::SeveralElements, kGroup, Launches::SecondPass}});
  rows.push_back({"today's reduce", std::nullopt});
  return rows;
}

// A stack as matrices and as arrays, and its minima.
struct Stack {
  std::vector<std::int32_t> values, arrays;
  ExpectedMinima expected;

  Stack(std::size_t count, std::uint32_t seed)
      : values(random_stack(count, seed)), arrays(arrays_of(values)), expected(values) {}
};

// Measures a row: times of the kernels, and with transfer. Every run is checked; the first is not counted.
struct RowTimes {
  std::vector<double> kernels, all;
};
RowTimes time_row(LadderKernels& kernels, const Stack& stack, const LadderRow& row, std::size_t runs) {
  RowTimes times;
  for (std::size_t i = 0; i <= runs; ++i) {
    const LadderRun run =
        row.shape ? kernels.run(stack.arrays, *row.shape) : kernels.run_todays(stack.values);
    stack.expected.check(row.name, run.minima);
    if (i == 0) continue;
    times.kernels.push_back(run.kernels);
    times.all.push_back(run.all);
  }
  return times;
}

std::string launches_text(const std::optional<LadderShape>& shape) {
  if (!shape) return "2";
  return shape->launches == Launches::Nine ? "9" : shape->launches == Launches::One ? "1" : "2";
}

Table ladder(const Request& request) {
  constexpr std::size_t kRuns = 10;
  Table table{.id = "ladder", .title = "the ladder of reductions", .columns = {}};
  table.columns = {
      {"rung", "", Origin::Setting}, {"work-items", "", Origin::Setting}, {"launches", "", Origin::Setting}};
  for (const std::size_t count : {kFewMatrices, kManyMatrices}) {
    table.columns.push_back({grouped_digits(count) + ", kernels", "ms", Origin::Measured});
    table.columns.push_back({"read", "GB/s", Origin::Derived});
    table.columns.push_back({grouped_digits(count) + ", with transfer", "ms", Origin::Measured});
  }
  std::unique_ptr<LadderKernels> kernels = kernels_for(request);
  const std::array<Stack, 2> stacks = {Stack(kFewMatrices, request.seed), Stack(kManyMatrices, request.seed)};
  for (const LadderRow& rung : ladder_rows()) {
    request.report(rung.name);
    std::vector<Cell>& row = table.rows.emplace_back();
    row = {rung.name, std::to_string(rung.shape ? rung.shape->group : 256), launches_text(rung.shape)};
    for (const Stack& stack : stacks) {
      const std::size_t count = stack.values.size() / kPositions;
      const std::string reason =
          kernels ? kernels->obstacle(count, rung.shape.value_or(kPublishedShape)) : kNoDevice;
      if (!reason.empty()) {
        row.insert(row.end(), 3, Cell::absent(reason));
        continue;
      }
      const RowTimes times = time_row(*kernels, stack, rung, request.runs_or(kRuns));
      const Spread spread = spread_of(times.kernels);
      const double bytes = static_cast<double>(stack.values.size() * sizeof(std::int32_t));
      row.insert(row.end(),
                 {scaled(spread, 1e3), bytes / spread.median * 1e-9, scaled(spread_of(times.all), 1e3)});
    }
  }
  table.notes.emplace_back(
      "Rungs of Harris, Optimizing Parallel Reduction in CUDA; each keeps what the ones above it do. Every step ends "
      "with a barrier: OpenCL 1.2 promises no work-items in step, so unrolling saves the loop alone. As published: "
      "first minimum on load, in work-groups of 32. Several elements: 8 a work-item. today's reduce: the kernels of "
      "gpuhmm reduce, on the stack as it lies.");
  add_time_note(table);
  add_data_note(table, request);
  table.plot = {.kind = PlotStyle::Kind::Bars, .along = 0, .log_upright = true};
  return table;
}

Table by_groups(const Request& request) {
  constexpr std::size_t kRuns = 5;
  Table table{.id = "groups",
              .title = "kernels by work-group size, 1,048,576 matrices",
              .columns = {{"work-items", "", Origin::Setting}}};
  for (const Rung rung : kRungs) table.columns.push_back({rung_name(rung), "ms", Origin::Measured});
  std::unique_ptr<LadderKernels> kernels = kernels_for(request);
  const Stack stack(kManyMatrices, request.seed);
  for (const std::size_t group : {32, 64, 128, 256, 512, 1024}) {
    request.report("work-groups of " + std::to_string(group));
    std::vector<Cell>& row = table.rows.emplace_back();
    row.emplace_back(static_cast<double>(group));
    for (const Rung rung : kRungs) {
      const LadderShape shape{rung, group, Launches::Nine};
      const std::string reason = kernels ? kernels->obstacle(kManyMatrices, shape) : kNoDevice;
      if (!reason.empty()) {
        row.push_back(Cell::absent(reason));
        continue;
      }
      const RowTimes times = time_row(*kernels, stack, {rung_name(rung), shape}, request.runs_or(kRuns));
      row.emplace_back(scaled(spread_of(times.kernels), 1e3));
    }
  }
  table.notes.emplace_back("Nine launches, one a position; the sum of them by events, without transfer.");
  add_data_note(table, request);
  table.plot = {.kind = PlotStyle::Kind::Lines, .log_level = true, .log_upright = true};
  return table;
}

}  // namespace

Experiment reduce_experiment() {
  return {"reduce",
          "Minimum of a stack of 3 x 3 matrices",
          "Napoli: EP2 MAC0219, Universidade de Sao Paulo",
          {{"2.1", "histogram of times, 131,072 matrices", histogram_of_few},
           {"2.2", "histogram of times, 1,048,576 matrices", histogram_of_many},
           {"means", "times and gains over the sequential program", means},
           {"ladder", "the ladder of reductions", ladder},
           {"groups", "kernels by work-group size", by_groups}}};
}

}  // namespace gpuhmm::experiment
