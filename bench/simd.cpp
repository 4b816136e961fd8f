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
#include <random>

#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"
#include "simd/instruction_set.hpp"

namespace {

using namespace gpuhmm;

using Generator = std::mt19937_64;

int between(Generator& rng, int low, int high) { return std::uniform_int_distribution(low, high)(rng); }

// A profile similar to a built one: peaked match emissions, rare gaps, and hmmbuild's begins and ends.
Profile synthetic_profile(Generator& rng, int nodes, bool local) {
  Profile profile;
  profile.resize(nodes);
  profile.name = "synthetic_" + std::to_string(nodes) + (local ? "_fs" : "_ls");
  profile.null_loop = 350.0F / 351.0F;
  profile.null_emission.assign(20, 0.05F);
  const float move = 1 - profile.null_loop;
  profile.special = {move, profile.null_loop, 0.5F, 0.5F, move, profile.null_loop, move, profile.null_loop};
  profile.begin_delete = 0.1F;
  std::gamma_distribution<float> residue(0.3F);
  for (int k = 1; k <= nodes; ++k) {
    for (int x = 0; x < 20; ++x) {
      profile.match[static_cast<std::size_t>(k) * 20 + x] = residue(rng) + 0.02F;
      profile.insert[static_cast<std::size_t>(k) * 20 + x] =
          0.045F + 0.01F * static_cast<float>(between(rng, 0, 1));
    }
    profile.transition[k] = {0.96F, 0.03F, 0.01F, 0.5F, 0.5F, 0.6F, 0.4F};
    const auto others = static_cast<float>(std::max(nodes - 1, 1));
    profile.begin[k] = local ? (k == 1 ? 0.45F : 0.45F / others) : (k == 1 ? 0.9F : 0.0F);
    const float exit = 0.5F / others;
    profile.end[k] = k == nodes ? 1.0F : local ? exit / (1 - exit * static_cast<float>(k - 1)) : 0.0F;
  }
  profile.renormalise();
  return profile;
}

SequenceBatch synthetic_sequences(Generator& rng, std::size_t count) {
  SequenceBatch batch;
  std::lognormal_distribution<double> length(5.7, 0.7);
  for (std::size_t i = 0; i < count; ++i) {
    batch.begin_sequence("s" + std::to_string(i), "", "");
    const auto residues = static_cast<std::size_t>(std::clamp(length(rng), 20.0, 5000.0));
    for (std::size_t r = 0; r < residues; ++r) {
      batch.residue_buffer().push_back(static_cast<std::uint8_t>(between(rng, 0, 19)));
    }
  }
  return batch;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double best_seconds(int runs, const auto& body) {
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    const double start = cpu_seconds();
    body();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
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
  Generator rng(1);
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
      for (const bool local : {false, true}) profiles.push_back(synthetic_profile(rng, nodes, local));
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
