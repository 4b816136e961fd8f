// Measures the host SIMD engine on one thread and OpenCL CPU devices, in GCUPS (residues x nodes / CPU time
// of all threads / 1e9, the speed of one core), best of n runs: exact scores, and bounds with a threshold
// that one sequence in a hundred reaches. Profiles and sequences come from files, or else are synthetic.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <limits>

#include "common/best_seconds.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine_maker.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"
#include "simd/instruction_set.hpp"
#include "synthetic/synthetic.hpp"

namespace {

using namespace gpuhmm;
using bench::best_seconds;

SequenceBatch synthetic_sequences(synthetic::Generator& rng, std::size_t count) {
  SequenceBatch batch;
  for (std::size_t i = 0; i < count; ++i) {
    synthetic::append_protein(rng, std::clamp<std::size_t>(synthetic::swissprot_length(rng), 20, 5000),
                              batch);
  }
  return batch;
}

void measure(const std::string& label, ScoreEngine& engine, const Profile& profile,
             const SequenceBatch& batch, int runs) {
  const ScoreModel model(profile);
  const std::unique_ptr<PreparedBatch> prepared = engine.prepare(batch);
  const double cells = static_cast<double>(batch.residue_count()) * profile.nodes;
  std::vector<std::int32_t> scores(batch.size());
  const double exact = best_seconds(runs, [&] { engine.score(model, *prepared, std::nullopt, scores); });
  std::vector<std::int32_t> sorted = scores;
  const auto rank = static_cast<std::ptrdiff_t>(batch.size() / 100);
  std::ranges::nth_element(sorted, sorted.begin() + rank, std::ranges::greater());
  const std::int32_t threshold = sorted[rank];
  const auto reach = [&] {
    return std::ranges::count_if(scores, [&](std::int32_t s) { return s >= threshold; });
  };
  const auto true_passes = reach();
  const double bound = best_seconds(runs, [&] { engine.score(model, *prepared, threshold, scores); });
  std::cout << std::left << std::setw(10) << label << std::setw(26) << profile.name.substr(0, 25)
            << std::right << std::setw(6) << profile.nodes << std::fixed << std::setprecision(2)
            << std::setw(9) << cells / exact / 1e9 << std::setw(9) << cells / bound / 1e9 << std::setw(10)
            << static_cast<double>(threshold) / 1000 << std::setw(8) << true_passes << std::setw(8) << reach()
            << '\n';
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::vector<std::string> profile_files;
  std::string sequence_file;
  std::string target;
  std::vector<std::string> devices;
  int runs = 3;
  po::options_description options("Options");
  options.add_options()("help", "show this")("profiles", po::value(&profile_files)->multitoken(),
                                             "profile files (default: synthetic models)")(
      "sequences", po::value(&sequence_file), "sequence file (default: 600 synthetic sequences)")(
      "target", po::value(&target), "instruction set: SSE4, AVX2, AVX3, AVX3_512, NEON (default: the best)")(
      "device", po::value(&devices)->multitoken(), "OpenCL devices to measure too, by name or number")(
      "runs", po::value(&runs), "number of runs; the best counts");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  po::notify(values);
  if (values.count("help") != 0) {
    std::cout << options;
    return 0;
  }
  simd::use_instruction_set(target);
  synthetic::Generator rng(1);
  SequenceBatch batch;
  if (sequence_file.empty()) {
    batch = synthetic_sequences(rng, 600);
  } else {
    const auto reader = open_sequences(sequence_file, Alphabet::get(AlphabetKind::Amino));
    while (read_block(*reader, batch, 1000, 10'000'000)) {
    }
  }
  std::vector<Profile> profiles;
  for (const std::string& file : profile_files) {
    for (Profile& profile : read_profiles(file)) profiles.push_back(std::move(profile));
  }
  if (profile_files.empty()) {
    for (const int nodes : {23, 60, 100, 174, 300, 500, 1000}) {
      for (const bool local : {false, true}) profiles.push_back(synthetic::profile(rng, nodes, local));
    }
  }
  std::vector<std::pair<std::string, std::unique_ptr<ScoreEngine>>> engines;
  engines.emplace_back("host", make_simd_engine(1));
  for (const std::string& device : devices) {
    engines.emplace_back(
        device, std::move(EngineMaker(device, 1).make({.more = true}, [](const std::string&) {}).front()));
  }
  for (const auto& [label, engine] : engines) std::cout << label << ": " << engine->description() << '\n';
  std::cout << batch.size() << " sequences, " << batch.residue_count() << " residues\n"
            << "engine    profile                    nodes    exact    bound threshold    true  passed\n";
  for (const Profile& profile : profiles) {
    for (const auto& [label, engine] : engines) measure(label, *engine, profile, batch, runs);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
