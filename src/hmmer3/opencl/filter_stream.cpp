// Launches a filter and turns what it gives into scores.
#include "hmmer3/opencl/filter_stream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kPairsOfBlock = 1024;  // that a host thread takes at a time

}  // namespace

std::size_t viterbi_local_bytes(std::size_t nodes, std::size_t sequences) {
  return viterbi_room(nodes) * sequences * sizeof(cl_int);
}

FilterStream::FilterStream(const OpenDevice& device, const std::string& options, unsigned threads)
    : device_(device),
      threads_(threads),
      kernels_(device, {"hmmer3_arithmetic.cl", "hmmer3_filters.cl"},
               options + " -DBIAS=" + (device.double_precision() ? "1" : "0")),
      queue_(device, Timing::Off) {
  kernels_["viterbi"];
}

template <class Values>
void FilterStream::send(GrowingBuffer& space, const Values& values) {
  const std::span view(values);
  queue_.send(space.at_least(device_, view.size_bytes()), view.data(), view.size());
}

// Gives the number of work-groups.
std::size_t FilterStream::send_pairs(const PairLaunch& launch, const LaunchModels& models,
                                     const SequenceBatch& batch, std::span<const std::size_t> sizes) {
  places_ = pair_places(launch.pairs, batch);
  group_list_ = pair_groups(launch.pairs, launch.sequences, models, sizes);
  send(pairs_, places_);
  send(groups_, group_list_);
  return group_list_.size();
}

CommandTime FilterStream::bias(const PairLaunch& launch, std::span<const PairQuery> queries,
                               const SequenceBatch& batch, const cl::Buffer& residues,
                               const TakeScore& take) {
  using Result = std::array<float, 4>;  // sum of logarithms, last row, whether both are sure
  const std::vector<std::size_t> sizes(queries.size(), 1);
  const LaunchModels models(launch.pairs, queries.size());
  const std::vector<float> tables = bias_tables(models, queries);
  std::vector<std::array<float, 2>> lengths;
  for (const Pair& pair : launch.pairs) {
    const float loop = NullModel(pair.length).loop;
    lengths.push_back({loop, 1.0F - loop});
  }
  std::vector<Result> results(launch.pairs.size());
  return queue_.finished_if_failed([&] {
    const std::size_t groups = send_pairs(launch, models, batch, sizes);
    send(models_, tables);
    send(lengths_, lengths);
    results_.at_least(device_, results.size() * sizeof(Result));
    const std::uint64_t begun = Queue::host_time();
    const cl::Event done = queue_.launch(kernels_["bias"], {{groups * launch.sequences}, {launch.sequences}},
                                         residues, groups_.buffer(), pairs_.buffer(), models_.buffer(),
                                         lengths_.buffer(), results_.buffer());
    const CommandTime time = queue_.wait_timed(done, begun);
    queue_.fetch(results_.buffer(), results.data()->data(), results.size() * std::tuple_size_v<Result>);
    parallel_for(threads_, results.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        const auto& [sum, last, sure, unused] = results[from];
        if (sure == 0) continue;
        const Pair& pair = launch.pairs[from];
        const float total = sum + static_cast<float>(std::log(static_cast<double>(last)));
        take(pair.query, pair.n, bias_score_of_sum(total, lengths[from][0], pair.length));
      }
    });
    return time;
  });
}

CommandTime FilterStream::viterbi(const PairLaunch& launch, std::span<const PairQuery> queries,
                                  const SequenceBatch& batch, const cl::Buffer& residues,
                                  const TakeScore& take) {
  std::vector<std::size_t> sizes;
  for (const PairQuery& query : queries)
    sizes.push_back(static_cast<std::size_t>(query.profile->profile.nodes));
  const LaunchModels models(launch.pairs, queries.size());
  const ViterbiTables tables(models, queries);
  std::vector<cl_int> moves;
  for (const Pair& pair : launch.pairs) moves.push_back(WordModel::move_score(pair.length));
  std::vector<cl_int> results(launch.pairs.size());
  return queue_.finished_if_failed([&] {
    const std::size_t groups = send_pairs(launch, models, batch, sizes);
    send(models_, tables.models);
    send(steps_, tables.steps);
    send(emissions_, tables.emissions);
    send(lengths_, moves);
    results_.at_least(device_, results.size() * sizeof(cl_int));
    const std::uint64_t begun = Queue::host_time();
    const cl::Event done = queue_.launch(
        kernels_["viterbi"], {{groups * launch.sequences}, {launch.sequences}}, residues, groups_.buffer(),
        pairs_.buffer(), models_.buffer(), steps_.buffer(), emissions_.buffer(), lengths_.buffer(),
        results_.buffer(), cl::Local(viterbi_local_bytes(launch.size, launch.sequences)));
    const CommandTime time = queue_.wait_timed(done, begun);
    queue_.fetch(results_.buffer(), results.data(), results.size());
    parallel_for(threads_, results.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        const Pair& pair = launch.pairs[from];
        const int end_score = queries[pair.query].profile->filters.words.end_score;
        const float score =
            results[from] >= std::numeric_limits<std::int16_t>::max()
                ? std::numeric_limits<float>::infinity()
                : word_score(std::max<int>(WordModel::kImpossible, results[from] + end_score), pair.length);
        take(pair.query, pair.n, score);
      }
    });
    return time;
  });
}

}  // namespace gpuhmm::hmmer3
