// `gpuhmm segments` on one vector of numbers.
#include <charconv>
#include <cmath>

#include "cli/commands/number_options.hpp"
#include "cli/commands/segments_engine.hpp"
#include "cli/commands/segments_modes.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/segments/vector_segments.hpp"
#include "formats/io/output.hpp"
#include "formats/numbers/numbers.hpp"

namespace gpuhmm::cli {

namespace {

constexpr std::size_t kReadElements = std::size_t{1} << 20;

NumberArray read_vector(const SegmentsOptions& options, const Arguments& arguments) {
  NumberReader reader(options.input, 1, raw_options_from(arguments));
  NumberArray vector{{}, no_numbers(reader.type())};
  ProgressLine progress(arguments.silent(), kNumbers);
  while (const std::size_t got = reader.append(kReadElements, vector.values)) {
    progress.meter().reach(reader.fraction_read(), static_cast<double>(got));
  }
  vector.shape = {reader.items_read()};
  return vector;
}

// A segment as it is printed.
struct Row {
  std::uint64_t begin = 0, end = 0;
  std::string sum;
  double value = 0;  // of the sum
};

Row row_of(const Segment<std::int64_t>& s, int exponent) {
  return {s.begin, s.end, sum_text(s.score, exponent), std::ldexp(static_cast<double>(s.score), exponent)};
}
Row row_of(const Segment<Int128>& s, int exponent) {
  return {s.begin, s.end, sum_text(s.score, exponent), std::ldexp(static_cast<double>(s.score), exponent)};
}
Row row_of(const Segment<double>& s, int /*exponent*/) {
  return {s.begin, s.end, number_text(s.score), s.score};
}

class VectorWriter {
 public:
  VectorWriter(OutputFile& out, bool json) : out_(out), json_(json) {}

  void begin(const NumberArray& vector, bool exact) {
    if (json_) return;
    out_.write("# vector of " + std::to_string(vector.shape[0]) + " " +
               std::string(number_type_name(vector.type())) + "; elements counted from 0, end inclusive" +
               (exact ? "" : "; sums in double precision") + "\n# start\tend\tlength\tsum\tmean\n");
  }
  void add(const Row& row) {
    const std::string first = std::to_string(row.begin), last = std::to_string(row.end - 1);
    const std::string length = std::to_string(row.end - row.begin);
    const std::string mean = number_text(row.value / static_cast<double>(row.end - row.begin));
    if (json_) {
      out_.write("{\"start\":" + first + ",\"end\":" + last + ",\"length\":" + length +
                 ",\"sum\":" + row.sum + ",\"mean\":" + mean + "}\n");
    } else {
      out_.write(first + '\t' + last + '\t' + length + '\t' + row.sum + '\t' + mean + '\n');
    }
  }
  void add_empty() {
    out_.write(json_ ? "{\"start\":null,\"end\":null,\"length\":0,\"sum\":0,\"mean\":null}\n"
                     : "-\t-\t0\t0\t-\n");
  }

 private:
  OutputFile& out_;
  bool json_;
};

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

// Leaves the segments that the options ask for, in order.
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
  // One answer, unless more are asked for.
  const bool one = !options.all && !options.top;
  const SegmentGoal goal =
      one && !options.min_score && !options.min_length ? SegmentGoal::kBest : SegmentGoal::kAll;
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
  VectorWriter writer(out, options.format == "json");
  writer.begin(vector, segments.found.index() != 2);
  std::visit(
      [&](auto& found) {
        choose(found, segments.exponent, least, chosen);
        for (const auto& segment : found) writer.add(row_of(segment, segments.exponent));
        if (found.empty() && one) writer.add_empty();
      },
      segments.found);
  out.commit();
  statistics.count("elements", vector.shape[0]);
  statistics.print();
}

}  // namespace gpuhmm::cli
