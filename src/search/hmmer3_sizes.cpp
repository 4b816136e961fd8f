// Sizes that keep threads and devices busy, without small rests.
#include "search/hmmer3_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuhmm::hmmer3 {

namespace {

// Residues of a block; a device needs many sequences to be busy.
constexpr std::size_t kMostForDevices = std::size_t{64} << 20, kFewForDevices = std::size_t{16} << 20;

// Shares may be so much larger than the usual size.
constexpr double kMore = 1.25;
// What is left of the sequences is an estimate: a few residues more, so that few or none are left in the end.
constexpr double kSpare = 1.02;

// A share of `all` that is about `most`: launches of a small rest would take nearly as long as others.
double even_share(double all, double most) { return all / std::max(1.0, std::ceil(all / (kMore * most))); }

}  // namespace

std::size_t profiles_at_once(unsigned threads) {
  // Two GPUs and 32 threads took 12.7 s for 942 profiles with 128 at once, as launches had too few pairs, and
  // 9.9 s with 256 and 512; four and 64 threads took 9 s with 512 and 19 s with all.
  return std::clamp<std::size_t>(16 * std::size_t{threads}, 128, 512);
}

std::size_t even_part(unsigned threads, std::size_t profiles) {
  const double share =
      even_share(static_cast<double>(profiles), static_cast<double>(profiles_at_once(threads)));
  return std::max<std::size_t>(static_cast<std::size_t>(std::ceil(share)), 1);
}

std::size_t block_sequences(const gpuhmm::RunOptions& options) {
  constexpr std::size_t kStandard = 1'000'000;
  return options.batch_sequences > 0 ? options.batch_sequences : kStandard;
}

std::size_t block_residues(const SearchOptions& options) {
  constexpr std::size_t kHost = std::size_t{8} << 20;
  if (options.batch_residues > 0) return options.batch_residues;
  const bool on_devices =
      !options.devices.empty() || (options.opened != nullptr && !options.gpu_for_much_work);
  return on_devices ? kMostForDevices : kHost;
}

void BlockResidues::begin_pass() {
  counted_ = 0;
  left_ = total_;
}

// With several teams blocks are smaller, so that the teams end at about the same time.
std::size_t BlockResidues::usual(std::size_t teams) const {
  if (teams == 0 || options_.batch_residues > 0) return block_residues(options_);
  return std::max(kMostForDevices / teams, kFewForDevices);
}

std::size_t BlockResidues::most(std::size_t teams) const {
  const std::size_t residues = usual(teams);
  if (teams != 1 || options_.batch_residues > 0) return residues;
  return static_cast<std::size_t>(kSpare * kMore * static_cast<double>(residues));
}

std::size_t BlockResidues::next(std::size_t teams) {
  const std::size_t residues = usual(teams);
  if (teams == 0) return residues;
  if (first_ < residues) return std::exchange(first_, 2 * first_);
  // Two GPUs take longer with even shares, which are larger (docs/history/kernels-gpu.md).
  if (teams > 1 || options_.batch_residues > 0 || !left_) return residues;
  const double share = kSpare * even_share(*left_, static_cast<double>(residues));
  return std::max(static_cast<std::size_t>(share), kFewForDevices);
}

void BlockResidues::count(std::size_t residues, std::optional<double> read, bool last) {
  counted_ += static_cast<double>(residues);
  if (last) total_ = counted_;
  left_.reset();
  if (total_) {
    left_ = *total_ - counted_;
  } else if (read && *read > 0) {
    left_ = counted_ * (1 - *read) / *read;
  }
  if (left_) left_ = std::max(*left_, 0.0);
}

}  // namespace gpuhmm::hmmer3
