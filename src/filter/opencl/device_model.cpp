// Makes the tables of the exact kernel, and decides which of its scores are exact.
#include "filter/opencl/device_model.hpp"

#include <algorithm>
#include <span>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

namespace {

// Adding one more parameter to a score of up to this size cannot overflow 32 bits.
constexpr std::int64_t kLargestGain = std::int64_t{1} << 30;

std::int32_t clamped(std::int32_t score) { return std::max(score, kDeviceLow); }

std::uint64_t pair_of(std::int32_t match, std::int32_t insert) {
  return static_cast<std::uint32_t>(clamped(match)) |
         std::uint64_t{static_cast<std::uint32_t>(clamped(insert))} << 32U;
}

// The largest loss among scores above minus infinity, as a positive number; 0 if there is none.
std::int64_t loss(std::span<const std::int32_t> scores) {
  std::int64_t most = 0;
  for (const std::int32_t score : scores) {
    if (score > kMinusInfinity) most = std::max(most, -std::int64_t{score});
  }
  return most;
}

}  // namespace

DeviceModel::DeviceModel(const ScoreModel& model)
    : specials{clamped(model.n_begin), clamped(model.n_loop), clamped(model.e_to_c),  clamped(model.e_to_j),
               clamped(model.c_end),   clamped(model.c_loop), clamped(model.j_begin), clamped(model.j_loop)} {
  const auto nodes = static_cast<std::size_t>(model.nodes);
  parameters.reserve(nodes * 9);
  for (std::size_t k = 1; k <= nodes; ++k) {
    for (const auto* scores : {&model.mm, &model.mi, &model.md, &model.im, &model.ii, &model.dm, &model.dd,
                               &model.begin, &model.end}) {
      parameters.push_back(clamped((*scores)[k]));
    }
  }
  emission.assign(nodes * 32, pair_of(kDeviceLow, kDeviceLow));
  for (int x = 0; x < model.code_count(); ++x) {
    const auto match = model.match_row(x);
    const auto insert = model.insert_row(x);
    for (std::size_t k = 1; k <= nodes; ++k) emission[(k - 1) * 32 + x] = pair_of(match[k], insert[k]);
  }
}

ScoreRange::ScoreRange(const ScoreModel& model) : gain_(gain_of_any_path(model)) {
  const std::int32_t loops[] = {model.n_loop, model.j_loop, model.c_loop};
  const std::int32_t moves[] = {model.n_begin, model.e_to_c, model.e_to_j, model.c_end, model.j_begin};
  const std::int64_t delete_loss = std::max({loss(model.md), loss(model.dd), loss(model.dm)});
  loss_per_residue_ = std::max(loss(model.match), loss(model.insert)) +
                      std::max({loss(model.mm), loss(model.mi), loss(model.im), loss(model.ii), loss(loops)});
  loss_at_most_ = (std::int64_t{model.nodes} + 1) * delete_loss + loss(model.begin) + loss(model.end);
  for (const std::int32_t move : moves) loss_at_most_ += loss({&move, 1});
  // If C can loop, cutting a path after its first domain gives a path with one domain.
  one_domain_suffices_ = model.c_loop > kMinusInfinity;
}

ScoreRange::Verdict ScoreRange::judge(std::size_t length, std::int32_t score) const {
  const auto residues = static_cast<std::int64_t>(length);
  if (residues > gain_.longest(kLargestGain)) return Verdict::Unknown;
  const std::int64_t highest_false = kDeviceLow + gain_(length);
  if (score > highest_false) return Verdict::Exact;
  const std::int64_t lowest_real = -residues * loss_per_residue_ - loss_at_most_;
  return one_domain_suffices_ && lowest_real > highest_false ? Verdict::NoPath : Verdict::Unknown;
}

}  // namespace gpuhmm
