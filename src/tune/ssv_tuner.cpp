// Draws profiles, and runs them twice with each settings.
#include "tune/ssv_tuner.hpp"

#include <cstddef>
#include <utility>

#include "gpuhmm/engine.hpp"
#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/log_odds.hpp"
#include "hmmer3/opencl/ssv_device.hpp"
#include "hmmer3/opencl/ssv_variant.hpp"
#include "synthetic/synthetic.hpp"

namespace gpuhmm {

namespace {

// The emissions of a synthetic profile of HMMER2, which has the residues in the same order; rare gaps.
hmmer3::Profile profile_of(synthetic::Generator& rng, int nodes) {
  const Profile drawn = synthetic::profile(rng, nodes, true);
  hmmer3::Profile profile;
  profile.nodes = nodes;
  profile.match = drawn.match;
  profile.insert = drawn.insert;
  profile.transition.assign(static_cast<std::size_t>(nodes) + 1,
                            {0.98F, 0.01F, 0.01F, 0.6F, 0.4F, 0.6F, 0.4F});
  profile.statistics.msv_mu = -6;
  profile.statistics.msv_lambda = 0.7F;
  return profile;
}

}  // namespace

SsvTuner::SsvTuner(const DeviceInfo& device, const SequenceBatch& sequences, unsigned threads)
    : device_(device), sequences_(sequences), threads_(threads) {
  constexpr int kOfEachSize = 8;
  constexpr double kPassing = 0.02;
  synthetic::Generator rng(30);
  for (int i = 0; i < kOfEachSize; ++i) {
    for (const int nodes : {40, 100, 180, 330, 500}) {
      const hmmer3::Profile profile = profile_of(rng, nodes);
      const hmmer3::ByteModel& model = models_.emplace_back(hmmer3::LogOdds(profile));
      queries_.push_back(
          {&model, hmmer3::FirstStageMarks::make(model, profile.statistics, kPassing).value()});
      cells_ += nodes * static_cast<double>(sequences.residue_count());
    }
  }
}

double SsvTuner::measure(const DeviceSettings& settings) {
  hmmer3::SsvDevice ssv(device_, threads_, hmmer3::choose_ssv_variant(device_, settings));
  ssv.load(sequences_);
  auto found = ssv.find(queries_);  // builds the program, too
  if (found_.empty()) {
    found_ = std::move(found);
  } else if (found != found_) {
    throw EngineFailure(ssv.description() + ": SSV finds other sequences with these settings");
  }
  const double before = ssv.busy_seconds();
  ssv.find(queries_);
  return cells_ / (ssv.busy_seconds() - before);
}

}  // namespace gpuhmm
