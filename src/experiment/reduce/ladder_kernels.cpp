// Buffers and launches of the ladder of reductions.
#include "experiment/reduce/ladder_kernels.hpp"

#include <algorithm>
#include <limits>
#include <variant>
#include <vector>

#include "companion/reduce/device_fold.hpp"
#include "experiment/resources.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm::experiment {

namespace {

using Launches = LadderShape::Launches;

constexpr std::size_t kElementsOfItem = 8;  // elements of a work-item with Rung::SeveralElements
constexpr std::size_t kSecondGroup = 256;   // work-items of the second pass at most

struct RungText {
  const char* name;
  const char* kernel;
};
constexpr std::array<RungText, kRungs.size()> kTexts = {{{"interleaved, divergent", "interleaved_divergent"},
                                                         {"interleaved", "interleaved"},
                                                         {"sequential addressing", "sequential"},
                                                         {"first minimum on load", "first_on_load"},
                                                         {"last steps unrolled", "last_unrolled"},
                                                         {"all steps unrolled", "unrolled"},
                                                         {"several elements an item", "several_elements"}}};

const RungText& text_of(Rung rung) { return kTexts[static_cast<std::size_t>(rung)]; }

std::size_t elements_of_item(Rung rung) {
  if (rung == Rung::SeveralElements) return kElementsOfItem;
  return rung >= Rung::FirstOnLoad ? 2 : 1;
}

// Work-groups of one array.
std::size_t groups_of(std::size_t count, const LadderShape& shape) {
  const std::size_t elements = shape.group * elements_of_item(shape.rung);
  return (count + elements - 1) / elements;
}

// Joins the minima of the work-groups of `positions` arrays.
void fold_groups(const std::vector<cl_int>& of_groups, std::size_t first, std::size_t positions,
                 Minima& minima) {
  const std::size_t groups = of_groups.size() / positions;
  for (std::size_t p = 0; p < positions; ++p) {
    const auto begin = of_groups.begin() + static_cast<std::ptrdiff_t>(p * groups);
    minima[first + p] = *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(groups));
  }
}

}  // namespace

const char* rung_name(Rung rung) { return text_of(rung).name; }

LadderKernels::LadderKernels(const DeviceInfo& device) : device_(device), queue_(device_) {}

std::string LadderKernels::obstacle(std::size_t count, const LadderShape& shape) const {
  const Needs needs{.local_memory = shape.group * sizeof(cl_int),
                    .group = shape.group,
                    .buffer = count * kPositions * sizeof(cl_int)};
  return lacking(device_.info(), needs).value_or("");
}

cl::Event LadderKernels::launch(const LadderShape& shape, const cl::Buffer& arrays, std::size_t count,
                                std::size_t first, std::size_t positions, const cl::Buffer& minima) const {
  const cl::Kernel kernel = device_.kernel({"reduce_ladder.cl"}, text_of(shape.rung).kernel,
                                           "-DGROUP=" + std::to_string(shape.group));
  return queue_.launch(
      kernel, {cl::NDRange(groups_of(count, shape) * shape.group, positions), cl::NDRange(shape.group, 1)},
      arrays, static_cast<cl_int>(count), static_cast<cl_int>(first), minima);
}

LadderRun LadderKernels::run(std::span<const std::int32_t> arrays, const LadderShape& shape) {
  const std::size_t count = arrays.size() / kPositions, groups = groups_of(count, shape);
  const cl::Buffer& stack = stack_.at_least(device_, arrays.size_bytes());
  const cl::Buffer& minima = minima_.at_least(device_, groups * kPositions * sizeof(cl_int));
  const cl::Buffer& result = result_.at_least(device_, kPositions * sizeof(cl_int));
  LadderRun run;
  std::vector<cl::Event> launched;
  {
    const Stopwatch watch(run.all);
    if (shape.launches == Launches::Nine) {
      for (std::size_t p = 0; p < kPositions; ++p) {
        queue_.write(stack, arrays.data() + p * count, count, p * count);
        launched.push_back(launch(shape, stack, count, p, 1, minima));
        queue_.finish();
        fold_groups(queue_.read<cl_int>(minima, groups, p * groups), p, 1, run.minima);
      }
    } else {
      queue_.write(stack, arrays.data(), arrays.size());
      launched.push_back(launch(shape, stack, count, 0, kPositions, minima));
      if (shape.launches == Launches::SecondPass) {
        // One work-group per array.
        const std::size_t group = std::min(kSecondGroup, device_.info().max_work_group);
        const cl::Kernel kernel = device_.kernel({"reduce_ladder.cl"}, text_of(Rung::SeveralElements).kernel,
                                                 "-DGROUP=" + std::to_string(group));
        launched.push_back(queue_.launch(kernel, {cl::NDRange(group, kPositions), cl::NDRange(group, 1)},
                                         minima, static_cast<cl_int>(groups), cl_int{0}, result));
        queue_.read(result, run.minima.data(), kPositions);
      } else {
        fold_groups(queue_.read<cl_int>(minima, groups * kPositions), 0, kPositions, run.minima);
      }
    }
  }
  for (const cl::Event& event : launched) run.kernels += queue_.time_of(event).seconds();
  return run;
}

LadderRun LadderKernels::run_todays(std::span<const std::int32_t> stack) {
  const std::size_t count = stack.size() / kPositions;
  DeviceFold fold(queue_, NumberType::Int32, kPositions, {});
  const cl::Buffer& place = stack_.at_least(device_, stack.size_bytes());
  queue_.finish();
  LadderRun run;
  cl::Event first, last;
  {
    const Stopwatch watch(run.all);
    queue_.write(place, stack.data(), stack.size());
    first = fold.add(place, count);
    const NumberValues reduced = fold.result(count, &last);
    std::ranges::copy(std::get<std::vector<std::int32_t>>(reduced), run.minima.begin());
  }
  run.kernels = queue_.time_of(first).seconds() + queue_.time_of(last).seconds();
  return run;
}

}  // namespace gpuhmm::experiment
