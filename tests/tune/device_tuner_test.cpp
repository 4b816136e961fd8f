// Tuned settings reach the kernels, are checked, and do not change scores.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "filter/opencl/gpu_variant.hpp"
#include "filter/opencl/variant.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/tune.hpp"
#include "plan7/score_model.hpp"
#include "tune/tuning_work.hpp"

namespace gpuhmm {
namespace {

DeviceInfo cpu_device() {
  for (const DeviceInfo& device : list_devices()) {
    if (device.type == DeviceType::Cpu) return device;
  }
  throw std::runtime_error("the tests need PoCL");
}

TEST(DeviceSettings, ReplaceOnlyNamedValues) {
  const GpuVariant variant = with_settings(GpuVariant(), {{"lanes", 7}, {"exact_rows", 28}});
  EXPECT_EQ(variant.models_at_once, 7U);
  EXPECT_EQ(variant.exact.rows, 28U);
  EXPECT_EQ(variant.packed.rows, GpuVariant().packed.rows);
}

TEST(DeviceSettings, AreTheSameAfterARoundTrip) {
  const DeviceSettings settings = settings_of(GpuVariant());
  EXPECT_EQ(settings_of(with_settings(GpuVariant(), settings)), settings);
  EXPECT_EQ(settings.at("long_sequence"), 1500);
}

TEST(DeviceSettings, RefuseUnknownNamesAndInvalidValues) {
  EXPECT_THROW(with_settings(GpuVariant(), {{"colour", 1}}), std::invalid_argument);
  EXPECT_THROW(with_settings(GpuVariant(), {{"exact_rows", 6}}), std::invalid_argument);
  EXPECT_THROW(with_settings(GpuVariant(), {{"lanes", 0}}), std::invalid_argument);
  // Work-groups whose sequences would not lie in one block.
  for (const char* const group : {"exact_group", "packed_group", "packed_two_group", "ssv_group"}) {
    for (const int value : {4, 96, 512}) {
      EXPECT_THROW(with_settings(GpuVariant(), {{group, value}}), std::invalid_argument) << group << value;
    }
    EXPECT_EQ(settings_of(with_settings(GpuVariant(), {{group, 32}})).at(group), 32);
  }
  EXPECT_THROW(with_settings(StripedVariant(), {{"vector_bytes", 64}}), std::invalid_argument);
}

TEST(DeviceTuner, TriesEverySettingOfACpu) {
  const DeviceInfo device = cpu_device();
  std::set<std::string> tried;
  const Tuning tuning = tune_device(device, 40, 2, [&](const TuningStep& step) {
    tried.insert(step.setting);
    EXPECT_TRUE(step.cells_per_second) << step.setting << " " << step.value << ": " << step.failure;
  });
  EXPECT_EQ(tried, (std::set<std::string>{"", "vector_bytes", "smallest_whole_row", "largest_whole_row",
                                          "work_groups"}));
  EXPECT_EQ(tuning.settings.empty(), tuning.filters.tuned == tuning.filters.built_in);
  EXPECT_GE(tuning.filters.tuned, tuning.filters.built_in);
  EXPECT_EQ(tuning.ssv.built_in, 0);
  const DeviceSettings built_in = settings_of(choose_striped_variant(device));
  with_settings(choose_striped_variant(device), tuning.settings);
  for (const auto& [setting, value] : tuning.settings) EXPECT_NE(value, built_in.at(setting)) << setting;
}

// Gives each sequence its length as score; if `wrong`, one more, ten times as fast.
class SettingsChangeScores : public ScoreEngine {
 public:
  explicit SettingsChangeScores(bool wrong) : wrong_(wrong) {}
  std::string description() const override { return "an engine"; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    lengths_.clear();
    for (std::size_t i = 0; i < sequences.size(); ++i) lengths_.push_back(sequences.length(i));
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel&, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t> scores) override {
    std::this_thread::sleep_for(std::chrono::microseconds(wrong_ ? 50 : 500));
    for (std::size_t i = 0; i < scores.size(); ++i) {
      scores[i] = static_cast<std::int32_t>(lengths_[i]) + (wrong_ ? 1 : 0);
    }
  }

 private:
  bool wrong_;
  std::vector<std::size_t> lengths_;
};

TEST(DeviceTuner, DoesNotKeepSettingsThatChangeScores) {
  const DeviceInfo device = cpu_device();
  const std::int64_t usual = settings_of(choose_striped_variant(device)).at("vector_bytes");
  std::set<std::string> failures;
  const Tuning tuning = tune_device(
      device, 30, 1,
      [&](const TuningStep& step) {
        if (step.failure.empty()) return;
        failures.insert(step.failure);
        EXPECT_EQ(step.setting, "vector_bytes");
        EXPECT_FALSE(step.kept);
      },
      [&](const DeviceSettings& settings) {
        return std::make_unique<SettingsChangeScores>(settings.at("vector_bytes") != usual);
      });
  EXPECT_EQ(failures, (std::set<std::string>{"an engine: scores depend on the settings of its kernels"}));
  EXPECT_FALSE(tuning.settings.contains("vector_bytes"));
}

TEST(DeviceTuner, MakesTheSameWorkEveryTime) {
  const TuningWork a = synthetic_work(20), b = synthetic_work(20);
  ASSERT_EQ(a.sequences.residue_count(), b.sequences.residue_count());
  EXPECT_TRUE(std::ranges::equal(a.sequences.residues(19), b.sequences.residues(19)));
  EXPECT_EQ(a.models.back().match, b.models.back().match);
}

}  // namespace
}  // namespace gpuhmm
