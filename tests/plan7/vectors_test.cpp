// The worked examples of docs/spec/test-vectors.md (C, D): cells, scores, paths and corrections of three
// small models.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "gpuhmm/profile_file.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/forward.hpp"
#include "plan7/null2.hpp"
#include "plan7/small_memory.hpp"
#include "plan7/statistics.hpp"
#include "plan7/trace_score.hpp"
#include "plan7/viterbi.hpp"
#include "plan7/viterbi_matrix.hpp"

namespace gpuhmm {
namespace {

struct DomainExample {
  std::int32_t score, null2;  // 1/1000 bit
};

struct Example {
  std::string profile, residues;
  std::int32_t viterbi, forward;  // 1/1000 bit
  double p_value;
  std::vector<DomainSpan> segments;
  std::string path;  // M3@4: match node 3 emits residue 4
  std::vector<DomainExample> domains;
  std::int32_t whole_null2;
};

// clang-format off
const std::vector<Example> kExamples = {
    {"toy5", "GACDGEFKKACEWK", 2471, 3827, 0.1528052126, {{1, 7}},
     "S N N@1 B M1@2 M2@3 M3@4 I3@5 M4@6 M5@7 E C C@8 C@9 C@10 C@11 C@12 C@13 C@14 T",
     {{2471, 52}}, 52},
    {"toy5", "ACDEFKKKSCDGEYLLACDGEF", 5754, 6832, 0.01819280072, {{0, 5}, {16, 22}},
     "S N B M1@1 M2@2 M3@3 M4@4 M5@5 E J J@6 J@7 J@8 J@9 J@10 J@11 J@12 J@13 J@14 J@15 J@16 B M1@17 M2@18 M3@19 I3@20 M4@21 M5@22 E C T",
     {{3283, 217}, {2471, 52}}, 1063},
    {"toy5", "GGCDEFGG", -383, 69, 0.5659817772, {{2, 6}},
     "S N N@1 N@2 B D1 M2@3 M3@4 M4@5 M5@6 E C C@7 C@8 T",
     {{-383, 418}}, 418},
    {"toy5", "C", -12403, -12382, 0.9998153944, {{0, 1}},
     "S N B D1 M2@1 D3 D4 D5 E C T",
     {{-12403, 135}}, 135},
    {"toy5", "ACGEW", -1383, -1240, 0.7228459342, {{0, 5}},
     "S N B M1@1 M2@2 M3@3 M4@4 M5@5 E C T",
     {{-1383, 21}}, 21},
    {"toy5", "GGACDGG", -7256, -6254, 0.9935002847, {{2, 7}},
     "S N N@1 N@2 B M1@3 M2@4 M3@5 M4@6 M5@7 E C T",
     {{-7256, 0}}, 0},
    {"toy5", "AXBUZJOacdgef", 2471, 2592, 0.1528052126, {{7, 13}},
     "S N N@1 N@2 N@3 N@4 N@5 N@6 N@7 B M1@8 M2@9 M3@10 I3@11 M4@12 M5@13 E C T",
     {{2471, 52}}, 52},
    {"toy6fs", "GACDGEFKKACEWK", 3627, 4337, 0.07487942781, {{1, 7}},
     "S N N@1 B M1@2 M2@3 M3@4 M4@5 M5@6 M6@7 E C C@8 C@9 C@10 C@11 C@12 C@13 C@14 T",
     {{3627, 92}}, 92},
    {"toy6fs", "ACDEFKKKSCDGEYLLACDGEF", 3627, 5823, 0.07487942781, {{16, 22}},
     "S N N@1 N@2 N@3 N@4 N@5 N@6 N@7 N@8 N@9 N@10 N@11 N@12 N@13 N@14 N@15 N@16 B M1@17 M2@18 M3@19 M4@20 M5@21 M6@22 E C T",
     {{3627, 92}}, 92},
    {"toy6fs", "KKCDGKK", -5672, -3958, 0.9807636684, {{2, 7}},
     "S N N@1 N@2 B D1 M2@3 M3@4 M4@5 M5@6 M6@7 E C T",
     {{-5672, 17}}, 17},
    {"toydna", "ggACGUACGGuu", -5045, -4315, 0.970600223, {{2, 10}},
     "S N N@1 N@2 B M1@3 M2@4 M3@5 M4@6 M5@7 M6@8 M7@9 M8@10 E C C@11 C@12 T",
     {{-5045, 7}}, 7},
    {"toydna", "ACGTNCGGTTTACCTAGGA", -6191, -4398, 0.9864973434, {{11, 18}},
     "S N N@1 N@2 N@3 N@4 N@5 N@6 N@7 N@8 N@9 N@10 N@11 B M1@12 M2@13 M3@14 M4@15 M5@16 D6 M7@17 M8@18 E C C@19 T",
     {{-6191, 6}}, 6},
    {"toydna", "RYACGKACSGWN", -7368, -6177, 0.9939828633, {{2, 10}},
     "S N N@1 N@2 B M1@3 M2@4 M3@5 M4@6 M5@7 M6@8 M7@9 M8@10 E C C@11 C@12 T",
     {{-7368, 8}}, 8}};

// Cells of toy5 against GACDGEFKKACEWK.
constexpr const char* kCells = R"(row 0 N 0 B -8455 E -INF J -INF C -INF
  M: -INF -INF -INF -INF -INF
  I: -INF -INF -INF -INF
  D: -INF -INF -INF -INF -INF
row 1 N 0 B -8455 E -17334 J -18334 C -18334
  M: -12332 -14033 -15161 -16615 -17334
  I: -INF -INF -INF -INF
  D: -INF -19419 -16273 -17980 -19358
row 2 N 0 B -8455 E -16929 J -17929 C -17929
  M: -7042 -13788 -14916 -16370 -16929
  I: -18522 -20223 -16862 -22805
  D: -INF -14129 -15507 -17214 -18592
row 3 N 0 B -8455 E -7737 J -8737 C -8737
  M: -10993 -2412 -13822 -15276 -17430
  I: -13583 -20329 -16968 -22911
  D: -INF -18080 -4652 -6359 -7737
row 4 N 0 B -8455 E -8315 J -8737 C -8737
  M: -12448 -14149 -180 -8588 -10125
  I: -14461 -8220 -15141 -21084
  D: -INF -19535 -16389 -6937 -8315
row 5 N 0 B -8455 E -9769 J -8737 C -8737
  M: -12332 -14033 -12156 -4092 -9769
  I: -15173 -8932 -1333 -14230
  D: -INF -19419 -16273 -17980 -11179
row 6 N 0 B -8455 E -5162 J -6162 C -6162
  M: -12811 -14512 -13346 1155 -5162
  I: -16241 -10000 -3794 -10090
  D: -INF -19898 -16752 -18459 -5932
row 7 N 0 B -5984 E 3471 J 2471 C 2471
  M: -7031 -8732 -8634 -2064 3471
  I: -17733 -11492 -6679 -5267
  D: -INF -14118 -10972 -12679 -9151
row 8 N 0 B -5984 E -438 J 2471 C 2471
  M: -9895 -10390 -12179 -10284 -438
  I: -12862 -12393 -8973 -6168
  D: -INF -16982 -12630 -14337 -15715
row 9 N 0 B -5984 E -5403 J 2471 C 2471
  M: -9895 -11596 -12724 -12578 -5403
  I: -13763 -13294 -11267 -7069
  D: -INF -16982 -13836 -15543 -16921
row 10 N 0 B -5984 E -9689 J 2471 C 2471
  M: -4571 -11317 -12445 -13899 -9689
  I: -15023 -14554 -13920 -8329
  D: -INF -11658 -13036 -14743 -16121
row 11 N 0 B -5984 E -5266 J 2471 C 2471
  M: -8522 59 -11351 -12805 -11450
  I: -11112 -16165 -14497 -9940
  D: -INF -15609 -2181 -3888 -5266
row 12 N 0 B -5984 E -5626 J 2471 C 2471
  M: -10340 -12041 -3832 58 -5626
  I: -12180 -5939 -12860 -11008
  D: -INF -17427 -14281 -10589 -7029
row 13 N 0 B -5984 E 3353 J 2471 C 2471
  M: -5282 -6983 -5295 -3165 3353
  I: -13585 -7344 -5678 -6277
  D: -INF -12369 -9223 -10930 -10252
row 14 N 0 B -5984 E -1539 J 2471 C 2471
  M: -9895 -8641 -10430 -9241 -1539
  I: -11113 -8245 -6637 -7178
  D: -INF -16982 -10881 -12588 -13966
)";
// clang-format on

Profile read_toy(const std::string& name) {
  return read_profiles(GPUHMM_TESTDATA "/vectors/" + name + ".hmm").at(0);
}

std::vector<std::uint8_t> digitised(AlphabetKind kind, const std::string& text) {
  std::vector<std::uint8_t> residues;
  for (const char c : text) residues.push_back(Alphabet::get(kind).code(c));
  return residues;
}

std::string written(const Trace& trace) {
  std::ostringstream text;
  for (const TraceStep& step : trace) {
    if (text.tellp() > 0) text << ' ';
    text << "SNBMDIECTJ"[static_cast<int>(step.state)];
    if (step.node > 0) text << step.node;
    if (step.position > 0) text << '@' << step.position;
  }
  return text.str();
}

class Examples : public testing::TestWithParam<Example> {};

TEST_P(Examples, AreThoseOfTheReference) {
  const Example& example = GetParam();
  const Profile profile = read_toy(example.profile);
  const ScoreModel model(profile);
  const auto residues = digitised(profile.alphabet, example.residues);

  EXPECT_EQ(viterbi_score(model, residues), example.viterbi);
  EXPECT_EQ(forward_score(ScoreModel(profile, WingFolding::Sum), residues), example.forward);
  EXPECT_NEAR(p_value(bits_of(example.viterbi), profile.evd), example.p_value, 1e-9 * example.p_value);
  const SegmentParse parse = parse_segments(model, residues);
  EXPECT_EQ(parse.score, example.viterbi);
  EXPECT_EQ(parse.segments, example.segments);

  ViterbiMatrix matrix;
  EXPECT_EQ(matrix.fill(model, residues), example.viterbi);
  const auto trace = matrix.traceback(model, profile, residues);
  ASSERT_TRUE(trace.has_value());
  EXPECT_EQ(written(*trace), example.path);
  EXPECT_EQ(null2_correction(profile, residues, *trace), bits_of(example.whole_null2));
  const auto domains = split_domains(*trace);
  ASSERT_EQ(domains.size(), example.domains.size());
  for (std::size_t d = 0; d < domains.size(); ++d) {
    EXPECT_EQ(trace_score(model, profile, residues, domains[d]), example.domains[d].score);
    EXPECT_EQ(null2_correction(profile, residues, domains[d]), bits_of(example.domains[d].null2));
  }
}

INSTANTIATE_TEST_SUITE_P(Vectors, Examples, testing::ValuesIn(kExamples), [](const auto& example) {
  return example.param.profile + "_" + example.param.residues;
});

TEST(ViterbiCells, AreThoseOfTheReference) {
  const Profile profile = read_toy("toy5");
  ViterbiMatrix matrix;
  const auto residues = digitised(profile.alphabet, "GACDGEFKKACEWK");
  matrix.fill(ScoreModel(profile), residues);
  std::istringstream table(kCells);
  const auto next = [&table] {
    std::string word;
    table >> word;
    return word == "-INF" ? kMinusInfinity : std::stoi(word);
  };
  const auto skip = [&table](const std::string& label) {
    std::string word;
    table >> word;
    ASSERT_EQ(word, label);
  };
  for (int i = 0; i <= static_cast<int>(residues.size()); ++i) {
    skip("row");
    EXPECT_EQ(next(), i);
    const ViterbiMatrix::Special& special = matrix.special(i);
    for (const auto& [label, value] : {std::pair{"N", special.n},
                                       {"B", special.b},
                                       {"E", special.e},
                                       {"J", special.j},
                                       {"C", special.c}}) {
      skip(label);
      EXPECT_EQ(value, next()) << label << " of row " << i;
    }
    skip("M:");
    for (int k = 1; k <= 5; ++k) EXPECT_EQ(matrix.match(i, k), next()) << "M " << i << ' ' << k;
    skip("I:");
    for (int k = 1; k <= 4; ++k) EXPECT_EQ(matrix.insert(i, k), next()) << "I " << i << ' ' << k;
    skip("D:");
    for (int k = 1; k <= 5; ++k) EXPECT_EQ(matrix.del(i, k), next()) << "D " << i << ' ' << k;
  }
}

}  // namespace
}  // namespace gpuhmm
