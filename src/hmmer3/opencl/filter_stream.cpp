// Launches a filter and turns what it gives into scores.
#include "hmmer3/opencl/filter_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kPairsOfBlock = 1024;  // that a host thread takes at a time

}  // namespace

FilterStream::FilterStream(const OpenDevice& device, const std::string& options, std::size_t viterbi_bytes,
                           unsigned threads)
    : device_(device),
      viterbi_bytes_(viterbi_bytes),
      threads_(threads),
      kernels_(device, {"hmmer3_arithmetic.cl", "hmmer3_filters.cl"},
               options + " -DBIAS=" + (device.double_precision() ? "1" : "0")),
      queue_(device, Timing::Off) {
  kernels_["viterbi"];
}

// Gives the number of work-groups, which are still to be sent.
std::size_t FilterStream::send_pairs(const PairLaunch& launch, const LaunchModels& models,
                                     const SequenceBatch& batch, std::uint64_t first_residue,
                                     std::span<const std::size_t> sizes) {
  places_ = pair_places(launch.pairs, batch, first_residue);
  group_list_ = pair_groups(launch.pairs, launch.sequences, models, sizes);
  send(queue_, pairs_, places_);
  return group_list_.size();
}

CommandTime FilterStream::bias(const PairLaunch& launch, std::span<const PairQuery> queries,
                               const SequenceBatch& batch, const DeviceResidues& residues,
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
    const std::size_t groups = send_pairs(launch, models, batch, residues.first(), sizes);
    send(queue_, groups_, group_list_);
    send(queue_, models_, tables);
    send(queue_, lengths_, lengths);
    results_.at_least(device_, results.size() * sizeof(Result));
    const std::uint64_t begun = Queue::host_time();
    const cl::Event done = queue_.launch(kernels_["bias"], {{groups * launch.sequences}, {launch.sequences}},
                                         residues.buffer(), groups_.buffer(), pairs_.buffer(),
                                         models_.buffer(), lengths_.buffer(), results_.buffer());
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

std::vector<cl_int> FilterStream::viterbi_results(bool exact, const PairLaunch& launch,
                                                  const LaunchModels& models, const SequenceBatch& batch,
                                                  std::span<const std::size_t> sizes,
                                                  const DeviceResidues& residues,
                                                  std::vector<CommandTime>& times) {
  std::vector<cl_int> moves, results(launch.pairs.size());
  for (const Pair& pair : launch.pairs) moves.push_back(WordModel::move_score(pair.length));
  const std::size_t groups = send_pairs(launch, models, batch, residues.first(), sizes);
  // Work-groups that fill the device take the groups in turn, so that only they need room for cells.
  constexpr std::size_t kItemsOfUnit = 512, kSides = 2;
  const std::size_t room = viterbi_room(launch.size);
  const std::size_t bytes = kSides * room * kViterbiBlock * sizeof(cl_int) * launch.sequences;
  const std::size_t filling =
      std::max(1U, device_.info().compute_units) * std::max<std::size_t>(1, kItemsOfUnit / launch.sequences);
  const std::size_t working = std::min(groups, std::clamp<std::size_t>(viterbi_bytes_ / bytes, 1, filling));
  const auto taken = static_cast<cl_uint>(working);
  send(queue_, groups_, group_list_);
  send(queue_, lengths_, moves);
  queue_.send(taken_.at_least(device_, sizeof(cl_uint)), &taken, 1);
  results_.at_least(device_, results.size() * sizeof(cl_int));
  cells_.at_least(device_, std::bit_ceil(working * bytes));
  const std::uint64_t begun = Queue::host_time();
  const cl::Event done = queue_.launch(
      kernels_["viterbi"], {{working * launch.sequences}, {launch.sequences}}, residues.buffer(),
      groups_.buffer(), pairs_.buffer(), models_.buffer(), steps_.buffer(), emissions_.buffer(),
      lengths_.buffer(), results_.buffer(), cells_.buffer(), static_cast<cl_uint>(room),
      static_cast<cl_uint>(groups), taken_.buffer(), cl_int{exact}, cl::Local(sizeof(cl_uint)));
  times.push_back(queue_.wait_timed(done, begun));
  queue_.fetch(results_.buffer(), results.data(), results.size());
  return results;
}

std::vector<CommandTime> FilterStream::viterbi(const PairLaunch& launch, std::span<const PairQuery> queries,
                                               const SequenceBatch& batch, const DeviceResidues& residues,
                                               const TakeViterbi& take) {
  const std::vector<std::size_t> sizes = viterbi_sizes(queries);
  const LaunchModels models(launch.pairs, queries.size());
  const ViterbiTables tables(models, queries);
  const auto tell = [&](const Pair& pair, int best, bool is_exact) {
    const int with_end = best + queries[pair.query].profile->filters.words.end_score;
    const float score = best >= std::numeric_limits<std::int16_t>::max()
                            ? std::numeric_limits<float>::infinity()
                            : word_score(std::max<int>(WordModel::kImpossible, with_end), pair.length);
    return take(pair.query, pair.n, score, is_exact);
  };
  std::vector<CommandTime> times;
  return queue_.finished_if_failed([&] {
    send(queue_, models_, tables.models);
    send(queue_, steps_, tables.steps);
    send(queue_, emissions_, tables.emissions);
    const std::vector<cl_int> least = viterbi_results(false, launch, models, batch, sizes, residues, times);
    std::vector<char> is_open(launch.pairs.size());  // they need their exact scores
    parallel_for(threads_, is_open.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        const Pair& pair = launch.pairs[from];
        const int end_score = queries[pair.query].profile->filters.words.end_score;
        const bool is_exact = least[from] + end_score <= WordModel::kBase ||
                              least[from] >= std::numeric_limits<std::int16_t>::max();
        is_open[from] = !tell(pair, least[from], is_exact) && !is_exact;
      }
    });
    PairLaunch again{{}, launch.sequences, launch.size};
    for (std::size_t p = 0; p < is_open.size(); ++p) {
      if (is_open[p]) again.pairs.push_back(launch.pairs[p]);
    }
    if (again.pairs.empty()) return times;
    const std::vector<cl_int> best = viterbi_results(true, again, models, batch, sizes, residues, times);
    parallel_for(threads_, best.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) tell(again.pairs[from], best[from], true);
    });
    return times;
  });
}

}  // namespace gpuhmm::hmmer3
