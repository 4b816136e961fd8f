// The user's table of devices reaches engines and HMMER3's devices.
#include "search/tuned_settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "gpuhmm/engine_maker.hpp"
#include "search/hmmer3_devices.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

class TunedSettings : public ::testing::Test {
 protected:
  TunedSettings() { device_.type = DeviceType::Gpu; }
  ~TunedSettings() override { unsetenv("GPUHMM_DEVICES"); }
  TunedSettings(const TunedSettings&) = delete;
  TunedSettings& operator=(const TunedSettings&) = delete;

  // A table with settings of this device and of another one.
  void tune(const DeviceSettings& settings) {
    write_device_table(path_, {{device_.name, settings}, {"another", {{"lanes", 3}}}});
    setenv("GPUHMM_DEVICES", path_.c_str(), 1);
  }
  DeviceSettings settings() {
    return with_tuned_settings(device_, [](const DeviceSettings& own) { return own; });
  }

  DeviceInfo device_ = list_devices().at(0);
  testing::TemporaryFolder folder_;
  std::string path_ = folder_.write("devices.json", "{}");
};

TEST_F(TunedSettings, AreThoseOfTheDevice) {
  setenv("GPUHMM_DEVICES", path_.c_str(), 1);
  EXPECT_TRUE(settings().empty());
  tune({{"ssv_rows", 8}});
  EXPECT_EQ(settings(), (DeviceSettings{{"ssv_rows", 8}}));
}

TEST_F(TunedSettings, AreCheckedByAllThatUseThem) {
  tune({{"ssv_group", 96}});
  const auto expect_told = [&](const auto& open) {
    try {
      open();
      FAIL() << "not checked";
    } catch (const FileError& error) {
      EXPECT_EQ(error.what(), path_ + ": device \"" + device_.name +
                                  "\": ssv_group is 96; expected a power of two from 8 to 256");
    }
  };
  expect_told([&] { hmmer3::open_device_stages({device_}, 1); });
  expect_told([&] {
    with_tuned_settings(device_,
                        [&](const DeviceSettings& own) { return make_device_engine(device_, 1, own); });
  });
}

}  // namespace
}  // namespace gpuhmm
