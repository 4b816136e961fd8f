// Splits models and batches to fit the memory of the device, and launches the fast kernels.
#include "filter/opencl/gpu_stream.hpp"

#include <algorithm>

namespace gpuhmm {

void GpuTimes::add(const GpuTimes& other) {
  tiled += other.tiled;
  packed += other.packed;
  long_sequences += other.long_sequences;
  listed += other.listed;
  span += other.span;
  if (other.last == 0) return;
  first = last == 0 ? other.first : std::min(first, other.first);
  last = std::max(last, other.last);
}

// Begins to copy values for later launches in queue_; the values must live until these have ended.
template <class T>
cl::Event GpuStream::sent(GrowingBuffer& space, const std::vector<T>& values) {
  return queue_.send(space.at_least(device_, values.size() * sizeof(T)), values.data(), values.size());
}

// Begins to copy `count` values to the host.
cl::Event GpuStream::received(const Queue& queue, const cl::Buffer& from, HostValues& into,
                              std::size_t count) {
  cl::Event done = queue.receive(from, into.at_least(queue_, count), count);
  queue.flush();
  return done;
}

// Two sequences of the packed kernel share edges, but not with two models.
std::size_t GpuStream::edge_bytes(int pairs, bool packed) {
  return static_cast<std::size_t>(pairs + kGpuEdgesAhead) * kGpuEdgeBytes / (packed ? 2 : 1);
}

// Drivers take the memory of a buffer when it is first used.
void GpuStream::take_memory(std::size_t sequences, std::size_t edge_bytes) {
  constexpr std::size_t kLastGroup = 1024;  // sequences that would fit the last work-group, at most
  const std::size_t edges = std::min((sequences + kLastGroup) * edge_bytes, variant_.edge_bytes);
  best_.at_least(device_, (variant_.two_models ? 2 : 1) * sequences * sizeof(cl_int));
  edges_.at_least(device_, edges);
  cl::Event taken;
  for (GrowingBuffer* space : {&best_, &edges_, &long_best_, &emissions_, &moves_, &bound_emissions_,
                               &bound_moves_, &bound_inserts_, &two_emissions_, &two_moves_, &two_inserts_}) {
    taken = queue_.fill(space->at_least(device_, 1), cl_int{0}, 1);
  }
  queue_.wait_flushed(taken);
}

void GpuStream::release_memory() {
  for (GrowingBuffer* space : {&edges_, &border_, &best_, &long_best_}) space->release();
}

template <class... Arguments>
void GpuStream::launch(const Queue& queue, const cl::Kernel& kernel, const WorkItems& items, double& seconds,
                       const Arguments&... arguments) {
  launches_.note(&seconds, queue.launch(kernel, items, arguments...));
  queue.flush();
}

// Runs `body`. If it fails, waits for everything it has launched, which uses memory of the caller.
template <class Body>
auto GpuStream::run_or_finish(const Body& body) {
  try {
    return body();
  } catch (...) {
    for (const Queue* queue : {&queue_, &long_queue_}) {
      try {
        queue->finish();
      } catch (const EngineFailure&) {  // the device is lost, and its launches with it
      }
    }
    launches_.clear();
    throw;
  }
}

// Waits for the launches of a phase, and adds their device time and their span to `times`.
void GpuStream::finish_launches(GpuTimes& times) {
  GpuTimes phase;
  launches_.take(queue_, [&](double* sum, const CommandTime& time) {
    *sum += time.seconds();
    const double start = static_cast<double>(time.start) * 1e-9;
    phase.first = phase.last == 0 ? start : std::min(phase.first, start);
    phase.last = std::max(phase.last, static_cast<double>(time.end) * 1e-9);
  });
  phase.span = phase.last - phase.first;
  times.add(phase);
}

// Launches `groups` work-groups of `group` work-items, as many at a time as there is memory for their edges.
template <class Launch>
void GpuStream::run_in_groups(std::size_t groups, std::size_t group, int pairs, const Launch& launch_part) {
  const std::size_t group_bytes = static_cast<std::size_t>(pairs + kGpuEdgesAhead) * group * kGpuEdgeBytes;
  const std::size_t most = std::clamp<std::size_t>(variant_.edge_bytes / group_bytes, 1, groups);
  const cl::Buffer& buffer = edges_.at_least(device_, most * group_bytes);
  for (std::size_t first = 0; first < groups; first += most) {
    launch_part(first, std::min(most, groups - first), buffer);
  }
}

void GpuStream::run_tiled(const GpuModel& model, const GpuBatch& batch, double& seconds) {
  if (batch.short_sequences == 0) return;
  const GpuTileShape& shape = variant_.exact;
  const GpuStrips strips = tiled_strips(variant_, model);
  const cl::Kernel kernel = programs_.tiled(model.half_words);
  const auto launch_part = [&](std::size_t first, std::size_t count, const cl::Buffer& edge) {
    launch(queue_, kernel, {count * shape.group, shape.group}, seconds, batch.residues, batch.block_starts,
           batch.block_words, batch.order, batch.short_sequences, emissions_.buffer(), moves_.buffer(),
           cl_int{model.pairs}, cl_int{strips.pairs_each}, static_cast<cl_uint>(first), edge, best_.buffer(),
           cl::Local(strips.bytes));
  };
  run_in_groups((batch.short_sequences + shape.group - 1) / shape.group, shape.group, model.pairs,
                launch_part);
}

// Launches gpu_packed.cl for the short sequences of a batch, with one model or two.
void GpuStream::run_packed(const GpuBatch& batch, const cl::Kernel& kernel, const GpuPackedShape& shape,
                           const PackedTables& tables, double& seconds) {
  const auto launch_part = [&](std::size_t first, std::size_t count, const cl::Buffer& edge) {
    launch(queue_, kernel, {count * shape.group, shape.group}, seconds, batch.residues, batch.block_starts,
           batch.block_words, batch.order, batch.short_sequences, tables.emissions, tables.moves,
           tables.inserts, cl_int{shape.pairs}, cl_int{shape.strips.pairs_each}, tables.begin, tables.start_p,
           tables.peak_limits, static_cast<cl_uint>(first), edge, best_.buffer(),
           static_cast<cl_uint>(batch.size()), cl::Local(shape.strips.bytes));
  };
  run_in_groups((batch.short_sequences + shape.group_sequences - 1) / shape.group_sequences, shape.group,
                shape.pairs, launch_part);
}

// Bounds of the short sequences, until they are with the host. The tables are on the device.
void GpuStream::bound_alone(const GpuModelPairs::Call& call, double& seconds) {
  const GpuBatch& batch = call.batch;
  best_.at_least(device_, batch.size() * sizeof(cl_int));
  const GpuPackedShape shape = packed_shape(variant_, GpuModels::One, call.pairs);
  run_packed(batch, programs_.packed(GpuModels::One, shape.strips.tables, shape.group), shape,
             {bound_emissions_.buffer(), bound_moves_.buffer(), bound_inserts_.buffer(), call.model.begin,
              call.model.start_p, call.model.peak_limit * 0x10001U},
             seconds);
  const cl::Event done = queue_.receive(best_.buffer(), call.bounds, batch.size());
  queue_.wait_flushed(done);
}

// The same of two models.
void GpuStream::bound_both(const GpuModelPairs::Call& call, const GpuModelPairs::Call& other,
                           double& seconds) {
  const GpuBatch& batch = call.batch;
  const GpuPackedShape shape = packed_shape(variant_, GpuModels::Two, std::max(call.pairs, other.pairs));
  const GpuBoundPair& models = two_models_.emplace(call.model, other.model, shape.pairs);
  sent(two_emissions_, models.emissions);
  sent(two_moves_, models.moves);
  sent(two_inserts_, models.inserts);
  best_.at_least(device_, 2 * batch.size() * sizeof(cl_int));
  run_packed(batch, programs_.packed(GpuModels::Two, shape.strips.tables, shape.group), shape,
             {two_emissions_.buffer(), two_moves_.buffer(), two_inserts_.buffer(), models.begin,
              models.start_p, models.peak_limits},
             seconds);
  const cl::Event own = queue_.receive(best_.buffer(), call.bounds, batch.size());
  const cl::Event others = queue_.receive(best_.buffer(), other.bounds, batch.size(), batch.size());
  queue_.wait_flushed(own);
  queue_.wait(others);
}

// Returns the event of copying the best E to the host, in the order of GpuLayout::long_sequences; nothing if
// not even a strip of the model fits. Uses long_queue_, so that it does not wait for the kernels of short
// sequences.
std::optional<cl::Event> GpuStream::run_long(const GpuModel& model, const GpuBoundModel* bound,
                                             const GpuBatch& batch, const cl::Event& ready, double& seconds) {
  const auto table_pairs = static_cast<int>(model.moves.size() / kGpuMoveWords);
  const std::optional<GpuLongTables> tables = long_tables(variant_, model, bound != nullptr);
  if (!tables) return std::nullopt;
  const GpuLongShape& shape = tables->shape;
  const std::size_t count = batch.layout.long_sequences.size();
  const cl::Buffer& best = long_best_.at_least(device_, count * sizeof(cl_int));
  if (shape.tables == GpuTables::Strips) border_.at_least(device_, batch.chain_rows() * sizeof(cl_int2));
  long_queue_.fill(best, cl_int{kGpuFloor}, count);
  const std::size_t chains = bound != nullptr ? batch.pair_chains : batch.chains;
  const std::size_t group = std::size_t{shape.group_chains} * kGpuChainItems;
  const WorkItems items{chains / shape.group_chains * group, group, {ready}};
  if (bound != nullptr) {
    launch(long_queue_, programs_.long_packed(shape), items, seconds, batch.chain_words,
           batch.pair_chain_tiles, batch.tile_sequences, bound_emissions_.buffer(), bound_moves_.buffer(),
           cl_int{table_pairs}, border_.buffer(), best, cl::Local(tables->exchange_bytes),
           cl::Local(tables->table_bytes + kGpuCodes * sizeof(std::uint32_t)), batch.pair_tiles,
           bound_inserts_.buffer(), bound->begin, bound->start_p, bound->peak_limit * 0x10001U);
  } else {
    launch(long_queue_, programs_.long_sequences(model.half_words, shape), items, seconds, batch.chain_words,
           batch.chain_tiles, batch.tile_sequences, emissions_.buffer(), moves_.buffer(), cl_int{table_pairs},
           border_.buffer(), best, cl::Local(tables->exchange_bytes), cl::Local(tables->table_bytes));
  }
  return received(long_queue_, best, host_long_best_, count);
}

GpuStream::Best GpuStream::run(const GpuModel& model, const GpuBatch& batch, GpuTimes& times) {
  return run_phase(model, nullptr, batch, times, [&] {
    best_.at_least(device_, batch.size() * sizeof(cl_int));
    run_tiled(model, batch, times.tiled);
    queue_.wait(received(queue_, best_.buffer(), host_best_, batch.size()));
  });
}

GpuStream::Best GpuStream::run_bounds(const GpuModel& model, const GpuBoundModel& bound,
                                      const GpuBatch& batch, GpuModelPairs::Coming& coming, GpuTimes& times) {
  return run_phase(model, &bound, batch, times, [&] {
    const GpuModelPairs::Call call{bound, model.pairs, batch, host_best_.at_least(queue_, batch.size())};
    if (batch.short_sequences == 0) return;
    model_pairs_.run(call, coming, [&](const GpuModelPairs::Call* other) {
      if (other == nullptr) {
        bound_alone(call, times.packed);
      } else {  // if it fails, nothing may be written to the other call any more
        run_or_finish([&] { bound_both(call, *other, times.packed); });
      }
    });
  });
}

// Runs the kernels for long sequences, and beside them, by `run_short`, those for all others.
template <class RunShort>
GpuStream::Best GpuStream::run_phase(const GpuModel& model, const GpuBoundModel* bound, const GpuBatch& batch,
                                     GpuTimes& times, const RunShort& run_short) {
  return run_or_finish([&] {
    if (bound != nullptr) {
      sent(bound_emissions_, bound->emissions);
      sent(bound_moves_, bound->moves);
      sent(bound_inserts_, bound->inserts);
    }
    sent(emissions_, model.emissions);
    const cl::Event ready = sent(moves_, model.moves);
    queue_.flush();

    Best result{};
    result.long_bounds = bound != nullptr && !batch.small && bounds_long_sequences(variant_, model.pairs);
    std::optional<cl::Event> long_received;
    if (batch.chains > 0) {
      long_received =
          run_long(model, result.long_bounds ? bound : nullptr, batch, ready, times.long_sequences);
    }
    result.long_done = batch.chains == 0 || long_received;
    run_short();
    queue_.wait(ready);  // another stream may have run the kernel
    if (long_received) long_queue_.wait(*long_received);
    const std::span<const std::uint32_t> long_sequences = batch.layout.long_sequences;
    for (std::size_t n = 0; n < long_sequences.size(); ++n) {
      host_best_.data()[long_sequences[n]] = long_received ? host_long_best_.data()[n] : kGpuFloor;
    }
    result.best = {host_best_.data(), batch.size()};
    finish_launches(times);
    return result;
  });
}

std::vector<std::int32_t> GpuStream::run_listed(const GpuModel& model, const GpuBatch& batch,
                                                const std::vector<std::uint32_t>& sequences,
                                                GpuTimes& times) {
  std::vector<std::int32_t> best(sequences.size(), kGpuFloor);
  if (sequences.empty() || !GpuItemMemory(model, variant_.local_bytes).fits) return best;
  sent(emissions_, model.emissions);
  sent(moves_, model.moves);
  run_or_finish([&] {
    for (std::size_t first = 0; first < sequences.size();) {
      first += run_list_part(model, batch, std::span(sequences).subspan(first), &best[first], times.listed);
      finish_launches(times);
    }
  });
  return best;
}

// Scores as many of the sequences as there is memory for; returns how many.
std::size_t GpuStream::run_list_part(const GpuModel& model, const GpuBatch& batch,
                                     std::span<const std::uint32_t> sequences, std::int32_t* best,
                                     double& seconds) {
  const GpuItemMemory memory(model, variant_.local_bytes);
  const GpuLayout& layout = batch.layout;
  const std::size_t most_rows = std::max<std::size_t>(variant_.edge_bytes / sizeof(cl_int), kGpuLongRows);
  std::vector<cl_ulong> first_words;
  std::vector<cl_int> strides, words;
  std::vector<cl_uint> rise_rows;
  std::size_t rows = 0;
  std::size_t count = 0;
  for (; count < sequences.size(); ++count) {
    const std::uint32_t i = sequences[count];
    const std::size_t own_rows = (layout.length(i) + kGpuLongRows - 1) / kGpuLongRows * kGpuLongRows;
    if (count > 0 && rows + own_rows > most_rows) break;
    rise_rows.push_back(static_cast<cl_uint>(rows));
    rows += own_rows;
    const std::uint32_t place = layout.place(i);
    if (place == GpuLayout::kNowhere) {
      first_words.push_back(layout.first_tile(i) * cl_ulong{kGpuLongRows / 4});
      strides.push_back(1);
      words.push_back(static_cast<cl_int>(own_rows / 4));
    } else {
      const std::size_t block = place / kGpuBlock;
      words.push_back(static_cast<cl_int>((layout.length(i) + 3) / 4));
      strides.push_back(kGpuBlock);
      first_words.push_back(layout.block_starts[block] + place % kGpuBlock +
                            static_cast<cl_ulong>(layout.block_words[block] - words.back()) * kGpuBlock);
    }
  }
  sent(list_firsts_, first_words);
  sent(list_strides_, strides);
  sent(list_words_, words);
  sent(list_rows_, rise_rows);
  const cl::Buffer& list_best = list_best_.at_least(device_, count * sizeof(cl_int));
  const bool any_long = batch.chains > 0, any_short = batch.short_sequences > 0;
  launch(queue_, programs_.listed(model.half_words, memory.emissions_local),
         {count * std::size_t{kGpuChainItems}, std::size_t{kGpuChainItems}}, seconds,
         any_short ? batch.residues : batch.chain_words, any_long ? batch.chain_words : batch.residues,
         list_firsts_.buffer(), list_strides_.buffer(), list_words_.buffer(), list_rows_.buffer(),
         emissions_.buffer(), moves_.buffer(), memory.item_pairs, model.j_return,
         cl_int{variant_.list_passes}, edges_.at_least(device_, rows * sizeof(cl_int)), list_best,
         cl::Local(memory.edge_bytes), cl::Local(kGpuExchangeBytes), cl::Local(memory.table_bytes));
  queue_.wait(received(queue_, list_best, host_best_, count));
  std::copy_n(host_best_.data(), count, best);
  return count;
}

}  // namespace gpuhmm
