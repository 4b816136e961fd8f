// Steps by the node that they leave, emissions by node.
#include "hmmer3/opencl/filter_tables.hpp"

#include <algorithm>

namespace gpuhmm::hmmer3 {

bool viterbi_never_gains(const WordModel& model) {
  return std::ranges::all_of(model.steps, [](const std::vector<std::int16_t>& scores) {
    return std::ranges::all_of(scores, [](std::int16_t score) { return score <= 0; });
  });
}

std::vector<std::size_t> viterbi_sizes(std::span<const PairQuery> queries) {
  std::vector<std::size_t> sizes;
  for (const PairQuery& query : queries) {
    const WordModel& model = query.profile->filters.words;
    sizes.push_back(viterbi_never_gains(model) ? static_cast<std::size_t>(model.nodes) : kNoRoom);
  }
  return sizes;
}

std::vector<float> bias_tables(const LaunchModels& launch, std::span<const PairQuery> queries) {
  std::vector<float> tables;
  for (const std::uint32_t query : launch.queries) {
    const BiasModel& model = queries[query].profile->filters.bias;
    const std::size_t end = tables.size() + kTableCodes;
    tables.insert(tables.end(), model.odds.begin(), model.odds.end());
    tables.resize(end);
    tables.push_back(model.leave);
    tables.push_back(model.stay);
  }
  return tables;
}

ViterbiTables::ViterbiTables(const LaunchModels& launch, std::span<const PairQuery> queries) {
  for (const std::uint32_t query : launch.queries) {
    const WordModel& model = queries[query].profile->filters.words;
    models.push_back({static_cast<cl_int>(steps.size() / 4),
                      static_cast<cl_int>(emissions.size() / kViterbiBlock), model.nodes, model.end_score});
    const std::size_t codes = model.match.size() / static_cast<std::size_t>(model.nodes + 1);
    for (int k = 1; k <= model.nodes; ++k) {
      const auto into_next = [&](Step step) {
        return k < model.nodes ? model.step(step, k + 1) : WordModel::kImpossible;
      };
      for (const cl_int score :
           {cl_int{model.step(kIntoFromBegin, k)}, cl_int{into_next(kIntoFromMatch)},
            cl_int{into_next(kIntoFromInsert)}, cl_int{into_next(kIntoFromDelete)},
            cl_int{model.step(kMatchToInsert, k)}, cl_int{model.step(kInsertToInsert, k)},
            cl_int{model.step(kMatchToDelete, k)}, cl_int{model.step(kDeleteToDelete, k)}}) {
        steps.push_back(score);
      }
    }
    const auto nodes = static_cast<std::size_t>(model.nodes);
    const std::size_t room = viterbi_room(nodes) * kViterbiBlock, first = emissions.size();
    steps.resize(steps.size() + (room - nodes) * kSteps, WordModel::kImpossible);
    emissions.resize(first + room * kTableCodes, WordModel::kImpossible);
    for (std::size_t node = 0; node < nodes; ++node) {
      for (std::size_t code = 0; code < codes; ++code) {
        emissions[first + (node / kViterbiBlock * kTableCodes + code) * kViterbiBlock +
                  node % kViterbiBlock] = model.match_score(code, static_cast<int>(node) + 1);
      }
    }
  }
}

}  // namespace gpuhmm::hmmer3
