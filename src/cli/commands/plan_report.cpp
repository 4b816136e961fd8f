// Lays a plan out as lines or as JSON.
#include "cli/commands/plan_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "util/format.hpp"
#include "util/printable.hpp"

namespace gpuhmm::cli {

namespace {

std::string amount_text(double amount, bool exact) { return format("%s%.0f", exact ? "" : "about ", amount); }

// With three digits: "1.25 GB".
std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (bytes /= 1e3; bytes >= 999.5 && unit + 1 < kUnits.size(); bytes /= 1e3) ++unit;
  return format("%.*f %s", bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, bytes, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  return format("%.*f s", seconds < 0.9995 ? 3 : seconds < 9.995 ? 2 : seconds < 99.95 ? 1 : 0, seconds);
}

std::string duration_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  std::string text = seconds_text(seconds);
  if (seconds >= 2 * kDay) return text + format(" (%.1f days)", seconds / kDay);
  if (seconds >= 2 * kHour) return text + format(" (%.1f hours)", seconds / kHour);
  if (seconds >= 2 * kMinute) return text + format(" (%.1f minutes)", seconds / kMinute);
  return text;
}

std::string line(const char* what, const std::string& text) {
  return format("%-10s %s\n", what, text.c_str());
}

// Samples that are smaller than a batch may tell of more memory than there is.
double device_bytes(const Plan& plan, const DeviceCosts& device) {
  const double bytes = plan.forecast.costs.device_bytes;
  return device.memory == 0 ? bytes : std::min(bytes, static_cast<double>(device.memory));
}

}  // namespace

std::string plan_text(const Plan& plan) {
  const RunSize& whole = plan.whole;
  const Forecast& forecast = plan.forecast;
  const RunCosts& costs = forecast.costs;
  const double batches = plan.loops.batches(whole);
  std::string text =
      line("profiles", amount_text(whole.profiles, plan.profiles_counted) + ", " +
                           amount_text(whole.nodes, plan.profiles_counted) + " nodes") +
      line("sequences", amount_text(whole.sequences, plan.sequences_counted) + ", " +
                            amount_text(whole.residues, plan.sequences_counted) + " residues") +
      line("cells", format("%.4g", whole.cells()));
  for (const std::string& engine : plan.last.engines) {
    text += line("engine", engine.empty() ? "host" : printable(engine));
  }
  text += line("batches", format("%.0f of about %.0f sequences and %.0f residues", batches,
                                 whole.sequences / batches, whole.residues / batches));
  text += line("hits", format("about %.0f", costs.hits));
  text += line("memory", bytes_text(costs.host_bytes) + " on the host");
  for (const DeviceCosts& device : plan.last.devices) {
    text += line("", bytes_text(device_bytes(plan, device)) + " on " + printable(device.device));
  }
  text += line("time", duration_text(costs.seconds)) + line("  start", seconds_text(forecast.start)) +
          line("  profiles", seconds_text(forecast.profiles)) + line("  read", seconds_text(costs.read)) +
          line("  score", seconds_text(costs.score)) + line("  align", seconds_text(costs.align)) +
          line("  report", seconds_text(costs.report)) +
          (plan.last.devices.empty() ? "" : line("  device", seconds_text(costs.device))) +
          line("processors", duration_text(costs.processor_seconds) + " of all threads together");
  if (plan.build_seconds > 0) {
    text += line("kernels", "built now, in " + seconds_text(plan.build_seconds) +
                                "; the driver keeps them, and the time is that of runs that find them");
  }
  double seconds = 0;
  for (const RunTrial& trial : plan.trials) seconds += trial.costs.seconds;
  text +=
      line("measured", format("%.3g %% of the cells in the largest of %zu samples; all took %s",
                              100 * forecast.measured, plan.trials.size(), seconds_text(seconds).c_str()));
  return text;
}

std::string plan_json(const Plan& plan) {
  using Json = nlohmann::ordered_json;
  const RunCosts& costs = plan.forecast.costs;
  const auto whole_number = [](double value) { return std::llround(value); };
  Json devices = Json::array();
  for (const DeviceCosts& device : plan.last.devices) {
    devices.push_back({{"device", device.device}, {"bytes", whole_number(device_bytes(plan, device))}});
  }
  Json trials = Json::array();
  for (const RunTrial& trial : plan.trials) {
    trials.push_back({{"nodes", whole_number(trial.size.nodes)},
                      {"residues", whole_number(trial.size.residues)},
                      {"seconds", trial.costs.seconds},
                      {"processor_seconds", trial.costs.processor_seconds},
                      {"read", trial.costs.read},
                      {"score", trial.costs.score},
                      {"align", trial.costs.align},
                      {"report", trial.costs.report},
                      {"device", trial.costs.device},
                      {"host_bytes", whole_number(trial.costs.host_bytes)},
                      {"device_bytes", whole_number(trial.costs.device_bytes)}});
  }
  const double batches = plan.loops.batches(plan.whole);
  const Json all = {{"profiles", whole_number(plan.whole.profiles)},
                    {"nodes", whole_number(plan.whole.nodes)},
                    {"profiles_counted", plan.profiles_counted},
                    {"sequences", whole_number(plan.whole.sequences)},
                    {"residues", whole_number(plan.whole.residues)},
                    {"sequences_counted", plan.sequences_counted},
                    {"cells", plan.whole.cells()},
                    {"engines", plan.last.engines},
                    {"batches", whole_number(batches)},
                    {"batch_sequences", whole_number(plan.whole.sequences / batches)},
                    {"batch_residues", whole_number(plan.whole.residues / batches)},
                    {"hits", whole_number(costs.hits)},
                    {"host_bytes", whole_number(costs.host_bytes)},
                    {"devices", std::move(devices)},
                    {"seconds", costs.seconds},
                    {"stages",
                     {{"start", plan.forecast.start},
                      {"profiles", plan.forecast.profiles},
                      {"read", costs.read},
                      {"score", costs.score},
                      {"align", costs.align},
                      {"report", costs.report},
                      {"device", costs.device}}},
                    {"processor_seconds", costs.processor_seconds},
                    {"build_seconds", plan.build_seconds},
                    {"measured_share", plan.forecast.measured},
                    {"samples", std::move(trials)}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string trial_lines(const Plan& plan) {
  std::string text;
  for (const RunTrial& trial : plan.trials) {
    text += format("sample   %.0f nodes, %.0f residues: %.3f s, processors %.3f s, host %s, device %s\n",
                   trial.size.nodes, trial.size.residues, trial.costs.seconds, trial.costs.processor_seconds,
                   bytes_text(trial.costs.host_bytes).c_str(), bytes_text(trial.costs.device_bytes).c_str());
  }
  return text;
}

}  // namespace gpuhmm::cli
