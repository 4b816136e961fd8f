// The plainest read of numbers: what the benchmarks compare with.
#pragma once

#include <cstdint>
#include <span>

namespace gpuhmm::bench {

/// The sum of `values`, on vector units.
std::int64_t plain_sum(std::span<const std::int32_t> values);

}  // namespace gpuhmm::bench
