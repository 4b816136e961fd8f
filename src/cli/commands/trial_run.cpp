// A child process does the run and sends what it has counted; the system tells what the process has taken.
#include "cli/commands/trial_run.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "cli/command.hpp"
#include "cli/commands/run_context.hpp"
#include "cli/commands/runs.hpp"
#include "cli/failure.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/output.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::cli {

namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& what) {
  throw FileError("a sample of the run cannot be done: " + what);
}

// Bytes of this process in memory.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// In the child.
class Child {
 public:
  explicit Child(int pipe) : pipe_(pipe), before_(resident_bytes()) {}

  [[noreturn]] void run(const Arguments& arguments, ReportKind kind, const PlanInputs::Sample& sample,
                        const RunSize& whole) {
    try {
      RunContext context;
      context.profiles = sample.profiles;
      context.sequences = sample.sequences;
      context.files = RunFiles([](const std::string&) { return std::make_unique<OutputFile>("/dev/null"); });
      context.silent = true;
      context.sample_of = whole;
      context.warn = [this](const std::string& text) {
        const std::lock_guard lock(mutex_);
        told_["warnings"].push_back(text);
      };
      context.totals = [this](const SearchStatistics& totals, std::int64_t hits) { add(totals, hits); };
      context.end = [this] { end(); };
      (kind == ReportKind::Search ? run_search : run_scan)(arguments, context);
    } catch (const std::exception&) {
      const Failure failure = current_failure();
      told_["code"] = failure.code;
      told_["message"] = failure.message;
    }
    end();
  }

 private:
  void add(const SearchStatistics& totals, std::int64_t hits) {
    Json devices = Json::array();
    for (const DeviceCosts& device : totals.devices) {
      devices.push_back({device.device, device.bytes, device.memory, device.build_seconds});
    }
    told_["sections"].push_back({{"engine", totals.engine},
                                 {"devices", std::move(devices)},
                                 {"batch_residues", totals.batch_residues},
                                 {"batch_sequences", totals.batch_sequences},
                                 {"hits", hits},
                                 {"read", totals.seconds.parse},
                                 {"score", totals.seconds.score},
                                 {"align", totals.seconds.rescore},
                                 {"report", totals.seconds.report},
                                 {"computing", totals.seconds.engine.kernels}});
  }

  [[noreturn]] void end() {
    told_["resident_before"] = before_;
    const std::string text = told_.dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::string_view left = text; !left.empty();) {
      const ssize_t written = write(pipe_, left.data(), left.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;
      left.remove_prefix(static_cast<std::size_t>(written));
    }
    leave(kDone);
  }

  int pipe_;
  double before_;
  std::mutex mutex_;
  Json told_ = {{"sections", Json::array()}, {"warnings", Json::array()}};
};

std::string read_all(int pipe) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

[[noreturn]] void fail_as(const Json& report) {
  const std::string message = report.at("message");
  switch (report.at("code").get<int>()) {
    case kWrongUsage:
      throw UsageError(message);
    case kNoDevice:
      throw DeviceError(message);
    default:
      throw FileError(message);
  }
}

TrialRun trial_of(const Json& report) {
  TrialRun trial;
  trial.warnings = report.at("warnings");
  for (const Json& section : report.at("sections")) {
    trial.engines.push_back(section.at("engine"));
    for (const Json& device : section.at("devices")) {
      trial.devices.push_back({device.at(0), device.at(1), device.at(2), device.at(3)});
      trial.costs.device_bytes =
          std::max(trial.costs.device_bytes, static_cast<double>(trial.devices.back().bytes));
    }
    trial.batch_residues = std::max(trial.batch_residues, section.at("batch_residues").get<double>());
    trial.batch_sequences = std::max(trial.batch_sequences, section.at("batch_sequences").get<double>());
    trial.costs.hits += section.at("hits").get<double>();
    trial.costs.read += section.at("read").get<double>();
    trial.costs.score += section.at("score").get<double>();
    trial.costs.align += section.at("align").get<double>();
    trial.costs.report += section.at("report").get<double>();
    const double devices = static_cast<double>(std::max<std::size_t>(section.at("devices").size(), 1));
    trial.costs.device += section.at("computing").get<double>() / devices;
  }
  return trial;
}

}  // namespace

namespace {

// The same thresholds as in the whole run: with fewer targets more of them would be reported.
Arguments with_targets(const Arguments& arguments, ReportKind kind, const RunSize& sample,
                       const RunSize& whole) {
  constexpr const char* kTargets = "size";
  Arguments all = arguments;
  if (!all.has(kTargets) && !(sample == whole)) {
    const double targets = kind == ReportKind::Search ? whole.sequences : whole.profiles;
    all.set(kTargets, std::max(1.0, std::round(targets)));
  }
  return all;
}

}  // namespace

double TrialRun::build_seconds() const {
  double sum = 0;
  for (const DeviceCosts& device : devices) sum += device.build_seconds;
  return sum;
}

TrialRunner::TrialRunner(Arguments arguments, ReportKind kind)
    : arguments_(std::move(arguments)), kind_(kind), own_bytes_(resident_bytes()) {}

TrialRun TrialRunner::run(const PlanInputs::Sample& sample, const RunSize& whole) const {
  // The child would use memory that was freed here, which would not count.
  malloc_trim(0);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(std::strerror(errno));
  const double start = seconds_now();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    Child(ends[1]).run(with_targets(arguments_, kind_, sample.size, whole), kind_, sample, whole);
  }
  const int error = errno;
  close(ends[1]);
  const std::string text = child > 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  if (child < 0) fail(std::strerror(error));
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const double seconds = seconds_now() - start;
  if (WIFSIGNALED(status)) fail("it was ended by signal " + std::to_string(WTERMSIG(status)));
  const Json report = Json::parse(text, nullptr, false);
  if (report.is_discarded()) fail("it has reported nothing");
  if (report.contains("code")) fail_as(report);
  TrialRun trial = trial_of(report);
  trial.costs.seconds = seconds;
  trial.costs.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  constexpr double kUnit = 1024;  // of ru_maxrss
  const double most = kUnit * static_cast<double>(used.ru_maxrss);
  trial.costs.host_bytes = std::max(0.0, most - report.at("resident_before").get<double>()) + own_bytes_;
  return trial;
}

}  // namespace gpuhmm::cli
