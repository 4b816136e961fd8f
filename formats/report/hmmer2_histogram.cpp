// Writes HMMER 2.3.2's score histogram.
#include "formats/report/hmmer2_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "plan7/statistics.hpp"
#include "util/format.hpp"

namespace gpuhmm {
namespace {

constexpr std::size_t kLineLength = 79;
constexpr std::size_t kBarColumn = 20;
constexpr int kEmptyBinsEndingPlot = 3;
constexpr float kSmallestCountInFit = 5;

/// The bins with lines of their own, and the counts summed up in the lines at both ends.
struct PlotRange {
  int lowest = 0, low = 0, high = 0, highest = 0;
  std::int64_t low_count = 0, high_count = 0, largest = 0;
};

/// The last bin to draw from `peak` in steps of `step`: the occupied bin before three empty ones, or `end`.
int plot_bound(const ScoreHistogram& scores, int peak, int end, int step) {
  int empty = 0;
  for (int bin = peak; bin != end; bin += step) {
    empty = scores.count(bin) > 0 ? 0 : empty + 1;
    if (empty == kEmptyBinsEndingPlot) return bin - kEmptyBinsEndingPlot * step;
  }
  return end;
}

PlotRange plot_range(const ScoreHistogram& scores) {
  const auto& bins = scores.bins();
  const int peak = scores.peak();
  PlotRange range;
  range.lowest = bins.begin()->first;
  range.highest = bins.rbegin()->first;
  range.low = plot_bound(scores, peak, range.lowest, -1);
  range.high = plot_bound(scores, peak, range.highest, 1);
  for (const auto& [bin, count] : bins) {
    if (bin <= range.low) range.low_count += count;
    if (bin >= range.high) range.high_count += count;
  }
  range.largest = std::max({scores.count(peak), range.low_count, range.high_count});
  return range;
}

float expected_count(int bin, std::int64_t total, const ExtremeValue& evd) {
  const auto n = static_cast<double>(total);
  const auto lower = static_cast<float>(bin), upper = static_cast<float>(bin + 1);
  return static_cast<float>(n * extreme_value_p(lower, evd) - n * extreme_value_p(upper, evd));
}

/// A line of the plot as in HMMER's buffer: the label with its final zero byte, a blank in column 20 (which
/// replaces that byte unless a score below -999 or above 99999 makes the label longer), and bars from column
/// 20 on.
std::string plot_line(const std::string& label, std::int64_t count, std::int64_t units) {
  std::string line = pad_right(label, kLineLength);
  line[label.size()] = '\0';
  line[kBarColumn] = ' ';
  if (count > 0) {
    const auto bars = static_cast<std::size_t>(1 + (count - 1) / units);
    for (std::size_t i = kBarColumn; i < std::min(kBarColumn + bars, line.size()); ++i) line[i] = '=';
  }
  return line;
}

std::string bin_line(int bin, const ScoreHistogram& scores, const PlotRange& range, std::int64_t units,
                     const std::optional<ExtremeValue>& evd) {
  if (bin == range.low && bin != range.lowest) {
    const std::string label =
        format("<%4d %6lld %6s|", bin + 1, static_cast<long long>(range.low_count), "-");
    return plot_line(label, range.low_count, units);
  }
  if (bin == range.high && bin != range.highest) {
    const std::string label = format(">%4d %6lld %6s|", bin, static_cast<long long>(range.high_count), "-");
    return plot_line(label, range.high_count, units);
  }
  const std::int64_t count = scores.count(bin);
  const auto shown = static_cast<long long>(count);
  if (!evd) return plot_line(format("%5d %6lld %6s|", bin, shown, "-"), count, units);

  const float expected = expected_count(bin, scores.total(), *evd);
  std::string line =
      plot_line(format("%5d %6lld %6lld|", bin, shown, static_cast<long long>(expected)), count, units);
  if (static_cast<long long>(expected) > 0) {
    const auto column =
        static_cast<std::size_t>(static_cast<std::int64_t>(expected - 1) / units) + kBarColumn;
    line[std::min(column, kLineLength - 1)] = '*';
  }
  return line;
}

void write_fit(const TextSink& out, const ScoreHistogram& scores, const ExtremeValue& evd,
               const std::optional<BinRange>& fitted) {
  float chi_square = 0;
  int bins_used = 0;
  for (const auto& [bin, count] : scores.bins()) {
    if (fitted && (bin < fitted->low || bin > fitted->high)) continue;
    const float expected = expected_count(bin, scores.total(), evd);
    const auto observed = static_cast<float>(count);
    if (expected < kSmallestCountInFit || observed < kSmallestCountInFit) continue;
    const float difference = observed - expected;
    chi_square += difference * difference / expected;
    ++bins_used;
  }
  const int lost_by_fit = fitted ? 1 : 0;  // degrees of freedom
  out("\n\n% Statistical details of theoretical EVD fit:\n");
  out(format("              mu = %10.4f\n", evd.mu));
  out(format("          lambda = %10.4f\n", evd.lambda));
  out(format("chi-sq statistic = %10.4f\n", chi_square));
  out(format("  P(chi-square)  = %10.4g\n", hmmer2_chi_square_p(bins_used - lost_by_fit, chi_square)));
}

}  // namespace

void write_hmmer2_histogram(const TextSink& out, const ScoreHistogram& scores,
                            const std::optional<ExtremeValue>& evd, const std::optional<BinRange>& fitted) {
  const bool any = scores.total() > 0;
  const PlotRange range = any ? plot_range(scores) : PlotRange{};
  constexpr auto kBarSpace = static_cast<std::int64_t>(kLineLength - kBarColumn);
  const std::int64_t units = any ? (range.largest - 1) / kBarSpace + 1 : 1;
  out(format("%5s %6s %6s  (one = represents %lld sequences)\n", "score", "obs", "exp",
             static_cast<long long>(units)));
  out(format("%5s %6s %6s\n", "-----", "---", "---"));
  if (any) {
    for (int bin = range.low; bin <= range.high; ++bin) {
      const std::string line = bin_line(bin, scores, range, units, evd) + "\n";
      out(line.substr(0, line.find('\0')));  // a remaining zero byte cuts the line and its newline
    }
  }
  if (evd) {
    write_fit(out, scores, *evd, fitted);
  } else {
    out("\n\n% No statistical fit available\n");
  }
}

float hmmer2_chi_square_p(int bins, float chi_square) {
  if (bins <= 1) return 0;
  const double a = (bins - 1) / 2.0;
  const double x = chi_square / 2.0;
  if (x <= a + 1) return 0;
  constexpr int kTableEntries = 128;
  const double exponent = a * std::log(x) - x - std::lgamma(a);
  if (std::exp(exponent) == 0) return 0;  // on underflow the register is 0
  const auto steps = std::llround(kTableEntries * exponent / std::numbers::ln2);
  const auto entry = ((steps % kTableEntries) + kTableEntries) % kTableEntries;
  const auto power = static_cast<double>(std::exp2(static_cast<long double>(entry) / kTableEntries));
  return static_cast<float>(static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(power)));
}

}  // namespace gpuhmm
