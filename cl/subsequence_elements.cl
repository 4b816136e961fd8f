// The published kernels of increasing subsequences: a launch adds one element to the table of sums, a
// work-item looks at one earlier element.
//
// sums[i * k + l]: the largest sum of l + 1 increasing elements of which i is the last, NONE if there are
// none; sums[i * k] is values[i]. Launch i = 1, 2, ... with at least i work-items; all entries of element i
// but the first are NONE before. Maxima of integers do not depend on the order of the atomic operations.

#define NONE INT_MIN

// All in global memory.
__kernel void add_element(__global const int* values, __global int* sums, int i, int k) {
  const int j = get_global_id(0);
  const int value = values[i];
  if (j < i && values[j] < value) {
    for (int l = 0; l + 1 < k; ++l) {
      const int sum = sums[(size_t)j * k + l];
      if (sum != NONE) atomic_max(sums + (size_t)i * k + l + 1, sum + value);
    }
  }
}

// The elements of a work-group, their sums and the maxima of the group in local memory: tile_values[group
// size], tile[group size * k], bests[k]. One work-item brings the maxima to global memory.
__kernel void add_element_by_blocks(__global const int* values, __global int* sums, int i, int k,
                                    __local int* tile_values, __local int* tile, __local int* bests) {
  const int own = get_local_id(0);
  const int group = get_local_size(0);
  const int first = get_group_id(0) * group;
  const int count = clamp(i - first, 0, group);
  const int value = values[i];
  if (own < count) tile_values[own] = values[first + own];
  for (int t = own; t < count * k; t += group) tile[t] = sums[(size_t)first * k + t];
  for (int l = own; l < k; l += group) bests[l] = NONE;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own < count && tile_values[own] < value) {
    for (int l = 0; l + 1 < k; ++l) {
      const int sum = tile[own * k + l];
      if (sum != NONE) atomic_max(bests + l + 1, sum + value);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own == 0) {
    for (int l = 1; l < k; ++l) {
      if (bests[l] != NONE) atomic_max(sums + (size_t)i * k + l, bests[l]);
    }
  }
}
