// Seeding, normal deviates and choices. random_steps.cpp has the steps of the generators.
#include "gpuhmm/random.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

// Tables of algorithm FL for 32 intervals (Ahrens and Dieter 1973); [0] is not used.
constexpr std::array<double, 33> kIntervalStart = {
    0,         0.0,       0.03917609, 0.07841241, 0.11777,   0.1573107, 0.1970991, 0.2372021, 0.2776904,
    0.3186394, 0.36013,   0.4022501,  0.4450965,  0.4887764, 0.5334097, 0.5791322, 0.626099,  0.6744898,
    0.7245144, 0.7764218, 0.8305109,  0.8871466,  0.9467818, 1.00999,   1.077516,  1.150349,  1.229859,
    1.318011,  1.417797,  1.534121,   1.67594,    1.862732,  2.153875};
constexpr std::array<double, 32> kTailWidth = {
    0,         0.0,       0.0,       0.0,       0.0,       0.0,       0.2636843, 0.2425085,
    0.2255674, 0.2116342, 0.1999243, 0.1899108, 0.1812252, 0.1736014, 0.1668419, 0.1607967,
    0.1553497, 0.1504094, 0.1459026, 0.14177,   0.1379632, 0.1344418, 0.1311722, 0.128126,
    0.1252791, 0.1226109, 0.1201036, 0.1177417, 0.1155119, 0.1134023, 0.1114027, 0.1095039};
constexpr std::array<double, 32> kThreshold = {
    0,          0.0007673828, 0.00230687, 0.003860618, 0.005438454, 0.0070507,  0.008708396, 0.01042357,
    0.01220953, 0.01408125,   0.01605579, 0.0181529,   0.02039573,  0.02281177, 0.02543407,  0.02830296,
    0.03146822, 0.03499233,   0.03895483, 0.04345878,  0.04864035,  0.05468334, 0.06184222,  0.07047983,
    0.08113195, 0.09462444,   0.1123001,  0.136498,    0.1716886,   0.2276241,  0.330498,    0.5847031};
constexpr std::array<double, 32> kScale = {
    0,          0.03920617, 0.03932705, 0.03951,    0.03975703, 0.04007093, 0.04045533, 0.04091481,
    0.04145507, 0.04208311, 0.04280748, 0.04363863, 0.04458932, 0.04567523, 0.04691571, 0.04833487,
    0.04996298, 0.05183859, 0.05401138, 0.05654656, 0.0595313,  0.06308489, 0.06737503, 0.07264544,
    0.07926471, 0.08781922, 0.09930398, 0.11556,    0.1404344,  0.1836142,  0.2790016,  0.7010474};
constexpr std::size_t kLastInterval = 31;
constexpr std::size_t kFirstTailInterval = 6;

// The parabola that gives the first bound of FL's acceptance tests.
double bound(double start, double w) { return (0.5 * w + start) * w; }

// Distance from zero of a deviate in interval `i` of the centre, at fraction `v` of its width.
double draw_centre(RandomStream& stream, std::size_t i, double v) {
  const double start = kIntervalStart[i];
  for (;;) {
    if (v > kThreshold[i]) return start + (v - kThreshold[i]) * kScale[i];
    double u = stream.uniform();
    const double w = u * (kIntervalStart[i + 1] - start);
    for (double z = bound(start, w);;) {
      if (v > z) return start + w;
      u = stream.uniform();
      if (v < u) break;
      z = u;
      v = stream.uniform();
    }
    v = stream.uniform();
  }
}

// Distance from zero of a deviate in the tail, chosen by `u` in [0, 1).
double draw_tail(RandomStream& stream, double u) {
  std::size_t i = kFirstTailInterval;
  double start = kIntervalStart[kLastInterval + 1];
  u += u;
  while (u < 1 && i < kLastInterval) {
    start += kTailWidth[i];
    ++i;
    u += u;
  }
  u -= 1;
  for (;;) {
    const double w = u * kTailWidth[i];
    for (double z = bound(start, w);;) {
      const double v = stream.uniform();
      if (v > z) return start + w;
      u = stream.uniform();
      if (v < u) break;
      z = u;
    }
    u = stream.uniform();
  }
}

constexpr std::array<float, 20> kAminoFrequencies = {
    .075520F, .016973F, .053029F, .063204F, .040762F, .068448F, .022406F, .057284F, .059398F, .093399F,
    .023569F, .045293F, .049262F, .040231F, .051573F, .072214F, .057454F, .065252F, .012513F, .031985F};
constexpr std::array<float, 4> kNucleicFrequencies = {0.25F, 0.25F, 0.25F, 0.25F};

constexpr std::uint64_t kInsteadOfZero = 42;

}  // namespace

void RandomStream::seed(std::int32_t value) {
  constexpr int kDiscarded = 7;
  const std::int64_t magnitude = value < 0 ? -std::int64_t{value} : value;
  fill(magnitude == 0 ? kInsteadOfZero : static_cast<std::uint64_t>(magnitude));
  for (int i = 0; i < kDiscarded; ++i) next();
}

void RandomStream::start_unseeded() {
  fill(kInsteadOfZero);
  set_last(0);
}

double RandomStream::normal(double mean, double deviation) {
  double u = uniform();
  const double sign = u > 0.5 ? 1 : 0;
  u += u - sign;
  u *= 32;
  const std::size_t i = std::min(static_cast<std::size_t>(u), kLastInterval);
  const double distance = i > 0 ? draw_centre(*this, i, u - static_cast<double>(i)) : draw_tail(*this, u);
  return deviation * (sign == 1 ? -distance : distance) + mean;
}

RandomChoice::RandomChoice(std::span<const float> probabilities)
    : count_(static_cast<std::uint32_t>(probabilities.size())) {
  float sum = 0;
  for (std::size_t x = 0; x < count_; ++x) {
    sum += probabilities[x];
    sums_[x] = sum;
    if (probabilities[x] != 0.0F) possible_ |= 1U << x;
  }
  constexpr float kAboveAll = 2;
  std::fill(sums_.begin() + count_, sums_.end(), kAboveAll);
}

std::uint8_t RandomChoice::any_possible(RandomStream& stream) const {
  for (;;) {
    const auto x = static_cast<std::uint32_t>(stream.uniform() * count_);
    if ((possible_ >> x & 1U) != 0) return static_cast<std::uint8_t>(x);
  }
}

TabledChoice::TabledChoice(std::span<const float> probabilities) : plain_(probabilities) {
  for (std::size_t entry = 0; entry < quick_.size(); ++entry) {
    const auto first = static_cast<std::uint32_t>(entry << kQuickShift);
    const std::uint32_t choice = plain_.first_above(first);
    const bool agree =
        choice < probabilities.size() && plain_.first_above(first + ((1U << kQuickShift) - 1)) == choice;
    quick_[entry] = agree ? static_cast<std::uint8_t>(choice) : kNotQuick;
  }
}

std::span<const float> default_frequencies(AlphabetKind alphabet) {
  if (alphabet == AlphabetKind::Amino) return kAminoFrequencies;
  return kNucleicFrequencies;
}

}  // namespace gpuhmm
