// Chooses between the sweep, the full matrix and parsing in bounded memory for each sequence.
#include "align/grid_aligner.hpp"

#include <array>
#include <utility>

#include "align/grid_parse.hpp"
#include "align/tied_paths.hpp"

namespace gpuhmm::grid {

namespace {

// The longest sequences that HMMER aligns with the full matrix take about as much.
constexpr std::size_t kMostRecordBytes = std::size_t{40} << 20;

}  // namespace

bool GridAligner::records(const GridModel& model, std::size_t length) {
  return model.fits(length) && length <= kMostRecordBytes / ScoreGrid::row_bytes(model);
}

// Whether sweep_both() has swept these residues; true once.
bool GridAligner::swept_ahead(std::span<const std::uint8_t> residues) {
  return std::exchange(ahead_, false) && track_.residues.data() == residues.data() &&
         track_.residues.size() == residues.size();
}

void GridAligner::sweep_alone(std::span<const std::uint8_t> residues) {
  track_.residues = residues;
  swept_ = model_.fits(residues.size());
  if (swept_) sweep(model_, std::array{&track_});
}

void GridAligner::sweep_both(GridAligner& first, std::span<const std::uint8_t> longer, GridAligner& second,
                             std::span<const std::uint8_t> shorter) {
  first.track_.residues = longer;
  second.track_.residues = shorter;
  sweep(first.model_, std::array{&first.track_, &second.track_});
  for (GridAligner* aligner : {&first, &second}) aligner->swept_ = aligner->ahead_ = true;
}

std::int32_t GridAligner::score(std::span<const std::uint8_t> residues) {
  if (!swept_ahead(residues)) sweep_alone(residues);
  scored_ = residues;
  return by_sweep() ? static_cast<std::int32_t>(track_.score) : matrix_.fill(model_.scores, residues);
}

std::optional<Trace> GridAligner::trace() {
  if (!by_sweep()) return matrix_.traceback(model_.scores, profile_, scored_);
  TileCells cells(model_, track_, space_);
  return ViterbiWalk<TileCells>(cells, model_.scores, profile_, scored_).run();
}

SegmentParse GridAligner::parse(std::span<const std::uint8_t> residues, std::int32_t lowest_traced) {
  parsed_ = residues;
  by_record_ = swept_ahead(residues);
  if (!by_record_ && records(model_, residues.size())) {
    sweep_alone(residues);
    by_record_ = true;
  }
  GridParser parser(model_, track_, space_);
  std::optional<SegmentParse> parse;
  if (by_record_) {
    parse = parser.parse_swept(lowest_traced);
  } else {
    swept_ = false;
    parse = parser.parse(residues, lowest_traced);
  }
  by_record_ = by_record_ && parse;
  return parse ? std::move(*parse) : parse_segments(model_.scores, residues);
}

// From the record of the whole sequence, if there is one, or of the segment.
std::optional<Trace> GridAligner::segment(const DomainSpan& span, SegmentMethod method) {
  const auto part = span.of(parsed_);
  if (by_record_) {
    std::optional<Trace> trace = segment_by_record(span, method);
    if (trace) return trace;
  } else if (method == SegmentMethod::FullMatrix) {
    score(part);
    return trace();
  } else if (records(model_, part.size())) {
    sweep_alone(part);
    if (by_sweep()) {
      std::optional<Trace> trace = segment_by_record({0, span.end - span.begin}, method);
      if (trace) return trace;
    }
  }
  if (method == SegmentMethod::SmallMemory) return align_segment(model_.scores, profile_, part);
  matrix_.fill(model_.scores, part);
  return matrix_.traceback(model_.scores, profile_, part);
}

std::optional<Trace> GridAligner::segment_by_record(const DomainSpan& span, SegmentMethod method) {
  TileCells cells(model_, track_, space_);
  const RecordedSegment segment{model_.scores, cells, track_.residues, span};
  const bool small = method == SegmentMethod::SmallMemory;
  const auto emissions = small ? small_memory_emissions(segment) : full_matrix_emissions(segment);
  if (!emissions) return std::nullopt;
  return segment_trace(model_.scores, profile_, *emissions,
                       small ? ExitTest::ResidueBefore : ExitTest::LastMatch);
}

}  // namespace gpuhmm::grid
