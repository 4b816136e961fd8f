// Makes the paths of an alignment's rows, and counts them.
#include "plan7/building/training_traces.hpp"

#include <algorithm>
#include <stdexcept>

#include "plan7/building/training_alignment.hpp"

namespace gpuhmm {

namespace {

/// Residues before the first match column, steps from it to the last one, and residues after that.
struct RowSteps {
  std::vector<TraceStep> before, model, behind;
};

RowSteps steps_of(const std::string& row, const std::vector<bool>& match_columns) {
  const auto nodes = static_cast<int>(std::ranges::count(match_columns, true));
  RowSteps steps;
  int node = 0, position = 0;
  for (std::size_t column = 0; column < row.size(); ++column) {
    const bool residue = !is_gap(row[column]);
    if (match_columns[column]) {
      ++node;
      if (residue) ++position;
      steps.model.push_back(residue ? TraceStep{State::M, node, position} : TraceStep{State::D, node, 0});
    } else if (residue) {
      ++position;
      if (node == 0) {
        steps.before.push_back({State::N, 0, position});
      } else if (node == nodes) {
        steps.behind.push_back({State::C, 0, position});
      } else {
        steps.model.push_back({State::I, node, position});
      }
    }
  }
  return steps;
}

/// Replaces adjacent insert and delete states: the delete state becomes a match state with the insert's
/// residue.
void join_inserts_and_deletes(std::vector<TraceStep>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const State a = steps[i - 1].state, b = steps[i].state;
    if (a == State::D && b == State::I) {
      steps[i - 1] = {State::M, steps[i - 1].node, steps[i].position};
    } else if (a == State::I && b == State::D) {
      steps[i - 1] = {State::M, steps[i].node, steps[i - 1].position};
    } else {
      continue;
    }
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i--));
  }
}

void drop_deletes_at_the_ends(std::vector<TraceStep>& steps) {
  const auto is_delete = [](const TraceStep& step) { return step.state == State::D; };
  steps.erase(std::find_if_not(steps.rbegin(), steps.rend(), is_delete).base(), steps.end());
  steps.erase(steps.begin(), std::find_if_not(steps.begin(), steps.end(), is_delete));
}

/// Replaces an insert state at an end, where Plan7 allows none: the match state beside it takes the residue.
void match_inserts_at_the_ends(std::vector<TraceStep>& steps) {
  if (steps.empty()) return;
  if (steps.front().state == State::I) steps.front().state = State::M;
  if (steps.back().state == State::I) steps.back() = {State::M, steps.back().node + 1, steps.back().position};
}

/// Gives a row that has no residue in a match column its nearest residue outside, in the first or last match
/// state.
void take_from_outside(RowSteps& steps, int nodes) {
  if (!steps.before.empty()) {
    steps.model.push_back({State::M, 1, steps.before.back().position});
    steps.before.pop_back();
  } else if (!steps.behind.empty()) {
    steps.model.push_back({State::M, nodes, steps.behind.front().position});
    steps.behind.erase(steps.behind.begin());
  }
}

}  // namespace

std::vector<Trace> training_traces(const TrainingAlignment& alignment,
                                   const std::vector<bool>& match_columns) {
  const auto nodes = static_cast<int>(std::ranges::count(match_columns, true));
  std::vector<Trace> traces;
  for (const std::string& row : alignment.rows) {
    RowSteps steps = steps_of(row, match_columns);
    drop_deletes_at_the_ends(steps.model);
    join_inserts_and_deletes(steps.model);
    match_inserts_at_the_ends(steps.model);
    if (steps.model.empty()) take_from_outside(steps, nodes);
    if (steps.model.empty()) throw std::invalid_argument("has no residues");
    Trace& trace = traces.emplace_back();
    trace.insert(trace.end(), {{State::S}, {State::N}});
    trace.insert(trace.end(), steps.before.begin(), steps.before.end());
    trace.push_back({State::B});
    trace.insert(trace.end(), steps.model.begin(), steps.model.end());
    trace.insert(trace.end(), {{State::E}, {State::C}});
    trace.insert(trace.end(), steps.behind.begin(), steps.behind.end());
    trace.push_back({State::T});
  }
  return traces;
}

namespace {

/// The count of the transition between two steps; null if a profile does not have it.
float* count_of(Profile& counts, const TraceStep& from, const TraceStep& to) {
  Transitions& t = counts.transition[from.node];
  SpecialTransitions& special = counts.special;
  switch (from.state) {
    case State::N:
      return to.state == State::N ? &special.n_loop : &special.n_move;
    case State::E:
      return &special.e_move;
    case State::C:
      return to.state == State::C ? &special.c_loop : &special.c_move;
    case State::B:
      return &counts.begin[to.node];
    case State::M:
      if (to.state == State::E) return &counts.end[from.node];
      return to.state == State::M ? &t.mm : to.state == State::I ? &t.mi : &t.md;
    case State::I:
      return to.state == State::M ? &t.im : &t.ii;
    case State::D:
      return to.state == State::M ? &t.dm : &t.dd;
    default:
      return nullptr;
  }
}

}  // namespace

Profile count_traces(const TrainingAlignment& alignment, const std::vector<Trace>& traces, int nodes) {
  Profile counts;
  counts.alphabet = alignment.alphabet;
  counts.resize(nodes);
  counts.special = {};
  const Alphabet& letters = alignment.letters();
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const float weight = alignment.weights[i];
    std::string residues = alignment.rows[i];
    std::erase_if(residues, is_gap);
    for (std::size_t s = 0; s + 1 < traces[i].size(); ++s) {
      const TraceStep& step = traces[i][s];
      if (step.state == State::M || step.state == State::I) {
        std::vector<float>& table = step.state == State::M ? counts.match : counts.insert;
        count_residue(letters, letters.code(residues[static_cast<std::size_t>(step.position) - 1]), weight,
                      table.data() + static_cast<std::ptrdiff_t>(step.node) * letters.size());
      }
      if (float* count = count_of(counts, step, traces[i][s + 1])) *count += weight;
    }
  }
  return counts;
}

}  // namespace gpuhmm
