// Measures the fast GPU kernels (cl/gpu_*.cl) by model length, kernel and shape, on random sequences with the
// length distribution of Swiss-Prot. Compares a sample of the scores of every run with the plain reference: a
// wrong score makes the exit status 1. Rates are cells divided by device time from OpenCL events.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "filter/opencl/gpu_viterbi.hpp"
#include "filter/random_models.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/profile_file.hpp"
#include "length_histogram.hpp"
#include "opencl/kernel_sources.hpp"
#include "opencl/open_device.hpp"
#include "plan7/score_model.hpp"
#include "plan7/viterbi.hpp"
#include "util/parallel.hpp"

namespace {

using namespace gpuhmm;

constexpr const char* kUsage =
    "usage: bench_kernels --lengths FILE [options]\n"
    "  --lengths FILE      histogram of sequence lengths; each line: length count\n"
    "  --device SPEC       as for gpuhmm (default auto; a number or a part of the name)\n"
    "  --kernels FOLDER    read gpu_*.cl from this folder instead of the built-in ones\n"
    "  --sequences N       number of sequences (default 500000)\n"
    "  --base FILE         a profile whose nodes are repeated to make local multihit models of any length\n"
    "  --nodes N,N,...     lengths of these models (default 50,100,174,300,500,1000,2000)\n"
    "  --profile FILE      measure the profiles of this file; repeatable\n"
    "  --exact SHAPES      ROWSxGROUPxREGISTERS[xKIB],... of the 32-bit kernel; none: do not run it\n"
    "  --packed SHAPES     the same for the packed kernel with one model; xNODES may follow: of a step\n"
    "  --two SHAPES        the same with two models; none: models do not share launches\n"
    "  --cut N,N,...       longest sequences of the tiled kernels\n"
    "  --streams N,N,...   chains of the kernel for long sequences\n"
    "  --longest N         omit longer sequences\n"
    "  --item-pairs N      most pairs of nodes of a work-item of the kernel for long sequences\n"
    "  --own N             most pairs of a work-item for which a chain of long sequences has its own work-group\n"
    "  --group-chains N    chains of a work-group otherwise\n"
    "  --models N          models on the device at a time\n"
    "  --long-queues N     launches of the kernel for long sequences at a time\n"
    "  --repeats N         repeats of each timing; the best counts (default 4)\n";

struct Arguments {
  std::map<std::string, std::string> values;
  std::vector<std::string> profiles;

  std::string get(const std::string& name, const std::string& otherwise) const {
    const auto found = values.find(name);
    return found == values.end() ? otherwise : found->second;
  }
};

Arguments parse(std::span<char*> words) {
  Arguments arguments;
  for (std::size_t i = 1; i < words.size(); i += 2) {
    const std::string name = words[i];
    if (name.rfind("--", 0) != 0 || i + 1 >= words.size()) throw std::runtime_error(kUsage);
    if (name == "--profile") {
      arguments.profiles.emplace_back(words[i + 1]);
    } else {
      arguments.values[name.substr(2)] = words[i + 1];
    }
  }
  return arguments;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<unsigned> numbers(const std::string& text) {
  std::vector<unsigned> result;
  for (const std::string& part : split(text, ',')) result.push_back(static_cast<unsigned>(std::stoul(part)));
  return result;
}

std::vector<GpuTileShape> shapes(const std::string& text, const GpuTileShape& usual) {
  if (text == "none") return {};
  std::vector<GpuTileShape> result;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> sizes = split(part, 'x');
    GpuTileShape shape = usual;
    if (sizes.size() > 0) shape.rows = static_cast<unsigned>(std::stoul(sizes[0]));
    if (sizes.size() > 1) shape.group = static_cast<unsigned>(std::stoul(sizes[1]));
    if (sizes.size() > 2) shape.registers = static_cast<unsigned>(std::stoul(sizes[2]));
    if (sizes.size() > 3) shape.table_bytes = std::stoul(sizes[3]) << 10;
    if (sizes.size() > 4) shape.step_nodes = static_cast<unsigned>(std::stoul(sizes[4]));
    result.push_back(shape);
  }
  return result.empty() ? std::vector<GpuTileShape>{usual} : result;
}

KernelSources sources(const std::string& folder) {
  KernelSources result = kernel_sources();
  if (folder.empty()) return result;
  for (const char* name : {"gpu_ops.cl", "gpu_exact_pair.cl", "gpu_tiled.cl", "gpu_packed.cl",
                           "gpu_packed_step.cl", "gpu_long.cl", "gpu_items.cl", "gpu_list.cl"}) {
    std::ifstream in(folder + "/" + name);
    if (!in) throw std::runtime_error("cannot open " + folder + "/" + name);
    result[name] = std::string(std::istreambuf_iterator<char>(in), {});
  }
  return result;
}

// Random residues, uniform over the plain codes, with lengths drawn from the histogram.
SequenceBatch random_sequences(const std::string& histogram, std::size_t count, std::size_t longest) {
  bench::LengthHistogram lengths(histogram);
  std::mt19937_64 rng(42);
  constexpr std::size_t kLongest = 35'213;  // of Swiss-Prot
  SequenceBatch batch;
  std::vector<std::uint8_t> residues;
  for (std::size_t i = 0; i < count; ++i) {
    residues.resize(i == 0 ? kLongest : lengths.draw(rng));
    std::uint64_t bits = 0;
    for (std::size_t r = 0; r < residues.size(); ++r) {
      if (r % 6 == 0) bits = rng();
      residues[r] = static_cast<std::uint8_t>((bits & 0x3ff) * 20 >> 10);
      bits >>= 10;
    }
    if (residues.size() <= longest) testing::add_sequence(batch, residues);
  }
  return batch;
}

struct NamedModel {
  std::string name;
  ScoreModel model;
};

// A local multihit model of `nodes` nodes that repeats the emissions and transitions of `base`.
ScoreModel repeated(const ScoreModel& base, int nodes) {
  ScoreModel model(base.alphabet, nodes);
  const auto entry = static_cast<std::int32_t>(-1000 * (std::log2(nodes) + 1));
  for (int k = 1; k <= nodes; ++k) {
    const int source = (k - 1) % (base.nodes - 1) + 1;
    for (int x = 0; x < base.code_count(); ++x) {
      const std::size_t row = static_cast<std::size_t>(x) * (nodes + 1);
      model.match[row + k] = base.match_row(x)[source];
      if (k < nodes) model.insert[row + k] = base.insert_row(x)[source];
    }
    model.begin[k] = k == 1 ? -1000 : entry;
    if (k == nodes) break;
    model.end[k] = entry;
    model.mm[k] = base.mm[source];
    model.mi[k] = base.mi[source];
    model.md[k] = base.md[source];
    model.im[k] = base.im[source];
    model.ii[k] = base.ii[source];
    model.dm[k] = base.dm[source];
    model.dd[k] = base.dd[source];
  }
  model.n_begin = base.n_begin;
  model.n_loop = base.n_loop;
  model.e_to_c = base.e_to_c;
  model.e_to_j = base.e_to_j;
  model.c_end = base.c_end;
  model.c_loop = base.c_loop;
  model.j_begin = base.j_begin;
  model.j_loop = base.j_loop;
  return model;
}

std::vector<NamedModel> models(const Arguments& arguments) {
  std::vector<NamedModel> result;
  if (const std::string base = arguments.get("base", ""); !base.empty()) {
    const Profile profile = read_profiles(base).front();
    for (const unsigned nodes : numbers(arguments.get("nodes", "50,100,174,300,500,1000,2000"))) {
      result.push_back({profile.name + "*", repeated(ScoreModel(profile), static_cast<int>(nodes))});
    }
  }
  for (const std::string& path : arguments.profiles) {
    for (const Profile& profile : read_profiles(path)) result.push_back({profile.name, ScoreModel(profile)});
  }
  if (result.empty()) throw std::runtime_error("no models: expected --base FILE or --profile FILE");
  return result;
}

// Compares scores of about 10^8 cells with the reference; returns how many are wrong.
std::size_t wrong_scores(const ScoreModel& model, const SequenceBatch& batch,
                         std::optional<std::int32_t> threshold, const std::vector<std::int32_t>& scores,
                         std::vector<std::uint32_t> unproven, unsigned threads) {
  std::sort(unproven.begin(), unproven.end());
  const std::size_t wanted = 100'000'000 / (370 * static_cast<std::size_t>(model.nodes)) + 1;
  const std::size_t step = std::max<std::size_t>(1, batch.size() / wanted);
  std::atomic<std::size_t> wrong{0};
  parallel_for(threads, batch.size() / step, 1, [&](std::size_t first, std::size_t) {
    const std::size_t i = first * step;
    if (std::binary_search(unproven.begin(), unproven.end(), i)) return;
    const std::int32_t exact = viterbi_score(model, batch.residues(i));
    const bool right = threshold && scores[i] < *threshold ? scores[i] >= exact : scores[i] == exact;
    if (!right) ++wrong;
  });
  return wrong;
}

struct Bench {
  const SequenceBatch& batch;
  unsigned repeats, threads;
  bool failed = false;

  // Prints a line; returns the scores.
  std::vector<std::int32_t> time(GpuViterbi& gpu, const GpuBatch& prepared, const NamedModel& named,
                                 std::optional<std::int32_t> threshold, const GpuVariant& variant) {
    const GpuTileShape& shape = threshold ? variant.packed : variant.exact;
    const GpuTileShape& two = variant.packed_two;
    std::vector<std::int32_t> scores(batch.size());
    std::vector<std::uint32_t> unproven;
    std::size_t again = 0;
    GpuTimes best;
    for (unsigned r = 0; r < repeats; ++r) {
      GpuScoring scoring = gpu.score(named.model, prepared, threshold, scores);
      unproven = std::move(scoring.unproven);
      again = scoring.scored_again;
      if (r == 0 || scoring.times.span < best.span) best = scoring.times;
    }
    std::size_t short_residues = 0;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (batch.length(i) <= variant.longest_tiled(batch.residue_count())) short_residues += batch.length(i);
    }
    const auto rate = [&](std::size_t residues, double time) {
      return time > 0 ? static_cast<double>(residues) * named.model.nodes / time * 1e-12 : 0;
    };
    // Two models that share their launches, one time after the other.
    double two_models = 0;
    for (unsigned r = 0; variant.two_models && threshold && r < repeats; ++r) {
      std::vector<GpuScoring> scorings(2);
      std::vector<std::vector<std::int32_t>> own(2, std::vector<std::int32_t>(batch.size()));
      parallel_for(2, 2, 1, [&](std::size_t caller, std::size_t) {
        scorings[caller] = gpu.score(named.model, prepared, threshold, own[caller]);
      });
      const double time = scorings[0].times.packed + scorings[1].times.packed;
      if (r == 0 || time < two_models) two_models = time;
    }
    // Many models, as many at a time as the device can score: the rate of a search.
    const std::size_t calls = std::size_t{16} * variant.models_at_once;
    const double busy_before = gpu.busy_seconds();
    std::vector<std::vector<std::int32_t>> own(variant.models_at_once,
                                               std::vector<std::int32_t>(batch.size()));
    parallel_for(variant.models_at_once, variant.models_at_once, 1, [&](std::size_t caller, std::size_t) {
      for (std::size_t call = caller; call < calls; call += variant.models_at_once) {
        gpu.score(named.model, prepared, threshold, own[caller]);
      }
    });
    const double stream = (gpu.busy_seconds() - busy_before) / static_cast<double>(calls);
    const double main = threshold ? best.packed : best.tiled;
    const std::size_t wrong = wrong_scores(named.model, batch, threshold, scores, unproven, threads);
    std::printf(
        "%-14s %5d %-6s %2ux%-3u r%-3u %2zuK two %2ux%-3u r%-3u n%u cut %-5zu "
        "str %-4u main %8.3f ms %6.3f, two %8.3f ms %6.3f | long %8.3f ms | list "
        "%7.3f ms | span %8.3f ms %6.3f TCUPS | %u at a time %8.3f ms %6.3f TCUPS | again %zu unproven "
        "%zu%s\n",
        named.name.c_str(), named.model.nodes, threshold ? "packed" : "exact", shape.rows, shape.group,
        shape.registers, shape.table_bytes >> 10, two.rows, two.group, two.registers, two.step_nodes,
        variant.longest_tiled(batch.residue_count()), variant.chains, main * 1e3, rate(short_residues, main),
        two_models * 1e3, 2 * rate(short_residues, two_models), best.long_sequences * 1e3, best.listed * 1e3,
        best.span * 1e3, rate(batch.residue_count(), best.span), variant.models_at_once, stream * 1e3,
        rate(batch.residue_count(), stream), again, unproven.size(), wrong > 0 ? "  WRONG SCORES" : "");
    std::fflush(stdout);
    failed |= wrong > 0;
    return scores;
  }
};

bool run(const Arguments& arguments) {
  const std::optional<DeviceInfo> device = select_device(list_devices(), arguments.get("device", "auto"));
  if (!device) throw std::runtime_error("no device");
  std::printf("%s, %s, driver %s\n", device->name.c_str(), device->platform.c_str(), device->driver.c_str());
  const KernelSources kernels = sources(arguments.get("kernels", ""));
  const OpenDevice open(*device, kernels);
  GpuVariant usual = choose_gpu_variant(*device);
  usual.long_item_pairs = std::stoi(arguments.get("item-pairs", std::to_string(usual.long_item_pairs)));
  usual.own_item_pairs = std::stoi(arguments.get("own", std::to_string(usual.own_item_pairs)));
  usual.group_chains =
      static_cast<unsigned>(std::stoul(arguments.get("group-chains", std::to_string(usual.group_chains))));
  usual.models_at_once =
      static_cast<unsigned>(std::stoul(arguments.get("models", std::to_string(usual.models_at_once))));
  usual.long_queues =
      static_cast<unsigned>(std::stoul(arguments.get("long-queues", std::to_string(usual.long_queues))));
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const SequenceBatch batch =
      random_sequences(arguments.get("lengths", ""), std::stoul(arguments.get("sequences", "500000")),
                       std::stoul(arguments.get("longest", "1000000")));
  std::printf("%zu sequences, %zu residues\n", batch.size(), batch.residue_count());
  const std::vector<NamedModel> all_models = models(arguments);
  const std::vector<GpuTileShape> exact = shapes(arguments.get("exact", ""), usual.exact);
  const std::vector<GpuTileShape> packed = shapes(arguments.get("packed", ""), usual.packed);
  std::vector<GpuTileShape> two = shapes(arguments.get("two", ""), usual.packed_two);
  usual.two_models = !two.empty();
  if (two.empty()) two.push_back(usual.packed_two);
  Bench bench{batch, static_cast<unsigned>(std::stoul(arguments.get("repeats", "4"))), threads};
  for (const unsigned cut : numbers(arguments.get("cut", std::to_string(usual.long_sequence)))) {
    for (const unsigned chains : numbers(arguments.get("streams", std::to_string(usual.chains)))) {
      GpuVariant variant = usual;
      variant.long_sequence = cut;
      variant.chains = chains;
      const auto prepared = GpuViterbi(open, variant).prepare(batch, threads);
      std::map<std::size_t, std::int32_t> thresholds;  // by model: one sequence in 1,000 passes
      for (const GpuTileShape& shape : exact) {
        variant.exact = shape;
        GpuViterbi gpu(open, variant);
        for (std::size_t m = 0; m < all_models.size(); ++m) {
          std::vector<std::int32_t> scores = bench.time(gpu, *prepared, all_models[m], std::nullopt, variant);
          const auto place = scores.begin() + static_cast<std::ptrdiff_t>(scores.size() / 1000);
          std::nth_element(scores.begin(), place, scores.end(), std::greater<>());
          thresholds[m] = *place;
        }
      }
      for (const GpuTileShape& shape : packed) {
        variant.packed = shape;
        for (const GpuTileShape& of_two : two) {
          variant.packed_two = of_two;
          GpuViterbi gpu(open, variant);
          for (std::size_t m = 0; m < all_models.size(); ++m) {
            bench.time(gpu, *prepared, all_models[m], thresholds.contains(m) ? thresholds[m] : 0, variant);
          }
        }
      }
    }
  }
  return !bench.failed;
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(parse({words, static_cast<std::size_t>(count)})) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_kernels: %s\n", error.what());
    return 2;
  }
}
