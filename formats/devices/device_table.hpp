// The file that keeps kernel settings measured for devices: JSON, an object of settings for each device name.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "formats/io/error.hpp"

namespace gpuhmm {

/// Settings (name -> value) by device name.
using DeviceTable = std::map<std::string, std::map<std::string, std::int64_t>>;

/// Where the table of this user is: $GPUHMM_DEVICES, else $XDG_CONFIG_HOME/gpuhmm/devices.json, else
/// ~/.config/gpuhmm/devices.json; empty if none of the variables is set.
std::string device_table_path();

/// Reads a table; one that does not exist is empty, and so is that of an empty path. Throws FileError for one
/// that cannot be read or is no such table.
DeviceTable read_device_table(const std::string& path);

/// Replaces the table at `path`, making the folders that lead there. Throws FileError.
void write_device_table(const std::string& path, const DeviceTable& table);

}  // namespace gpuhmm
