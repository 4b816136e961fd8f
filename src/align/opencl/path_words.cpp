// Writes a trace from its end to its beginning, as the words come, and turns it round.
#include "align/opencl/path_words.hpp"

#include <algorithm>

#include "plan7/wings.hpp"

namespace gpuhmm::grid {

namespace {

// As in cl/gpu_paths.cl.
enum Run : std::int32_t { kMatches, kInserts, kDeletes, kBegin, kRuns };

// Each step tells whether the path can have it.
class Reversed {
 public:
  Reversed(const ScoreModel& model, const Profile& profile, std::size_t length)
      : model_(model), profile_(profile), row_(static_cast<std::int32_t>(length)) {
    constexpr std::size_t kOtherSteps = 16;
    trace_.reserve(length + static_cast<std::size_t>(model.nodes) + kOtherSteps);
    trace_.push_back({State::T});
  }

  // The residues after row `row`, and the silent first step of that state.
  bool wait(State state, std::int32_t row) {
    if (row < 0 || row > row_) return false;
    for (; row_ > row; --row_) trace_.push_back({state, 0, row_});
    trace_.push_back({state});
    return true;
  }

  bool leave(int node) {
    if (node < 1 || node > model_.nodes) return false;
    trace_.push_back({State::E});
    node_ = node;
    if (ends_through_deletes(model_, profile_, node)) {
      for (int d = model_.nodes; d > node; --d) trace_.push_back({State::D, d});
    }
    return true;
  }

  bool run(Run kind, std::int32_t count) {
    if (count < 1 || (kind != kInserts && count > node_) || (kind != kDeletes && count > row_)) return false;
    for (std::int32_t n = 0; n < count; ++n) {
      switch (kind) {
        case kMatches:
          trace_.push_back({State::M, node_--, row_--});
          break;
        case kInserts:
          trace_.push_back({State::I, node_, row_--});
          break;
        default:
          trace_.push_back({State::D, node_--});
      }
    }
    return true;
  }

  bool begin(std::int32_t row) {
    if (row != row_ || node_ >= model_.nodes) return false;
    if (node_ > 0 && begins_through_deletes(model_, profile_, node_ + 1)) run(kDeletes, node_);
    trace_.push_back({State::B});
    return true;
  }

  Trace finish() {
    wait(State::N, 0);
    trace_.push_back({State::S});
    std::ranges::reverse(trace_);
    return std::move(trace_);
  }

 private:
  const ScoreModel& model_;
  const Profile& profile_;
  Trace trace_;
  std::int32_t row_;  // residues that have no step yet
  int node_ = 0;      // of the next match or delete
};

}  // namespace

std::optional<Trace> trace_of_words(std::span<const std::int32_t> words, const ScoreModel& model,
                                    const Profile& profile, std::size_t length) {
  Reversed path(model, profile, length);
  State waits = State::C;
  for (std::size_t w = 0; w < words.size(); waits = State::J) {
    if (w + 2 > words.size() || !path.wait(waits, words[w]) || !path.leave(words[w + 1])) return std::nullopt;
    w += 2;
    bool begun = false;
    while (!begun) {
      if (w == words.size() || words[w] < 0) return std::nullopt;
      const std::int32_t kind = words[w] % kRuns, value = words[w] / kRuns;
      ++w;
      begun = kind == kBegin;
      if (!(begun ? path.begin(value) : path.run(static_cast<Run>(kind), value))) return std::nullopt;
    }
  }
  if (words.empty()) return std::nullopt;
  return path.finish();
}

}  // namespace gpuhmm::grid
