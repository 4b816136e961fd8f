// Masks short-period repeats.
#include "plan7/xnu.hpp"

#include <vector>

#include "gpuhmm/alphabet.hpp"

namespace gpuhmm {

namespace {

constexpr int kLongestPeriod = 4;
constexpr std::int32_t kTopCut = 21;   // least score of a repeat
constexpr std::int32_t kDropCut = 14;  // a repeat ends where the score falls by more

// PAM120 in the order ACDEFGHIKLMNPQRSTVWYBZX, row-major with 23 columns. HMMER indexes it with its own
// codes, in which U comes before B: U reads the row of B, B that of Z, Z that of X, and X reads past the
// table.
constexpr int kColumns = 23;
// clang-format off
constexpr std::int32_t kPam[24 * kColumns + 1] = {
    3, -3, 0, 0, -4, 1, -3, -1, -2, -3, -2, -1, 1, -1, -3, 1, 1, 0, -7, -4, 1, 0, 0,  // A
    -3, 9, -7, -7, -6, -4, -4, -3, -7, -7, -6, -5, -4, -7, -4, 0, -3, -3, -8, -1, -4, -6, 0,  // C
    0, -7, 5, 3, -7, 0, 0, -3, -1, -5, -4, 2, -3, 1, -3, 0, -1, -3, -8, -5, 5, 3, 0,  // D
    0, -7, 3, 5, -7, -1, -1, -3, -1, -4, -3, 1, -2, 2, -3, -1, -2, -3, -8, -5, 3, 5, 0,  // E
    -4, -6, -7, -7, 8, -5, -3, 0, -7, 0, -1, -4, -5, -6, -5, -3, -4, -3, -1, 4, -4, -5, 0,  // F
    1, -4, 0, -1, -5, 5, -4, -4, -3, -5, -4, 0, -2, -3, -4, 1, -1, -2, -8, -6, 1, -1, 0,  // G
    -3, -4, 0, -1, -3, -4, 7, -4, -2, -3, -4, 2, -1, 3, 1, -2, -3, -3, -3, -1, 2, 2, 0,  // H
    -1, -3, -3, -3, 0, -4, -4, 6, -3, 1, 1, -2, -3, -3, -2, -2, 0, 3, -6, -2, -2, -2, 0,  // I
    -2, -7, -1, -1, -7, -3, -2, -3, 5, -4, 0, 1, -2, 0, 2, -1, -1, -4, -5, -5, 1, 0, 0,  // K
    -3, -7, -5, -4, 0, -5, -3, 1, -4, 5, 3, -4, -3, -2, -4, -4, -3, 1, -3, -2, -3, -2, 0,  // L
    -2, -6, -4, -3, -1, -4, -4, 1, 0, 3, 8, -3, -3, -1, -1, -2, -1, 1, -6, -4, -3, -1, 0,  // M
    -1, -5, 2, 1, -4, 0, 2, -2, 1, -4, -3, 4, -2, 0, -1, 1, 0, -3, -4, -2, 4, 1, 0,  // N
    1, -4, -3, -2, -5, -2, -1, -3, -2, -3, -3, -2, 6, 0, -1, 1, -1, -2, -7, -6, -1, 0, 0,  // P
    -1, -7, 1, 2, -6, -3, 3, -3, 0, -2, -1, 0, 0, 6, 1, -2, -2, -3, -6, -5, 1, 5, 0,  // Q
    -3, -4, -3, -3, -5, -4, 1, -2, 2, -4, -1, -1, -1, 1, 6, -1, -2, -3, 1, -5, -1, 0, 0,  // R
    1, 0, 0, -1, -3, 1, -2, -2, -1, -4, -2, 1, 1, -2, -1, 3, 2, -2, -2, -3, 1, 0, 0,  // S
    1, -3, -1, -2, -4, -1, -3, 0, -1, -3, -1, 0, -1, -2, -2, 2, 4, 0, -6, -3, 1, -1, 0,  // T
    0, -3, -3, -3, -3, -2, -3, 3, -4, 1, 1, -3, -2, -3, -3, -2, 0, 5, -8, -3, -2, -2, 0,  // V
    -7, -8, -8, -8, -1, -8, -3, -6, -5, -3, -6, -4, -7, -6, 1, -2, -6, -8, 12, -2, -5, -6, 0,  // W
    -4, -1, -5, -5, 4, -6, -1, -2, -5, -2, -4, -2, -6, -5, -5, -3, -3, -3, -2, 8, -2, -4, 0,  // Y
    1, -4, 5, 3, -4, 1, 2, -2, 1, -3, -3, 4, -1, 1, -1, 1, 1, -2, -5, -2, 6, 4, 0,  // B
    0, -6, 3, 5, -5, -1, 2, -2, 0, -2, -1, 1, 0, 5, 0, 0, -1, -2, -6, -4, 4, 6, 0,  // Z
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // X
    // The values that HMMER's programs read past the table when the row is X.
    0, 0, 1086275584, 544498511, 858796082, 1296910336, 620778053, 1931812979, 1931814944, 2601, 0, 2037411651, 1751607666, 1126703220, 959520809, 841822777, 540225584, 1229801544, 1935759151, 1735289192, 544108404, 1986621013, 1769173605, 1394637172};
// clang-format on

// One diagonal of the self-comparison: residues against those `period` before them. Positions count from 1.
class Diagonal {
 public:
  Diagonal(std::span<const std::uint8_t> residues, int period, std::vector<bool>& masked)
      : residues_(residues), period_(period), masked_(masked), begin_(period) {}

  void scan() {
    const auto length = static_cast<std::int64_t>(residues_.size());
    for (std::int64_t i = period_ + 1; i <= length; ++i) {
      const int cell = kColumns * residues_[i - 1] + residues_[i - 1 - period_];
      // The values past the table are huge. In HMMER's compiled programs the sum wraps at 32 bits when
      // compared with the top, but its sign is that of the sum without wrapping.
      sum_ += kPam[cell];
      const std::int32_t wrapped = wrap(sum_);
      if (wrapped > top_) {
        top_ = wrapped;
        end_ = i;
      }
      const bool dropped = wrap(top_ - sum_) > kDropCut;
      if (dropped && top_ >= kTopCut) mask();
      if (dropped || sum_ < 0) restart(i + 1);
    }
    if (top_ >= kTopCut) mask();
  }

 private:
  static std::int32_t wrap(std::int64_t value) { return static_cast<std::int32_t>(value); }

  void mask() {
    for (std::int64_t k = begin_; k <= end_; ++k) masked_[k] = masked_[k - period_] = true;
  }
  void restart(std::int64_t i) {
    sum_ = 0;
    top_ = 0;
    begin_ = end_ = i;
  }

  std::span<const std::uint8_t> residues_;
  int period_;
  std::vector<bool>& masked_;  // index 0 is written but is no residue
  std::int64_t begin_;
  std::int64_t end_ = 0;
  std::int64_t sum_ = 0;
  std::int32_t top_ = 0;
};

}  // namespace

void mask_repeats(std::span<std::uint8_t> residues) {
  std::vector<bool> masked(residues.size() + 1, false);
  for (int period = 1; period <= kLongestPeriod; ++period) Diagonal(residues, period, masked).scan();
  const std::uint8_t unknown = Alphabet::get(AlphabetKind::Amino).unknown();
  for (std::size_t i = 1; i <= residues.size(); ++i) {
    if (masked[i]) residues[i - 1] = unknown;
  }
}

}  // namespace gpuhmm
