// HMMER3's SSV finds the same with all settings, which reach its kernel, and a tuner notices if it does not.
#include "tune/ssv_tuner.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "gpuhmm/engine.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"
#include "tune/tuning_work.hpp"

namespace gpuhmm {
namespace {

// PoCL's device as if it were a GPU.
DeviceInfo as_gpu() {
  DeviceInfo device = list_devices().at(0);
  device.type = DeviceType::Gpu;
  return device;
}

TEST(SsvSettings, ReachTheVariantOfAGpu) {
  DeviceInfo device = as_gpu();
  const DeviceSettings settings{{"ssv_rows", 8}, {"ssv_group", 32}, {"ssv_registers", 96}, {"exact_rows", 4}};
  const hmmer3::SsvVariant variant = hmmer3::choose_ssv_variant(device, settings);
  EXPECT_EQ(variant.shape.rows, 8U);
  EXPECT_EQ(variant.shape.group, 32U);
  EXPECT_EQ(variant.shape.registers, 96U);
  EXPECT_NE(hmmer3::choose_ssv_variant(device).shape.group, 32U);
  EXPECT_THROW(hmmer3::choose_ssv_variant(device, {{"ssv_group", 96}}), std::invalid_argument);
  EXPECT_THROW(hmmer3::choose_ssv_variant(device, {{"ssv_rows", 6}}), std::invalid_argument);
  EXPECT_THROW(hmmer3::choose_ssv_variant(device, {{"colour", 1}}), std::invalid_argument);
  // Those of CPUs are of other kernels.
  device.type = DeviceType::Cpu;
  EXPECT_NE(hmmer3::choose_ssv_variant(device, {{"vector_bytes", 16}, {"ssv_group", 32}}).shape.group, 32U);
}

TEST(SsvTuner, FindsTheSameWithOtherSettings) {
  const TuningWork work = synthetic_work(300);
  const DeviceInfo device = as_gpu();
  SsvTuner tuner(device, work.sequences, 2);
  EXPECT_GT(tuner.measure({}), 0);
  double found = 0;
  for (const auto& of_model : tuner.found()) found += static_cast<double>(of_model.size());
  const double pairs = static_cast<double>(tuner.found().size()) * 300;
  EXPECT_GT(found, 0.005 * pairs);
  EXPECT_LT(found, 0.2 * pairs);
  EXPECT_GT(tuner.measure({{"ssv_rows", 8}, {"ssv_group", 32}}), 0);
  EXPECT_THROW(tuner.measure({{"ssv_group", 96}}), std::invalid_argument);
}

TEST(SsvTuner, FailsIfSettingsChangeWhatIsFound) {
  TuningWork work = synthetic_work(200);
  const DeviceInfo device = as_gpu();
  SsvTuner tuner(device, work.sequences, 2);
  tuner.measure({});
  // As if a kernel had read other residues.
  const std::size_t found = tuner.found().at(0).at(0).sequence;
  for (std::uint8_t& residue : work.sequences.mutable_residues(found)) residue = 0;
  try {
    tuner.measure({});
    FAIL() << "not noticed";
  } catch (const EngineFailure& failure) {
    EXPECT_NE(std::string(failure.what()).find("SSV finds other sequences"), std::string::npos);
  }
}

}  // namespace
}  // namespace gpuhmm
