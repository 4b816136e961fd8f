// Allocates the memory of a variant and launches its kernels.
#include "experiment/ladder/device_job.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <utility>

#include "util/stopwatch.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

constexpr const char* kFile = "viterbi_ladder.cl";

std::string kernel_name(const Variant& variant) {
  return variant.grain == Grain::Fine ? "cell_of_sequences" : "rows_of_sequences";
}

// The number of symbols: 20 if no residue is degenerate, else all of the model's alphabet.
int symbols_of(const ScoreModel& model, const SequenceSet& sequences) {
  const int plain = Alphabet::get(model.alphabet).size();
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    for (const std::uint8_t code : sequences.residues(i))
      if (code >= plain) return model.code_count();
  }
  return plain;
}

std::vector<std::size_t> order_of(const SequenceSet& sequences, bool sorted) {
  if (sorted) return longest_first(sequences);
  std::vector<std::size_t> order(sequences.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

// 1234567 as 1,234,567.
std::string with_thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string bytes_text(std::size_t bytes) { return with_thousands(bytes) + " bytes"; }

}  // namespace

DeviceJob::DeviceJob(const OpenDevice& device, const Variant& variant, const ScoreModel& model,
                     const SequenceSet& sequences, std::size_t group)
    : device_(device),
      variant_(variant),
      nodes_(model.nodes),
      symbols_(symbols_of(model, sequences)),
      group_(group),
      local_(local_bytes(variant, nodes_, symbols_, group)) {
  if (local_.used > device.info().local_memory) {
    throw Unfit("needs " + bytes_text(local_.used) + " of local memory; the device has " +
                with_thousands(device.info().local_memory));
  }
  const std::size_t constant_bytes = (static_cast<std::size_t>(nodes_) + 1) * 9 * 4;
  const auto constant_memory =
      device.guarded([&] { return device.device().getInfo<CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE>(); });
  if (variant.regular == RegularPlace::Constant && constant_bytes > constant_memory) {
    throw Unfit("needs " + bytes_text(constant_bytes) + " of constant memory; the device has " +
                with_thousands(constant_memory));
  }
  std::vector<std::size_t> order = order_of(sequences, variant.sorted);
  if (order.empty() || sequences.residue_count() == 0) throw std::invalid_argument("no sequences");
  if (variant.grain != Grain::Coarse && variant.cells == CellPlace::Private)
    throw Unfit("private scores do not outlive a launch");
  kernel_ = device.kernel({kFile}, kernel_name(variant), options());
  const auto most =
      device.guarded([&] { return kernel_.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device.device()); });
  if (group > most) {
    throw Unfit("needs groups of " + std::to_string(group) +
                " work-items; the device runs this kernel with " + std::to_string(most));
  }
  if (variant.overlap && order.size() > 1) {
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    make_part(sequences, {order.begin(), middle}, model);
    make_part(sequences, {middle, order.end()}, model);
  } else {
    make_part(sequences, std::move(order), model);
  }
  std::size_t groups = 0;
  for (const Part& part : parts_) groups = std::max(groups, part.global / group);
  const Queue& queue = parts_.front().queue;
  regular_ = upload(queue, regular_table(model, variant.regular, groups), memory_.regular);
  match_emissions_ =
      upload(queue, emission_table(model, true, variant.emissions, symbols_), memory_.emissions);
  insert_emissions_ =
      upload(queue, emission_table(model, false, variant.emissions, symbols_), memory_.emissions);
}

std::string DeviceJob::options() const { return build_options(variant_, nodes_, symbols_); }

// Allocates a buffer. Throws Unfit if it exceeds a quarter of the device's memory or its largest allocation.
template <class T>
cl::Buffer DeviceJob::allocate(std::size_t count, std::size_t& use) const {
  const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(T);
  const std::uint64_t most = std::min(device_.info().max_allocation, device_.info().memory / 4);
  if (bytes > most)
    throw Unfit("needs a buffer of " + bytes_text(bytes) + "; the device gives " + with_thousands(most));
  use += bytes;
  return device_.buffer<T>(count);
}

cl::Buffer DeviceJob::upload(const Queue& queue, const std::vector<std::int32_t>& table, std::size_t& use) {
  cl::Buffer buffer = allocate<std::int32_t>(table.size(), use);
  parameter_seconds_ += queue.time_of(queue.write(buffer, table.data(), table.size())).seconds();
  return buffer;
}

void DeviceJob::make_part(const SequenceSet& sequences, std::vector<std::size_t> order,
                          const ScoreModel& model) {
  const std::size_t items = order.size();
  Part part{arrange(sequences, order, variant_.coalesced, variant_.residues_a_read), std::move(order),
            std::vector<std::int32_t>(items), Queue(device_)};
  part.stride = variant_.cells == CellPlace::Padded ? (items + 31) / 32 * 32 : items;
  part.global = (items + group_ - 1) / group_ * group_;
  const bool is_private = variant_.cells == CellPlace::Private;
  const std::size_t cells = is_private ? 1 : part.stride * 2 * (static_cast<std::size_t>(nodes_) + 1);
  if (cells > 0xFFFFFFFFU) throw Unfit("has more cells than 32 bits count");
  part.residues = allocate<std::uint8_t>(part.arrangement.residues.size(), memory_.residues);
  part.starts = part.queue.upload(part.arrangement.starts);
  part.lengths = part.queue.upload(part.arrangement.lengths);
  part.specials = upload(part.queue, special_table(model, variant_.specials, part.stride), memory_.specials);
  for (cl::Buffer* buffer : {&part.match, &part.insertion, &part.deletion})
    *buffer = allocate<std::int32_t>(cells, memory_.cells);
  part.special_cells = allocate<std::int32_t>(is_private ? 1 : part.stride * 7, memory_.special_cells);
  part.score_buffer = allocate<std::int32_t>(items, memory_.scores);
  std::size_t unused = 0;
  part.progress = allocate<std::int32_t>(part.global, unused);
  parts_.push_back(std::move(part));
}

template <class... More>
void DeviceJob::launch(Part& part, const More&... more) {
  cl::Event event = part.queue.launch(
      kernel_, {cl::NDRange(part.global), cl::NDRange(group_)}, part.residues, part.starts, part.lengths,
      static_cast<cl_uint>(part.order.size()), static_cast<cl_uint>(part.stride), static_cast<cl_int>(nodes_),
      regular_, part.specials, match_emissions_, insert_emissions_, part.match, part.insertion, part.deletion,
      part.special_cells, part.score_buffer, cl::Local(local_.regular), cl::Local(local_.specials),
      cl::Local(local_.emissions), more...);
  if (part.first_launch() == nullptr) part.first_launch = event;
  part.last_launch = std::move(event);
}

void DeviceJob::launch_all(Part& part) {
  constexpr int kAhead = 1000;  // launches in the queue
  const std::int32_t longest =
      *std::max_element(part.arrangement.lengths.begin(), part.arrangement.lengths.end());
  if (variant_.grain == Grain::Fine) {
    for (std::int32_t i = 1, launched = 0; i <= longest; ++i) {
      for (int j = 1; j <= nodes_; ++j) {
        launch(part, static_cast<cl_int>(i), static_cast<cl_int>(j));
        if (++launched % kAhead == 0) part.queue.finish();
      }
    }
    return;
  }
  const std::int32_t rows = variant_.grain == Grain::Coarse ? longest : variant_.rows_a_launch;
  if (variant_.progress != Progress::Host) part.queue.fill<std::int32_t>(part.progress, 0, part.global);
  for (std::int32_t first = 0, launched = 0; first < longest; first += rows) {
    launch(part, static_cast<cl_int>(first), static_cast<cl_int>(rows), part.progress);
    if (++launched % kAhead == 0) part.queue.finish();
  }
}

RunTimes DeviceJob::run() {
  RunTimes times;
  {
    const Stopwatch watch(times.total);
    for (Part& part : parts_) {
      const std::vector<std::uint8_t>& residues = part.arrangement.residues;
      part.first_launch = cl::Event();
      part.sent = part.queue.send(part.residues, residues.data(), residues.size());
      part.queue.flush();
      launch_all(part);
      part.received = part.queue.receive(part.score_buffer, part.scores.data(), part.scores.size());
      part.queue.flush();
    }
    for (const Part& part : parts_) part.queue.finish();
  }
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const Part& part : parts_) {
    first = std::min(first, part.queue.time_of(part.first_launch).start);
    last = std::max(last, part.queue.time_of(part.last_launch).end);
    times.send += part.queue.time_of(part.sent).seconds();
    times.receive += part.queue.time_of(part.received).seconds();
  }
  times.kernel = CommandTime{first, last}.seconds();
  return times;
}

std::vector<std::int32_t> DeviceJob::scores() const {
  std::size_t count = 0;
  for (const Part& part : parts_) count += part.order.size();
  std::vector<std::int32_t> scores(count);
  for (const Part& part : parts_) {
    for (std::size_t item = 0; item < part.order.size(); ++item) scores[part.order[item]] = part.scores[item];
  }
  return scores;
}

KernelResources DeviceJob::resources() const {
  return {
      device_.guarded([&] { return kernel_.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(device_.device()); }),
      local_.used};
}

std::optional<int> DeviceJob::registers() const {
  if (device_.info().platform.find("NVIDIA") == std::string::npos) return std::nullopt;
  const std::string name = kernel_name(variant_);
  // The driver caches binaries, but not build logs, so the source must be one that it has not built before.
  static const std::string unseen = " -DUNSEEN=" + std::to_string(std::time(nullptr));
  const cl::Kernel verbose = device_.kernel({kFile}, name, options() + " -cl-nv-verbose" + unseen);
  return device_.guarded([&] {
    const auto program = verbose.getInfo<CL_KERNEL_PROGRAM>();
    return registers_in(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_.device()), name);
  });
}

std::optional<int> registers_in(const std::string& log, const std::string& kernel) {
  const std::size_t entry = log.find("'" + kernel + "'");
  if (entry == std::string::npos) return std::nullopt;
  const std::string word = "Used ";
  const std::size_t used = log.find(word, entry);
  if (used == std::string::npos) return std::nullopt;
  return std::atoi(log.c_str() + used + word.size());
}

}  // namespace gpuhmm::experiment::ladder
