// Divides the local memory of a device by the sizes of a model's tables.
#include "filter/opencl/gpu_shapes.hpp"

#include <algorithm>

namespace gpuhmm {

namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

// `multiple`: of pairs in each strip, and of `pairs`.
GpuStrips strips_of(int pairs, std::size_t table_bytes, std::size_t pair_bytes, std::size_t extra_bytes,
                    std::size_t multiple) {
  const auto whole = static_cast<std::size_t>(pairs);
  const std::size_t fitting = (table_bytes - extra_bytes) / pair_bytes / multiple;
  const std::size_t most = std::max<std::size_t>(1, fitting) * multiple;
  const std::size_t count = (whole + most - 1) / most;
  const std::size_t each = (whole + count * multiple - 1) / (count * multiple) * multiple;
  return {static_cast<int>(each), count > 1 ? GpuTables::Strips : GpuTables::Whole,
          each * pair_bytes + extra_bytes};
}

}  // namespace

GpuStrips tiled_strips(const GpuVariant& variant, const GpuModel& model) {
  return strips_of(model.pairs, variant.exact.table_bytes,
                   (2U * kGpuCodes * (model.half_words ? 1 : 2) + kGpuMoveWords) * kWord, 0, 1);
}

GpuPackedShape packed_shape(const GpuVariant& variant, GpuModels models, int pairs) {
  const GpuTileShape& shape = variant.packed_tiles(models);
  const bool two = models == GpuModels::Two;
  const std::size_t pair_words = (two ? 2U : 1U) * kGpuCodes + kGpuMoveWords;
  const int step = static_cast<int>(shape.step_nodes) / 2;
  const int whole = (pairs + step - 1) / step * step;
  const GpuStrips strips = strips_of(whole, shape.table_bytes, pair_words * kWord, kGpuCodes * kWord, step);
  const std::size_t item_sequences = two ? 1 : 2;
  const bool more =
      strips.bytes > variant.packed_shared_table && 2 * item_sequences * shape.group <= kGpuBlock;
  const unsigned group = more ? 2 * shape.group : shape.group;
  return {whole, strips, group, item_sequences * group};
}

std::optional<GpuLongTables> long_tables(const GpuVariant& variant, const GpuModel& model, bool packed) {
  const std::size_t pairs = model.moves.size() / kGpuMoveWords;
  const auto all_item_pairs = static_cast<int>(pairs / kGpuChainItems);
  const std::size_t item_pair_bytes =
      (packed ? kGpuCodes : model.emissions.size() / pairs) * kGpuChainItems * kWord;
  const std::size_t other_bytes = variant.group_chains * kGpuExchangeBytes + (packed ? kGpuCodes * kWord : 0);
  if (variant.local_bytes < item_pair_bytes + other_bytes) return std::nullopt;
  const auto fitting = static_cast<int>((variant.local_bytes - other_bytes) / item_pair_bytes);
  const int most = std::min({fitting, variant.long_item_pairs, all_item_pairs});
  const int strips = (all_item_pairs + most - 1) / most;
  GpuLongTables result{};
  result.shape.item_pairs = (all_item_pairs + strips - 1) / strips;
  result.shape.tables = strips > 1 ? GpuTables::Strips : GpuTables::Whole;
  // A chain with its own work-group is faster, but slows the tiled kernel that runs at the same time.
  result.shape.group_chains = result.shape.item_pairs <= variant.own_item_pairs ? 1 : variant.group_chains;
  result.exchange_bytes = result.shape.group_chains * kGpuExchangeBytes;
  result.table_bytes = static_cast<std::size_t>(result.shape.item_pairs) * item_pair_bytes;
  return result;
}

bool bounds_long_sequences(const GpuVariant& variant, int pairs) {
  return padded_pairs(2 * pairs) <= variant.long_packed_item_pairs * kGpuChainItems;
}

GpuItemMemory::GpuItemMemory(const GpuModel& model, std::size_t local_bytes) {
  const std::size_t pairs = model.moves.size() / kGpuMoveWords;
  const std::size_t emission_bytes = model.emissions.size() * kWord;
  item_pairs = static_cast<cl_int>(pairs / kGpuChainItems);
  edge_bytes = pairs * kGpuEdgeBytes;
  fits = edge_bytes + kGpuExchangeBytes + sizeof(cl_int) <= local_bytes;
  emissions_local = edge_bytes + kGpuExchangeBytes + emission_bytes <= local_bytes;
  table_bytes = emissions_local ? emission_bytes : sizeof(cl_int);
}

}  // namespace gpuhmm
