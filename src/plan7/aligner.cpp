// Aligns one sequence by the full matrix or segment by segment.
#include "plan7/aligner.hpp"

#include <algorithm>
#include <limits>

#include "plan7/small_memory.hpp"

namespace gpuhmm {

namespace {

constexpr int kMegabytesAllowed = 32;

// HMMER's estimate of the matrix size, with its float roundings.
int estimated_megabytes(std::int64_t rows, std::int64_t columns) {
  const double n = static_cast<double>(rows + 1);
  float size = 80;
  size = static_cast<float>(size + 3. * n * static_cast<double>(columns + 2) * 4);
  size = static_cast<float>(size + 4. * n * 8);
  size = static_cast<float>(size + 5. * n * 4);
  size = size / 1048576.0F;
  return static_cast<int>(size);
}

// Joins the B..E parts of a sequence's segments to one path.
class Splicer {
 public:
  // `length`: residues of the sequence. Reserves memory for the whole path at once, since growing would need
  // twice the memory.
  explicit Splicer(std::size_t length) {
    constexpr std::size_t kSteps = 1024;  // expected steps that emit nothing
    trace_.reserve(length + kSteps);
    trace_.assign({{State::S}, {State::N}});
  }

  // Appends the domains of a segment's path, whose positions count from residue `offset` + 1.
  void append(const Trace& segment, std::int32_t offset) {
    const auto is = [](State state) { return [state](const TraceStep& s) { return s.state == state; }; };
    const auto first = std::find_if(segment.begin(), segment.end(), is(State::B));
    const auto last = std::find_if(segment.rbegin(), segment.rend(), is(State::E)).base();
    const auto emits = [](const TraceStep& s) { return s.position > 0; };
    emit_up_to(offset + std::find_if(first, last, emits)->position - 1);
    for (auto step = first; step != last; ++step) {
      trace_.push_back(*step);
      if (!emits(*step)) continue;
      position_ = step->position + offset;
      trace_.back().position = position_;
    }
    trace_.push_back({State::J});
  }

  Trace finish(std::int32_t length) {
    trace_.back() = {State::C};
    emit_up_to(length);
    trace_.push_back({State::T});
    return std::move(trace_);
  }

 private:
  // Lets the last N, J or C emit the residues up to `position`.
  void emit_up_to(std::int32_t position) {
    const State state = trace_.back().state;
    while (position_ < position) trace_.push_back({state, 0, ++position_});
  }

  Trace trace_;
  std::int32_t position_ = 0;
};

AlignedSequence align_by_segments(std::span<const std::uint8_t> residues, MatrixRule& rule,
                                  std::int32_t lowest_traced, FullAligner& full) {
  const SegmentParse parse = full.parse(residues, lowest_traced);
  if (parse.segments.empty() || parse.score < lowest_traced) return {parse.score, std::nullopt};
  Splicer splicer(residues.size());
  for (const DomainSpan& span : parse.segments) {
    const std::int64_t length = span.end - span.begin;
    const bool full_matrix = rule.full_allowed(length);
    if (full_matrix) rule.visit(length);
    const std::optional<Trace> trace =
        full.segment(span, full_matrix ? SegmentMethod::FullMatrix : SegmentMethod::SmallMemory);
    if (!trace) return {parse.score, std::nullopt};
    splicer.append(*trace, span.begin);
  }
  return {parse.score, splicer.finish(static_cast<std::int32_t>(residues.size()))};
}

}  // namespace

MatrixRule::MatrixRule(int nodes, std::int64_t start_rows, std::int64_t row_pad, std::int64_t start_columns,
                       std::int64_t column_pad)
    : nodes_(nodes),
      rows_(start_rows),
      row_pad_(row_pad),
      columns_(start_columns > 0 ? start_columns : nodes),
      column_pad_(column_pad) {}

bool MatrixRule::full_allowed(std::int64_t length) const {
  return estimated_megabytes(rows_for(length), columns_for_nodes()) <= kMegabytesAllowed;
}

void MatrixRule::visit(std::int64_t length) {
  if ((length <= rows_ && nodes_ <= columns_) || !full_allowed(length)) return;
  const std::int64_t rows = rows_for(length);
  columns_ = columns_for_nodes();
  rows_ = rows;
}

bool MatrixRule::may_grow(std::int64_t length) const {
  if (nodes_ > columns_) return full_allowed(0);
  return length > rows_ && full_allowed(rows_ + 1);
}

std::optional<Trace> MatrixAligner::segment(const DomainSpan& span, SegmentMethod method) {
  const auto part = span.of(parsed_);
  if (method == SegmentMethod::SmallMemory) return align_segment(model_, profile_, part);
  score(part);
  return trace();
}

AlignedSequence align(std::span<const std::uint8_t> residues, MatrixRule& rule, std::int32_t lowest_traced,
                      FullAligner& full) {
  const auto length = static_cast<std::int64_t>(residues.size());
  if (!rule.full_allowed(length)) {
    return align_by_segments(residues, rule, lowest_traced, full);
  }
  rule.visit(length);
  AlignedSequence result;
  result.score = full.score(residues);
  if (result.score >= lowest_traced) result.trace = full.trace();
  return result;
}

AlignedSequence align(const ScoreModel& model, const Profile& profile, std::span<const std::uint8_t> residues,
                      MatrixRule& rule, ViterbiMatrix& matrix) {
  MatrixAligner full(model, profile, matrix);
  return align(residues, rule, std::numeric_limits<std::int32_t>::min(), full);
}

AlignedSequence align(const ScoreModel& model, const Profile& profile, std::span<const std::uint8_t> residues,
                      MatrixRule& rule) {
  ViterbiMatrix matrix;
  return align(model, profile, residues, rule, matrix);
}

}  // namespace gpuhmm
