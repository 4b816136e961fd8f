// Lays the gains of two models side by side.
#include "hmmer3/opencl/ssv_tables.hpp"

#include <algorithm>

#include "filter/opencl/gpu_model.hpp"
#include "hmmer3/arithmetic.hpp"
#include "util/parallel.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::uint32_t kNever = 0xffff;  // no cell of the kernel is as high
constexpr int kWorstGain = -127;

std::uint32_t halves(std::uint32_t a, std::uint32_t b) { return (a & 0xffffU) | b << 16U; }

std::uint32_t gain(const SsvQuery* query, std::size_t code, int node) {
  if (query == nullptr || node > query->model->nodes) return static_cast<std::uint32_t>(kWorstGain);
  const std::size_t codes = query->model->costs.size() / static_cast<std::size_t>(query->model->nodes + 1);
  return static_cast<std::uint32_t>(code < codes ? -query->model->ssv_cost(code, node) : kWorstGain);
}

std::uint32_t least_cell(const SsvQuery* query, const LengthTerms& length) {
  if (query == nullptr) return kNever;
  return std::min(kNever, static_cast<std::uint32_t>(query->marks.least_rise(length) + kSsvBase));
}

}  // namespace

std::size_t steps_of(const SsvPair& pair) {
  int nodes = 0;
  for (const SsvQuery* const query : pair) {
    if (query != nullptr) nodes = std::max(nodes, query->model->nodes);
  }
  return static_cast<std::size_t>((nodes + kSsvStepNodes - 1) / kSsvStepNodes);
}

SsvTables::SsvTables(std::span<const SsvPair> pairs, std::span<const LengthTerms> lengths, unsigned threads) {
  for (const SsvPair& pair : pairs) {
    const std::size_t own = steps_of(pair);
    pair_steps.push_back({static_cast<std::uint32_t>(steps), static_cast<std::uint32_t>(own)});
    steps += own;
  }
  gains.resize(steps * kSsvStepWords);
  least.resize(pairs.size() * lengths.size());
  parallel_for(threads, pairs.size(), 1, [&](std::size_t p, std::size_t) {
    const FlushToZero flush;
    const auto [a, b] = pairs[p];
    std::uint32_t* out = gains.data() + pair_steps[p][0] * kSsvStepWords;
    const int nodes = static_cast<int>(pair_steps[p][1]) * kSsvStepNodes;
    for (int node = 1; node <= nodes; ++node) {
      for (std::size_t code = 0; code < kGpuCodes; ++code)
        *out++ = halves(gain(a, code, node), gain(b, code, node));
    }
    for (std::size_t c = 0; c < lengths.size(); ++c) {
      least[p * lengths.size() + c] = halves(least_cell(a, lengths[c]), least_cell(b, lengths[c]));
    }
  });
}

}  // namespace gpuhmm::hmmer3
