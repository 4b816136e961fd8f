// Makes the trace of a segment from its emissions.
#include "plan7/segment_path.hpp"

#include "plan7/wings.hpp"

namespace gpuhmm {

Trace segment_trace(const ScoreModel& model, const Profile& profile, std::span<const Emission> emissions,
                    ExitTest test) {
  Trace trace{{State::S}, {State::N}};
  const auto length = static_cast<std::int32_t>(emissions.size()) - 1;
  const auto append_deletes = [&trace](int first, int last) {
    for (int k = first; k <= last; ++k) trace.push_back({State::D, k});
  };
  int last_match = 0;  // node
  const auto leave = [&](std::int32_t i) {
    const int tested = test == ExitTest::ResidueBefore && i > 1 ? emissions[i - 1].node : last_match;
    if (ends_through_deletes(model, profile, tested)) append_deletes(last_match + 1, model.nodes);
    trace.push_back({State::E});
    trace.push_back({State::C});
  };
  for (std::int32_t i = 1; i <= length; ++i) {
    const auto [emitter, node] = emissions[i];
    switch (emitter) {
      case Emitter::N:
        trace.push_back({State::N, 0, i});
        break;
      case Emitter::M:
        if (last_match > 0) {
          append_deletes(last_match + 1, node - 1);
        } else {
          trace.push_back({State::B});
          if (begins_through_deletes(model, profile, node)) append_deletes(1, node - 1);
        }
        trace.push_back({State::M, node, i});
        last_match = node;
        if (i == length || emissions[i + 1].emitter == Emitter::C) leave(i);
        break;
      case Emitter::I:
        trace.push_back({State::I, node, i});
        break;
      default:
        trace.push_back({State::C, 0, i});
    }
  }
  trace.push_back({State::T});
  return trace;
}

}  // namespace gpuhmm
