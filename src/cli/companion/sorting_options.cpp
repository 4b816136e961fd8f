// Reads --device and --memory of the sorting commands and makes their sorter.
#include "cli/companion/sorting_options.hpp"

#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "cli/message.hpp"
#include "cli/options.hpp"
#include "companion/strings/opencl/device_sorter.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::cli {

void add_sorting_options(OptionTable& all) {
  add_compute_options(all, Devices::One, "auto (a GPU if there is one and the input is large)");
  all.add("memory", value<std::string>("SIZE"),
          "memory to use, such as 500M or 8G; larger inputs go through temporary files (default: half of"
          " the machine's)");
}

ChosenSorter sorter_from(const Arguments& arguments, const std::string& input) {
  // size in bytes of a file that the host sorts in about the time that a GPU takes to start
  constexpr std::uintmax_t kWorthStarting = std::uintmax_t{200} << 20;
  constexpr std::size_t kWorthSending = std::size_t{1} << 16;  // lines or k-mers
  const unsigned threads = threads_from(arguments);
  const auto& name = arguments.get("device");
  if (name == "none") return {make_host_sorter(threads), {}};
  if (name == "auto") {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(input, error);
    if (error || size < kWorthStarting) return {make_host_sorter(threads), {}};
  }
  DeviceSorterOptions how;
  how.threads = threads;
  how.warn = warn;
  if (name == "auto") {
    how.smallest = kWorthSending;
    how.host_after_failure = true;
  }
  try {
    const std::optional<DeviceInfo> device = one_device(name, true);
    return {device ? make_device_sorter(*device, how) : make_host_sorter(threads), device};
  } catch (const UsageError&) {
    throw;
  } catch (const std::exception& error) {
    if (name == "auto") return {make_host_sorter(threads), {}};
    throw DeviceError(error.what());
  }
}

std::uint64_t memory_from(const Arguments& arguments) {
  const std::optional<std::string> text = arguments.text("memory");
  if (!text) return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 2;
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), size);
  const std::string_view unit(end, static_cast<std::size_t>(text->data() + text->size() - end));
  const std::size_t place = unit.empty() ? 0 : kUnits.find(unit) + 1;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  if (error != std::errc() || unit.size() > 1 || (!unit.empty() && place == 0) || size == 0 ||
      size > kMost >> (10 * place)) {
    throw UsageError("option '--memory' expects bytes, or a number with K, M, G or T, such as 500M");
  }
  return size << (10 * place);
}

}  // namespace gpuhmm::cli
