// Scores paths, and splits them into domains.
#include "plan7/trace_score.hpp"

#include <algorithm>
#include <stdexcept>

#include "plan7/arithmetic.hpp"

namespace gpuhmm {

std::int32_t transition_score(const ScoreModel& model, const Profile& profile, const TraceStep& from,
                              const TraceStep& to) {
  const int k = from.node;
  switch (from.state) {
    case State::S:
      if (to.state == State::N) return 0;
      break;
    case State::N:
      if (to.state == State::B) return model.n_begin;
      if (to.state == State::N) return model.n_loop;
      break;
    case State::B:
      if (to.state == State::M) return model.begin[to.node];
      if (to.state == State::D) return score_of(profile.begin_delete, 1);
      break;
    case State::M:
      if (to.state == State::M) return model.mm[k];
      if (to.state == State::I) return model.mi[k];
      if (to.state == State::D) return model.md[k];
      if (to.state == State::E) return model.end[k];
      break;
    case State::I:
      if (to.state == State::M) return model.im[k];
      if (to.state == State::I) return model.ii[k];
      break;
    case State::D:
      if (to.state == State::M) return model.dm[k];
      if (to.state == State::D) return model.dd[k];
      if (to.state == State::E) return 0;
      break;
    case State::E:
      if (to.state == State::C) return model.e_to_c;
      if (to.state == State::J) return model.e_to_j;
      break;
    case State::J:
      if (to.state == State::B) return model.j_begin;
      if (to.state == State::J) return model.j_loop;
      break;
    case State::C:
      if (to.state == State::T) return model.c_end;
      if (to.state == State::C) return model.c_loop;
      break;
    case State::T:
      return 0;
  }
  throw std::invalid_argument("trace with a transition that Plan7 does not have");
}

std::int32_t emission_score(const ScoreModel& model, std::span<const std::uint8_t> residues,
                            const TraceStep& step) {
  if (step.state == State::M) return model.match_row(residues[step.position - 1])[step.node];
  if (step.state == State::I) return model.insert_row(residues[step.position - 1])[step.node];
  return 0;
}

std::int32_t trace_score(const ScoreModel& model, const Profile& profile,
                         std::span<const std::uint8_t> residues, const Trace& trace) {
  std::int64_t score = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    score += emission_score(model, residues, trace[i]);
    if (i + 1 < trace.size()) score += transition_score(model, profile, trace[i], trace[i + 1]);
  }
  return static_cast<std::int32_t>(score);
}

std::vector<Trace> split_domains(const Trace& trace) {
  std::vector<Trace> domains;
  const auto is = [](State state) { return [state](const TraceStep& step) { return step.state == state; }; };
  auto begin = std::find_if(trace.begin(), trace.end(), is(State::B));
  while (begin != trace.end()) {
    const auto end = std::find_if(begin, trace.end(), is(State::E));
    if (end == trace.end()) throw std::invalid_argument("trace with a B that has no E");
    Trace& domain = domains.emplace_back();
    domain.reserve(static_cast<std::size_t>(end - begin) + 5);
    domain.push_back({State::S});
    domain.push_back({State::N});
    domain.insert(domain.end(), begin, end + 1);
    domain.push_back({State::C});
    domain.push_back({State::T});
    begin = std::find_if(end, trace.end(), is(State::B));
  }
  return domains;
}

}  // namespace gpuhmm
