// Finds, reads and writes the table of devices: kernel settings of each device, as JSON.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gpuhmm/device.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm {

namespace {

std::string all_of(Input& input) {
  std::string text;
  char buffer[4096];
  while (const std::size_t count = input.read(buffer, sizeof buffer)) text.append(buffer, count);
  return text;
}

[[noreturn]] void bad_table(const std::string& path, const std::string& what) {
  throw FileError(path + ": " + what + "; expected a table of devices as `gpuhmm bench tune` writes it");
}

}  // namespace

std::string device_table_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string path = variable("GPUHMM_DEVICES"); !path.empty()) return path;
  if (const std::string path = variable("XDG_CONFIG_HOME"); !path.empty())
    return path + "/gpuhmm/devices.json";
  if (const std::string path = variable("HOME"); !path.empty()) return path + "/.config/gpuhmm/devices.json";
  return "";
}

DeviceTable read_device_table(const std::string& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return {};
  Input input(path);
  const nlohmann::json json = nlohmann::json::parse(all_of(input), nullptr, false);
  if (!json.is_object()) bad_table(path, "not a JSON object");
  DeviceTable table;
  for (const auto& [device, settings] : json.items()) {
    if (!settings.is_object()) bad_table(path, "device \"" + device + "\" has no settings");
    for (const auto& [name, value] : settings.items()) {
      if (!value.is_number_integer()) {
        bad_table(path, "setting \"" + name + "\" of device \"" + device + "\" is no integer");
      }
      table[device][name] = value.get<std::int64_t>();
    }
  }
  return table;
}

void write_device_table(const std::string& path, const DeviceTable& table) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  OutputFile file(path);  // also reports a folder that could not be created
  file.write(nlohmann::json(table).dump(2) + "\n");
  file.commit();
}

}  // namespace gpuhmm
