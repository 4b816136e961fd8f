// Interleaves the tables of two bounds.
#include "filter/opencl/gpu_bound_pair.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gpuhmm {

namespace {

constexpr std::uint32_t kLow = 0xffff;

std::uint32_t halves(std::uint32_t low, std::uint32_t high) { return (low & kLow) | high << 16; }

std::int32_t signed_half(std::uint32_t word) { return static_cast<std::int16_t>(word & kLow); }

// The parameters of a node of one model, or of the padding behind its table.
class Node {
 public:
  Node(const GpuBoundModel& model, std::size_t n)
      : model_(model),
        nodes_(2 * model.moves.size() / kGpuMoveWords),
        padding_(n >= nodes_),
        place_(std::min(n, nodes_ - 1)) {}

  std::uint32_t emission(std::size_t code) const {
    if (padding_) return model_.padding;
    return model_.emissions[place_ / 2 * kGpuCodes + code] >> (place_ % 2 * 16);
  }
  std::uint32_t move(std::size_t i) const { return moves()[4 * (place_ % 2) + i]; }
  std::uint32_t end() const {
    return padding_ ? static_cast<std::uint32_t>(kGpuImpossibleEnd) : moves()[8 + place_ % 2];
  }

 private:
  const std::uint32_t* moves() const { return &model_.moves[place_ / 2 * kGpuMoveWords]; }

  const GpuBoundModel& model_;
  std::size_t nodes_;
  bool padding_;
  std::size_t place_;
};

}  // namespace

GpuBoundPair::GpuBoundPair(const GpuBoundModel& first, const GpuBoundModel& second, int pairs)
    : begin(halves(first.begin, second.begin)),
      start_p(halves(first.start_p, second.start_p)),
      peak_limits(halves(first.peak_limit, second.peak_limit)) {
  const auto count = static_cast<std::size_t>(pairs);
  emissions.reserve(2 * count * kGpuCodes);
  moves.assign(count * kGpuMoveWords, 0);
  for (std::size_t n = 0; n < 2 * count; ++n) {
    const std::array<Node, 2> nodes = {Node(first, n), Node(second, n)};
    for (std::size_t code = 0; code < kGpuCodes; ++code) {
      emissions.push_back(halves(nodes[0].emission(code), nodes[1].emission(code)));
    }
    std::uint32_t* move = &moves[n / 2 * kGpuMoveWords];
    for (std::size_t i = 0; i < 4; ++i) move[4 * (n % 2) + i] = halves(nodes[0].move(i), nodes[1].move(i));
    move[4 * (n % 2) + kGpuMoveInsertInsert] = joined(signed_half(nodes[0].move(kGpuMoveInsertInsert)),
                                                      signed_half(nodes[1].move(kGpuMoveInsertInsert)));
    move[8 + n % 2] = nodes[0].end();
    move[10 + n % 2] = nodes[1].end();
  }
  for (std::size_t code = 0; code < kGpuCodes; ++code) {
    inserts.push_back(joined(static_cast<std::int32_t>(first.inserts[code]),
                             static_cast<std::int32_t>(second.inserts[code])));
  }
}

}  // namespace gpuhmm
