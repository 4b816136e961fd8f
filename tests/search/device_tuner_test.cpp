// Tuning: settings reach the kernels, are checked, and do not change scores.
#include "search/device_tuner.hpp"

#include <gtest/gtest.h>

#include <set>

#include "filter/opencl/gpu_variant.hpp"
#include "opencl/variant.hpp"
#include "search/engines.hpp"

namespace gpuhmm {
namespace {

DeviceInfo cpu_device() {
  for (const DeviceInfo& device : list_devices()) {
    if (device.type == DeviceType::Cpu) return device;
  }
  throw std::runtime_error("the tests need PoCL");
}

TEST(DeviceSettingsTest, ReplaceWhatTheyName) {
  const GpuVariant variant = with_settings(GpuVariant(), {{"lanes", 7}, {"exact_rows", 28}});
  EXPECT_EQ(variant.lanes, 7U);
  EXPECT_EQ(variant.exact.rows, 28U);
  EXPECT_EQ(variant.packed.rows, GpuVariant().packed.rows);
}

TEST(DeviceSettingsTest, AreAllThatWasRead) {
  const DeviceSettings settings = settings_of(GpuVariant());
  EXPECT_EQ(settings_of(with_settings(GpuVariant(), settings)), settings);
  EXPECT_EQ(settings.at("long_sequence"), 1500);
}

TEST(DeviceSettingsTest, RefuseWhatNoDeviceHas) {
  EXPECT_THROW(with_settings(GpuVariant(), {{"colour", 1}}), std::invalid_argument);
  EXPECT_THROW(with_settings(GpuVariant(), {{"exact_rows", 6}}), std::invalid_argument);
  EXPECT_THROW(with_settings(GpuVariant(), {{"lanes", 0}}), std::invalid_argument);
  EXPECT_THROW(with_settings(StripedVariant(), {{"vector_bytes", 64}}), std::invalid_argument);
}

TEST(DeviceTunerTest, TriesEverySettingOfACpu) {
  const DeviceInfo device = cpu_device();
  std::set<std::string> tried;
  const Tuning tuning = tune_device(device, synthetic_work(40), 2, [&](const TuningStep& step) {
    tried.insert(step.setting);
    EXPECT_TRUE(step.cells_per_second) << step.setting << " " << step.value << ": " << step.failure;
  });
  EXPECT_EQ(tried, (std::set<std::string>{"", "vector_bytes", "smallest_whole_row", "largest_whole_row",
                                          "work_groups"}));
  EXPECT_EQ(tuning.settings.empty(), tuning.cells_per_second == tuning.built_in_cells_per_second);
  EXPECT_GE(tuning.cells_per_second, tuning.built_in_cells_per_second);
  with_settings(choose_striped_variant(device), tuning.settings);
}

TEST(DeviceTunerTest, WorkIsTheSameEveryTime) {
  const TuningWork a = synthetic_work(20), b = synthetic_work(20);
  ASSERT_EQ(a.sequences.residue_count(), b.sequences.residue_count());
  EXPECT_TRUE(std::ranges::equal(a.sequences.residues(19), b.sequences.residues(19)));
  EXPECT_EQ(a.models.back().match, b.models.back().match);
}

}  // namespace
}  // namespace gpuhmm
