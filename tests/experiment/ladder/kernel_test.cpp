// Every variant of the kernel against the plain reference.
#include <gtest/gtest.h>

#include <limits>

#include "experiment/ladder/device_job.hpp"
#include "filter/random_models.hpp"
#include "plan7/viterbi.hpp"

namespace gpuhmm::experiment::ladder {
namespace {

using testing::Generator;

// The same, or both without a path.
void expect_same(const std::vector<std::int32_t>& scores, const ScoreModel& model, const SequenceBatch& batch,
                 const std::string& what) {
  ASSERT_EQ(scores.size(), batch.size()) << what;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int32_t expected = viterbi_score(model, batch.residues(i));
    if (expected < kLow / 2) {
      EXPECT_LT(scores[i], kLow / 3) << what << ", sequence " << i;
    } else {
      ASSERT_EQ(scores[i], expected) << what << ", " << model.nodes << " nodes, sequence " << i << " of "
                                     << batch.length(i) << " residues";
    }
  }
}

// Odd lengths, one of a single residue, two the same, and one full of domains.
SequenceBatch sequences_for(Generator& rng, const ScoreModel& model, std::size_t count, bool plain) {
  SequenceBatch batch;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint8_t> residues =
        i % 7 == 3 ? testing::repeat_residues(rng, model, 40)
                   : testing::random_residues(rng, model.alphabet, i == 2 ? 1 : 1 + rng() % 61);
    if (i % 5 == 4) residues.assign(batch.residues(i - 1).begin(), batch.residues(i - 1).end());
    if (plain) {
      for (std::uint8_t& code : residues) code %= 20;
    }
    batch.begin_sequence("s", "", "");
    batch.append_residues(residues);
  }
  return batch;
}

std::vector<Variant> all_variants() {
  std::vector<Variant> all;
  for (std::size_t i = 0; i < kSingles; ++i) all.push_back(single_variant(static_cast<Single>(i)));
  for (const std::vector<int>& steps :
       {std::vector{1, 2}, {1, 2, 3}, {1, 3}, {1, 2, 3, 4}, {1, 2, 3, 4, 5}, {1, 2, 3, 4, 6}}) {
    all.push_back(with_steps(steps));
  }
  const auto add = [&all](const char* name, Variant variant) {
    variant.name = name;
    all.push_back(std::move(variant));
  };
  add("final", final_variant());
  for (const int read : {4, 16}) {
    Variant variant;
    variant.residues_a_read = read;
    add("wide read", variant);
    variant.sorted = true;
    add("wide read, sorted", variant);
    variant.coalesced = true;
    add("wide read, coalesced", variant);
    variant = final_variant();
    variant.residues_a_read = read;
    variant.overlap = true;
    add("final, wide read, overlap", variant);
  }
  Variant variant;
  variant.max_form = true;
  add("max", variant);
  variant.unroll = 16;
  add("max, u16", variant);
  variant.schedule = Schedule::Interleaved;
  add("max, u16+sch", variant);
  variant.cells = CellPlace::Padded;
  variant.emissions = EmissionPlace::Transposed;
  variant.specials = SpecialPlace::Replicated;
  variant.regular = RegularPlace::Local;
  add("max, u16+sch, padded, transposed, replicated, local", variant);
  variant.grain = Grain::Medium;
  for (const Progress progress : {Progress::Host, Progress::Item, Progress::Group}) {
    variant.progress = progress;
    variant.residues_a_read = progress == Progress::Host ? 1 : progress == Progress::Item ? 4 : 16;
    for (const int rows : {1, 5, 1000}) {
      variant.rows_a_launch = rows;
      add("medium", variant);
    }
  }
  variant = {};
  variant.grain = Grain::Fine;
  add("fine", variant);
  variant.cells = CellPlace::Padded;
  variant.sorted = variant.coalesced = true;
  variant.residues_a_read = 4;
  variant.regular = RegularPlace::Constant;
  variant.specials = SpecialPlace::Local;
  variant.emissions = EmissionPlace::Local;
  add("fine, all else", variant);
  return all;
}

class LadderKernel : public ::testing::Test {
 protected:
  // One device for all tests, so that programs are built once.
  static void SetUpTestSuite() {
    const std::vector<DeviceInfo> devices = list_devices();
    if (!devices.empty()) device_.emplace(devices.front());
  }
  static void TearDownTestSuite() { device_.reset(); }
  void SetUp() override {
    if (!device_) GTEST_SKIP() << "no OpenCL device";
  }
  std::vector<std::int32_t> scores(const Variant& variant, const ScoreModel& model,
                                   const SequenceBatch& batch, std::size_t group = 32) {
    DeviceJob job(*device_, variant, model, batch, group);
    job.run();
    job.run();  // again in the same memory
    return job.scores();
  }
  static inline std::optional<OpenDevice> device_;
};

TEST_F(LadderKernel, EveryVariantGivesTheScoresOfThePlainReference) {
  Generator rng(61);
  for (const Variant& variant : all_variants()) {
    for (const int nodes : {1, 17, 38}) {
      testing::RandomModelOptions options;
      options.nodes = nodes;
      options.style = testing::kAllStyles[rng() % 4];
      options.coarse = nodes == 17;  // ties
      const ScoreModel model = testing::random_model(rng, options);
      const SequenceBatch batch = sequences_for(rng, model, 43, nodes != 38);
      expect_same(scores(variant, model, batch), model, batch, variant.name);
    }
  }
}

TEST_F(LadderKernel, ImpossibleTransitionsAndOddSpecialsDoNotMatter) {
  Generator rng(62);
  for (const Variant& variant :
       {single_variant(Single::Basic), single_variant(Single::U4Sch), final_variant()}) {
    for (const double impossible : {0.1, 0.5}) {
      testing::RandomModelOptions options;
      options.nodes = 30;
      options.impossible = impossible;
      options.odd_specials = true;
      const ScoreModel model = testing::random_model(rng, options);
      const SequenceBatch batch = sequences_for(rng, model, 33, false);
      expect_same(scores(variant, model, batch), model, batch, variant.name);
    }
  }
}

TEST_F(LadderKernel, AnyGroupSizeGivesTheSameScores) {
  Generator rng(63);
  const ScoreModel model = testing::random_model(rng, {.nodes = 21});
  const SequenceBatch batch = sequences_for(rng, model, 100, true);
  for (const std::size_t group : {1, 16, 48, 64, 96, 256})
    expect_same(scores(final_variant(), model, batch, group), model, batch, "final");
}

TEST_F(LadderKernel, SaysWhatResourceIsLacking) {
  SequenceBatch batch;
  batch.begin_sequence("s", "", "");
  batch.append_residues(std::vector<std::uint8_t>(5, 1));
  const Variant local = single_variant(Single::PeLoc);
  const int nodes = static_cast<int>(device_->info().local_memory / 160) + 34;  // one padded row too many
  const ScoreModel model(AlphabetKind::Amino, nodes);
  EXPECT_GT(local_bytes(local, nodes, 20, 32).used, device_->info().local_memory);
  try {
    const DeviceJob job(*device_, local, model, batch, 32);
    FAIL() << "emissions of " << nodes << " nodes in local memory";
  } catch (const Unfit& reason) {
    EXPECT_NE(std::string(reason.what()).find(" bytes of local memory; the device has "), std::string::npos)
        << reason.what();
  }
  Variant variant = final_variant();
  variant.grain = Grain::Medium;
  EXPECT_THROW(DeviceJob(*device_, variant, model, batch, 32), Unfit);
}

// The publication's worked example (its tables 3.1 to 3.3): AYPPQ and a model of five nodes score 9374.
TEST_F(LadderKernel, WorkedExampleOfThePublication) {
  ScoreModel model(AlphabetKind::Amino, 5);
  const auto& letters = Alphabet::get(AlphabetKind::Amino);
  const std::int32_t match[5][4] = {{2343, -3045, -3814, -4616},
                                    {1802, -3710, -3483, 4331},
                                    {-4914, 4339, -5623, -5713},
                                    {-4914, 4339, -5623, -5713},
                                    {1018, 2229, 3491, -3307}};
  const std::int32_t insert[4] = {-210, 423, 70, -176};
  for (int k = 1; k <= 5; ++k) {
    for (int x = 0; x < 4; ++x) {
      const std::size_t row = letters.code("APQY"[x]) * std::size_t{6};
      model.match[row + k] = match[k - 1][x];
      if (k < 5) model.insert[row + k] = insert[x];
    }
    if (k == 5) break;
    model.mm[k] = -4;
    model.mi[k] = -8135;
    model.md[k] = -9181;
    model.im[k] = -890;
    model.ii[k] = -1111;
    model.dm[k] = -697;
    model.dd[k] = -1378;
  }
  model.begin = {kMinusInfinity, 2, -9873, -11251, -12628, -14006};
  model.end = {kMinusInfinity, -13314, -11936, -10558, -9181, 0};
  model.n_loop = model.c_loop = model.c_end = model.j_loop = 0;
  model.n_begin = model.j_begin = -8455;
  model.e_to_j = model.e_to_c = -1000;
  SequenceBatch batch;
  batch.begin_sequence("AYPPQ", "", "");
  for (const char letter : std::string("AYPPQ")) batch.residue_buffer().push_back(letters.code(letter));
  EXPECT_EQ(viterbi_score(model, batch.residues(0)), 9374);
  for (const Variant& variant : {single_variant(Single::Basic), single_variant(Single::U4Sch),
                                 single_variant(Single::ScPad), final_variant()})
    EXPECT_EQ(scores(variant, model, batch).front(), 9374) << variant.name;
}

TEST_F(LadderKernel, ThePrintedScheduleIsWrongWhereNodesAreDeleted) {
  Generator rng(65);
  const ScoreModel model = testing::random_model(rng, {.nodes = 30});
  SequenceBatch batch;
  for (int i = 0; i < 32; ++i) {
    batch.begin_sequence("s", "", "");
    batch.append_residues(testing::repeat_residues(rng, model, 60));
  }
  Variant variant = single_variant(Single::U4Sch);
  variant.schedule = Schedule::Printed;
  const std::vector<std::int32_t> printed = scores(variant, model, batch);
  int wrong = 0;
  for (std::size_t i = 0; i < batch.size(); ++i)
    wrong += printed[i] != viterbi_score(model, batch.residues(i));
  EXPECT_GT(wrong, 0);
}

TEST(RegistersIn, FindsTheKernelsOwnLine) {
  const std::string log =
      "ptxas info : Compiling entry function 'cell_of_sequences' for 'sm_90'\nptxas info : Used 20 registers\n"
      "ptxas info : Compiling entry function 'rows_of_sequences' for 'sm_90'\nptxas info : Used 37 registers, 4 "
      "bytes smem\n";
  EXPECT_EQ(registers_in(log, "rows_of_sequences"), 37);
  EXPECT_EQ(registers_in(log, "cell_of_sequences"), 20);
  EXPECT_EQ(registers_in("", "rows_of_sequences"), std::nullopt);
}

}  // namespace
}  // namespace gpuhmm::experiment::ladder
