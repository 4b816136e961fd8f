// Sizes that keep threads and devices busy, without small rests.
#include "search/hmmer3_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::size_t kMi = std::size_t{1} << 20;
// Residues of a block; a device needs many sequences to be busy.
constexpr std::size_t kMostForDevices = 96 * kMi, kFewForDevices = 16 * kMi;
// Of a batch of a scan.
constexpr std::size_t kOfScan = 64 * kMi;

// Shares may be so much larger than the usual size.
constexpr double kMore = 1.25;
// What is left of the sequences is an estimate: a few residues more, so that few or none are left in the end.
constexpr double kSpare = 1.02;

// How many even shares of `all` are about `most` each: launches of a small rest would take nearly as long as
// others.
double even_shares(double all, double most) { return std::max(1.0, std::ceil(all / (kMore * most))); }

}  // namespace

std::size_t profiles_at_once(unsigned threads) {
  // Two GPUs and 32 threads took 12.7 s for 942 profiles with 128 at once, as launches had too few pairs, and
  // 9.9 s with 256 and 512; four and 64 threads took 9 s with 512 and 19 s with all.
  return std::clamp<std::size_t>(16 * std::size_t{threads}, 128, 512);
}

std::size_t even_part(unsigned threads, std::size_t profiles) {
  const auto all = static_cast<double>(profiles);
  const double share = all / even_shares(all, static_cast<double>(profiles_at_once(threads)));
  return std::max<std::size_t>(static_cast<std::size_t>(std::ceil(share)), 1);
}

std::size_t block_sequences(const gpuhmm::RunOptions& options) {
  constexpr std::size_t kStandard = 1'000'000;
  return options.batch_sequences > 0 ? options.batch_sequences : kStandard;
}

std::size_t block_residues(const SearchOptions& options) {
  constexpr std::size_t kHost = 8 * kMi;
  if (options.batch_residues > 0) return options.batch_residues;
  const bool on_devices =
      !options.devices.empty() || (options.opened != nullptr && !options.gpu_for_much_work);
  return on_devices ? kOfScan : kHost;
}

std::size_t scan_residues(const SearchOptions& options, std::size_t teams) {
  return teams > 0 && options.batch_residues == 0 ? kOfScan : block_residues(options);
}

void BlockResidues::begin_pass(bool is_last) {
  is_last_ = is_last;
  shares_left_ = 0;
  counted_ = 0;
  left_ = total_;
}

std::size_t BlockResidues::most(std::size_t teams) const {
  if (teams == 0 || options_.batch_residues > 0) return block_residues(options_);
  return static_cast<std::size_t>(kSpare * kMore * static_cast<double>(kMostForDevices));
}

// Behind the last pass nothing comes, so that several teams end at about the same time if its blocks get ever
// smaller. Two GPUs took 11.4 s for 1,413 profiles with blocks of 32 Mi residues, and 10.5 s with these.
double BlockResidues::share(std::size_t teams) {
  constexpr auto kMost = static_cast<double>(kMostForDevices), kFew = static_cast<double>(kFewForDevices);
  constexpr double kOfTeam = 1.5;
  const double each = *left_ / static_cast<double>(teams);
  if (teams > 1 && is_last_) {
    // A small rest is taken whole, if the estimate is not too low.
    if (*left_ < 1.5 * kFew) return 1.6 * kFew;
    return std::clamp(each / kOfTeam, kFew, kMost);
  }
  if (shares_left_ == 0) shares_left_ = teams * static_cast<std::size_t>(even_shares(each, kMost));
  return std::max(kSpare * *left_ / static_cast<double>(shares_left_--), kFew);
}

std::size_t BlockResidues::next(std::size_t teams) {
  if (teams == 0) return block_residues(options_);
  const std::size_t told = options_.batch_residues;
  // One team begins with two smaller blocks than these, several with one.
  const std::size_t small = told > 0 ? told : (teams == 1 ? 64 : 32) * kMi;
  if (first_ < small) return std::exchange(first_, 2 * first_);
  if (told > 0) return told;
  return left_ ? static_cast<std::size_t>(share(teams)) : std::max(64 * kMi / teams, kFewForDevices);
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
