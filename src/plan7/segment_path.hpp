// The path of a segment as the states that emit its residues, and the order in which HMMER's small-memory
// alignment chooses these (docs/spec/viterbi-and-traceback.md, 4.6).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/profile.hpp"
#include "gpuhmm/trace.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// The state that emits a residue of a segment.
enum class Emitter : std::uint8_t { Unknown, N, M, I, C };

/// How one residue is emitted. The node of N is 1, that of C the last.
struct Emission {
  Emitter emitter = Emitter::Unknown;
  int node = 0;

  friend bool operator==(const Emission&, const Emission&) = default;
};

/// Residues first..last of a segment. The emissions of both ends are known, unless the path starts just
/// before the first residue (`start`) or stops just after the last (`stop`).
struct SegmentInterval {
  std::int32_t first, last;
  bool start, stop;
};

/// Chooses the emissions of a segment's residues 1..length, each in the middle of what the others leave open:
/// among equally good paths the order decides. choose(interval, middle, emissions) returns that of a residue,
/// Unknown if there is no path. `emissions` (index 0 unused) has length + 1 elements, all Unknown at first.
/// False if there is no path.
template <class Choose>
bool choose_emissions(std::vector<Emission>& emissions, const Choose& choose) {
  std::vector<SegmentInterval> open{{1, static_cast<std::int32_t>(emissions.size()) - 1, true, true}};
  while (!open.empty()) {
    const SegmentInterval interval = open.back();
    open.pop_back();
    const auto [first, last, start, stop] = interval;
    std::int32_t middle = first + (last - first) / 2;
    if (last - first == 1 && start) middle = first;
    if (last - first == 1 && stop) middle = last;
    const Emission chosen = choose(interval, middle);
    if (chosen.emitter == Emitter::Unknown) return false;
    emissions[middle] = chosen;
    if (chosen.emitter == Emitter::N) {
      std::fill(emissions.begin() + first, emissions.begin() + middle + 1, chosen);
    } else if (middle - first > 1 || (middle - first == 1 && start)) {
      open.push_back({first, middle, start, false});
    }
    if (chosen.emitter == Emitter::C) {
      std::fill(emissions.begin() + middle, emissions.begin() + last + 1, chosen);
    } else if (last - middle > 1 || (last - middle == 1 && stop)) {
      open.push_back({middle, last, false, stop});
    }
  }
  return true;
}

/// Which node decides whether deletes are shown after the last match. HMMER 2.3.2 tests in small memory the
/// node of the residue before the last match.
enum class ExitTest { LastMatch, ResidueBefore };

/// The path with these emissions (index 0 unused).
Trace segment_trace(const ScoreModel& model, const Profile& profile, std::span<const Emission> emissions,
                    ExitTest test);

}  // namespace gpuhmm
