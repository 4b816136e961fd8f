// Sends models and sequences, launches cl/gpu_paths.cl and fetches what it has found.
#include "align/opencl/path_stream.hpp"

#include "align/opencl/path_words.hpp"
#include "filter/opencl/gpu_variant.hpp"

namespace gpuhmm::grid {

namespace {

cl::Kernel path_kernel(const OpenDevice& device) {
  constexpr unsigned kRows = 4;  // gpu_ops.cl wants some
  return device.kernel({"gpu_ops.cl", "gpu_items.cl", "gpu_paths.cl"}, "paths",
                       gpu_build_options(choose_gpu_variant(device.info()), kRows, 0));
}

// The tasks as the kernel reads them, and how much memory they take.
struct Input {
  Input(std::span<const PathTask> tasks, std::size_t steps) {
    for (const PathTask& task : tasks) {
      const std::size_t length = task.residues.size();
      const std::size_t room = room_for_path(length);
      pairs.push_back({{static_cast<cl_int>(residues.size()), static_cast<cl_int>(length),
                        static_cast<cl_int>(rows), task.lowest_traced}});
      pairs.push_back(
          {{static_cast<cl_int>(record), static_cast<cl_int>(words), static_cast<cl_int>(room), 0}});
      residues.insert(residues.end(), task.residues.begin(), task.residues.end());
      rows += length + 1;
      record += length * steps;
      words += room;
    }
  }

  std::vector<std::uint8_t> residues;
  std::vector<cl_int4> pairs;
  std::size_t rows = 0, record = 0, words = 0;  // record: in units of kPathItems bytes
};

}  // namespace

PathStream::PathStream(const OpenDevice& device, std::size_t record_bytes)
    : device_(device), kernel_(path_kernel(device)), queue_(device, Timing::Off) {
  record_.at_least(device, record_bytes);
  rows_.at_least(device, record_bytes / 16);  // enough if a work-item has four nodes
}

std::vector<FoundPath> PathStream::run(const PathModel& model, std::span<const PathTask> tasks) {
  const Input input(tasks, model.steps);
  words_found_.resize(input.words);
  scores_found_.resize(tasks.size());
  const std::unique_lock turn = device_.turn();
  queue_.finished_if_failed([&] {
    const auto send = [&](GrowingBuffer& space, const auto& values) -> const cl::Buffer& {
      const cl::Buffer& buffer = space.at_least(device_, values.size() * sizeof(values[0]));
      queue_.send(buffer, values.data(), values.size());
      return buffer;
    };
    const cl::Event done = queue_.launch(
        kernel_, {{tasks.size() * kPathItems}, {kPathItems}}, send(residues_, input.residues),
        send(pairs_, input.pairs), send(deletes_, model.deletes), send(inserts_, model.inserts),
        send(begins_, model.begins), send(emissions_, model.emissions), send(crossings_, model.crossings),
        send(specials_, model.specials), static_cast<cl_int>(model.steps), model.nothing,
        record_.at_least(device_, input.record * kPathItems),
        rows_.at_least(device_, input.rows * sizeof(cl_int2)),
        words_.at_least(device_, input.words * sizeof(cl_int)),
        found_.at_least(device_, tasks.size() * sizeof(cl_int2)),
        cl::Local(model.steps * kPathItems * sizeof(cl_int2)), cl::Local(kPathItems * sizeof(cl_int)),
        cl::Local(kPathItems * sizeof(cl_uchar)));
    queue_.wait_flushed(done);
    queue_.receive(words_.buffer(), words_found_.data(), input.words);
    queue_.fetch(found_.buffer(), scores_found_.data(), tasks.size());
  });
  std::vector<FoundPath> found;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const cl_int score = scores_found_[t].s[0], used = scores_found_[t].s[1];
    const cl_int4& space = input.pairs[2 * t + 1];
    FoundPath& path = found.emplace_back(score, std::nullopt);
    if (used < 0 || used > space.s[2]) continue;
    path.words = std::span<const std::int32_t>(words_found_)
                     .subspan(static_cast<std::size_t>(space.s[1]), static_cast<std::size_t>(used));
  }
  return found;
}

}  // namespace gpuhmm::grid
