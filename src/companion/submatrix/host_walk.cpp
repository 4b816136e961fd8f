// Distributes the pairs of columns among host threads.
#include "companion/submatrix/host_walk.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kLinesOfShare = 1024;  // a multiple of kHostPanel, small enough for even shares

std::vector<PanelShare> shares(std::size_t panels) {
  std::vector<PanelShare> all;
  for (std::size_t panel = panels; panel-- > 0;) {
    const std::size_t end = (panel + 1) * kHostPanel;
    for (std::size_t first = 0; first < end; first += kLinesOfShare) {
      all.push_back({panel, first, std::min(end, first + kLinesOfShare)});
    }
  }
  return all;
}

}  // namespace

template <class T>
WalkResult walk_on_host(const Matrix& matrix, const SumBounds& bounds, unsigned threads,
                        const FractionDone& done) {
  const Planes<T> planes = make_planes<T>(
      matrix, bounds, {.panel = kHostPanel, .column_multiple = kHostPanel, .threads = threads});
  const bool by_line = walk_shape(matrix).transposed;
  const std::vector<PanelShare> work = shares(planes.panels);
  std::mutex mutex;
  WalkResult best;
  std::size_t finished = 0;
  parallel_for(threads, work.size(), 1, [&](std::size_t at, std::size_t) {
    const std::int64_t floor = [&] {
      const std::lock_guard lock(mutex);
      return best.sum;
    }();
    const WalkResult found = walk_panel(planes, by_line, work[at], floor);
    const std::lock_guard lock(mutex);
    best.merge(found);
    if (done) done(static_cast<double>(++finished) / static_cast<double>(work.size()));
  });
  return best;
}

template WalkResult walk_on_host<std::int32_t>(const Matrix&, const SumBounds&, unsigned,
                                               const FractionDone&);
template WalkResult walk_on_host<std::int64_t>(const Matrix&, const SumBounds&, unsigned,
                                               const FractionDone&);

}  // namespace gpuhmm
