// Launches MSV and turns the largest cells into scores.
#include "hmmer3/opencl/msv_stream.hpp"

#include <algorithm>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/filters.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kPairsOfBlock = 1024;  // that a host thread takes at a time

}  // namespace

MsvTables::MsvTables(const LaunchModels& launch, std::span<const PairQuery> queries, unsigned threads) {
  std::size_t size = 0;
  for (const std::uint32_t query : launch.queries) {
    const ByteModel& model = queries[query].profile->filters.bytes;
    models.push_back({static_cast<cl_int>(size), model.nodes, model.bias, model.end_cost});
    size += (static_cast<std::size_t>(model.nodes) + 1) * kTableCodes;  // one node is read ahead
  }
  gains.resize(size);
  parallel_for(threads, models.size(), 1, [&](std::size_t m, std::size_t) {
    const ByteModel& model = queries[launch.queries[m]].profile->filters.bytes;
    const std::size_t codes = model.costs.size() / static_cast<std::size_t>(model.nodes + 1);
    cl_short* out = &gains[static_cast<std::size_t>(models[m][0])];
    for (int k = 1; k <= model.nodes; ++k) {
      for (std::size_t code = 0; code < kTableCodes; ++code) {
        const int gain = code < codes ? model.bias - model.cost(code, k) : -ByteModel::kForbidden;
        *out++ = static_cast<cl_short>(gain);
      }
    }
  });
}

MsvStream::MsvStream(const OpenDevice& device, std::size_t edge_bytes, unsigned threads)
    : device_(device),
      edge_bytes_(edge_bytes),
      threads_(threads),
      kernels_(device, {"hmmer3_msv.cl"}, ""),
      queue_(device, Timing::Off) {
  kernels_["msv"];
}

// Gives the first group of each kernel that has room for its groups' edges, and the end of the last;
// words(group): of a group.
template <class Words>
std::vector<std::size_t> MsvStream::place_edges(std::vector<Four>& groups, const Words& words) {
  std::vector<std::size_t> firsts = {0};
  std::size_t used = 0, most = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t more = words(groups[g]);
    if (used > 0 && (used + more) * sizeof(cl_int) > edge_bytes_) {
      firsts.push_back(g);
      used = 0;
    }
    groups[g][3] = static_cast<cl_uint>(used);
    used += more;
    most = std::max(most, used);
  }
  firsts.push_back(groups.size());
  edges_.at_least(device_, most * sizeof(cl_int));
  return firsts;
}

CommandTime MsvStream::run(const PairLaunch& launch, std::span<const PairQuery> queries,
                           const SequenceBatch& batch, const DeviceResidues& residues,
                           const TakeScore& take) {
  const LaunchModels models(launch.pairs, queries.size());
  const MsvTables tables(models, queries, threads_);
  const std::vector<std::size_t> sizes = nodes_of(queries);
  std::vector<Four> groups = pair_groups(launch.pairs, launch.sequences, models, sizes);
  const std::vector<std::size_t> firsts = place_edges(groups, [&](const Four& group) {
    return 2 * (sizes[models.queries[group[2]]] + 1) * launch.sequences;
  });
  const std::vector<Four> places = pair_places(launch.pairs, batch, residues.first());
  std::vector<cl_int> costs(launch.pairs.size()), largest(launch.pairs.size());
  parallel_for(threads_, costs.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      const Pair& pair = launch.pairs[from];
      const ByteModel& model = queries[pair.query].profile->filters.bytes;
      costs[from] = (ByteModel::move_cost(pair.length) + model.begin_cost) % 256;
    }
  });
  return queue_.finished_if_failed([&] {
    results_.at_least(device_, largest.size() * sizeof(cl_int));
    const std::uint64_t begun = Queue::host_time();
    send(queue_, groups_, groups);
    send(queue_, pairs_, places);
    send(queue_, models_, tables.models);
    send(queue_, gains_, tables.gains);
    send(queue_, costs_, costs);
    cl::Event done;
    for (std::size_t f = 0; f + 1 < firsts.size(); ++f) {
      const std::size_t items = (firsts[f + 1] - firsts[f]) * launch.sequences;
      done =
          queue_.launch(kernels_["msv"], {{items}, {launch.sequences}}, residues.buffer(), groups_.buffer(),
                        static_cast<cl_uint>(firsts[f]), pairs_.buffer(), models_.buffer(), gains_.buffer(),
                        costs_.buffer(), results_.buffer(), edges_.buffer());
    }
    const CommandTime time = queue_.wait_timed(done, begun);
    queue_.fetch(results_.buffer(), largest.data(), largest.size());
    parallel_for(threads_, largest.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        const Pair& pair = launch.pairs[from];
        const ByteModel& model = queries[pair.query].profile->filters.bytes;
        FirstStage stage{ByteResult::Score, std::max(0, largest[from] - model.end_cost)};
        if (largest[from] + model.bias >= 255) stage = {ByteResult::Overflow, 0};
        take(pair.query, pair.n, first_stage_score(stage, pair.length));
      }
    });
    return time;
  });
}

}  // namespace gpuhmm::hmmer3
