// The file of device settings is read as written; other files are refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gpuhmm/device.hpp"

namespace gpuhmm {
namespace {

class DeviceTableFile : public ::testing::Test {
 protected:
  DeviceTableFile()
      : folder_(std::filesystem::temp_directory_path() / ("gpuhmm_table_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
  }
  ~DeviceTableFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::string refusal(const std::string& text) const {
    std::ofstream(path("bad.json")) << text;
    try {
      read_device_table(path("bad.json"));
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(DeviceTableFile, IsReadAsWritten) {
  const DeviceTable table{{"NVIDIA \"X\"", {{"lanes", 8}, {"long_sequence", 3000}}}, {"cpu-ü", {}}};
  const std::string file = path("new/folder/devices.json");
  write_device_table(file, table);
  const DeviceTable read = read_device_table(file);
  EXPECT_EQ(read.at("NVIDIA \"X\""), table.at("NVIDIA \"X\""));
}

TEST_F(DeviceTableFile, IsEmptyIfAbsent) {
  EXPECT_TRUE(read_device_table("").empty());
  EXPECT_TRUE(read_device_table(path("absent.json")).empty());
}

TEST_F(DeviceTableFile, IsRefusedIfItIsNoTable) {
  EXPECT_NE(refusal("{\"x\": ").find("bad.json: not a JSON object"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("not a JSON object"), std::string::npos);
  EXPECT_NE(refusal("{\"H100\": 3}").find("device \"H100\" has no settings"), std::string::npos);
  EXPECT_NE(refusal("{\"H100\": {\"lanes\": 1.5}}").find("setting \"lanes\" of device \"H100\""),
            std::string::npos);
}

TEST_F(DeviceTableFile, CannotBeWrittenBelowAFile) {
  std::ofstream(path("file")) << "x";
  EXPECT_THROW(write_device_table(path("file/devices.json"), {}), FileError);
}

TEST_F(DeviceTableFile, LiesWhereTheEnvironmentSays) {
  setenv("GPUHMM_DEVICES", "/x/table", 1);
  EXPECT_EQ(device_table_path(), "/x/table");
  unsetenv("GPUHMM_DEVICES");
  setenv("XDG_CONFIG_HOME", "/c", 1);
  EXPECT_EQ(device_table_path(), "/c/gpuhmm/devices.json");
  unsetenv("XDG_CONFIG_HOME");
  setenv("HOME", "/h", 1);
  EXPECT_EQ(device_table_path(), "/h/.config/gpuhmm/devices.json");
}

}  // namespace
}  // namespace gpuhmm
