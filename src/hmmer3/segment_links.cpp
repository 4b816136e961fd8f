// Compares a segment with several others at a time, one a lane.
#include "hmmer3/segment_links.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#define HWY_TARGET_INCLUDE "hmmer3/segment_links.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::hmmer3::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::int32_t, 16> kInts;
using Ints = hn::Vec<decltype(kInts)>;

// Five times the overlap is at least four times the shorter length.
HWY_INLINE hn::Mask<decltype(kInts)> overlap_enough(Ints overlap, Ints shorter) {
  const Ints five_times = hn::Add(hn::ShiftLeft<2>(overlap), overlap);
  return hn::Gt(hn::Add(five_times, hn::Set(kInts, 1)), hn::ShiftLeft<2>(shorter));
}

// Writes the numbers of the segments, `first` to `last` - 1, for which linked() is true, upward; returns how
// many they are.
std::size_t linked_numbers(const SegmentColumns& columns, std::size_t first, std::size_t last,
                           const SegmentEnds& a, std::uint32_t* numbers) {
  const auto all = [](std::int32_t value) { return hn::Set(kInts, value); };
  const Ints a_from = all(a.from), a_to = all(a.to), a_length = all(a.to - a.from);
  const Ints a_model_from = all(a.model_from), a_model_to = all(a.model_to);
  const Ints a_nodes = all(a.model_to - a.model_from), one = all(1), near = all(5);
  const Ints first_diagonal = all(a.from - a.model_from), last_diagonal = all(a.to - a.model_to);
  const std::size_t lanes = hn::Lanes(kInts);
  std::size_t count = 0;
  for (; first < last; first += lanes) {
    const auto column = [&](std::size_t number) { return hn::LoadU(kInts, columns[number].data() + first); };
    const Ints from = column(0), to = column(1), model_from = column(2), model_to = column(3);
    const Ints overlap = hn::Add(hn::Sub(hn::Min(to, a_to), hn::Max(from, a_from)), one);
    const Ints shorter = hn::Add(hn::Min(hn::Sub(to, from), a_length), one);
    const Ints model_overlap = hn::Sub(hn::Min(model_to, a_model_to), hn::Max(model_from, a_model_from));
    const Ints model_shorter = hn::Add(hn::Min(hn::Sub(model_to, model_from), a_nodes), one);
    const auto is_near = [&](Ints place, Ints node, Ints diagonal) {
      return hn::Lt(hn::Abs(hn::Sub(hn::Sub(place, node), diagonal)), near);
    };
    const auto on_diagonal =
        hn::Or(is_near(from, model_from, first_diagonal), is_near(to, model_to, last_diagonal));
    const auto is_linked = hn::And(
        on_diagonal, hn::And(overlap_enough(overlap, shorter), overlap_enough(model_overlap, model_shorter)));
    std::array<std::uint8_t, 8> bytes{};
    hn::StoreMaskBits(kInts, is_linked, bytes.data());
    std::uint32_t bits = bytes[0] | std::uint32_t{bytes[1]} << 8U;
    if (last - first < lanes) bits &= (std::uint32_t{1} << (last - first)) - 1;
    for (; bits != 0; bits &= bits - 1) {
      numbers[count++] =
          static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
  }
  return count;
}

}  // namespace gpuhmm::hmmer3::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm::hmmer3 {

GPUHMM_SIMD_TABLE(linked_numbers);

namespace {

constexpr std::size_t kMostLanes = 16;

// Whether the quotient, rounded to single precision as the reference does, is at least 0.8. For divisors
// below ten million that is so exactly if the quotient itself is.
bool overlap_enough(std::int32_t overlap, std::int32_t shorter) { return 5 * overlap >= 4 * shorter; }

void set(SegmentColumns& columns, std::size_t i, const SampledSegment& segment, std::size_t place) {
  columns[0][i] = static_cast<std::int32_t>(segment.from);
  columns[1][i] = static_cast<std::int32_t>(segment.to);
  columns[2][i] = segment.model_from;
  columns[3][i] = segment.model_to;
  columns[4][i] = static_cast<std::int32_t>(place);
}

// The last node of a segment that is taken; its first one is 0. It keeps its place among the others, but no
// segment is linked to one that ends so far in front of its begin.
constexpr std::int32_t kTakenTo = -1000;

SegmentEnds ends_at(const SegmentColumns& columns, std::size_t i) {
  return {columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i]};
}

}  // namespace

bool linked(const SegmentEnds& a, const SegmentEnds& b) {
  constexpr int kFarthestDiagonal = 4;
  // Of nodes without the last one: as the reference counts.
  return overlap_enough(std::min(a.to, b.to) - std::max(a.from, b.from) + 1,
                        std::min(a.to - a.from, b.to - b.from) + 1) &&
         overlap_enough(std::min(a.model_to, b.model_to) - std::max(a.model_from, b.model_from),
                        std::min(a.model_to - a.model_from, b.model_to - b.model_from) + 1) &&
         (std::abs((a.from - a.model_from) - (b.from - b.model_from)) <= kFarthestDiagonal ||
          std::abs((a.to - a.model_to) - (b.to - b.model_to)) <= kFarthestDiagonal);
}

OpenSegments::OpenSegments(std::span<const SampledSegment> segments)
    : size_(segments.size()), numbers_(segments.size()) {
  for (std::vector<std::int32_t>& column : columns_) column.resize(size_ + kMostLanes);
  for (std::size_t i = 0; i < size_; ++i) set(columns_, i, segments[size_ - 1 - i], size_ - 1 - i);
}

SegmentEnds OpenSegments::operator[](std::size_t i) const { return ends_at(columns_, i); }

SegmentEnds OpenSegments::take(std::size_t i) {
  const SegmentEnds taken = (*this)[i];
  --size_;
  for (std::vector<std::int32_t>& column : columns_) column[i] = column[size_];
  return taken;
}

std::optional<SegmentEnds> OpenSegments::take_next() {
  if (size_ == 0) return std::nullopt;
  return take(size_ - 1);
}

void OpenSegments::take_linked(const SegmentEnds& segment, std::vector<SegmentEnds>& taken) {
  std::size_t left = GPUHMM_SIMD_CALL(linked_numbers)(columns_, 0, size_, segment, numbers_.data());
  while (left-- > 0) taken.push_back(take(numbers_[left]));
}

void OpenSegments::take_linked_plainly(const SegmentEnds& segment, std::vector<SegmentEnds>& taken) {
  for (std::size_t i = size_; i-- > 0;) {
    if (linked(segment, (*this)[i])) taken.push_back(take(i));
  }
}

PlacedSegments::PlacedSegments(std::span<const SampledSegment> segments)
    : size_(segments.size()), numbers_(segments.size()) {
  for (std::vector<std::int32_t>& column : columns_) column.resize(size_ + kMostLanes);
  std::vector<std::size_t> order(size_);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t place) { return segments[place].from; });
  for (std::size_t i = 0; i < size_; ++i) {
    set(columns_, i, segments[order[i]], order[i]);
    longest_ = std::max(longest_, columns_[1][i] - columns_[0][i] + 1);
  }
}

bool PlacedSegments::is_taken(std::size_t i) const { return columns_[3][i] == kTakenTo; }

SegmentEnds PlacedSegments::take(std::size_t i) {
  const SegmentEnds taken = ends_at(columns_, i);
  columns_[2][i] = 0;
  columns_[3][i] = kTakenTo;
  return taken;
}

std::optional<SegmentEnds> PlacedSegments::take_next() {
  while (next_ < size_ && is_taken(next_)) ++next_;
  if (next_ == size_) return std::nullopt;
  return take(next_);
}

void PlacedSegments::take_linked(const SegmentEnds& segment, std::vector<SegmentEnds>& taken) {
  const auto begin = columns_[0].begin(), end = begin + static_cast<std::ptrdiff_t>(size_);
  const auto first =
      static_cast<std::size_t>(std::lower_bound(begin, end, segment.from - longest_ + 1) - begin);
  const auto last = static_cast<std::size_t>(std::upper_bound(begin, end, segment.to) - begin);
  const std::size_t count = GPUHMM_SIMD_CALL(linked_numbers)(columns_, first, last, segment, numbers_.data());
  for (std::size_t n = 0; n < count; ++n) taken.push_back(take(numbers_[n]));
}

}  // namespace gpuhmm::hmmer3
#endif
