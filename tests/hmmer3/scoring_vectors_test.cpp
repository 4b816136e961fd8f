// Parameters, scores, P-values and decisions that HMMER 3.3.2 gives, to the last bit: by the plain reference
// and by vectors.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/float_model.hpp"
#include "hmmer3/forward_backward.hpp"
#include "hmmer3/scoring_data.hpp"

namespace gpuhmm::hmmer3 {
namespace {

using test::Row;
using test::Sequence;

std::string hex(std::uint32_t bits) {
  char text[9];
  std::snprintf(text, sizeof text, "%08x", bits);
  return text;
}
std::string hex(float value) { return hex(std::bit_cast<std::uint32_t>(value)); }

template <class T>
class Crc {
 public:
  void add(T value) { sum_ = crc32(sum_, reinterpret_cast<const Bytef*>(&value), sizeof value); }
  std::string text() const { return hex(static_cast<std::uint32_t>(sum_)); }

 private:
  uLong sum_ = crc32(0, nullptr, 0);
};

// CRC of a function of code and node, codes outer.
template <class T>
std::string table_crc(std::size_t rows, int nodes, const auto& value) {
  Crc<T> crc;
  for (std::size_t row = 0; row < rows; ++row) {
    for (int k = 1; k <= nodes; ++k) crc.add(value(row, k));
  }
  return crc.text();
}

std::string rows_crc(const std::vector<SpecialRow>& rows) {
  Crc<float> crc;
  for (const SpecialRow& row : rows) {
    for (const float value : {row.e, row.n, row.j, row.b, row.c, row.scale}) crc.add(value);
  }
  return crc.text();
}

// A way to compute all scores of the vectors.
struct Scorer {
  float msv = 0, msv_alone = 0, bias = 0, viterbi = 0;
  FirstStage ssv;
  SequenceTask task;
  bool possible = true;
};

std::vector<Scorer> plain_scores(const FilterProfile& filters, const FloatModel& floats,
                                 const std::vector<Sequence>& sequences) {
  std::vector<Scorer> scores(sequences.size());
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Scorer& s = scores[i];
    const Residues residues = sequences[i];
    const auto length = static_cast<std::int64_t>(residues.size());
    s.ssv = ssv_result(filters.bytes, ssv_maximum(filters.bytes, residues), length);
    s.msv = msv_score(filters.bytes, residues);
    s.msv_alone = first_stage_score(msv_result(filters.bytes, residues), length);
    s.bias = bias_score(filters.bias, residues, NullModel(length));
    s.viterbi = viterbi_score(filters.words, residues);
    s.task.sequence = residues;
    s.task.lengths = LengthModel::multihit(length);
    try {
      run_forward_plainly(floats, s.task);
      run_backward_plainly(floats, s.task);
    } catch (const ImpossibleComparison&) {
      s.possible = false;
    }
  }
  return scores;
}

std::vector<Scorer> vector_scores(const FilterProfile& filters, const FloatModel& floats,
                                  const std::vector<Sequence>& sequences) {
  std::vector<Scorer> scores(sequences.size());
  std::vector<Residues> all;
  std::vector<SequenceTask*> tasks;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Scorer& s = scores[i];
    const Residues residues = sequences[i];
    all.push_back(residues);
    const auto length = static_cast<std::int64_t>(residues.size());
    if (ssv_applies(filters.bytes, length)) {
      s.ssv = ssv_result(filters.bytes, fast_ssv_maximum(filters, residues), length);
    } else {
      s.ssv = {ByteResult::NeedsMsv, 0};
    }
    s.msv = fast_msv_score(filters, residues);
    s.msv_alone = first_stage_score(fast_msv_result(filters, residues), length);
    s.viterbi = fast_viterbi_score(filters, residues);
    s.task.sequence = residues;
    s.task.lengths = LengthModel::multihit(length);
    SequenceTask* const task = &s.task;
    try {
      run_forward(floats, {&task, 1});
      tasks.push_back(task);
    } catch (const ImpossibleComparison&) {
      s.possible = false;
    }
  }
  std::vector<float> bias(all.size());
  fast_bias_scores(filters.bias, all, bias);
  for (std::size_t i = 0; i < all.size(); ++i) scores[i].bias = bias[i];
  run_forward(floats, tasks);
  run_backward(floats, tasks);
  return scores;
}

float backward_score(const SequenceTask& task) {
  float total = 0;
  for (std::size_t i = task.backward.size(); i-- > 1;) {
    const auto log = std::log(static_cast<double>(task.backward[i].scale));
    total = static_cast<float>(static_cast<double>(total) + log);
  }
  return static_cast<float>(static_cast<double>(total) + std::log(static_cast<double>(task.backward[0].n)));
}

void expect_p(const std::string& expected, double p) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(expected.c_str(), nullptr)),
            std::bit_cast<std::uint64_t>(p))
      << expected;
}

void expect_scores(const Row& expected, const Statistics& statistics, const Scorer& s) {
  SCOPED_TRACE(expected.at("seq"));
  const auto length = static_cast<std::int64_t>(s.task.sequence.size());
  const auto equal = [&](const char* column, const std::string& value) {
    EXPECT_EQ(expected.at(column), value) << column;
  };
  const NullModel null(length);
  equal("tjb", std::to_string(ByteModel::move_cost(length)));
  equal("xwNmove", std::to_string(WordModel::move_score(length)));
  equal("null", hex(null.score));
  equal("ssv_st", s.ssv.result == ByteResult::Score      ? "0"
                  : s.ssv.result == ByteResult::Overflow ? "16"
                                                         : "19");
  equal("ssv", s.ssv.result == ByteResult::NeedsMsv ? hex(0.0F) : hex(first_stage_score(s.ssv, length)));
  equal("msv", hex(s.msv));
  equal("msv_nossv", hex(s.msv_alone));
  const float msv_bits = bits_above(s.msv, null.score);
  const double msv_p = gumbel_survival(msv_bits, statistics.msv_mu, statistics.msv_lambda);
  equal("msvbits", hex(msv_bits));
  expect_p(expected.at("P_msv"), msv_p);
  equal("filter", hex(s.bias));
  const float bias_bits = bits_above(s.msv, s.bias);
  const double bias_p = gumbel_survival(bias_bits, statistics.msv_mu, statistics.msv_lambda);
  equal("biasbits", hex(bias_bits));
  expect_p(expected.at("P_bias"), bias_p);
  equal("vit", hex(s.viterbi));
  const float viterbi_bits = bits_above(s.viterbi, s.bias);
  const double viterbi_p = gumbel_survival(viterbi_bits, statistics.viterbi_mu, statistics.viterbi_lambda);
  equal("vitbits", hex(viterbi_bits));
  expect_p(expected.at("P_vit"), viterbi_p);
  equal("fwd_st", s.possible ? "0" : "16");
  if (!s.possible) return;
  equal("fwd", hex(s.task.forward_score));
  const float forward_bits = bits_above(s.task.forward_score, s.bias);
  const double forward_p =
      exponential_survival(forward_bits, statistics.forward_tau, statistics.forward_lambda);
  equal("fwdbits", hex(forward_bits));
  expect_p(expected.at("P_fwd"), forward_p);
  std::size_t scaled = 0;
  for (std::size_t i = 1; i < s.task.forward.size(); ++i) scaled += s.task.forward[i].scale != 1.0F;
  equal("nscale", std::to_string(scaled));
  equal("fwdx", rows_crc(s.task.forward));
  equal("bckx", rows_crc(s.task.backward));
  equal("bck", hex(backward_score(s.task)));
  const bool skips_viterbi = !(bias_p > 1e-3);
  const int pass = msv_p > 0.02                         ? 0
                   : bias_p > 0.02                      ? 1
                   : !skips_viterbi && viterbi_p > 1e-3 ? 2
                   : forward_p > 1e-5                   ? 3
                                                        : 4;
  equal("pass", std::to_string(pass));
}

struct Vectors {
  std::string profile, sequences;
};

class ScoringVectors : public ::testing::TestWithParam<Vectors> {
 protected:
  ScoringVectors()
      : profile_(test::read_profile(test::data_path(GetParam().profile))),
        scores_(profile_),
        filters_(profile_, scores_),
        floats_(scores_) {
    std::string name = GetParam().profile;
    name_ = name.substr(0, name.find(".hmm"));
    expected_ = test::read_expected(name_ + ".tsv");
    const auto by_name = test::read_sequences(GetParam().sequences, profile_.alphabet);
    for (const Row& row : expected_.sequences) {
      if (row.at("L") == "0") continue;
      rows_.push_back(row);
      sequences_.push_back(by_name.at(row.at("seq")));
      EXPECT_EQ(row.at("L"), std::to_string(sequences_.back().size()));
    }
    EXPECT_GE(sequences_.size(), 19U);
  }

  FlushToZero flush_;
  std::string name_;
  Profile profile_;
  LogOdds scores_;
  FilterProfile filters_;
  FloatModel floats_;
  test::ExpectedScores expected_;
  std::vector<Row> rows_;
  std::vector<Sequence> sequences_;
};

TEST_P(ScoringVectors, Parameters) {
  const Row& model = expected_.model;
  const auto equal = [&](const char* key, const std::string& value) {
    EXPECT_EQ(model.at(key), value) << key;
  };
  equal("M", std::to_string(profile_.nodes));
  equal("bias_b", std::to_string(filters_.bytes.bias));
  equal("tbm_b", std::to_string(filters_.bytes.begin_cost));
  equal("tec_b", std::to_string(filters_.bytes.end_cost));
  equal("base_b", std::to_string(ByteModel::kBase));
  equal("scale_b", hex(ByteModel::scale()));
  equal("scale_w", hex(WordModel::scale()));
  const std::string end = std::to_string(filters_.words.end_score);
  equal("xwE", end + "," + end);
  const LengthModel lengths = LengthModel::multihit(100);
  equal("xfE", hex(lengths.end_to_j) + "," + hex(lengths.end_to_c));
  const Statistics& s = profile_.statistics;
  equal("ev", hex(s.msv_mu) + "," + hex(s.msv_lambda) + "," + hex(s.viterbi_mu) + "," +
                  hex(s.viterbi_lambda) + "," + hex(s.forward_tau) + "," + hex(s.forward_lambda));
  const std::size_t codes = scores_.codes;
  const int nodes = profile_.nodes;
  equal("crc_rb",
        table_crc<std::uint8_t>(codes, nodes, [&](auto x, int k) { return filters_.bytes.cost(x, k); }));
  equal("crc_sb",
        table_crc<std::int8_t>(codes, nodes, [&](auto x, int k) { return filters_.bytes.ssv_cost(x, k); }));
  equal("crc_rw", table_crc<std::int16_t>(codes, nodes,
                                          [&](auto x, int k) { return filters_.words.match_score(x, k); }));
  equal("crc_rf", table_crc<float>(codes, nodes, [&](auto x, int k) { return floats_.emission(x, k); }));
  equal("crc_tw", table_crc<std::int16_t>(kSteps, nodes, [&](auto step, int k) {
          return filters_.words.step(static_cast<Step>(step), k);
        }));
  equal("crc_tf", table_crc<float>(kSteps, nodes, [&](auto step, int k) {
          return floats_.transition(static_cast<Step>(step), k);
        }));
}

TEST_P(ScoringVectors, PlainScores) {
  const std::vector<Scorer> scores = plain_scores(filters_, floats_, sequences_);
  for (std::size_t i = 0; i < scores.size(); ++i) expect_scores(rows_[i], profile_.statistics, scores[i]);
}

TEST_P(ScoringVectors, ScoresOfVectors) {
  const std::vector<Scorer> scores = vector_scores(filters_, floats_, sequences_);
  for (std::size_t i = 0; i < scores.size(); ++i) expect_scores(rows_[i], profile_.statistics, scores[i]);
}

std::vector<Vectors> all_vectors() {
  std::vector<Vectors> all;
  for (const char* name :
       {"fn3.hmm", "Pkinase.hmm", "globins4.hmm", "LuxC.hmm.gz", "SMC_N.hmm.gz", "XYPPX.hmm", "M1.hmm"}) {
    all.push_back({name, "proteins.fa"});
  }
  for (const char* name : {"MADE1.hmm", "ecori.hmm"}) all.push_back({name, "dna.fa"});
  for (const char* name : {"m_100_0_0", "m_101_2_0", "m_17_2_0", "m_2_0_0", "m_4_2_0", "m_99_0_0"}) {
    all.push_back({std::string("synthetic/") + name + ".hmm.gz", "synthetic/random_aa.fa"});
  }
  for (const char* name : {"m_130_1_1", "m_16_1_1", "m_33_0_1"}) {
    all.push_back({std::string("synthetic/") + name + ".hmm.gz", "synthetic/random_nt.fa"});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Profiles, ScoringVectors, ::testing::ValuesIn(all_vectors()), [](const auto& given) {
  std::string name = given.param.profile.substr(given.param.profile.find('/') + 1);
  return name.substr(0, name.find('.'));
});

// The tables and rows that are there in full.
struct Cells {
  std::string profile, sequence;
};
class CellVectors : public ::testing::TestWithParam<Cells> {};

TEST_P(CellVectors, RowsAndCells) {
  const FlushToZero flush;
  const auto& [name, sequence_name] = GetParam();
  const Profile profile = test::read_profile(test::data_path(name + ".hmm"));
  const FloatModel floats((LogOdds(profile)));
  const Sequence sequence = test::read_sequences("proteins.fa", profile.alphabet).at(sequence_name);
  for (const bool plain : {true, false}) {
    SequenceTask task;
    StripedMatrix forward, backward;
    task.sequence = sequence;
    task.lengths = LengthModel::multihit(static_cast<std::int64_t>(sequence.size()));
    task.forward_cells = &forward;
    task.backward_cells = &backward;
    SequenceTask* const pointer = &task;
    plain ? run_forward_plainly(floats, task) : run_forward(floats, {&pointer, 1});
    plain ? run_backward_plainly(floats, task) : run_backward(floats, {&pointer, 1});
    std::ifstream in = test::open_data(name + "." + sequence_name + ".rows");
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line); ++lines) {
      const std::vector<std::string> fields = test::split(line);
      const bool is_forward = fields[0][0] == 'F';
      const std::size_t i = std::stoul(fields[1]);
      std::vector<std::string> found = {fields[0], fields[1]};
      if (fields[0][1] == 'C') {
        const StripedMatrix& cells = is_forward ? forward : backward;
        found.push_back(fields[2]);
        for (const CellState state : {kMatch, kInsert, kDelete}) {
          found.push_back(hex(cells.cell(i, state, std::stoi(fields[2]))));
        }
      } else {
        const SpecialRow& row = (is_forward ? task.forward : task.backward)[i];
        for (const float value : {row.e, row.n, row.j, row.b, row.c, row.scale}) found.push_back(hex(value));
      }
      EXPECT_EQ(fields, found);
    }
    EXPECT_GT(lines, 2 * sequence.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, CellVectors,
                         ::testing::Values(Cells{"Pkinase", "p04_cons_pk"}, Cells{"fn3", "p03_cons_fn3"},
                                           Cells{"XYPPX", "p11_rnd50"}, Cells{"XYPPX", "p18_two"}),
                         [](const auto& given) { return given.param.profile + "_" + given.param.sequence; });

class TableVectors : public ::testing::TestWithParam<std::string> {};

TEST_P(TableVectors, Tables) {
  const FlushToZero flush;
  const Profile profile = test::read_profile(test::data_path(GetParam() + ".hmm"));
  const LogOdds scores(profile);
  const ByteModel bytes(scores);
  const WordModel words(scores);
  const FloatModel floats(scores);
  const std::vector<std::string> steps = {"BM", "MM", "IM", "DM", "MD", "MI", "II", "DD"};
  std::ifstream in = test::open_data(GetParam() + ".tab");
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    std::vector<std::string> fields = test::split(line);
    std::vector<std::string> found = fields;
    if (fields[0] == "E") {
      const std::size_t code = std::stoul(fields[1]);
      const int k = std::stoi(fields[3]);
      found = {"E",
               fields[1],
               std::string(1, Alphabet::get(profile.alphabet).letter(static_cast<std::uint8_t>(code))),
               fields[3],
               std::to_string(bytes.cost(code, k)),
               std::to_string(bytes.ssv_cost(code, k)),
               std::to_string(words.match_score(code, k)),
               hex(floats.emission(code, k))};
    } else {
      const auto step = static_cast<Step>(std::find(steps.begin(), steps.end(), fields[1]) - steps.begin());
      const int k = std::stoi(fields[2]);
      found = {"T", fields[1], fields[2], std::to_string(words.step(step, k)),
               hex(floats.transition(step, k))};
    }
    EXPECT_EQ(fields, found);
  }
  EXPECT_EQ(lines, static_cast<std::size_t>(profile.nodes) * (scores.codes + kSteps));
}

INSTANTIATE_TEST_SUITE_P(Tables, TableVectors, ::testing::Values("XYPPX", "M1", "ecori"),
                         [](const auto& given) { return given.param; });

}  // namespace
}  // namespace gpuhmm::hmmer3
