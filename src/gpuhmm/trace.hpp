// A Plan7 state path (docs/spec/viterbi-and-traceback.md, 4.2).
#pragma once

#include <cstdint>
#include <vector>

namespace gpuhmm {

/// The states of Plan7, the special ones included.
enum class State : std::uint8_t { S, N, B, M, D, I, E, C, T, J };

/// One step of a path. `node` is 1..M for M, D and I, otherwise 0; `position` is the residue emitted, from 1,
/// or 0. The first N, J or C of a run emits nothing.
struct TraceStep {
  State state = State::S;
  std::int32_t node = 0;
  std::int32_t position = 0;

  friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

/// A path from S to T in sequence order.
using Trace = std::vector<TraceStep>;

}  // namespace gpuhmm
