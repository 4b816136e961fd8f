// `gpuhmm segments` on one vector of numbers.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/companion/number_options.hpp"
#include "cli/companion/segments_engine.hpp"
#include "cli/companion/segments_modes.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/segments/segment_writer.hpp"
#include "formats/numbers/numbers.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kReadElements = std::size_t{1} << 20;
constexpr std::uint64_t kReservedElements = std::uint64_t{1} << 24;  // a header can promise too many

NumberArray read_vector(const SegmentsOptions& options, const Arguments& arguments) {
  NumberReader reader(options.input, 1, raw_options_from(arguments));
  NumberArray vector{{}, no_numbers(reader.type())};
  ProgressLine progress(arguments.silent(), kNumbers);
  const auto expected = std::min(reader.items().value_or(0), kReservedElements);
  std::visit([&](auto& values) { values.reserve(expected); }, vector.values);
  while (const std::size_t got = reader.append(kReadElements, vector.values)) {
    progress.meter().reach(reader.fraction_read(), static_cast<double>(got));
  }
  vector.shape = {reader.items_read()};
  return vector;
}

double least_score(const SegmentsOptions& options) {
  if (!options.min_score) return 0;
  const std::string& text = *options.min_score;
  double least = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), least);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(least)) {
    throw UsageError("option '--min-score' expects a number, not '" + text + "'");
  }
  return least;
}

// Keeps the segments that the options select, in order.
template <class Score>
void choose(std::vector<Segment<Score>>& found, int exponent, double least, const SegmentsOptions& options) {
  if (options.min_score || options.min_length) {
    const std::uint64_t shortest = options.min_length.value_or(1);
    std::erase_if(found, [&](const Segment<Score>& segment) {
      return std::ldexp(static_cast<double>(segment.score), exponent) < least || segment.length() < shortest;
    });
  }
  if (options.top) keep_highest(found, *options.top);
}

}  // namespace

void run_number_segments(const SegmentsOptions& options, const Arguments& arguments) {
  if (options.format != "tsv" && options.format != "json") {
    throw UsageError("option '--format' expects tsv or json for numbers");
  }
  RunStatistics statistics(arguments.has("stats"));
  const double least = least_score(options);
  const auto engine = make_engine(arguments.get("device"), options.threads);
  OutputFile out(options.output);
  const NumberArray vector = read_vector(options, arguments);
  // Without --all and --top there is one answer.
  const bool one = !options.all && !options.top;
  const SegmentGoal goal =
      one && !options.min_score && !options.min_length ? SegmentGoal::Best : SegmentGoal::All;
  VectorSegments segments = std::visit(
      [&](const auto& values) {
        try {
          return search_vector(std::span(values), goal, *engine, options.threads);
        } catch (const std::invalid_argument& error) {
          throw FileError(options.input + ": " + error.what());
        }
      },
      vector.values);
  SegmentsOptions chosen = options;
  if (one) chosen.top = 1;
  SegmentWriter writer([&out](std::string_view text) { out.write(text); }, options.format == "json");
  writer.begin(vector.shape[0], number_type_name(vector.type()), segments.found.index() != 2);
  std::visit(
      [&](auto& found) {
        choose(found, segments.exponent, least, chosen);
        for (const auto& segment : found) writer.add(segment, segments.exponent);
        if (found.empty() && one) writer.add_empty();
      },
      segments.found);
  out.commit();
  add_engine(statistics, arguments.get("device"));
  statistics.count("elements", vector.shape[0]);
  statistics.print();
}

}  // namespace gpuhmm::cli
