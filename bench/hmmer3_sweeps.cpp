// Speed of HMMER3's Forward, Backward and scoring of envelopes on one thread: ns a cell (residues x nodes),
// best of n runs, with random profiles and sequences that hold their nodes.
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <vector>

#include "common/best_seconds.hpp"
#include "common/model_options.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/envelope_task.hpp"
#include "hmmer3/random_profiles.hpp"
#include "simd/instruction_set.hpp"

namespace {

using namespace gpuhmm;
using bench::best_seconds;
using namespace gpuhmm::hmmer3;

// The sweeps over some sequences that hold the profile's nodes.
class Measurement {
 public:
  Measurement(test::Generator& random, int nodes, int count)
      : profile_(test::random_profile(random, AlphabetKind::Hmmer3Amino, nodes, {0.3F, 0.01, 0.5, 0})),
        floats_(LogOdds(profile_)),
        tasks_(static_cast<std::size_t>(count)),
        envelopes_(tasks_.size()) {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const int length = 300 + 3 * static_cast<int>(i);
      sequences_.push_back(test::random_sequence(random, profile_.alphabet, length));
      test::plant(profile_, sequences_.back(), 20, 1);
      cells_ += static_cast<double>(length) * nodes;
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto length = static_cast<std::int64_t>(sequences_[i].size());
      tasks_[i].sequence = envelopes_[i].sequence = sequences_[i];
      tasks_[i].lengths = LengthModel::multihit(length);
      envelopes_[i].lengths = LengthModel::unihit(length);
      envelopes_[i].wants_null2 = true;
      pointers_.push_back(&tasks_[i]);
    }
  }

  void print(int nodes, int runs) {
    const auto ns = [&](const auto& sweep) { return best_seconds(runs, sweep) / cells_ * 1e9; };
    const double forward = ns([&] { run_forward(floats_, pointers_); });
    const double backward = ns([&] { run_backward(floats_, pointers_); });
    const Alphabet& alphabet = Alphabet::get(profile_.alphabet);
    const double envelopes = ns([&] { score_envelopes(floats_, alphabet, envelopes_); });
    std::cout << std::setw(5) << nodes << std::setw(9) << forward << std::setw(10) << backward
              << std::setw(11) << envelopes << std::endl;
  }

 private:
  Profile profile_;
  FloatModel floats_;
  std::vector<std::vector<std::uint8_t>> sequences_;
  std::vector<SequenceTask> tasks_;
  std::vector<EnvelopeTask> envelopes_;
  std::vector<SequenceTask*> pointers_;
  double cells_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const auto options = bench::model_options(argc, argv, "Speed of HMMER3's sweeps in single precision",
                                            {{30, 60, 98, 120, 200, 300, 400, 600, 1000}, 32, 7});
  if (!options) return 0;
  const FlushToZero flush;
  for (const std::string& set : simd::instruction_sets()) {
    simd::use_instruction_set(set);
    std::cout << set << "\nnodes  Forward  Backward  envelopes\n" << std::fixed << std::setprecision(2);
    test::Generator random(1);
    for (const int m : options->nodes) Measurement(random, m, options->sequences).print(m, options->runs);
  }
}
