// Speed of HMMER3's SSV on a device: G cells/s (nodes x residues / time) of the profiles of a file with the
// sequences of another. "kernel" is time on the device, "all" time on the clock, from tables to sorted lists.
// Compares a sample with the host's filter: a difference makes the exit status 1.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/hmmer3_inputs.hpp"
#include "gpuhmm/hmmer3_profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "hmmer3/arithmetic.hpp"
#include "hmmer3/fast_filters.hpp"
#include "hmmer3/opencl/ssv_device.hpp"
#include "opencl/kernel_sources.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
using namespace gpuhmm::hmmer3;

KernelSources sources_of(const std::string& folder) {
  KernelSources sources = kernel_sources();
  if (folder.empty()) return sources;
  for (const char* const name : {"gpu_ops.cl", "hmmer3_ssv.cl"}) {
    std::ifstream in(folder + "/" + name);
    sources[name] = std::string(std::istreambuf_iterator<char>(in), {});
  }
  return sources;
}

SequenceBatch read_sequences(const std::string& path, const Alphabet& alphabet, int copies) {
  SequenceBatch batch;
  for (int copy = 0; copy < copies; ++copy) {
    const auto reader = open_sequences(path, alphabet);
    while (reader->read(batch)) {
    }
  }
  return batch;
}

// Differences among `count` random pairs.
int wrong_pairs(const std::deque<FilterProfile>& models, const std::vector<SsvQuery>& queries,
                const SequenceBatch& batch, const std::vector<std::vector<SsvFinding>>& found, int count) {
  const FlushToZero flush;
  std::minstd_rand random(1);
  int wrong = 0;
  for (; count > 0; --count) {
    const std::size_t q = random() % queries.size(), i = random() % batch.size();
    if (batch.length(i) == 0) continue;
    const SsvMaximum expected = fast_ssv_maximum(models[q], batch.residues(i));
    const int least = queries[q].marks.least_rise(LengthTerms(static_cast<std::int64_t>(batch.length(i))));
    const auto at = std::ranges::lower_bound(found[q], i, {}, &SsvFinding::sequence);
    const bool listed = at != found[q].end() && at->sequence == i;
    if (!listed) {
      if (expected.overflows || expected.value - 256 - kSsvFloor >= least) ++wrong;
      continue;
    }
    const SsvMaximum maximum = ssv_maximum_of(models[q].bytes, at->rise + kSsvFloor);
    if (maximum.overflows != expected.overflows || (!expected.overflows && maximum.value != expected.value))
      ++wrong;
  }
  return wrong;
}

// The shapes ROWSxGROUPxREGISTERS of the others; none: that chosen for the device.
std::vector<SsvVariant> variants_of(const std::vector<std::string>& shapes, const SsvVariant& chosen) {
  std::vector<SsvVariant> variants(std::max<std::size_t>(1, shapes.size()), chosen);
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    GpuTileShape& shape = variants[s].shape;
    if (std::sscanf(shapes[s].c_str(), "%ux%ux%u", &shape.rows, &shape.group, &shape.registers) != 3) {
      throw std::invalid_argument(shapes[s] + " is no shape; expected ROWSxGROUPxREGISTERS");
    }
  }
  return variants;
}

// The models of a profile file.
struct Library {
  explicit Library(const std::string& path) {
    hmmer3::ProfileReader reader(path);
    while (const std::optional<hmmer3::Profile> profile = reader.next()) {
      alphabet = profile->alphabet;
      const FilterProfile& model = models.emplace_back(*profile);
      const auto marks = FirstStageMarks::make(model.bytes, profile->statistics, 0.02);
      if (!marks) throw std::invalid_argument(profile->name + " has odd statistics");
      queries.push_back({&model.bytes, *marks});
      nodes += profile->nodes;
    }
  }

  std::deque<FilterProfile> models;
  std::vector<SsvQuery> queries;
  double nodes = 0;
  AlphabetKind alphabet = AlphabetKind::Hmmer3Amino;
};

struct Work {
  int runs = 0, samples = 0;
  std::size_t models_at_once = 0;
  unsigned threads = 0;
};

// Returns whether all pairs of the sample are right.
bool measure(const DeviceInfo& device, const SsvVariant& variant, const KernelSources& sources,
             const Library& library, const SequenceBatch& batch, const Work& work) {
  const double opening = seconds_now();
  SsvDevice ssv(device, work.threads, variant, sources);
  const double loading = seconds_now();
  ssv.load(batch);
  std::vector<std::vector<SsvFinding>> found;
  double best_kernel = std::numeric_limits<double>::max(), best_all = best_kernel, first = 0;
  for (int run = 0; run < work.runs; ++run) {
    const double before = ssv.busy_seconds(), start = seconds_now();
    found.clear();
    const std::span<const SsvQuery> queries(library.queries);
    for (std::size_t from = 0; from < queries.size(); from += work.models_at_once) {
      for (auto& own :
           ssv.find(queries.subspan(from, std::min(work.models_at_once, queries.size() - from)))) {
        found.push_back(std::move(own));
      }
    }
    const double all = seconds_now() - start;
    if (run == 0) first = all;
    best_all = std::min(best_all, all);
    best_kernel = std::min(best_kernel, ssv.busy_seconds() - before);
  }
  double findings = 0;
  for (const auto& own : found) findings += static_cast<double>(own.size());
  const double pairs = static_cast<double>(found.size()) * static_cast<double>(batch.size());
  const double cells = library.nodes * static_cast<double>(batch.residue_count());
  const int wrong = wrong_pairs(library.models, library.queries, batch, found, work.samples);
  std::cout << variant.shape.rows << 'x' << variant.shape.group << 'x' << variant.shape.registers
            << ": kernel " << best_kernel << " s, " << cells / best_kernel / 1e9 << " G cells/s; all "
            << best_all << " s, " << cells / best_all / 1e9 << " G cells/s; open " << loading - opening
            << " s, first run " << first << " s; listed " << 100 * findings / pairs << " %, " << wrong
            << " of " << work.samples << " wrong" << std::endl;
  return wrong == 0;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string kernels;
  std::vector<std::string> shapes;
  int copies = 0;
  std::size_t table_kib = 0, edge_mib = 0;
  bool portable = false;
  Work work;
  po::options_description description("Speed of HMMER3's SSV on a device, the best of all measurements");
  description.add_options()("copies", po::value(&copies)->default_value(1),
                            "how often the sequences are read")(
      "models", po::value(&work.models_at_once)->default_value(1000),
      "profiles that go to the device together")("samples", po::value(&work.samples)->default_value(2000),
                                                 "pairs that are compared with the host")(
      "shapes", po::value(&shapes)->multitoken(),
      "ROWSxGROUPxREGISTERS to try; none: the one chosen for the device")(
      "kernels", po::value(&kernels)->default_value(""), "folder to read the kernel's files from")(
      "tables", po::value(&table_kib), "KiB of local memory for tables")(
      "edges", po::value(&edge_mib), "MiB of memory for edges")("portable", po::bool_switch(&portable),
                                                                "without instructions of one vendor");
  const std::optional<bench::Hmmer3Inputs> inputs = bench::hmmer3_inputs(argc, argv, description);
  if (!inputs) return 0;
  const DeviceInfo& device = inputs->device;
  work.runs = inputs->runs;
  work.threads = inputs->threads;
  const Library library(inputs->profiles);
  const SequenceBatch batch = read_sequences(inputs->sequences, Alphabet::get(library.alphabet), copies);
  std::cout << device.name << ", driver " << device.driver << ": " << library.queries.size() << " profiles, "
            << library.nodes << " nodes; " << batch.size() << " sequences, " << batch.residue_count()
            << " residues\n"
            << std::setprecision(4);
  const KernelSources sources = sources_of(kernels);
  bool right = true;
  SsvVariant chosen = choose_ssv_variant(device);
  if (table_kib > 0) chosen.shape.table_bytes = table_kib << 10U;
  if (edge_mib > 0) chosen.edge_bytes = edge_mib << 20U;
  if (portable) chosen.layout.nvidia = false;
  for (const SsvVariant& variant : variants_of(shapes, chosen)) {
    right = measure(device, variant, sources, library, batch, work) && right;
  }
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return gpuhmm::bench::exit_code("bench_hmmer3_ssv", [&] { return run(argc, argv); });
}
