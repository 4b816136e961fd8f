// Launches the sweeps over envelopes one after the other, and what is wanted behind them; turns columns and
// sums into alignments and odds.
#include "hmmer3/opencl/envelope_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/null2.hpp"
#include "hmmer3/opencl/streams.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Places in what the kernels write of a pair: cl/hmmer3_sweeps.cl, cl/hmmer3_null2.cl.
constexpr std::size_t kFirstScale = 2;
enum ResultPlace : std::size_t { kAccuracy, kEndRow, kEndNode, kFinite, kOutside, kColumns, kOdds };
constexpr unsigned kStateBit = 30;
// Of the kernels of accuracies and null2 odds: work-items of a pair, and how many of them share a stripe; in
// local memory, floats of a step: M, D, I, and sums of posteriors of M and I.
constexpr std::size_t kItems = 32, kParts = kItems / kStripes;
constexpr std::size_t kWeights = 2;

std::size_t step_bytes(std::size_t steps, std::size_t values) {
  return (steps + kParts - 1) / kParts * values * kItems * sizeof(float);
}

cl_uint most_columns(const Pair& pair, const PairQuery& query) {
  return pair.length + static_cast<cl_uint>(query.profile->profile.nodes);
}

bool keeps_cells(const EnvelopeTask& task) { return task.wants_null2 || task.wants_alignment(); }

}  // namespace

std::size_t envelope_local_bytes(std::size_t steps, std::size_t /*sequences*/) {
  return step_bytes(steps, kCellStates) + step_bytes(steps, kWeights) + 2 * kItems * sizeof(cl_float4) +
         kItems * sizeof(float);
}

EnvelopePairs envelope_pairs(std::span<const EnvelopeQuery> envelopes) {
  EnvelopePairs pairs;
  for (const EnvelopeQuery& query : envelopes) pairs.add(*query.profile, query.envelopes);
  return pairs;
}

SweepKernels EnvelopeStream::sweeps(const OpenDevice& device, const std::string& options,
                                    const SweepShapes& shapes) {
  return {device,
          {"hmmer3_arithmetic.cl", "hmmer3_joins.cl", "hmmer3_sweeps.cl", "hmmer3_backward.cl"},
          options + " -DKEEPS=ENVELOPES -DLISTED=" + std::to_string(kListed),
          shapes};
}

KernelSet EnvelopeStream::kernels(const OpenDevice& device, const std::string& options) {
  return {device, {"hmmer3_arithmetic.cl", "hmmer3_null2.cl", "hmmer3_envelopes.cl"}, options};
}

EnvelopeStream::EnvelopeStream(const OpenDevice& device, const std::string& options,
                               const SweepShapes& shapes, unsigned threads)
    : device_(device),
      threads_(threads),
      sweeps_(sweeps(device, options, shapes)),
      kernels_(kernels(device, options)),
      queue_(device, Timing::Off),
      input_(queue_) {
  kernels_["accuracy"];
}

CommandTime EnvelopeStream::run(const PairLaunch& launch, const EnvelopePairs& pairs,
                                const cl::Buffer& residues) {
  const LaunchModels models(launch.pairs, pairs.queries.size());
  const SweepTables tables(models, pairs.queries);
  const std::size_t count = launch.pairs.size();
  const PartPlaces places(launch, pairs, keeps_cells);
  const std::size_t rows = places.rows, cells = places.cells;
  const std::size_t cell_bytes = cell_buffer_bytes(device_.info(), cells * 2 * sizeof(float));
  const SweepKernels::Use sweeps = sweeps_.for_launch(launch);
  const std::vector<Four> groups = sweeps.groups(launch.pairs, models, places.sizes);
  const auto task_of = [&](const Pair& pair) -> const EnvelopeTask& { return *pairs.tasks[pair.sequence]; };
  std::vector<Four> aligned = pair_groups(launch.pairs, 1, models, places.sizes);
  for (Four& group : aligned) group[3] = task_of(launch.pairs[group[0]]).wants_null2 ? 1 : 0;
  const auto first_other = std::stable_partition(aligned.begin(), aligned.end(), [&](const Four& group) {
    return task_of(launch.pairs[group[0]]).wants_alignment();
  });
  const std::vector<Four> others(first_other, aligned.end());
  aligned.erase(first_other, aligned.end());
  // All columns of all alignments, if those of one are wanted.
  const bool ends_only = std::ranges::none_of(
      launch.pairs, [&](const Pair& pair) { return task_of(pair).wanted == AlignmentDetail::Rows; });
  std::vector<cl_uint> column_places;
  cl_uint columns = 0;
  for (const Pair& pair : launch.pairs) {
    column_places.push_back(columns);
    if (task_of(pair).wants_alignment())
      columns += ends_only ? 2 : most_columns(pair, pairs.queries[pair.query]);
  }
  const auto plain = static_cast<cl_uint>(
      Alphabet::get(pairs.queries[launch.pairs.front().query].profile->profile.alphabet).size());
  ends_found_.resize(count);
  own_scales_found_.resize(count);
  results_found_.resize(count);
  return queue_.finished_if_failed([&] {
    input_.send_models(tables);
    input_.send_pairs(places.pairs, places.lengths, groups);
    forward_rows_.at_least(device_, rows * sizeof(SpecialRow));
    backward_rows_.at_least(device_, rows * sizeof(SpecialRow));
    ends_.at_least(device_, count * sizeof(Ends));
    own_scales_.at_least(device_, count * sizeof(cl_uint));
    forward_cells_.at_least(device_, cell_bytes);
    backward_cells_.at_least(device_, cell_bytes);
    results_.at_least(device_, count * sizeof(Result));
    if (!aligned.empty()) {
      send(queue_, aligned_, aligned);
      send(queue_, column_places_, column_places);
      choices_.at_least(device_, std::bit_ceil(cells));
      factors_.at_least(device_, rows * sizeof(float));
      columns_.at_least(device_, columns * sizeof(Column));
      columns_found_.reserve(std::bit_ceil(columns));
    }
    if (!others.empty()) send(queue_, others_, others);
    const WorkItems work = sweeps.work(groups.size());
    const std::uint64_t begun = Queue::host_time();
    queue_.launch(sweeps.kernels["forward"], work, residues, input_.groups(), input_.models(),
                  input_.transitions(), input_.deletes(), input_.emissions(), input_.pairs(),
                  input_.lengths(), forward_rows_.buffer(), ends_.buffer(), forward_cells_.buffer(),
                  sweeps.joins());
    queue_.launch(sweeps.kernels["backward"], work, residues, input_.groups(), input_.models(),
                  input_.transitions(), input_.deletes(), input_.emissions(), input_.pairs(),
                  input_.lengths(), forward_rows_.buffer(), backward_rows_.buffer(), own_scales_.buffer(),
                  backward_cells_.buffer(), sweeps.joins());
    cl::Event last;
    if (!aligned.empty()) last = launch_alignments(aligned.size(), launch.size, plain, ends_only);
    if (!others.empty()) last = launch_null2(others.size(), launch.size, plain);
    const CommandTime time = queue_.wait_timed(last, begun);
    queue_.receive(ends_.buffer(), ends_found_.data(), count);
    queue_.receive(own_scales_.buffer(), own_scales_found_.data(), count);
    if (columns > 0) queue_.receive(columns_.buffer(), columns_found_.data(), columns);
    queue_.fetch(results_.buffer(), results_found_.data(), count);
    parallel_for(threads_, count, 64, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from)
        take(launch.pairs[from], pairs, from, columns_found_.data() + column_places[from], ends_only);
    });
    return time;
  });
}

cl::Event EnvelopeStream::launch_alignments(std::size_t count, std::size_t steps, cl_uint plain,
                                            bool ends_only) {
  queue_.launch(kernels_["accuracy"], {{count * kItems}, {kItems}}, aligned_.buffer(), input_.models(),
                input_.transitions(), input_.emissions(), input_.pairs(), input_.lengths(),
                forward_rows_.buffer(), backward_rows_.buffer(), forward_cells_.buffer(),
                backward_cells_.buffer(), choices_.buffer(), factors_.buffer(), results_.buffer(), plain,
                cl::Local(step_bytes(steps, kCellStates)), cl::Local(step_bytes(steps, kWeights)),
                cl::Local(2 * kItems * sizeof(cl_float4)), cl::Local(kItems * sizeof(float)));
  constexpr std::size_t kAlignmentItems = 64;
  return queue_.launch(
      kernels_["alignment"],
      {{(count + kAlignmentItems - 1) / kAlignmentItems * kAlignmentItems}, {kAlignmentItems}},
      static_cast<cl_uint>(count), static_cast<cl_uint>(ends_only), aligned_.buffer(), input_.models(),
      input_.pairs(), column_places_.buffer(), forward_cells_.buffer(), backward_cells_.buffer(),
      choices_.buffer(), factors_.buffer(), results_.buffer(), columns_.buffer());
}

cl::Event EnvelopeStream::launch_null2(std::size_t count, std::size_t steps, cl_uint plain) {
  return queue_.launch(kernels_["null2"], {{count * kItems}, {kItems}}, others_.buffer(), input_.models(),
                       input_.emissions(), input_.pairs(), input_.lengths(), forward_rows_.buffer(),
                       backward_rows_.buffer(), forward_cells_.buffer(), backward_cells_.buffer(),
                       results_.buffer(), plain, cl::Local(step_bytes(steps, kWeights)),
                       cl::Local(kItems * sizeof(float)), cl::Local(kItems * sizeof(cl_int)));
}

void EnvelopeStream::take(const Pair& pair, const EnvelopePairs& pairs, std::size_t place,
                          const Column* columns, bool ends_only) const {
  const Ends& ends = ends_found_[place];
  const Result& result = results_found_[place];
  const float last_c = ends[0];
  const auto scaled = static_cast<std::size_t>(ends[1]);
  if (!std::isfinite(last_c) || last_c == 0 || scaled > kListed || own_scales_found_[place] != 0 ||
      result[kFinite] == 0)
    return;
  EnvelopeTask& task = *pairs.tasks[pair.sequence];
  task.forward_score = sweep_score(std::span(ends).subspan(kFirstScale, scaled), last_c, task.lengths);
  if (task.wants_null2) {
    const Alphabet& alphabet = Alphabet::get(pairs.queries[pair.query].profile->profile.alphabet);
    const float* const odds = result.data() + kOdds;
    task.outside_share = result[kOutside];
    task.odds.assign(odds, odds + alphabet.size());
    complete_odds(alphabet, task.outside_share, task.odds);
  }
  if (task.wants_alignment()) take_alignment(result, columns, ends_only, task.alignment);
  task.alignment.reduce(task.wanted);
  task.scored = true;
}

void EnvelopeStream::take_alignment(const Result& result, const Column* columns, bool ends_only,
                                    EnvelopeAlignment& alignment) {
  alignment.accuracy = result[kAccuracy];
  alignment.columns.clear();
  auto residue = static_cast<std::size_t>(result[kEndRow]);
  for (std::size_t c = 0; c < static_cast<std::size_t>(result[kColumns]); ++c) {
    const auto& [node, number] = columns[c];
    const auto state = static_cast<CellState>(node >> kStateBit);
    const auto k = static_cast<int>(node & ((cl_uint{1} << kStateBit) - 1));
    if (ends_only) residue = number;
    alignment.columns.push_back({state, k, state == kDelete ? 0 : residue, std::bit_cast<float>(number)});
    if (state != kDelete) --residue;
  }
  keep_matches(alignment.columns);
}

}  // namespace gpuhmm::hmmer3
