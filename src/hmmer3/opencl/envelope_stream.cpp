// Launches the sweeps over envelopes one after the other; turns columns and sums into alignments and odds.
#include "hmmer3/opencl/envelope_stream.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "hmmer3/arithmetic.hpp"
#include "hmmer3/null2.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Places in what the kernels write of a pair: cl/hmmer3_sweeps.cl, cl/hmmer3_envelopes.cl.
constexpr std::size_t kFirstScale = 2;
enum ResultPlace : std::size_t { kAccuracy, kEndRow, kEndNode, kFinite, kOutside, kColumns, kOdds };
constexpr unsigned kStateBit = 30;
// Of the kernel of accuracies: work-items of a pair, and how many of them share a stripe; in local memory,
// floats of a step: M, D, I, and sums of posteriors of M and I.
constexpr std::size_t kItems = 32, kParts = kItems / kStripes;
constexpr std::size_t kWeights = 2;

std::size_t step_bytes(std::size_t steps, std::size_t values) {
  return (steps + kParts - 1) / kParts * values * kItems * sizeof(float);
}

std::size_t most_columns(const Pair& pair, const PairQuery& query) {
  return std::size_t{pair.length} + static_cast<std::size_t>(query.profile->profile.nodes);
}

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
  return {device, {"hmmer3_arithmetic.cl", "hmmer3_envelopes.cl"}, options};
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
  const PartPlaces places(launch, pairs);
  const cl_uint rows = places.rows;
  const std::size_t cells = places.cells;
  std::vector<std::array<cl_uint, 2>> column_places;
  cl_uint columns = 0;
  for (const Pair& pair : launch.pairs) {
    column_places.push_back({columns, models.model_of[pair.query]});
    columns += static_cast<cl_uint>(most_columns(pair, pairs.queries[pair.query]));
  }
  const SweepKernels::Use sweeps = sweeps_.for_launch(launch);
  const std::vector<Four> groups = sweeps.groups(launch.pairs, models, places.sizes);
  const std::vector<Four> single_groups = pair_groups(launch.pairs, 1, models, places.sizes);
  const auto plain = static_cast<cl_uint>(
      Alphabet::get(pairs.queries[launch.pairs.front().query].profile->profile.alphabet).size());
  ends_found_.resize(count);
  own_scales_found_.resize(count);
  results_found_.resize(count);
  return queue_.finished_if_failed([&] {
    input_.send_models(tables);
    input_.send_pairs(places.pairs, places.lengths, groups);
    queue_.send(column_places_.at_least(device_, count * sizeof(column_places[0])), column_places.data(),
                count);
    forward_rows_.at_least(device_, rows * sizeof(SpecialRow));
    backward_rows_.at_least(device_, rows * sizeof(SpecialRow));
    ends_.at_least(device_, count * sizeof(Ends));
    own_scales_.at_least(device_, count * sizeof(cl_uint));
    forward_cells_.at_least(device_, std::bit_ceil(cells * 2 * sizeof(float)));
    backward_cells_.at_least(device_, std::bit_ceil(cells * 2 * sizeof(float)));
    choices_.at_least(device_, std::bit_ceil(cells));
    factors_.at_least(device_, rows * sizeof(float));
    results_.at_least(device_, count * sizeof(Result));
    columns_.at_least(device_, columns * sizeof(Column));
    columns_found_.reserve(std::bit_ceil(columns));
    queue_.send(groups_.at_least(device_, single_groups.size() * sizeof(Four)), single_groups.data(),
                single_groups.size());
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
    queue_.launch(kernels_["accuracy"], {{count * kItems}, {kItems}}, groups_.buffer(), input_.models(),
                  input_.transitions(), input_.emissions(), input_.pairs(), input_.lengths(),
                  forward_rows_.buffer(), backward_rows_.buffer(), forward_cells_.buffer(),
                  backward_cells_.buffer(), choices_.buffer(), factors_.buffer(), results_.buffer(), plain,
                  cl::Local(step_bytes(launch.size, kCellStates)),
                  cl::Local(step_bytes(launch.size, kWeights)), cl::Local(2 * kItems * sizeof(cl_float4)),
                  cl::Local(kItems * sizeof(float)));
    constexpr std::size_t kAlignmentItems = 64;
    const cl::Event alignment = queue_.launch(
        kernels_["alignment"],
        {{(count + kAlignmentItems - 1) / kAlignmentItems * kAlignmentItems}, {kAlignmentItems}},
        static_cast<cl_uint>(count), input_.models(), input_.pairs(), column_places_.buffer(),
        forward_cells_.buffer(), backward_cells_.buffer(), choices_.buffer(), factors_.buffer(),
        results_.buffer(), columns_.buffer());
    const CommandTime time = queue_.wait_timed(alignment, begun);
    queue_.receive(ends_.buffer(), ends_found_.data(), count);
    queue_.receive(own_scales_.buffer(), own_scales_found_.data(), count);
    queue_.receive(results_.buffer(), results_found_.data(), count);
    queue_.fetch(columns_.buffer(), columns_found_.data(), columns);
    parallel_for(threads_, count, 64, [&](std::size_t from, std::size_t to) {
      const FlushToZero flush;
      for (; from < to; ++from)
        take(launch.pairs[from], pairs, from, columns_found_.data() + column_places[from][0]);
    });
    return time;
  });
}

void EnvelopeStream::take(const Pair& pair, const EnvelopePairs& pairs, std::size_t place,
                          const Column* columns) const {
  const Ends& ends = ends_found_[place];
  const Result& result = results_found_[place];
  const float last_c = ends[0];
  const auto scaled = static_cast<std::size_t>(ends[1]);
  if (!std::isfinite(last_c) || last_c == 0 || scaled > kListed || own_scales_found_[place] != 0 ||
      result[kFinite] == 0)
    return;
  EnvelopeTask& task = *pairs.tasks[pair.sequence];
  task.forward_score = sweep_score(std::span(ends).subspan(kFirstScale, scaled), last_c, task.lengths);
  task.outside_share = result[kOutside];
  if (task.wants_null2) {
    const Alphabet& alphabet = Alphabet::get(pairs.queries[pair.query].profile->profile.alphabet);
    const float* const odds = result.data() + kOdds;
    task.odds.assign(odds, odds + alphabet.size());
    complete_odds(alphabet, task.outside_share, task.odds);
  }
  task.alignment.accuracy = result[kAccuracy];
  task.alignment.columns.clear();
  auto residue = static_cast<std::size_t>(result[kEndRow]);
  for (std::size_t c = 0; c < static_cast<std::size_t>(result[kColumns]); ++c) {
    const auto& [node, posterior] = columns[c];
    const auto state = static_cast<CellState>(node >> kStateBit);
    const auto k = static_cast<int>(node & ((cl_uint{1} << kStateBit) - 1));
    task.alignment.columns.push_back(
        {state, k, state == kDelete ? 0 : residue, std::bit_cast<float>(posterior)});
    if (state != kDelete) --residue;
  }
  keep_matches(task.alignment.columns);
  task.scored = true;
}

}  // namespace gpuhmm::hmmer3
