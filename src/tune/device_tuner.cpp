// Tunes the kernel settings of a device: tries values of one setting after the other, and keeps those that
// are faster.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "filter/opencl/gpu_variant.hpp"
#include "filter/opencl/variant.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine_maker.hpp"
#include "gpuhmm/tune.hpp"
#include "synthetic/synthetic.hpp"
#include "tune/ssv_tuner.hpp"
#include "tune/tuning_work.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

constexpr double kMeanLength = 372;  // of synthetic sequences
constexpr double kMeanNodes = 230;   // of synthetic models

// A setting and the values to try.
struct Choice {
  const char* setting;
  std::vector<std::int64_t> values;
};

// The settings to try on a device, in this order.
std::vector<Choice> choices_for(const DeviceInfo& device) {
  if (device.type == DeviceType::Other) return {};
  const std::int64_t units = std::max(1U, device.compute_units);
  if (device.type == DeviceType::Cpu) {
    constexpr std::int64_t kNever = 1'000'000;
    return {{"vector_bytes", {16, 32}},
            {"smallest_whole_row", {0, 160, 320, 640, kNever}},
            {"largest_whole_row", {1200, 2400, 4800, kNever}},
            {"work_groups", {2 * units, 4 * units, 8 * units, 16 * units}}};
  }
  std::vector<Choice> choices{
      {"lanes", {1, 2, 4, 8, 12, 16}},     {"long_sequence", {1000, 1500, 2000, 2500, 3000, 4000}},
      {"exact_rows", {8, 16, 20, 24, 28}}, {"exact_group", {64, 128, 256}},
      {"packed_rows", {8, 16, 20, 24}},    {"packed_group", {32, 64, 128}},
      {"long_queues", {1, 2, 4, 8}},       {"own_lane_pairs", {0, 3, 5, 8}},
      {"long_lane_pairs", {3, 5, 8}},      {"streams", {units, 2 * units, 4 * units}}};
  if (choose_gpu_variant(device).nvidia) {
    choices.push_back({"exact_registers", {0, 96, 128, 168}});
    choices.push_back({"packed_registers", {0, 128, 168, 255}});
    choices.push_back({"packed_two_rows", {16, 20, 24, 28}});
    choices.push_back({"packed_two_registers", {128, 168, 192}});
    choices.push_back({"item_registers", {0, 168, 200}});
  }
  return choices;
}

// Those of HMMER3's SSV on a GPU.
std::vector<Choice> ssv_choices(const DeviceInfo& device) {
  std::vector<Choice> choices{{"ssv_rows", {8, 16, 24, 32, 40, 48}}, {"ssv_group", {32, 64, 128, 256}}};
  if (choose_gpu_variant(device).nvidia) choices.push_back({"ssv_registers", {0, 96, 128, 168}});
  return choices;
}

DeviceSettings built_in_settings(const DeviceInfo& device) {
  return device.type == DeviceType::Cpu ? settings_of(choose_striped_variant(device))
                                        : settings_of(choose_gpu_variant(device));
}

class Tuner {
 public:
  Tuner(const TuningWork& work, TunedEngineMaker make) : work_(work), make_(std::move(make)) {
    for (const ScoreModel& model : work.models) cells_ += model.nodes;
    cells_ *= static_cast<double>(work.sequences.residue_count());
  }

  // Cells a second for exact scores and upper bounds of all models, as many models at a time as the engine
  // can. Throws EngineFailure.
  double measure(const DeviceSettings& settings) {
    const std::unique_ptr<ScoreEngine> engine = make_(settings);
    const std::unique_ptr<PreparedBatch> batch = engine->prepare(work_.sequences);
    score_all(*engine, *batch, 1, true);  // builds the programs, too
    const unsigned rounds = engine->concurrency() > 1 ? engine->concurrency() : 2;
    double seconds = 0;
    {
      const Stopwatch watch(seconds);
      score_all(*engine, *batch, rounds, false);
    }
    return 2 * cells_ * rounds / seconds;
  }

 private:
  // Task 2m computes the exact scores of model m, task 2m + 1 its upper bounds.
  void score_all(ScoreEngine& engine, PreparedBatch& batch, unsigned rounds, bool check) {
    const std::size_t tasks = 2 * work_.models.size();
    const unsigned callers = check ? 1 : engine.concurrency();
    parallel_for(callers, callers, 1, [&](std::size_t caller, std::size_t) {
      std::vector<std::int32_t> scores(work_.sequences.size());
      for (std::size_t t = caller; t < tasks * rounds; t += callers) {
        const std::size_t m = t % tasks / 2;
        std::optional<std::int32_t> threshold;
        if (t % 2 == 1) threshold = m < thresholds_.size() ? thresholds_[m] : 0;
        engine.score(work_.models[m], batch, threshold, scores);
        if (check && !threshold) check_exact(engine, m, scores);
      }
    });
  }

  // Keeps the first scores of a model; throws EngineFailure if later scores differ.
  void check_exact(const ScoreEngine& engine, std::size_t m, const std::vector<std::int32_t>& scores) {
    if (m == exact_.size()) {
      exact_.push_back(scores);
      std::vector<std::int32_t> sorted = scores;
      const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 1000);
      std::ranges::nth_element(sorted, place, std::greater());
      thresholds_.push_back(*place);
    } else if (scores != exact_[m]) {
      throw EngineFailure(engine.description() + ": scores depend on the settings of its kernels");
    }
  }

  const TuningWork& work_;
  TunedEngineMaker make_;
  double cells_ = 0;
  std::vector<std::vector<std::int32_t>> exact_;
  std::vector<std::int32_t> thresholds_;  // one sequence in 1,000 reaches them
};

// Tries choices one after the other from the built-in settings on. Adds those that make a difference to
// `settings`, if all together are faster than the built-in ones. Throws EngineFailure if these fail.
TunedSpeeds tuned(const DeviceSettings& built_in, const std::vector<Choice>& choices, TunedKernels kernels,
                  const std::function<double(const DeviceSettings&)>& measure,
                  const std::function<void(const TuningStep&)>& report, DeviceSettings& settings) {
  constexpr double kWorthwhile = 1.01;  // a smaller gain may be chance
  DeviceSettings best = built_in;
  double best_speed = measure(best);
  report({kernels, "", 0, best_speed, true, ""});
  for (const Choice& choice : choices) {
    for (const std::int64_t value : choice.values) {
      if (best.at(choice.setting) == value) continue;
      DeviceSettings tried = best;
      tried[choice.setting] = value;
      TuningStep step{kernels, choice.setting, value, std::nullopt, false, ""};
      try {
        step.cells_per_second = measure(tried);
        step.kept = *step.cells_per_second > best_speed * kWorthwhile;
      } catch (const EngineFailure& failure) {
        step.failure = failure.what();
      }
      if (step.kept) {
        best = tried;
        best_speed = *step.cells_per_second;
      }
      report(step);
    }
  }
  TunedSpeeds speeds;
  for (int turn = 0; turn < 3; ++turn) {
    speeds.built_in = std::max(speeds.built_in, measure(built_in));
    speeds.tuned = std::max(speeds.tuned, measure(best));
  }
  if (best == built_in || speeds.tuned <= speeds.built_in) {
    speeds.tuned = speeds.built_in;
    return speeds;
  }
  for (const auto& [setting, value] : best) {
    if (built_in.at(setting) != value) settings[setting] = value;
  }
  return speeds;
}

}  // namespace

TuningWork synthetic_work(std::size_t sequences) {
  synthetic::Generator rng(20);
  TuningWork work;
  for (std::size_t i = 0; i < sequences; ++i) {
    const bool longest = i == 0 && sequences > 10'000;
    synthetic::append_protein(rng, longest ? 35'213 : synthetic::swissprot_length(rng), work.sequences);
  }
  for (const int nodes : {40, 100, 180, 330, 500}) {
    work.models.push_back(synthetic::model(rng, nodes, work.models.size() % 2 == 1));
  }
  return work;
}

std::size_t suitable_sequences(const DeviceInfo& device) {
  constexpr double kSeconds = 0.05;  // for one model
  const double speed = make_device_engine(device, 1, {})->expected_speed();
  return static_cast<std::size_t>(
      std::clamp(speed * kSeconds / (kMeanLength * kMeanNodes), 1'000.0, 500'000.0));
}

Tuning tune_device(const DeviceInfo& device, std::size_t sequences, unsigned threads,
                   const std::function<void(const TuningStep&)>& report, const TunedEngineMaker& make) {
  const TuningWork work = synthetic_work(sequences);
  const DeviceSettings built_in = built_in_settings(device);
  Tuner tuner(
      work, make ? make : [&](const DeviceSettings& settings) {
        return make_device_engine(device, threads, settings);
      });
  Tuning result;
  result.filters = tuned(
      built_in, choices_for(device), TunedKernels::Filters,
      [&](const DeviceSettings& settings) { return tuner.measure(settings); }, report, result.settings);
  if (device.type != DeviceType::Gpu) return result;
  SsvTuner ssv(device, work.sequences, threads);
  result.ssv = tuned(
      built_in, ssv_choices(device), TunedKernels::Ssv,
      [&](const DeviceSettings& settings) { return ssv.measure(settings); }, report, result.settings);
  return result;
}

}  // namespace gpuhmm
