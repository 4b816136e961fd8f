// Formats the lines of segments.
#include "companion/segments/segment_writer.hpp"

#include <cmath>
#include <type_traits>

#include "formats/json/json_value.hpp"
#include "formats/numbers/number_text.hpp"

namespace gpuhmm {

void SegmentWriter::begin(std::uint64_t elements, std::string_view type, bool exact) {
  if (json_) return;
  out_("# vector of " + std::to_string(elements) + " " + std::string(type) +
       "; elements counted from 0, end inclusive" + (exact ? "" : "; sums in double precision") +
       "\n# start\tend\tlength\tsum\tmean\n");
}

template <class Score>
void SegmentWriter::add(const Segment<Score>& segment, int exponent) {
  double value = static_cast<double>(segment.score);
  std::string sum;
  if constexpr (std::is_same_v<Score, double>) {
    sum = number_text(value);
  } else {
    value = std::ldexp(value, exponent);
    sum = sum_text(segment.score, exponent);
  }
  const std::uint64_t length = segment.length();
  const std::string mean = number_text(value / static_cast<double>(length));
  if (json_) {
    out_(json_line_of_numbers({{"start", segment.begin},
                               {"end", segment.end - 1},
                               {"length", length},
                               {"sum", json_number(sum)},
                               {"mean", json_number(mean)}}));
  } else {
    out_(std::to_string(segment.begin) + '\t' + std::to_string(segment.end - 1) + '\t' +
         std::to_string(length) + '\t' + sum + '\t' + mean + '\n');
  }
}

void SegmentWriter::add_empty() {
  out_(json_ ? json_line({{"start", nullptr}, {"end", nullptr}, {"length", 0}, {"sum", 0}, {"mean", nullptr}})
             : "-\t-\t0\t0\t-\n");
}

template void SegmentWriter::add(const Segment<std::int64_t>&, int);
template void SegmentWriter::add(const Segment<Int128>&, int);
template void SegmentWriter::add(const Segment<double>&, int);

}  // namespace gpuhmm
