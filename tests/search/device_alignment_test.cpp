// A search whose hits a device aligns gives the results of the host, alignments and order included.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "opencl/open_device.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// Scores on the host and lends a device for the alignment of hits, as the engine of a GPU does.
class LendingEngine : public ScoreEngine {
 public:
  explicit LendingEngine(const DeviceInfo& device) : device_(device), engine_(make_simd_engine(2)) {}

  std::string description() const override { return engine_->description(); }
  const OpenDevice* aligning_device() const override { return &device_; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet& sequences) override {
    return engine_->prepare(sequences);
  }
  void score(const ScoreModel& model, PreparedBatch& batch, std::optional<std::int32_t> threshold,
             std::span<std::int32_t> scores) override {
    engine_->score(model, batch, threshold, scores);
  }
  // Bounds far above the scores of sequences that reach the threshold.
  void score_bounds(const ScoreModel& model, PreparedBatch& batch, std::int32_t threshold,
                    std::int32_t /*enough*/, std::span<std::int32_t> scores) override {
    engine_->score(model, batch, threshold, scores);
    for (std::int32_t& score : scores) score += score >= threshold ? 900'000'000 : 0;
  }

 private:
  OpenDevice device_;
  std::unique_ptr<ScoreEngine> engine_;
};

TEST(AlignmentByDevices, GivesTheResultsOfTheHost) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty()) << "no OpenCL device: PoCL is missing";
  const TemporaryFolder folder;
  const std::string profiles =
      folder.write("profiles.hmm", join_profiles({"Pkinase_ls.hmm", "RRM_1_fs.hmm", "RRM_1_ls.hmm"}));
  const std::string sequences = folder.write("sequences.fasta", proteins_and_empty_records(1));
  SearchOptions options;
  options.thresholds.sequence_e = 1000;  // so that every sequence is aligned
  options.verification.percent = 10;
  options.threads = 2;
  for (const bool histogram : {true, false}) {
    options.histogram = histogram;
    options.make_engines = [](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(make_simd_engine(2));
      return engines;
    };
    SearchRun by_host;
    by_host.run(profiles, sequences, options, true);
    options.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(std::make_unique<LendingEngine>(devices.front()));
      engines.push_back(make_simd_engine(2));
      return engines;
    };
    SearchRun by_device;
    by_device.run(profiles, sequences, options, true);
    EXPECT_EQ(by_host.totals.seconds.align.by_devices, 0);
    EXPECT_GT(by_device.totals.seconds.align.by_devices, 100);
    EXPECT_TRUE(by_device.warnings.empty());
    ASSERT_EQ(by_device.found.size(), by_host.found.size());
    for (std::size_t p = 0; p < by_host.found.size(); ++p) {
      EXPECT_EQ(describe_hits(by_device.found[p].result), describe_hits(by_host.found[p].result));
      EXPECT_EQ(describe_histogram(by_device.found[p].result), describe_histogram(by_host.found[p].result));
    }
  }
}

}  // namespace
}  // namespace gpuhmm
