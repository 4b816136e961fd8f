// Launches Forward and the sampling of tracebacks; sorts segments by region.
#include "hmmer3/opencl/traceback_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/opencl/streams.hpp"
#include "hmmer3/random.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// As in cl/hmmer3_tracebacks.cl: work-items, which are the places of a node in the table of emissions; bits
// of the traceback and of the first node.
constexpr std::size_t kItems = 32;
constexpr unsigned kTracebackBits = 8, kNodeBits = 16;
static_assert(kTracebacks < 1 << kTracebackBits);

// Of a region, as local memory has a sum of each.
constexpr std::size_t kMostResidues = 4096;

// Local memory of a work-group: of nodes, residues, codes, groups of steps, and choices.
std::size_t node_bytes(std::size_t steps) { return (steps * kStripes + 1) * sizeof(float); }
constexpr std::size_t kOddsBytes = kItems * sizeof(float), kEndBytes = kItems * sizeof(cl_double),
                      kChoiceBytes = kItems * sizeof(cl_uint2);

// Segments for which there is room: most regions have far fewer.
std::size_t room_for(const Pair& pair) { return kTracebacks * (std::size_t{2} + pair.length / 32); }

// What the kernel reads of the models by node, and where each model's first node is: emissions,
// [node][kItems], and the transitions into a node's match state and out of its states.
struct NodeTables {
  NodeTables(const LaunchModels& launch, std::span<const PairQuery> queries) {
    for (const std::uint32_t query : launch.queries) {
      const SearchProfile& profile = *queries[query].profile;
      const FloatModel& model = profile.floats;
      const auto plain = static_cast<std::size_t>(Alphabet::get(profile.profile.alphabet).size());
      places.push_back(static_cast<cl_uint>(into.size()));
      for (int k = 1; k <= profile.profile.nodes; ++k) {
        const auto of = [&](Step step) { return model.transition(step, k); };
        into.push_back({of(kIntoFromBegin), of(kIntoFromMatch), of(kIntoFromInsert), of(kIntoFromDelete)});
        out.push_back({of(kMatchToDelete), of(kMatchToInsert), of(kInsertToInsert), of(kDeleteToDelete)});
        emissions.resize(emissions.size() + kItems);
        float* const of_node = emissions.data() + emissions.size() - kItems;
        for (std::size_t x = 0; x < plain; ++x) of_node[x] = model.emission(x, k);
      }
    }
  }

  std::vector<float> emissions;
  std::vector<std::array<float, 4>> into, out;
  std::vector<cl_uint> places;
};

bool can_be_sampled(Residues sequence, const Alphabet& alphabet) {
  return sequence.size() <= kMostResidues &&
         std::ranges::all_of(sequence, [&](std::uint8_t x) { return x < alphabet.size(); });
}

}  // namespace

std::size_t traceback_local_bytes(std::size_t steps, std::size_t /*sequences*/) {
  return node_bytes(steps) + kMostResidues * sizeof(float) + kOddsBytes + kEndBytes + kChoiceBytes;
}

PartPairs<RegionTask> region_pairs(std::span<const RegionQuery> regions) {
  PartPairs<RegionTask> pairs;
  for (const RegionQuery& query : regions) {
    const Alphabet& alphabet = Alphabet::get(query.profile->profile.alphabet);
    std::vector<RegionTask*> regions_of_query;
    std::ranges::copy_if(query.regions, std::back_inserter(regions_of_query),
                         [&](const RegionTask* task) { return can_be_sampled(task->sequence, alphabet); });
    pairs.add(*query.profile, std::move(regions_of_query));
  }
  return pairs;
}

SweepKernels TracebackStream::sweeps(const OpenDevice& device, const std::string& options,
                                     const SweepShapes& shapes) {
  return {device,
          {"hmmer3_arithmetic.cl", "hmmer3_joins.cl", "hmmer3_sweeps.cl"},
          options + " -DKEEPS=REGIONS -DLISTED=0",
          shapes};
}

KernelSet TracebackStream::kernels(const OpenDevice& device, const std::string& options) {
  return {device, {"hmmer3_arithmetic.cl", "hmmer3_tracebacks.cl"}, options};
}

TracebackStream::TracebackStream(const OpenDevice& device, const std::string& options,
                                 const SweepShapes& shapes, unsigned threads)
    : device_(device),
      threads_(threads),
      sweeps_(sweeps(device, options, shapes)),
      kernels_(kernels(device, options)),
      queue_(device, Timing::Off),
      input_(queue_) {
  kernels_["tracebacks"];
}

CommandTime TracebackStream::run(const PairLaunch& launch, const PartPairs<RegionTask>& pairs,
                                 std::uint32_t seed, const cl::Buffer& residues) {
  const LaunchModels models(launch.pairs, pairs.queries.size());
  const SweepTables tables(models, pairs.queries);
  const NodeTables nodes(models, pairs.queries);
  const std::size_t count = launch.pairs.size();
  const PartPlaces places(launch, pairs, [](const RegionTask&) { return true; });
  const cl_uint rows = places.rows;
  std::vector<cl_uint> model_numbers;
  cl_uint room = 0;
  std::size_t most_residues = 0;
  for (const Pair& pair : launch.pairs) {
    room += static_cast<cl_uint>(room_for(pair));
    most_residues = std::max<std::size_t>(most_residues, pair.length);
    model_numbers.push_back(models.model_of[pair.query]);
  }
  const SweepKernels::Use sweeps = sweeps_.for_launch(launch);
  const std::vector<Four> groups = sweeps.groups(launch.pairs, models, places.sizes);
  failed_found_.resize(count);
  const cl_uint none = 0;
  return queue_.finished_if_failed([&] {
    input_.send_models(tables);
    input_.send_pairs(places.pairs, places.lengths, groups);
    send(queue_, model_numbers_, model_numbers);
    send(queue_, node_places_, nodes.places);
    send(queue_, emissions_, nodes.emissions);
    send(queue_, into_, nodes.into);
    send(queue_, out_, nodes.out);
    queue_.send(used_.at_least(device_, sizeof(cl_uint)), &none, 1);
    rows_.at_least(device_, rows * sizeof(SpecialRow));
    ends_.at_least(device_, count * 2 * sizeof(float));
    cells_.at_least(device_,
                    cell_buffer_bytes(device_.info(), std::size_t{places.cells} * 4 * sizeof(float)));
    sums_.at_least(device_, rows * sizeof(float));
    segments_.at_least(device_, room * sizeof(Segment));
    failed_.at_least(device_, count * sizeof(cl_uint));
    sums_found_.reserve(std::bit_ceil(rows));
    const std::uint64_t begun = Queue::host_time();
    queue_.launch(sweeps.kernels["forward"], sweeps.work(groups.size()), residues, input_.groups(),
                  input_.models(), input_.transitions(), input_.deletes(), input_.emissions(), input_.pairs(),
                  input_.lengths(), rows_.buffer(), ends_.buffer(), cells_.buffer(), sweeps.joins());
    const cl::Event tracebacks = queue_.launch(
        kernels_["tracebacks"], {{count * kItems}, {kItems}}, residues, input_.models(),
        node_places_.buffer(), emissions_.buffer(), into_.buffer(), out_.buffer(), input_.pairs(),
        model_numbers_.buffer(), input_.lengths(), rows_.buffer(), cells_.buffer(),
        static_cast<cl_uint>(Random(seed).state()), sums_.buffer(), segments_.buffer(), used_.buffer(), room,
        failed_.buffer(), cl::Local(node_bytes(launch.size)), cl::Local(most_residues * sizeof(float)),
        cl::Local(kOddsBytes), cl::Local(kEndBytes), cl::Local(kChoiceBytes));
    cl_uint used = 0;
    const CommandTime time = queue_.wait_timed(tracebacks, begun);
    queue_.receive(failed_.buffer(), failed_found_.data(), count);
    queue_.receive(sums_.buffer(), sums_found_.data(), rows);
    queue_.fetch(used_.buffer(), &used, 1);
    if (used > room || used == 0) return time;
    segments_found_.reserve(std::bit_ceil(used));
    queue_.fetch(segments_.buffer(), segments_found_.data(), used);
    take(launch, pairs, places.pairs, used);
    return time;
  });
}

void TracebackStream::take(const PairLaunch& launch, const PartPairs<RegionTask>& pairs,
                           std::span<const Four> places, std::size_t segments) {
  const std::size_t count = launch.pairs.size();
  std::vector<TracebackEnsemble> ensembles(count);
  const std::span found(segments_found_.data(), segments);
  std::vector<std::size_t> counts(count);
  for (const Segment& segment : found) ++counts[segment[3] >> kTracebackBits];
  for (std::size_t p = 0; p < count; ++p) ensembles[p].segments.reserve(counts[p]);
  for (const auto& [from, to, nodes, number] : found) {
    ensembles[number >> kTracebackBits].segments.push_back(
        {static_cast<int>(number & ((1U << kTracebackBits) - 1)), from, to,
         static_cast<int>(nodes & ((1U << kNodeBits) - 1)), static_cast<int>(nodes >> kNodeBits)});
  }
  parallel_for(threads_, count, 16, [&](std::size_t first, std::size_t last) {
    const FlushToZero flush;
    for (std::size_t p = first; p < last; ++p) {
      if (failed_found_[p] != 0) continue;
      TracebackEnsemble& ensemble = ensembles[p];
      // Those of a traceback were drawn from right to left.
      for (auto at = ensemble.segments.begin(); at != ensemble.segments.end();) {
        const int traceback = at->traceback;
        const auto end = std::find_if(at, ensemble.segments.end(),
                                      [&](const SampledSegment& s) { return s.traceback != traceback; });
        std::reverse(at, end);
        at = end;
      }
      const float* const sums = sums_found_.data() + places[p][2];
      ensemble.null2.reserve(launch.pairs[p].length);
      for (std::size_t i = 0; i < launch.pairs[p].length; ++i)
        ensemble.null2.push_back(std::log(sums[i] / static_cast<float>(kTracebacks)));
      pairs.tasks[launch.pairs[p].sequence]->ensemble = std::move(ensemble);
    }
  });
}

}  // namespace gpuhmm::hmmer3
