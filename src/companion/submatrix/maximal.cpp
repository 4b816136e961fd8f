// All maximal submatrices by best-first search: a queue holds an upper bound of every set of rectangles, and
// only what stands first in the queue is looked at again.
#include "companion/submatrix/maximal.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "companion/submatrix/candidates.hpp"
#include "companion/submatrix/open_sums.hpp"
#include "opencl/host_fallback.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

using State = Candidate::State;

// The candidates that take the place of one.
template <class T>
class Refinement {
 public:
  Refinement(const OpenSums<T>& sums, bool transposed, std::int64_t least, std::size_t reported)
      : sums_(sums),
        transposed_(transposed),
        least_(least),
        reported_(static_cast<std::uint32_t>(reported)) {}

  void refine(const Candidate& candidate, std::vector<Candidate>& found) const {
    if (!candidate.is_tile()) return refine_strip(candidate, found);
    if (candidate.state == State::Sum && candidate.seen == reported_) return place(candidate, found);
    refine_tile(candidate, found);
  }

  // What walking the candidate costs, in rows of strips.
  static double work_of(const Candidate& candidate) {
    return static_cast<double>(candidate.last - candidate.first) *
           (candidate.is_tile() ? kOpenStep * kHostPanel : 1);
  }

 private:
  // Only parts of the strip's maximal segments can be reported. In two candidates, each with half of the
  // segments, so that each row is read again a logarithmic number of times only while nothing else changes.
  void refine_strip(const Candidate& candidate, std::vector<Candidate>& found) const {
    sums_.each_stretch(candidate.g, candidate.h, candidate.first, candidate.last,
                       [&](std::size_t first, std::size_t last) {
                         const auto segments = sums_.maximal_segments(candidate.g, candidate.h, first, last);
                         const std::size_t half = (segments.size() + 1) / 2;
                         add_best(candidate, std::span(segments).first(half), found);
                         add_best(candidate, std::span(segments).subspan(half), found);
                       });
  }

  void add_best(const Candidate& of, std::span<const Segment<std::int64_t>> segments,
                std::vector<Candidate>& found) const {
    if (segments.empty()) return;
    const auto best = first_of_highest(segments);
    if (best->score < least_) return;
    found.push_back({best->score, of.g, of.h, static_cast<std::uint32_t>(segments.front().begin),
                     static_cast<std::uint32_t>(segments.back().end), static_cast<std::uint32_t>(best->begin),
                     static_cast<std::uint32_t>(best->end), reported_, State::Placed});
  }

  // The strips of a tile are all shut where the columns that all have are.
  void refine_tile(const Candidate& candidate, std::vector<Candidate>& found) const {
    const std::uint32_t g = candidate.tile_g(), h = candidate.tile_h();
    sums_.each_stretch(g + kOpenStep - 1, h, candidate.first, candidate.last,
                       [&](std::size_t first, std::size_t last) {
                         const BestSums best = walk(g, h, first, last);
                         const T sum = *std::max_element(best.begin(), best.end());
                         if (sum < least_) return;
                         found.push_back({sum, g, h, static_cast<std::uint32_t>(first),
                                          static_cast<std::uint32_t>(last), 0, 0, reported_, State::Sum});
                       });
  }

  void place(const Candidate& candidate, std::vector<Candidate>& found) const {
    const BestSums best = walk(candidate.g, candidate.h, candidate.first, candidate.last);
    Candidate placed = candidate;
    for (std::size_t strip = 0; strip < best.size(); ++strip) {
      if (best[strip] != candidate.sum) continue;
      Candidate next = candidate;
      next.state = State::Placed;
      next.g = static_cast<std::uint32_t>(candidate.g + strip / kHostPanel);
      next.h = static_cast<std::uint32_t>(candidate.h + strip % kHostPanel);
      if (!find_rows(next)) continue;
      const bool better = placed.state != State::Placed ||
                          rectangle_of(next, transposed_).ends_before(rectangle_of(placed, transposed_));
      if (better) placed = next;
    }
    found.push_back(placed);
  }

  // The rows of the strip that reach the candidate's sum first.
  bool find_rows(Candidate& candidate) const {
    bool is_found = false;
    sums_.each_stretch(candidate.g, candidate.h, candidate.first, candidate.last,
                       [&](std::size_t first, std::size_t last) {
                         if (is_found) return;
                         const auto segments = sums_.maximal_segments(candidate.g, candidate.h, first, last);
                         if (segments.empty()) return;
                         const auto best = first_of_highest(std::span(segments));
                         if (best->score != candidate.sum) return;
                         candidate.start = static_cast<std::uint32_t>(best->begin);
                         candidate.end = static_cast<std::uint32_t>(best->end);
                         is_found = true;
                       });
    return is_found;
  }

  using BestSums = std::array<T, kOpenStep * kHostPanel>;

  BestSums walk(std::size_t g, std::size_t h, std::size_t first, std::size_t last) const {
    BestSums best;
    walk_open_tile(sums_.tile(g, h, first, last), best.data());
    return best;
  }

  template <class Segments>
  static auto first_of_highest(const Segments& segments) {
    return std::max_element(segments.begin(), segments.end(),
                            [](const auto& a, const auto& b) { return a.score < b.score; });
  }

  const OpenSums<T>& sums_;
  bool transposed_;
  std::int64_t least_;
  std::uint32_t reported_;
};

// The best sums of the tiles of devices, in which those of candidates lie.
class DeviceBounds {
 public:
  DeviceBounds(const WalkedTiles& walked, std::size_t lines)
      : lines_g_(walked.shape.lines_g()),
        lines_h_(walked.shape.lines_h()),
        across_(lines / lines_g_ + lines_h_ / lines_g_ + 2),
        sums_((lines / lines_h_ + 1) * across_) {
    if (lines_g_ % kOpenStep != 0 || lines_h_ % kHostPanel != 0) {
      throw std::invalid_argument("work-groups with too few lines");
    }
    for (std::size_t i = 0; i < walked.tiles.size(); ++i) {
      sums_[place(walked.tiles[i].g, walked.tiles[i].h)] = walked.found[i].sum;
    }
  }

  std::int64_t operator()(std::size_t g, std::size_t h) const { return sums_[place(g, h)]; }

 private:
  std::size_t place(std::size_t g, std::size_t h) const { return h / lines_h_ * across_ + g / lines_g_; }

  std::size_t lines_g_, lines_h_, across_;
  std::vector<std::int64_t> sums_;
};

template <class T>
class MaximalSearch {
 public:
  MaximalSearch(Matrix matrix, const SubmatrixLimits& limits, SubmatrixOptions& options)
      : matrix_(std::move(matrix)),
        limits_(limits),
        options_(options),
        transposed_(walk_shape(matrix_).transposed),
        least_(static_cast<std::int64_t>(limits.least)),
        sums_(matrix_, options.threads),
        queue_(transposed_) {
    for (std::size_t i = 0; i < matrix_.values.size(); ++i) {
      if (matrix_.open_value(i) > 0) ++positive_;
    }
    add_everything();
  }

  std::vector<Pattern> run() {
    if (!options_.devices.empty()) lower_by_devices();
    while (found_.size() < limits_.most && !queue_.empty()) {
      if (is_best(queue_.front())) {
        report(queue_.pop());
      } else {
        look_again();
      }
    }
    if (options_.done) options_.done(1);
    return std::move(found_);
  }

 private:
  // Every strip, alone or in a tile, with a bound that anything lies below.
  void add_everything() {
    Candidate candidate;
    candidate.sum = std::numeric_limits<std::int64_t>::max();
    candidate.last = static_cast<std::uint32_t>(sums_.length());
    const auto lines = static_cast<std::uint32_t>(sums_.lines());
    constexpr std::uint32_t kPanel = kHostPanel, kStep = kOpenStep;
    for (std::uint32_t panel = 0; panel < lines; panel += kPanel) {
      const std::uint32_t end = std::min(panel + kPanel, lines);
      candidate.h = panel;
      for (candidate.g = 0; candidate.g < panel; candidate.g += kStep) queue_.push(candidate);
      for (candidate.g = panel; candidate.g < end; ++candidate.g) {
        for (candidate.h = candidate.g; candidate.h < end; ++candidate.h) queue_.push(candidate);
      }
    }
  }

  bool is_best(const Candidate& candidate) const {
    return candidate.state == State::Placed &&
           sums_.is_open(candidate.g, candidate.h, candidate.start, candidate.end);
  }

  void report(Candidate candidate) {
    const Pattern pattern{candidate.sum, rectangle_of(candidate, transposed_)};
    if (!options_.devices.empty() && found_.empty()) {
      check_largest_sum(matrix_, candidate.sum, options_.devices.front()->info().name);
    }
    for (std::size_t row = pattern.where.top; row <= pattern.where.bottom; ++row) {
      for (std::size_t column = pattern.where.left; column <= pattern.where.right; ++column) {
        if (matrix_.values[matrix_.cell(row, column)] > 0) ++covered_;
      }
    }
    sums_.shut(candidate.g, candidate.h, candidate.start, candidate.end);
    if (!options_.devices.empty()) bar(matrix_, pattern.where);
    found_.push_back(pattern);
    candidate.state = State::Bound;
    queue_.push(candidate);
    batch_ = 1;
    if (options_.done) options_.done(static_cast<double>(covered_) / static_cast<double>(positive_));
  }

  // Refines what stands first in the queue: one candidate, then more and more at once if several threads can
  // share them, for often all with large bounds must be refined.
  void look_again() {
    std::vector<Candidate> batch;
    double work = 0;
    while (batch.size() < batch_ && !queue_.empty() && !is_best(queue_.front())) {
      batch.push_back(queue_.pop());
      work += Refinement<T>::work_of(batch.back());
    }
    if (options_.threads > 1) batch_ = std::min(2 * batch_, kMostAtOnce);
    const Refinement<T> refinement(sums_, transposed_, least_, found_.size());
    std::vector<std::vector<Candidate>> refined(batch.size());
    {
      const Stopwatch watch(host_seconds_);
      parallel_for(work < kWorthThreads ? 1 : options_.threads, batch.size(), 1,
                   [&](std::size_t i, std::size_t) { refinement.refine(batch[i], refined[i]); });
    }
    for (const auto& candidates : refined) {
      for (const Candidate& candidate : candidates) queue_.push(candidate);
    }
    if (!options_.devices.empty() && host_seconds_ > device_seconds_) lower_by_devices();
  }

  // Bounds of all tiles by the devices. They begin again when the host has taken as long as they take, so
  // they at most double the time.
  void lower_by_devices() {
    const double start = seconds_now();
    const SumBounds bounds = sum_bounds(matrix_, options_.threads);
    if (sums_fit<std::int32_t>(bounds)) {
      lower_by_devices<std::int32_t>(bounds);
    } else if (sums_fit<std::int64_t>(bounds)) {
      lower_by_devices<std::int64_t>(bounds);
    }
    device_seconds_ = seconds_now() - start;
    host_seconds_ = 0;
  }

  template <class Wide>
  void lower_by_devices(const SumBounds& bounds) {
    const WalkedTiles walked = walk_tiles_on_devices<Wide>(
        matrix_, bounds, options_.devices, options_.threads, {}, options_.shape ? &*options_.shape : nullptr);
    queue_.lower(DeviceBounds(walked, sums_.lines()), least_);
  }

  static constexpr std::size_t kMostAtOnce = 1024;
  static constexpr double kWorthThreads = 1e6;  // a tenth of a millisecond

  Matrix matrix_;  // its barred cells are kept for devices only
  SubmatrixLimits limits_;
  SubmatrixOptions& options_;
  bool transposed_;
  std::int64_t least_;
  OpenSums<T> sums_;
  CandidateQueue queue_;
  std::vector<Pattern> found_;
  std::size_t positive_ = 0, covered_ = 0;  // cells above 0
  std::size_t batch_ = 1;
  double host_seconds_ = 0, device_seconds_ = 0;
};

template <class T>
std::vector<Pattern> searched(Matrix matrix, const SubmatrixLimits& limits, SubmatrixOptions& options) {
  const auto on_devices = [&] { return MaximalSearch<T>(matrix, limits, options).run(); };
  const auto on_host = [&] {
    options.devices.clear();
    return MaximalSearch<T>(std::move(matrix), limits, options).run();
  };
  if (options.devices.empty()) return on_host();
  return HostFallback(HostFallback::After::AnyFailure, options.warn).run(on_devices, on_host);
}

}  // namespace

std::vector<Pattern> maximal_submatrices(Matrix matrix, const SubmatrixLimits& limits,
                                         SubmatrixOptions& options) {
  // Candidates have 32 bits for rows and lines.
  if (matrix.values.empty() || walk_shape(matrix).length >= std::numeric_limits<std::int32_t>::max()) {
    return maximal_submatrices_reference(std::move(matrix), limits);
  }
  // Barriers take nothing of the width, unlike barred ranges of planes.
  const SumBounds bounds{sum_bounds(matrix, options.threads).reach, 0};
  if (limits.least > bounds.reach) return {};
  if (sums_fit<std::int32_t>(bounds)) return searched<std::int32_t>(std::move(matrix), limits, options);
  if (sums_fit<std::int64_t>(bounds)) return searched<std::int64_t>(std::move(matrix), limits, options);
  return maximal_submatrices_reference(std::move(matrix), limits);
}

}  // namespace gpuhmm
