// Launches and proofs; see the header.
#include "filter/opencl/gpu_viterbi.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "filter/opencl/gpu_bound_model.hpp"
#include "filter/opencl/gpu_layout.hpp"
#include "filter/opencl/gpu_model.hpp"
#include "filter/opencl/gpu_programs.hpp"
#include "opencl/error.hpp"

namespace gpuhmm {

namespace {

// Rows of the edges of a launch are addressed with 64 bits, its groups with 32.
constexpr std::size_t kEdgeBytes = 4 * sizeof(cl_int);
constexpr std::int32_t kNoMark = std::numeric_limits<std::int32_t>::max();
// A listed sequence costs about as much as so many in the tiled kernel: where the bound lets too many
// through, all sequences are scored exactly.
constexpr std::size_t kListedCost = 6;
constexpr std::size_t kFew = 1000;
constexpr std::size_t kPackedWords = kGpuCodes + kGpuMoveWords;  // of a pair in gpu_packed.cl

struct DeviceBatch : GpuBatch {
  DeviceBatch(const SequenceBatch& batch, const GpuVariant& variant, unsigned threads)
      : layout(batch, variant.longest_tiled(batch.residue_count()),
               variant.streams * (variant.is_small(batch.residue_count()) ? 2 : 1), variant.group_streams,
               threads),
        own_lane_pairs(variant.is_small(batch.residue_count()) ? variant.own_lane_pairs : 0) {}

  GpuLayout layout;  // its residues are dropped once they are on the device
  cl::Buffer residues, block_starts, block_words, order;
  cl::Buffer stream_words, stream_tiles, tile_sequences;
  cl::Buffer best, peaks;  // by sequence of the batch
  cl::Buffer border;       // of strips of long sequences, when first needed
  cl_uint short_sequences = 0;
  cl_uint streams = 0;
  int own_lane_pairs;  // up to so many, a stream of long sequences has a work-group of its own
};

struct DeviceTables {
  cl::Buffer emissions, moves;
};

// How the pairs of a model are cut to fit in local memory.
struct Strips {
  Strips(int pairs, std::size_t table_bytes, std::size_t pair_bytes, std::size_t extra_bytes) {
    const auto most = std::max<std::size_t>(1, (table_bytes - extra_bytes) / pair_bytes);
    const std::size_t count = (static_cast<std::size_t>(pairs) + most - 1) / most;
    pairs_each = static_cast<int>((static_cast<std::size_t>(pairs) + count - 1) / count);
    tables = count > 1 ? GpuTables::Strips : GpuTables::Whole;
    bytes = static_cast<std::size_t>(pairs_each) * pair_bytes + extra_bytes;
  }
  int pairs_each;
  GpuTables tables;
  std::size_t bytes;
};

constexpr std::size_t kExchangeBytes = 2 * kGpuLanes * sizeof(cl_int);

// Local memory of the kernels that spread the nodes over lanes.
struct LaneMemory {
  LaneMemory(const GpuModel& model, std::size_t local_bytes) {
    const std::size_t pairs = model.moves.size() / kGpuMoveWords;
    lane_pairs = static_cast<cl_int>(pairs / kGpuLanes);
    edge_bytes = pairs * kEdgeBytes;
    const std::size_t emission_bytes = model.emissions.size() * sizeof(std::uint32_t);
    fits = edge_bytes + kExchangeBytes + sizeof(cl_int) <= local_bytes;
    emissions_local = edge_bytes + kExchangeBytes + emission_bytes <= local_bytes;
    table_bytes = emissions_local ? emission_bytes : sizeof(cl_int);
  }
  cl_int lane_pairs;
  std::size_t edge_bytes, table_bytes;
  bool fits, emissions_local;
};

template <class... Arguments>
void set_arguments(cl::Kernel& kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  (kernel.setArg(index++, arguments), ...);
}

double seconds(const cl::Event& event, cl_profiling_info what) {
  cl_ulong nanoseconds = 0;
  event.getProfilingInfo(what, &nanoseconds);
  return static_cast<double>(nanoseconds) * 1e-9;
}

// Sums the device time of launches and their span.
void add_times(const std::vector<std::pair<cl::Event, double*>>& launches, GpuTimes& times) {
  double first = 0, last = 0;
  for (const auto& [event, sum] : launches) {
    const double start = seconds(event, CL_PROFILING_COMMAND_START);
    const double end = seconds(event, CL_PROFILING_COMMAND_END);
    *sum += end - start;
    if (last == 0 || start < first) first = start;
    last = std::max(last, end);
  }
  times.span += last - first;
}

}  // namespace

class GpuViterbi::Implementation {
 public:
  Implementation(cl::Context context, cl::Device device, const GpuVariant& variant,
                 const std::map<std::string, std::string>& sources)
      : context_(std::move(context)),
        device_(std::move(device)),
        variant_(variant),
        programs_(context_, device_, variant, sources),
        queue_(context_, device_, CL_QUEUE_PROFILING_ENABLE),
        long_queue_(context_, device_, CL_QUEUE_PROFILING_ENABLE) {}

  std::unique_ptr<GpuBatch> prepare(const SequenceBatch& batch, unsigned threads);
  std::vector<std::uint32_t> score(const ScoreModel& model, DeviceBatch& batch,
                                   std::optional<std::int32_t> threshold, std::span<std::int32_t> scores);

  GpuTimes times;

 private:
  using Launches = std::vector<std::pair<cl::Event, double*>>;

  template <class T>
  cl::Buffer upload(const std::vector<T>& values) const {
    if (values.empty()) return {};
    cl::Buffer buffer(context_, CL_MEM_READ_ONLY, values.size() * sizeof(T));
    queue_.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    return buffer;
  }
  cl::Buffer& edges(std::size_t bytes);
  bool run_long(const GpuModel& model, const DeviceTables& tables, DeviceBatch& batch, Launches& launches);
  void run_tiled(const GpuModel& model, const DeviceTables& tables, DeviceBatch& batch, Launches& launches);
  void run_packed(const GpuBoundModel& model, int pairs, DeviceBatch& batch, Launches& launches);
  std::vector<std::int32_t> run_listed(const GpuModel& model, const DeviceTables& tables, DeviceBatch& batch,
                                       const std::vector<std::uint32_t>& sequences, Launches& launches);
  template <class Launch>
  void run_in_groups(std::size_t groups, std::size_t group, int pairs, const Launch& launch);

  cl::Context context_;
  cl::Device device_;
  GpuVariant variant_;
  GpuPrograms programs_;
  cl::CommandQueue queue_, long_queue_;
  cl::Buffer edges_;
  std::size_t edges_size_ = 0;
};

std::unique_ptr<GpuBatch> GpuViterbi::Implementation::prepare(const SequenceBatch& batch, unsigned threads) {
  auto prepared = std::make_unique<DeviceBatch>(batch, variant_, threads);
  GpuLayout& layout = prepared->layout;
  prepared->short_sequences = static_cast<cl_uint>(layout.order.size());
  prepared->streams = static_cast<cl_uint>(layout.stream_tiles.size() - 1);
  prepared->residues = upload(layout.residues);
  prepared->block_starts = upload(layout.block_starts);
  prepared->block_words = upload(layout.block_words);
  prepared->order = upload(layout.order);
  prepared->stream_words = upload(layout.stream_words);
  prepared->stream_tiles = upload(layout.stream_tiles);
  prepared->tile_sequences = upload(layout.tile_sequences);
  layout.residues = {};
  layout.stream_words = {};
  layout.tile_sequences = {};
  if (batch.size() > 0) {
    prepared->best = cl::Buffer(context_, CL_MEM_READ_WRITE, batch.size() * sizeof(cl_int));
    prepared->peaks = cl::Buffer(context_, CL_MEM_READ_WRITE, batch.size() * sizeof(cl_ushort));
  }
  return prepared;
}

// The buffer of the edges, at least this large; its old contents are of no use.
cl::Buffer& GpuViterbi::Implementation::edges(std::size_t bytes) {
  if (bytes > edges_size_) {
    edges_ = cl::Buffer();
    edges_size_ = 0;
    edges_ = cl::Buffer(context_, CL_MEM_READ_WRITE, bytes);
    edges_size_ = bytes;
  }
  return edges_;
}

// Launches `groups` work-groups of `group` items, as many at a time as there is memory for their edges.
template <class Launch>
void GpuViterbi::Implementation::run_in_groups(std::size_t groups, std::size_t group, int pairs,
                                               const Launch& launch) {
  const std::size_t group_bytes = static_cast<std::size_t>(pairs + 1) * group * kEdgeBytes;
  const std::size_t most = std::clamp<std::size_t>(variant_.edge_bytes / group_bytes, 1, groups);
  cl::Buffer& buffer = edges(most * group_bytes);
  for (std::size_t first = 0; first < groups; first += most) {
    launch(first, std::min(most, groups - first), buffer);
  }
}

void GpuViterbi::Implementation::run_tiled(const GpuModel& model, const DeviceTables& tables,
                                           DeviceBatch& batch, Launches& launches) {
  if (batch.short_sequences == 0) return;
  const GpuTileShape& shape = variant_.exact;
  const std::size_t pair_bytes =
      (2U * kGpuCodes * (model.half_words ? 1 : 2) + kGpuMoveWords) * sizeof(std::uint32_t);
  const Strips strips(model.pairs, shape.table_bytes, pair_bytes, 0);
  cl::Kernel kernel = programs_.tiled(model.half_words);
  const auto launch = [&](std::size_t first, std::size_t count, cl::Buffer& edge) {
    set_arguments(kernel, batch.residues, batch.block_starts, batch.block_words, batch.order,
                  batch.short_sequences, tables.emissions, tables.moves, cl_int{model.pairs},
                  cl_int{strips.pairs_each}, static_cast<cl_uint>(first), edge, batch.best,
                  cl::Local(strips.bytes));
    launches.emplace_back(cl::Event(), &times.tiled);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, count * shape.group, shape.group, nullptr,
                                &launches.back().first);
  };
  run_in_groups((batch.short_sequences + shape.group - 1) / shape.group, shape.group, model.pairs, launch);
}

void GpuViterbi::Implementation::run_packed(const GpuBoundModel& model, int pairs, DeviceBatch& batch,
                                            Launches& launches) {
  if (batch.short_sequences == 0) return;
  const GpuTileShape& shape = variant_.packed;
  const Strips strips(pairs, shape.table_bytes, kPackedWords * sizeof(std::uint32_t),
                      kGpuCodes * sizeof(std::uint32_t));
  cl::Kernel kernel = programs_.packed(strips.tables);
  const cl::Buffer emissions = upload(model.emissions), moves = upload(model.moves);
  const cl::Buffer inserts = upload(model.inserts);
  const auto launch = [&](std::size_t first, std::size_t count, cl::Buffer& edge) {
    set_arguments(kernel, batch.residues, batch.block_starts, batch.block_words, batch.order,
                  batch.short_sequences, emissions, moves, inserts, cl_int{pairs}, cl_int{strips.pairs_each},
                  model.begin, model.start_d, model.start_p, static_cast<cl_uint>(first), edge, batch.best,
                  batch.peaks, cl::Local(strips.bytes));
    launches.emplace_back(cl::Event(), &times.packed);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, count * shape.group, shape.group, nullptr,
                                &launches.back().first);
  };
  const std::size_t group_sequences = 2 * shape.group;
  run_in_groups((batch.short_sequences + group_sequences - 1) / group_sequences, shape.group, pairs, launch);
}

// False if not even a strip of the model fits.
bool GpuViterbi::Implementation::run_long(const GpuModel& model, const DeviceTables& tables,
                                          DeviceBatch& batch, Launches& launches) {
  if (batch.streams == 0) return true;
  const auto table_pairs = static_cast<int>(model.moves.size() / kGpuMoveWords);
  const int all_lane_pairs = table_pairs / kGpuLanes;
  const std::size_t lane_pair_bytes =
      model.emissions.size() * sizeof(std::uint32_t) / static_cast<std::size_t>(all_lane_pairs);
  if (variant_.local_bytes < lane_pair_bytes + variant_.group_streams * kExchangeBytes) return false;
  const auto fitting =
      static_cast<int>((variant_.local_bytes - variant_.group_streams * kExchangeBytes) / lane_pair_bytes);
  const int most = std::min({fitting, variant_.long_lane_pairs, all_lane_pairs});
  const int strips = (all_lane_pairs + most - 1) / most;
  GpuLongShape shape;
  shape.lane_pairs = (all_lane_pairs + strips - 1) / strips;
  shape.tables = strips > 1 ? GpuTables::Strips : GpuTables::Whole;
  // Alone a stream runs faster, but takes more from the tiled kernel beside it.
  shape.group_streams = shape.lane_pairs <= batch.own_lane_pairs ? 1 : variant_.group_streams;
  const std::size_t exchange_bytes = shape.group_streams * kExchangeBytes;
  if (strips > 1 && batch.border() == nullptr) {
    const std::size_t rows = batch.layout.stream_tiles.back() * kGpuLongRows;
    batch.border = cl::Buffer(context_, CL_MEM_READ_WRITE, rows * sizeof(cl_int2));
  }
  cl::Kernel kernel = programs_.long_sequences(model.half_words, shape);
  set_arguments(kernel, batch.stream_words, batch.stream_tiles, batch.tile_sequences, tables.emissions,
                tables.moves, cl_int{table_pairs}, batch.border, batch.best, cl::Local(exchange_bytes),
                cl::Local(static_cast<std::size_t>(shape.lane_pairs) * lane_pair_bytes));
  launches.emplace_back(cl::Event(), &times.long_sequences);
  long_queue_.enqueueNDRangeKernel(kernel, cl::NullRange, std::size_t{batch.streams} * kGpuLanes,
                                   std::size_t{shape.group_streams} * kGpuLanes, nullptr,
                                   &launches.back().first);
  long_queue_.flush();
  return true;
}

// Best E of these sequences by the multihit kernel; kGpuFloor where it gave up.
std::vector<std::int32_t> GpuViterbi::Implementation::run_listed(const GpuModel& model,
                                                                 const DeviceTables& tables,
                                                                 DeviceBatch& batch,
                                                                 const std::vector<std::uint32_t>& sequences,
                                                                 Launches& launches) {
  std::vector<std::int32_t> best(sequences.size(), kGpuFloor);
  const LaneMemory memory(model, variant_.local_bytes);
  if (sequences.empty() || !memory.fits) return best;
  cl::Kernel kernel = programs_.listed(model.half_words, memory.emissions_local);
  const GpuLayout& layout = batch.layout;
  const std::size_t most_rows = std::max<std::size_t>(variant_.edge_bytes / sizeof(cl_int), kGpuLongRows);
  for (std::size_t first = 0; first < sequences.size();) {
    std::vector<cl_ulong> first_words;
    std::vector<cl_int> strides, words;
    std::vector<cl_uint> rise_rows;
    std::size_t rows = 0;
    std::size_t last = first;
    for (; last < sequences.size(); ++last) {
      const std::uint32_t i = sequences[last];
      const std::size_t own_rows = (layout.lengths[i] + kGpuLongRows - 1) / kGpuLongRows * kGpuLongRows;
      if (last > first && rows + own_rows > most_rows) break;
      rise_rows.push_back(static_cast<cl_uint>(rows));
      rows += own_rows;
      const std::size_t place = layout.places[i];
      if (place == GpuLayout::kNowhere) {
        first_words.push_back(layout.first_tiles[i] * cl_ulong{kGpuLongRows / 4});
        strides.push_back(1);
        words.push_back(static_cast<cl_int>(own_rows / 4));
      } else {
        const std::size_t block = place / kGpuBlock;
        words.push_back(static_cast<cl_int>((layout.lengths[i] + 3) / 4));
        strides.push_back(kGpuBlock);
        first_words.push_back(layout.block_starts[block] + place % kGpuBlock +
                              static_cast<cl_ulong>(layout.block_words[block] - words.back()) * kGpuBlock);
      }
    }
    const cl::Buffer device_first = upload(first_words), device_strides = upload(strides);
    const cl::Buffer device_words = upload(words), device_rows = upload(rise_rows);
    const cl::Buffer device_best(context_, CL_MEM_WRITE_ONLY, (last - first) * sizeof(cl_int));
    const bool any_long = batch.streams > 0, any_short = batch.short_sequences > 0;
    set_arguments(kernel, any_short ? batch.residues : batch.stream_words,
                  any_long ? batch.stream_words : batch.residues, device_first, device_strides, device_words,
                  device_rows, tables.emissions, tables.moves, memory.lane_pairs, model.j_return,
                  cl_int{variant_.list_passes}, edges(rows * sizeof(cl_int)), device_best,
                  cl::Local(memory.edge_bytes), cl::Local(kExchangeBytes), cl::Local(memory.table_bytes));
    launches.emplace_back(cl::Event(), &times.listed);
    queue_.enqueueNDRangeKernel(kernel, cl::NullRange, (last - first) * kGpuLanes, kGpuLanes, nullptr,
                                &launches.back().first);
    queue_.enqueueReadBuffer(device_best, CL_TRUE, 0, (last - first) * sizeof(cl_int), &best[first]);
    first = last;
  }
  return best;
}

std::vector<std::uint32_t> GpuViterbi::Implementation::score(const ScoreModel& score_model,
                                                             DeviceBatch& batch,
                                                             std::optional<std::int32_t> threshold,
                                                             std::span<std::int32_t> scores) {
  times = {};
  std::vector<std::uint32_t> unproven;
  if (scores.empty()) return unproven;
  const GpuLayout& layout = batch.layout;
  const GpuModel model(score_model);
  const DeviceTables tables{upload(model.emissions), upload(model.moves)};
  queue_.enqueueFillBuffer(batch.best, cl_int{kGpuFloor}, 0, scores.size() * sizeof(cl_int));
  queue_.finish();  // the other queue writes the same buffer

  Launches launches;
  launches.reserve(64);
  const bool long_done = run_long(model, tables, batch, launches);
  std::optional<GpuBoundModel> bound;
  if (threshold) {
    // Above the J mark a bound of the single-hit score says nothing.
    bound.emplace(score_model,
                  model.j_mark == kNoMark ? *threshold : std::min(*threshold, model.j_mark + model.exit));
    run_packed(*bound, model.pairs, batch, launches);
  } else {
    run_tiled(model, tables, batch, launches);
  }
  std::vector<std::int32_t> best(scores.size());
  std::vector<std::uint16_t> peaks(bound ? scores.size() : 0);
  if (bound) {
    queue_.enqueueReadBuffer(batch.peaks, CL_TRUE, 0, peaks.size() * sizeof(cl_ushort), peaks.data());
  }
  long_queue_.finish();
  queue_.enqueueReadBuffer(batch.best, CL_TRUE, 0, best.size() * sizeof(cl_int), best.data());
  add_times(launches, times);

  std::vector<std::uint32_t> again;
  for (std::uint32_t i = 0; i < best.size(); ++i) {
    const std::size_t length = layout.lengths[i];
    if (length == 0) continue;
    const bool is_short = layout.places[i] != GpuLayout::kNowhere;
    if (!is_short && !long_done) {
      unproven.push_back(i);
    } else if (bound && is_short) {
      scores[i] = bound->score(best[i], length);
      const bool single_hit = model.j_mark == kNoMark || scores[i] <= model.score(model.j_mark, length);
      if (peaks[i] > bound->peak_limit || scores[i] >= *threshold || !single_hit) again.push_back(i);
    } else {
      scores[i] = model.score(best[i], length);
      if (best[i] > model.j_mark) {
        again.push_back(i);
      } else if (!model.proven(best[i], length)) {
        unproven.push_back(i);
      }
    }
  }
  if (bound && again.size() > kFew && again.size() * kListedCost > batch.short_sequences) {
    const GpuTimes spent = times;
    unproven = score(score_model, batch, std::nullopt, scores);
    times.packed += spent.packed;
    times.long_sequences += spent.long_sequences;
    times.span += spent.span;
    return unproven;
  }
  std::stable_sort(again.begin(), again.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return layout.lengths[a] > layout.lengths[b]; });
  launches.clear();
  const std::vector<std::int32_t> listed = run_listed(model, tables, batch, again, launches);
  if (!launches.empty()) add_times(launches, times);
  for (std::size_t a = 0; a < again.size(); ++a) {
    const std::uint32_t i = again[a];
    scores[i] = model.score(listed[a], layout.lengths[i]);
    if (!model.proven_multihit(listed[a], layout.lengths[i])) unproven.push_back(i);
  }
  return unproven;
}

namespace {

// Runs `body`, turning cl::Error into OpenClError.
template <class Body>
auto guarded(const Body& body) {
  try {
    return body();
  } catch (const cl::Error& error) {
    throw OpenClError(std::string(error.what()) + " failed with " + status_name(error.err()), error.err());
  }
}

}  // namespace

GpuViterbi::GpuViterbi(cl::Context context, cl::Device device, const GpuVariant& variant,
                       const std::map<std::string, std::string>& sources)
    : implementation_(guarded([&] {
        return std::make_unique<Implementation>(std::move(context), std::move(device), variant, sources);
      })) {}

GpuViterbi::~GpuViterbi() = default;

std::unique_ptr<GpuBatch> GpuViterbi::prepare(const SequenceBatch& batch, unsigned threads) {
  return guarded([&] { return implementation_->prepare(batch, threads); });
}

bool GpuViterbi::supports(const ScoreModel& model) const { return fits_gpu_kernels(model); }

std::vector<std::uint32_t> GpuViterbi::score(const ScoreModel& model, GpuBatch& batch,
                                             std::optional<std::int32_t> threshold,
                                             std::span<std::int32_t> scores) {
  return guarded(
      [&] { return implementation_->score(model, dynamic_cast<DeviceBatch&>(batch), threshold, scores); });
}

const GpuTimes& GpuViterbi::times() const { return implementation_->times; }

}  // namespace gpuhmm
