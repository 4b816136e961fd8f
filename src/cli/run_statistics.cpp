// Prints the lines of --stats.
#include "cli/run_statistics.hpp"

#include <iostream>

#include "util/format.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::cli {

RunStatistics::RunStatistics(bool wanted) : wanted_(wanted), start_(seconds_now()) {}

void RunStatistics::note(const std::string& what, const std::string& text) {
  notes_.emplace_back(what, text);
}

void RunStatistics::engine(std::span<const DeviceInfo> devices, bool host_too) {
  std::string names;
  for (const DeviceInfo& device : devices) names += (names.empty() ? "" : ", ") + device.name;
  if (names.empty() || host_too) names += names.empty() ? "host" : ", host";
  note("engine", names);
}

void RunStatistics::engine(const std::optional<DeviceInfo>& device) {
  engine(device ? std::span<const DeviceInfo>(&*device, 1) : std::span<const DeviceInfo>());
}

void RunStatistics::count(const std::string& what, std::uint64_t amount) {
  counts_.push_back({what, amount});
}

void RunStatistics::seconds(const std::string& stage, double seconds) { stages_.push_back({stage, seconds}); }

void RunStatistics::print() const {
  if (!wanted_) return;
  const double all = seconds_now() - start_;
  std::string text;
  for (const auto& [what, said] : notes_) text += format("%-9s %s\n", what.c_str(), said.c_str());
  for (const auto& [what, amount] : counts_) {
    const double rate = all > 0 ? static_cast<double>(amount) / all : 0;
    text +=
        format("%-9s %llu (%.4g a second)\n", what.c_str(), static_cast<unsigned long long>(amount), rate);
  }
  for (const auto& [name, seconds] : stages_) text += format("%-9s %.3f s\n", name.c_str(), seconds);
  std::cerr << text << format("%-9s %.3f s\n", "all", all);
}

}  // namespace gpuhmm::cli
