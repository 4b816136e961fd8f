// Counting passes over digits of up to 9 bits.
#include "companion/strings/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <vector>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// 512 places that are written to at a time: their cache lines fit the first-level cache.
constexpr unsigned kDigitBits = 9;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
constexpr std::size_t kSmall = 64;          // below it, std::sort
constexpr std::size_t kThreadKeys = 65536;  // starting a thread for fewer takes longer than it saves

using Counts = std::array<std::size_t, kDigits>;

std::uint64_t varying_bits(std::span<const std::uint64_t> keys, unsigned parts) {
  std::vector<std::uint64_t> ones(parts, 0), zeros(parts, 0);
  parallel_for(parts, parts, 1, [&](std::size_t part, std::size_t) {
    std::uint64_t all = ~std::uint64_t{0}, any = 0;
    for (std::size_t i = keys.size() * part / parts; i < keys.size() * (part + 1) / parts; ++i) {
      all &= keys[i];
      any |= keys[i];
    }
    ones[part] = any;
    zeros[part] = ~all;
  });
  std::uint64_t any = 0, not_all = 0;
  for (unsigned part = 0; part < parts; ++part) {
    any |= ones[part];
    not_all |= zeros[part];
  }
  return any & not_all;
}

// One stable pass; false, with nothing moved, if all keys have the same digit.
bool pass(std::span<const std::uint64_t> from, std::span<std::uint64_t> to, unsigned shift,
          std::uint64_t mask, unsigned parts) {
  std::vector<Counts> counts(parts);
  const auto begin = [&](std::size_t part) { return from.size() * part / parts; };
  parallel_for(parts, parts, 1, [&](std::size_t part, std::size_t) {
    Counts own{};
    for (std::size_t i = begin(part); i < begin(part + 1); ++i) ++own[(from[i] >> shift) & mask];
    counts[part] = own;
  });
  std::size_t before = 0;
  for (std::size_t digit = 0; digit <= mask; ++digit) {
    const std::size_t start = before;
    for (Counts& own : counts) {
      const std::size_t here = own[digit];
      own[digit] = before;
      before += here;
    }
    if (before - start == from.size()) return false;
  }
  parallel_for(parts, parts, 1, [&](std::size_t part, std::size_t) {
    Counts& place = counts[part];
    for (std::size_t i = begin(part); i < begin(part + 1); ++i) {
      const std::uint64_t key = from[i];
      to[place[(key >> shift) & mask]++] = key;
    }
  });
  return true;
}

}  // namespace

std::span<std::uint64_t> radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch,
                                    unsigned threads) {
  if (keys.size() < kSmall) {
    std::sort(keys.begin(), keys.end());
    return keys;
  }
  const auto parts =
      static_cast<unsigned>(std::clamp<std::size_t>(keys.size() / kThreadKeys, 1, std::max(threads, 1U)));
  const std::uint64_t varying = varying_bits(keys, parts);
  if (varying == 0) return keys;
  const auto low = static_cast<unsigned>(std::countr_zero(varying));
  const auto bits = static_cast<unsigned>(std::bit_width(varying)) - low;
  const unsigned passes = (bits + kDigitBits - 1) / kDigitBits;
  const unsigned width = (bits + passes - 1) / passes;
  for (unsigned p = 0; p < passes; ++p) {
    const unsigned shift = low + p * width;
    const std::uint64_t mask = (std::uint64_t{1} << std::min(width, 64 - shift)) - 1;
    if (pass(keys, scratch, shift, mask, parts)) std::swap(keys, scratch);
  }
  return keys;
}

}  // namespace gpuhmm
