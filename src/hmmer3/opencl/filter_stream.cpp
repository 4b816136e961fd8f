// Launches a filter and turns what it gives into scores.
#include "hmmer3/opencl/filter_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kPairsOfBlock = 1024;  // that a host thread takes at a time

// What the bias filter's kernel reads of each pair.
std::vector<std::array<float, 4>> bias_lengths(const PairLaunch& launch, const BiasUser& user,
                                               unsigned threads) {
  std::vector<std::array<float, 4>> lengths(launch.pairs.size());
  parallel_for(threads, lengths.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      const Pair& pair = launch.pairs[from];
      const float loop = NullModel(pair.length).loop;
      const ScoreRange range = user.needs_viterbi ? user.needs_viterbi(pair.query, pair.n) : ScoreRange();
      const float of_length = bias_score_of_sum(0, loop, pair.length);
      lengths[from] = {loop, 1.0F - loop, range.least - of_length, range.most - of_length};
    }
  });
  return lengths;
}

// Consecutive pairs of a model, first and count: whole groups of them, and enough that those which are chosen
// of them fill groups. Sets the segments of groups.
std::vector<std::array<cl_uint, 2>> segments_of(std::span<const Pair> pairs, std::span<Four> groups) {
  constexpr std::size_t kMost = 4096;
  std::vector<std::array<cl_uint, 2>> segments;
  for (std::size_t first = 0; first < pairs.size();) {
    std::size_t last = first + 1;
    while (last < pairs.size() && last - first < kMost && pairs[last].query == pairs[first].query) ++last;
    segments.push_back({static_cast<cl_uint>(first), static_cast<cl_uint>(last - first)});
    first = last;
  }
  for (Four& group : groups) {
    const auto behind = std::ranges::upper_bound(segments, group[0], {}, [](const auto& s) { return s[0]; });
    group[3] = static_cast<cl_uint>(behind - segments.begin() - 1);
  }
  return segments;
}

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

void FilterStream::send_pairs(const Call& call, std::span<const Pair> pairs) {
  sent_.places = pair_places(pairs, call.batch, call.residues.first());
  send(queue_, pairs_, sent_.places);
}

std::vector<CommandTime> FilterStream::bias(const PairLaunch& launch, std::span<const PairQuery> queries,
                                            const SequenceBatch& batch, const DeviceResidues& residues,
                                            const BiasUser& user) {
  using Result = std::array<float, 4>;  // sum of logarithms, last row, whether both are sure, needs Viterbi
  const Call call{
      launch, queries, batch, residues, LaunchModels(launch.pairs, queries.size()), viterbi_sizes(queries)};
  const std::vector<float> tables = bias_tables(call.models, queries);
  const std::vector<std::array<float, 4>> lengths = bias_lengths(launch, user, threads_);
  const bool with_viterbi =
      std::ranges::any_of(lengths, [](const auto& length) { return length[2] <= length[3]; });
  sent_.bias_groups =
      pair_groups(launch.pairs, launch.sequences, call.models, std::vector<std::size_t>(queries.size(), 1));
  std::vector<Result> results(launch.pairs.size());
  std::vector<cl_int> least(with_viterbi ? results.size() : 0);
  ViterbiTables words;  // made while the bias filter runs
  std::vector<CommandTime> times;
  return queue_.finished_if_failed([&] {
    send_pairs(call, launch.pairs);
    send(queue_, bias_groups_, sent_.bias_groups);
    send(queue_, bias_models_, tables);
    send(queue_, lengths_, lengths);
    bias_results_.at_least(device_, results.size() * sizeof(Result));
    const std::uint64_t begun = Queue::host_time();
    cl::Event done =
        queue_.launch(kernels_["bias"], {{sent_.bias_groups.size() * launch.sequences}, {launch.sequences}},
                      residues.buffer(), bias_groups_.buffer(), pairs_.buffer(), bias_models_.buffer(),
                      lengths_.buffer(), bias_results_.buffer());
    if (with_viterbi) {
      queue_.flush();
      words = ViterbiTables(call.models, queries);
      send_tables(words);
      choose(call);
      done = begin_viterbi(false, call, launch.pairs);
    }
    times.push_back(queue_.wait_timed(done, begun));
    queue_.fetch(bias_results_.buffer(), results.data()->data(), results.size() * std::tuple_size_v<Result>);
    if (with_viterbi) queue_.fetch(results_.buffer(), least.data(), least.size());
    parallel_for(threads_, results.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        const auto& [sum, last, sure, needs_viterbi] = results[from];
        if (sure == 0) continue;
        const Pair& pair = launch.pairs[from];
        const float total = sum + static_cast<float>(std::log(static_cast<double>(last)));
        user.take(pair.query, pair.n, bias_score_of_sum(total, lengths[from][0], pair.length));
      }
    });
    if (with_viterbi) {
      take_viterbi(
          call, least, [&](std::size_t p) { return results[p][3] != 0; }, user.take_viterbi, times);
    }
    return times;
  });
}

// Makes `order_` and `groups_` those of the pairs that need a Viterbi score.
void FilterStream::choose(const Call& call) {
  const PairLaunch& launch = call.launch;
  sent_.groups = pair_groups(launch.pairs, launch.sequences, call.models, call.sizes);
  sent_.segments = segments_of(launch.pairs, sent_.groups);
  send(queue_, groups_, sent_.groups);
  send(queue_, segments_, sent_.segments);
  order_.at_least(device_, launch.pairs.size() * sizeof(cl_uint));
  counts_.at_least(device_, sent_.segments.size() * sizeof(cl_uint));
  queue_.launch(kernels_["choose"], {{sent_.segments.size() * launch.sequences}, {launch.sequences}},
                segments_.buffer(), bias_results_.buffer(), order_.buffer(), counts_.buffer(),
                cl::Local(launch.sequences * sizeof(cl_uint)));
  queue_.launch(kernels_["cut_groups"], {{sent_.groups.size()}, cl::NullRange}, groups_.buffer(),
                segments_.buffer(), counts_.buffer());
}

// Makes them those of all these pairs.
void FilterStream::order_all(const Call& call, std::span<const Pair> pairs) {
  sent_.groups = pair_groups(pairs, call.launch.sequences, call.models, call.sizes);
  sent_.order.resize(pairs.size());
  std::iota(sent_.order.begin(), sent_.order.end(), cl_uint{0});
  send(queue_, groups_, sent_.groups);
  send(queue_, order_, sent_.order);
}

void FilterStream::send_tables(const ViterbiTables& tables) {
  send(queue_, models_, tables.models);
  send(queue_, steps_, tables.steps);
  send(queue_, emissions_, tables.emissions);
}

cl::Event FilterStream::begin_viterbi(bool exact, const Call& call, std::span<const Pair> pairs) {
  const std::size_t sequences = call.launch.sequences, groups = sent_.groups.size();
  // Work-groups that fill the device take the groups in turn, so that only they need room for cells.
  constexpr std::size_t kItemsOfUnit = 512, kSides = 2;
  const std::size_t room = viterbi_room(call.launch.size);
  const std::size_t bytes = kSides * room * kViterbiBlock * sizeof(cl_int) * sequences;
  const std::size_t filling =
      std::max(1U, device_.info().compute_units) * std::max<std::size_t>(1, kItemsOfUnit / sequences);
  const std::size_t working = std::min(groups, std::clamp<std::size_t>(viterbi_bytes_ / bytes, 1, filling));
  sent_.moves.clear();
  for (const Pair& pair : pairs) sent_.moves.push_back(WordModel::move_score(pair.length));
  sent_.taken = static_cast<cl_uint>(working);
  send(queue_, moves_, sent_.moves);
  queue_.send(taken_.at_least(device_, sizeof(cl_uint)), &sent_.taken, 1);
  results_.at_least(device_, pairs.size() * sizeof(cl_int));
  cells_.at_least(device_, std::bit_ceil(working * bytes));
  return queue_.launch(kernels_["viterbi"], {{working * sequences}, {sequences}}, call.residues.buffer(),
                       groups_.buffer(), pairs_.buffer(), models_.buffer(), steps_.buffer(),
                       emissions_.buffer(), order_.buffer(), moves_.buffer(), results_.buffer(),
                       cells_.buffer(), static_cast<cl_uint>(room), static_cast<cl_uint>(groups),
                       taken_.buffer(), cl_int{exact}, cl::Local(sizeof(cl_uint)));
}

std::vector<cl_int> FilterStream::viterbi_results(bool exact, const Call& call, std::span<const Pair> pairs,
                                                  std::vector<CommandTime>& times) {
  std::vector<cl_int> results(pairs.size());
  send_pairs(call, pairs);
  order_all(call, pairs);
  const std::uint64_t begun = Queue::host_time();
  times.push_back(queue_.wait_timed(begin_viterbi(exact, call, pairs), begun));
  queue_.fetch(results_.buffer(), results.data(), results.size());
  return results;
}

std::vector<CommandTime> FilterStream::viterbi(const PairLaunch& launch, std::span<const PairQuery> queries,
                                               const SequenceBatch& batch, const DeviceResidues& residues,
                                               const TakeViterbi& take) {
  const Call call{
      launch, queries, batch, residues, LaunchModels(launch.pairs, queries.size()), viterbi_sizes(queries)};
  const ViterbiTables tables(call.models, queries);
  std::vector<CommandTime> times;
  return queue_.finished_if_failed([&] {
    send_tables(tables);
    const std::vector<cl_int> least = viterbi_results(false, call, launch.pairs, times);
    take_viterbi(
        call, least, [](std::size_t) { return true; }, take, times);
    return times;
  });
}

void FilterStream::take_viterbi(const Call& call, std::span<const cl_int> least,
                                const std::function<bool(std::size_t)>& is_given, const TakeViterbi& take,
                                std::vector<CommandTime>& times) {
  const auto end_score = [&](const Pair& pair) -> int {
    return call.queries[pair.query].profile->filters.words.end_score;
  };
  const auto tell = [&](const Pair& pair, int best, bool is_exact) {
    const int with_end = best + end_score(pair);
    const float score = best >= std::numeric_limits<std::int16_t>::max()
                            ? std::numeric_limits<float>::infinity()
                            : word_score(std::max<int>(WordModel::kImpossible, with_end), pair.length);
    return take(pair.query, pair.n, score, is_exact);
  };
  std::vector<char> is_open(least.size());  // they need their exact scores
  parallel_for(threads_, is_open.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
    const FlushToZero flush;
    for (; from < to; ++from) {
      if (!is_given(from)) continue;
      const Pair& pair = call.launch.pairs[from];
      const bool is_exact = least[from] + end_score(pair) <= WordModel::kBase ||
                            least[from] >= std::numeric_limits<std::int16_t>::max();
      is_open[from] = !tell(pair, least[from], is_exact) && !is_exact;
    }
  });
  std::vector<Pair> again;
  for (std::size_t p = 0; p < is_open.size(); ++p) {
    if (is_open[p]) again.push_back(call.launch.pairs[p]);
  }
  if (again.empty()) return;
  const std::vector<cl_int> best = viterbi_results(true, call, again, times);
  parallel_for(threads_, best.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
    const FlushToZero flush;
    for (; from < to; ++from) tell(again[from], best[from], true);
  });
}

}  // namespace gpuhmm::hmmer3
