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

constexpr cl_int kMost = std::numeric_limits<std::int16_t>::max();
constexpr cl_int kExact = 1 << 16;  // what the kernel adds to results that are exact

int end_score(const PairQuery& query) { return query.profile->filters.words.end_score; }

// What depends on the length of a sequence only. Takes logarithms, while pairs one behind the other often
// have one length.
struct OfLength {
  void set(std::uint32_t new_length) {
    if (length == new_length) return;
    length = new_length;
    loop = NullModel(length).loop;
    bias_score = bias_score_of_sum(0, loop, length);
    viterbi_score = word_score(0, length);
    move = WordModel::move_score(length);
  }
  // The largest match score that gives a pair this Viterbi score, nats.
  float match_score_of(float score, const PairQuery& query) const {
    return (score - viterbi_score) * WordModel::scale() - static_cast<float>(end_score(query));
  }

  std::uint32_t length = 0;
  float loop = 0;
  float bias_score = 0;     // if the sum of the rows' logarithms is 0
  float viterbi_score = 0;  // if the largest match score and the end's are 0
  cl_int move = 0;
};

// What the bias filter's kernel reads of each pair.
std::vector<std::array<float, 4>> bias_lengths(const PairLaunch& launch, std::span<const PairQuery> queries,
                                               const BiasUser& user, unsigned threads) {
  std::vector<std::array<float, 4>> lengths(launch.pairs.size());
  parallel_for(threads, lengths.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
    OfLength of_length;
    for (; from < to; ++from) {
      const Pair& pair = launch.pairs[from];
      of_length.set(pair.length);
      const float score = of_length.bias_score;
      const ViterbiLimits limits =
          user.needs_viterbi ? user.needs_viterbi(pair.query, pair.n) : ViterbiLimits();
      lengths[from] = {of_length.loop, limits.least - score, limits.most - score,
                       of_length.match_score_of(score + limits.above_bias, queries[pair.query])};
    }
  });
  return lengths;
}

// Consecutive pairs of a model as the kernels read them: whole groups of them, and enough that those which
// are chosen of them fill groups. Sets the segments of groups.
std::vector<std::array<cl_int, 4>> segments_of(std::span<const Pair> pairs,
                                               std::span<const PairQuery> queries, std::span<Four> groups) {
  constexpr std::size_t kMostPairs = 4096;
  std::vector<std::array<cl_int, 4>> segments;
  for (std::size_t first = 0; first < pairs.size();) {
    const std::uint32_t query = pairs[first].query;
    std::size_t last = first + 1;
    while (last < pairs.size() && last - first < kMostPairs && pairs[last].query == query) ++last;
    segments.push_back({static_cast<cl_int>(first), static_cast<cl_int>(last - first),
                        WordModel::kBase - end_score(queries[query]), 0});
    first = last;
  }
  for (Four& group : groups) {
    const auto behind = std::ranges::upper_bound(segments, static_cast<cl_int>(group[0]), {},
                                                 [](const auto& segment) { return segment[0]; });
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
  using Result = std::array<float, 4>;  // sum of logarithms, last row, how they are, not used here
  constexpr float kUnsure = 0, kChosen = 2;
  const Call call{
      launch, queries, batch, residues, LaunchModels(launch.pairs, queries.size()), viterbi_sizes(queries)};
  const std::vector<float> tables = bias_tables(call.models, queries);
  const std::vector<std::array<float, 4>> lengths = bias_lengths(launch, queries, user, threads_);
  const bool with_viterbi =
      std::ranges::any_of(lengths, [](const auto& length) { return length[1] <= length[2]; });
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
                      lengths_.buffer(), WordModel::scale(), bias_results_.buffer());
    if (with_viterbi) {
      queue_.flush();
      words = ViterbiTables(call.models, queries);
      send_tables(words);
      send_segments(call);
      send_moves(call, launch.pairs);
      choose(false, launch.sequences);
      begin_viterbi(false, call);
      choose(true, launch.sequences);
      done = begin_viterbi(true, call);
    }
    times.push_back(queue_.wait_timed(done, begun));
    queue_.fetch(bias_results_.buffer(), results.data()->data(), results.size() * std::tuple_size_v<Result>);
    if (with_viterbi) queue_.fetch(results_.buffer(), least.data(), least.size());
    parallel_for(threads_, results.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from) {
        const auto& [sum, last, how, unused] = results[from];
        if (how == kUnsure) continue;
        const Pair& pair = launch.pairs[from];
        const float total = sum + static_cast<float>(std::log(static_cast<double>(last)));
        user.take(pair.query, pair.n, bias_score_of_sum(total, lengths[from][0], pair.length));
      }
    });
    if (with_viterbi) {
      take_viterbi(
          call, least, [&](std::size_t p) { return results[p][2] == kChosen; }, user.take_viterbi, times);
    }
    return times;
  });
}

void FilterStream::send_segments(const Call& call) {
  const std::span<const Pair> pairs = call.launch.pairs;
  sent_.groups = pair_groups(pairs, call.launch.sequences, call.models, call.sizes);
  sent_.segments = segments_of(pairs, call.queries, sent_.groups);
  send(queue_, groups_, sent_.groups);
  send(queue_, segments_, sent_.segments);
  order_.at_least(device_, pairs.size() * sizeof(cl_uint));
  counts_.at_least(device_, sent_.segments.size() * sizeof(cl_uint));
}

// Makes `order_` and `groups_` those of the pairs that need a Viterbi score; if `again`, of these the ones
// that need their exact score.
void FilterStream::choose(bool again, std::size_t items) {
  queue_.launch(kernels_["choose"], {{sent_.segments.size() * items}, {items}}, segments_.buffer(),
                bias_results_.buffer(), results_.buffer(), order_.buffer(), counts_.buffer(), cl_int{again},
                cl::Local(items * sizeof(cl_uint)));
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

void FilterStream::send_moves(const Call& call, std::span<const Pair> pairs) {
  const std::size_t sequences = call.launch.sequences;
  // Work-groups that fill the device take the groups in turn, so that only they need room for cells.
  constexpr std::size_t kItemsOfUnit = 512, kSides = 2;
  const std::size_t bytes =
      kSides * viterbi_room(call.launch.size) * kViterbiBlock * sizeof(cl_int) * sequences;
  const std::size_t filling =
      std::max(1U, device_.info().compute_units) * std::max<std::size_t>(1, kItemsOfUnit / sequences);
  const std::size_t working =
      std::min(sent_.groups.size(), std::clamp<std::size_t>(viterbi_bytes_ / bytes, 1, filling));
  sent_.moves.clear();
  OfLength of_length;
  for (const Pair& pair : pairs) {
    of_length.set(pair.length);
    sent_.moves.push_back(of_length.move);
  }
  sent_.taken.fill(static_cast<cl_uint>(working));
  send(queue_, moves_, sent_.moves);
  send(queue_, taken_, sent_.taken);
  results_.at_least(device_, pairs.size() * sizeof(cl_int));
  cells_.at_least(device_, std::bit_ceil(working * bytes));
}

cl::Event FilterStream::begin_viterbi(bool exact, const Call& call) {
  const std::size_t sequences = call.launch.sequences, working = sent_.taken[0];
  return queue_.launch(kernels_["viterbi"], {{working * sequences}, {sequences}}, call.residues.buffer(),
                       groups_.buffer(), pairs_.buffer(), models_.buffer(), steps_.buffer(),
                       emissions_.buffer(), order_.buffer(), moves_.buffer(), results_.buffer(),
                       cells_.buffer(), static_cast<cl_uint>(viterbi_room(call.launch.size)),
                       static_cast<cl_uint>(sent_.groups.size()), taken_.buffer(), cl_int{exact},
                       cl::Local(sizeof(cl_uint)));
}

std::vector<cl_int> FilterStream::viterbi_results(bool exact, const Call& call, std::span<const Pair> pairs,
                                                  std::vector<CommandTime>& times) {
  std::vector<cl_int> results(pairs.size());
  send_pairs(call, pairs);
  order_all(call, pairs);
  send_moves(call, pairs);
  const std::uint64_t begun = Queue::host_time();
  times.push_back(queue_.wait_timed(begin_viterbi(exact, call), begun));
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
  // Whether the pair needs its exact score.
  const auto is_left_open = [&](const Pair& pair, cl_int result) {
    const cl_int best = result > kMost ? result - kExact : result;
    const int with_end = best + end_score(call.queries[pair.query]);
    const bool is_exact = result > kMost || with_end <= WordModel::kBase || best >= kMost;
    const float score = best >= kMost
                            ? std::numeric_limits<float>::infinity()
                            : word_score(std::max<int>(WordModel::kImpossible, with_end), pair.length);
    return !take(pair.query, pair.n, score, is_exact) && !is_exact;
  };
  std::vector<char> is_open(least.size());
  parallel_for(threads_, is_open.size(), kPairsOfBlock, [&](std::size_t from, std::size_t to) {
    const FlushToZero flush;
    for (; from < to; ++from) {
      if (is_given(from)) is_open[from] = is_left_open(call.launch.pairs[from], least[from]);
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
    for (; from < to; ++from) is_left_open(again[from], best[from]);
  });
}

}  // namespace gpuhmm::hmmer3
