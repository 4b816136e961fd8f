// Speed of HMMER3's filters on one thread: G cells/s (residues x nodes / CPU time), best of n runs, with
// random profiles and sequences of a database's lengths; the bias filter in M residues/s.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <limits>
#include <vector>

#include "common/best_seconds.hpp"
#include "common/model_options.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/random_profiles.hpp"
#include "simd/instruction_set.hpp"

namespace {

using namespace gpuhmm;
using bench::best_seconds;
using namespace gpuhmm::hmmer3;

}  // namespace

int main(int argc, char** argv) {
  const auto options = bench::model_options(argc, argv, "Speed of HMMER3's filters",
                                            {{23, 60, 100, 174, 260, 400, 600, 1000, 2000}, 300, 5});
  if (!options) return 0;
  const FlushToZero flush;
  test::Generator random(1);
  std::vector<std::vector<std::uint8_t>> sequences;
  std::lognormal_distribution<double> lengths(5.7, 0.7);
  double residues = 0;
  for (int i = 0; i < options->sequences; ++i) {
    const int length = static_cast<int>(std::clamp(lengths(random), 20.0, 5000.0));
    sequences.push_back(test::random_sequence(random, AlphabetKind::Hmmer3Amino, length, 0));
    residues += length;
  }
  const std::vector<Residues> all(sequences.begin(), sequences.end());
  std::vector<float> scores(all.size());
  for (const std::string& set : simd::instruction_sets()) {
    simd::use_instruction_set(set);
    std::cout << set << "\nnodes    SSV    MSV  Viterbi   bias\n" << std::fixed << std::setprecision(1);
    for (const int m : options->nodes) {
      const Profile profile = test::random_profile(random, AlphabetKind::Hmmer3Amino, m, {});
      const FilterProfile filters(profile);
      volatile int sink = 0;
      const auto speed = [&](const auto& filter) {
        const double seconds = best_seconds(options->runs, [&] {
          for (const Residues& sequence : all) sink = sink + filter(sequence);
        });
        return residues * m / seconds / 1e9;
      };
      const double ssv = speed([&](Residues s) { return fast_ssv_maximum(filters, s).value; });
      const double msv = speed([&](Residues s) { return fast_msv_result(filters, s).level; });
      const double viterbi = speed([&](Residues s) { return fast_viterbi_score(filters, s) > 0 ? 1 : 0; });
      const double bias = best_seconds(options->runs, [&] { fast_bias_scores(filters.bias, all, scores); });
      std::cout << std::setw(5) << m << std::setw(7) << ssv << std::setw(7) << msv << std::setw(9) << viterbi
                << std::setw(7) << residues / bias / 1e6 << std::endl;
    }
  }
}
