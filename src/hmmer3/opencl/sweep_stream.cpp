// Launches Forward, asks which pairs pass, launches Backward and the search for regions for those, and hands
// out the regions.
#include "hmmer3/opencl/sweep_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Scales that the kernel lists with a pair, behind C and their number.
constexpr std::size_t kFirstScale = 2, kListed = 14;

// As in cl/hmmer3_regions.cl: work-items of a pair; and regions for which there is room, of a pair and of so
// many rows one more.
constexpr std::size_t kRegionItems = 32, kRegionsOfPair = 4, kRowsOfRegion = 32;

static_assert(sizeof(SpecialRow) == 6 * sizeof(float));

LengthModel lengths_of(const Pair& pair) { return LengthModel::multihit(pair.length); }

std::array<float, 2> probabilities_of(const Pair& pair) {
  const LengthModel lengths = lengths_of(pair);
  return {lengths.move, lengths.loop};
}

}  // namespace

SweepKernels SweepStream::kernels(const OpenDevice& device, const std::string& options,
                                  const SweepShapes& shapes) {
  return {device,
          {"hmmer3_arithmetic.cl", "hmmer3_joins.cl", "hmmer3_sweeps.cl", "hmmer3_backward.cl",
           "hmmer3_regions.cl"},
          options + " -DKEEPS=NOTHING -DLISTED=" + std::to_string(kListed),
          shapes};
}

void SweepStream::begin_programs(const OpenDevice& device, const std::string& options,
                                 const SweepShapes& shapes, std::span<const SearchProfile* const> profiles) {
  kernels(device, options, shapes).begin(profiles);
}

SweepStream::SweepStream(const OpenDevice& device, const std::string& options, const SweepShapes& shapes,
                         std::size_t most_rows, std::size_t most_scales, unsigned threads)
    : device_(device),
      most_rows_(most_rows),
      most_scales_(most_scales),
      threads_(threads),
      kernels_(kernels(device, options, shapes)),
      queue_(device, Timing::Off),
      input_(queue_) {}

std::unordered_map<cl_uint, std::vector<float>> SweepStream::further_scales() {
  std::unordered_map<cl_uint, std::vector<float>> of_pairs;
  cl_uint listed = 0;
  queue_.fetch(further_count_.buffer(), &listed, 1);
  further_found_.resize(std::min<std::size_t>(listed, most_scales_));
  if (further_found_.empty()) return of_pairs;
  queue_.fetch(further_.buffer(), further_found_.data(), further_found_.size());
  // A work-item has a pair, so that its scales are in the order of the rows.
  for (const auto& [pair, scale] : further_found_) of_pairs[pair].push_back(std::bit_cast<float>(scale));
  return of_pairs;
}

std::vector<std::size_t> SweepStream::passed_of(std::span<const Pair> pairs, const SweepUser& user) {
  constexpr std::size_t kPairsOfBlock = 1024;
  const std::unordered_map<cl_uint, std::vector<float>> further = further_scales();
  std::vector<char> passes(pairs.size());
  const auto ask = [&](std::size_t p, std::span<const float> scales) {
    const float score = sweep_score(scales, ends_found_[p][0], lengths_of(pairs[p]));
    passes[p] = user.passes(pairs[p].query, pairs[p].n, score);
  };
  parallel_for(threads_, pairs.size(), kPairsOfBlock, [&](std::size_t p, std::size_t last) {
    for (; p < last; ++p) {
      const Ends& ends = ends_found_[p];
      if (!std::isfinite(ends[0]) || ends[0] == 0) continue;
      const auto scaled = static_cast<std::size_t>(ends[1]);
      const std::span first = std::span(ends).subspan(kFirstScale, std::min(scaled, kListed));
      if (scaled <= kListed) {
        ask(p, first);
        continue;
      }
      const auto others = further.find(static_cast<cl_uint>(p));
      if (others == further.end() || others->second.size() != scaled - kListed)
        continue;  // there was no room
      std::vector<float> scales(first.begin(), first.end());
      scales.insert(scales.end(), others->second.begin(), others->second.end());
      ask(p, scales);
    }
  });
  std::vector<std::size_t> passed;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (passes[p]) passed.push_back(p);
  }
  return passed;
}

std::vector<CommandTime> SweepStream::run(const PairLaunch& launch, std::span<const PairQuery> queries,
                                          const SequenceBatch& batch, const DeviceResidues& residues,
                                          const SweepUser& user) {
  const LaunchModels models(launch.pairs, queries.size());
  const SweepTables tables(models, queries);
  std::vector<std::size_t> sizes;
  for (const PairQuery& query : queries) sizes.push_back(query.profile->floats.steps());
  const SweepKernels::Use use = kernels_.for_launch(launch);
  std::vector<Four> places = pair_places(launch.pairs, batch, residues.first());
  std::vector<std::array<float, 2>> lengths;
  cl_uint row_count = 0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    places[p][2] = row_count;
    row_count += launch.pairs[p].length + 1;
    lengths.push_back(probabilities_of(launch.pairs[p]));
  }
  const std::vector<Four> groups = use.groups(launch.pairs, models, sizes);
  std::vector<std::size_t> passed;  // numbers of pairs
  std::vector<Pair> passed_pairs;
  std::vector<Four> passed_places, passed_groups;
  std::vector<std::array<float, 2>> passed_lengths;
  const cl_uint none = 0;
  return queue_.finished_if_failed([&] {
    input_.send_models(tables);
    input_.send_pairs(places, lengths, groups);
    rows_.at_least(device_, most_rows_ * sizeof(SpecialRow));
    ends_found_.resize(places.size());
    ends_.at_least(device_, ends_found_.size() * sizeof(Ends));
    further_.at_least(device_, most_scales_ * sizeof(FurtherScale));
    queue_.send(further_count_.at_least(device_, sizeof(cl_uint)), &none, 1);
    std::uint64_t begun = Queue::host_time();
    const cl::Event forward =
        queue_.launch(use.kernels["forward"], use.work(groups.size()), residues.buffer(), input_.groups(),
                      input_.models(), input_.transitions(), input_.deletes(), input_.emissions(),
                      input_.pairs(), input_.lengths(), rows_.buffer(), ends_.buffer(), further_.buffer(),
                      further_count_.buffer(), static_cast<cl_uint>(most_scales_), use.joins());
    std::vector<CommandTime> times{queue_.wait_timed(forward, begun)};
    queue_.fetch(ends_.buffer(), ends_found_.data()->data(), ends_found_.size() * std::tuple_size_v<Ends>);
    passed = passed_of(launch.pairs, user);
    if (passed.empty()) return times;

    for (const std::size_t p : passed) {
      passed_pairs.push_back(launch.pairs[p]);
      passed_places.push_back(places[p]);
      passed_lengths.push_back(lengths[p]);
    }
    passed_groups = use.groups(passed_pairs, models, sizes);
    input_.send_pairs(passed_places, passed_lengths, passed_groups);
    queue_.send(used_.at_least(device_, sizeof(cl_uint)), &none, 1);
    backward_rows_.at_least(device_, most_rows_ * sizeof(SpecialRow));
    posteriors_.at_least(device_, most_rows_ * sizeof(cl_float4));
    own_scales_.at_least(device_, passed.size() * sizeof(cl_uint));
    const std::size_t room = kRegionsOfPair * passed.size() + row_count / kRowsOfRegion;
    regions_.at_least(device_, room * sizeof(Four));
    results_.at_least(device_, passed.size() * sizeof(Four));
    begun = Queue::host_time();
    queue_.launch(use.kernels["backward"], use.work(passed_groups.size()), residues.buffer(), input_.groups(),
                  input_.models(), input_.transitions(), input_.deletes(), input_.emissions(), input_.pairs(),
                  input_.lengths(), rows_.buffer(), backward_rows_.buffer(), own_scales_.buffer(),
                  use.joins());
    const cl::Event regions = queue_.launch(
        use.kernels["regions"], {{passed.size() * kRegionItems}, {kRegionItems}}, input_.pairs(),
        input_.lengths(), rows_.buffer(), backward_rows_.buffer(), own_scales_.buffer(), posteriors_.buffer(),
        regions_.buffer(), used_.buffer(), static_cast<cl_uint>(room), results_.buffer(),
        cl::Local(kRegionItems * sizeof(float)), cl::Local(2 * sizeof(cl_uint)));
    results_found_.resize(passed.size());
    cl_uint used = 0;
    times.push_back(queue_.wait_timed(regions, begun));
    queue_.receive(results_.buffer(), results_found_.data(), results_found_.size());
    queue_.fetch(used_.buffer(), &used, 1);
    regions_found_.resize(std::min<std::size_t>(used, room));
    if (!regions_found_.empty())
      queue_.fetch(regions_.buffer(), regions_found_.data(), regions_found_.size());
    parallel_for(threads_, passed.size(), 64, [&](std::size_t from, std::size_t to) {
      for (; from < to; ++from) hand_out(from, passed_pairs[from], user);
    });
    return times;
  });
}

void SweepStream::hand_out(std::size_t place, const Pair& pair, const SweepUser& user) const {
  const auto& [done, first, count, expected] = results_found_[place];
  if (done == 0) return;
  Regions regions;
  regions.expected_domains = std::bit_cast<float>(expected);
  for (const auto& [number, from, to, several] : std::span(regions_found_).subspan(first, count))
    regions.regions.push_back({from, to, several != 0});
  user.use(pair.query, pair.n, std::move(regions));
}

}  // namespace gpuhmm::hmmer3
