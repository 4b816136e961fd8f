// Launches Forward, asks which pairs pass, launches Backward for those, and hands out the rows.
#include "hmmer3/opencl/sweep_stream.hpp"

#include <algorithm>
#include <cmath>

#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Scales that the kernel lists for a pair, behind C and their number.
constexpr std::size_t kFirstScale = 2, kListed = 14;

static_assert(sizeof(SpecialRow) == 6 * sizeof(float));

float score_of(std::span<const SpecialRow> rows, const LengthModel& lengths) {
  std::vector<float> scales;
  for (const SpecialRow& row : rows) {
    if (row.scale > 1) scales.push_back(row.scale);
  }
  return sweep_score(scales, rows.back().c, lengths);
}

LengthModel lengths_of(const Pair& pair) { return LengthModel::multihit(pair.length); }

std::array<float, 2> probabilities_of(const Pair& pair) {
  const LengthModel lengths = lengths_of(pair);
  return {lengths.move, lengths.loop};
}

}  // namespace

std::size_t sweep_local_bytes(std::size_t steps, std::size_t sequences) {
  const std::size_t items = sequences * kStripes;
  return sweep_cell_bytes(steps, items) + sweep_join_bytes(items) + sweep_flag_bytes(items);
}

// A pair that passes Forward, or one of so many scales that its rows are needed to know.
struct SweepStream::Passed {
  Pair pair;
  Four place;  // first residue, residues, first row of Forward, first row that is handed out
  bool asked = false;
};

SweepStream::SweepStream(const OpenDevice& device, const std::string& options, unsigned threads)
    : device_(device),
      threads_(threads),
      kernels_(device, {"hmmer3_arithmetic.cl", "hmmer3_sweeps.cl", "hmmer3_backward.cl"},
               options + " -DKEEPS=NOTHING -DLISTED=" + std::to_string(kListed)),
      queue_(device),
      input_(queue_) {
  kernels_["forward"];
}

std::vector<SweepStream::Passed> SweepStream::passed_of(std::span<const Pair> pairs,
                                                        std::span<const Four> places,
                                                        const SweepUser& user) const {
  std::vector<Passed> passed;
  cl_uint rows = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const Ends& ends = ends_found_[p];
    const float last_c = ends[0];
    if (!std::isfinite(last_c) || last_c == 0) continue;
    const auto scaled = static_cast<std::size_t>(ends[1]);
    const bool asked = scaled <= kListed;
    if (asked) {
      const float score =
          sweep_score(std::span(ends).subspan(kFirstScale, scaled), last_c, lengths_of(pairs[p]));
      if (!user.passes(pairs[p].query, pairs[p].n, score)) continue;
    }
    passed.push_back({pairs[p], {places[p][0], places[p][1], places[p][2], rows}, asked});
    rows += 2 * (pairs[p].length + 1);
  }
  return passed;
}

std::vector<CommandTime> SweepStream::run(const PairLaunch& launch, std::span<const PairQuery> queries,
                                          const SequenceBatch& batch, const cl::Buffer& residues,
                                          const SweepUser& user) {
  const LaunchModels models(launch.pairs, queries.size());
  const SweepTables tables(models, queries);
  std::vector<std::size_t> sizes;
  for (const PairQuery& query : queries) sizes.push_back(query.profile->floats.steps());
  const std::size_t items = launch.sequences * kStripes;
  const cl::LocalSpaceArg cells = cl::Local(sweep_cell_bytes(launch.size, items));
  const cl::LocalSpaceArg joins = cl::Local(sweep_join_bytes(items));
  std::vector<Four> places = pair_places(launch.pairs, batch);
  std::vector<std::array<float, 2>> lengths;
  cl_uint row_count = 0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    places[p][2] = row_count;
    row_count += launch.pairs[p].length + 1;
    lengths.push_back(probabilities_of(launch.pairs[p]));
  }
  const std::vector<Four> groups = pair_groups(launch.pairs, launch.sequences, models, sizes);
  std::vector<Passed> passed;
  std::vector<Pair> passed_pairs;
  std::vector<Four> passed_places, passed_groups;
  std::vector<std::array<float, 2>> passed_lengths;
  std::vector<cl_uint> own_scales;
  return queue_.finished_if_failed([&] {
    input_.send_models(tables);
    input_.send_pairs(places, lengths, groups);
    rows_.at_least(device_, row_count * sizeof(SpecialRow));
    ends_found_.resize(places.size());
    ends_.at_least(device_, ends_found_.size() * sizeof(Ends));
    const cl::Event forward = queue_.launch(
        kernels_["forward"], sweep_items(launch, groups.size()), residues, input_.groups(), input_.models(),
        input_.transitions(), input_.deletes(), input_.emissions(), input_.pairs(), input_.lengths(),
        rows_.buffer(), ends_.buffer(), cells, joins, cl::Local(sweep_flag_bytes(items)));
    queue_.wait_flushed(forward);
    queue_.fetch(ends_.buffer(), ends_found_.data()->data(), ends_found_.size() * std::tuple_size_v<Ends>);
    std::vector<CommandTime> times{queue_.time_of(forward)};
    passed = passed_of(launch.pairs, places, user);
    if (passed.empty()) return times;

    for (const Passed& one : passed) {
      passed_pairs.push_back(one.pair);
      passed_places.push_back(one.place);
      passed_lengths.push_back(probabilities_of(one.pair));
    }
    passed_groups = pair_groups(passed_pairs, launch.sequences, models, sizes);
    input_.send_pairs(passed_places, passed_lengths, passed_groups);
    const std::size_t found = passed.back().place[3] + 2 * (std::size_t{passed.back().pair.length} + 1);
    found_.at_least(device_, found * sizeof(SpecialRow));
    own_scales.resize(passed.size());
    own_scales_.at_least(device_, own_scales.size() * sizeof(cl_uint));
    rows_found_.at_least(queue_, found);
    const cl::Event backward = queue_.launch(
        kernels_["backward"], sweep_items(launch, passed_groups.size()), residues, input_.groups(),
        input_.models(), input_.transitions(), input_.deletes(), input_.emissions(), input_.pairs(),
        input_.lengths(), rows_.buffer(), found_.buffer(), own_scales_.buffer(), cells, joins);
    queue_.wait_flushed(backward);
    queue_.receive(own_scales_.buffer(), own_scales.data(), own_scales.size());
    queue_.fetch(found_.buffer(), rows_found_.data(), found);
    times.push_back(queue_.time_of(backward));
    parallel_for(threads_, passed.size(), 8, [&](std::size_t from, std::size_t to) {
      for (; from < to; ++from) {
        const auto& [pair, place, asked] = passed[from];
        const std::size_t count = std::size_t{pair.length} + 1;
        const std::span rows(rows_found_.data() + place[3], 2 * count);
        const SweptRows swept{rows.first(count), rows.last(count), lengths_of(pair), own_scales[from] != 0};
        if (asked || user.passes(pair.query, pair.n, score_of(swept.forward, swept.lengths)))
          user.use(pair.query, pair.n, swept);
      }
    });
    return times;
  });
}

}  // namespace gpuhmm::hmmer3
