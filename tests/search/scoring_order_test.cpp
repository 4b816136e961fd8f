// In which order a search scores its profiles; they are reported in that of the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "filter/sequence_set.hpp"
#include "gpuhmm/search.hpp"
#include "plan7/score_model.hpp"
#include "search/search_run.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;

// Records the numbers of nodes of the models.
class OrderEngine : public ScoreEngine {
 public:
  OrderEngine(bool pairs, std::vector<int>& nodes) : pairs_(pairs), nodes_(nodes) {}
  std::string description() const override { return "order"; }
  bool pairs_models() const override { return pairs_; }
  std::unique_ptr<PreparedBatch> prepare(const SequenceSet&) override {
    return std::make_unique<PreparedBatch>();
  }
  void score(const ScoreModel& model, PreparedBatch&, std::optional<std::int32_t>,
             std::span<std::int32_t> scores) override {
    nodes_.push_back(model.nodes);
    std::ranges::fill(scores, -500'000);
  }

 private:
  bool pairs_;
  std::vector<int>& nodes_;
};

TEST(ScoringOrder, IsBySizeWhereEnginesPairModels) {
  TemporaryFolder folder;
  const std::string three = join_profiles({"Pkinase_ls.hmm", "RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm"});
  std::string many;
  for (int i = 0; i < 30; ++i) many += three;  // 90 profiles, more than are sorted together
  const std::string profiles = folder.write("profiles.hmm", many);
  const std::string sequences = folder.write("some.fasta", ">a\nACDEFGHIKL\n>b\nMNPQRSTVWY\n");
  for (const bool pairs : {false, true}) {
    std::vector<int> nodes;
    SearchOptions options;
    options.make_engines = [&](const ExpectedWork&, const Warning&, const EngineOpened&) {
      std::vector<std::unique_ptr<ScoreEngine>> engines;
      engines.push_back(std::make_unique<OrderEngine>(pairs, nodes));
      return engines;
    };
    SearchRun run;
    run.run(profiles, sequences, options, true);
    ASSERT_EQ(run.found.size(), 90U);
    for (std::size_t i = 0; i < 90; i += 3) {
      EXPECT_EQ(run.found[i].profile, "Pkinase");
      EXPECT_EQ(run.found[i + 1].profile, "RRM_1");
      EXPECT_EQ(run.found[i + 2].profile, "Acetyltransf_1");
    }
    ASSERT_EQ(nodes.size(), 90U);
    EXPECT_EQ(std::is_sorted(nodes.begin(), nodes.begin() + 64), pairs);
    EXPECT_EQ(std::is_sorted(nodes.begin() + 64, nodes.end()), pairs);
    EXPECT_FALSE(std::ranges::is_sorted(nodes));
  }
}

}  // namespace
}  // namespace gpuhmm
