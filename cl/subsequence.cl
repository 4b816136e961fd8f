// Increasing subsequences of largest sum: levels of the recurrence, and the way back through them.
//
// Level j holds for element i the largest sum of j elements that begin there, NONE if there are none. An
// element may be followed by any later one of higher rank; ranks are a permutation. The kernels compute
//     next[i] = values[i] + max { level[j] : j > i, ranks[j] > ranks[i] }
// by all pairs, or by blocks of positions and of ranks (docs/subsequence.md).
//
// Options: SUM int or long, NONE its lowest value, GROUP work-items of a group, SPAN elements of a block, a
// multiple of GROUP, SEGMENT rows of the table that one item accumulates.

#define OWN (SPAN / GROUP)  // elements of a block that one work-item computes

#define WORK_GROUP __attribute__((reqd_work_group_size(GROUP, 1, 1)))

SUM sum_before(SUM value, SUM following) { return following == NONE ? NONE : value + following; }

// The largest of the group's numbers, for all of its items.
SUM largest_of_group(__local SUM* numbers, int own, SUM number) {
  numbers[own] = number;
  for (int reach = GROUP / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < reach) numbers[own] = max(numbers[own], numbers[own + reach]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return numbers[0];
}

// order[r]: the position of rank r.
__kernel void invert(__global const int* ranks, __global int* order, int n) {
  const int i = get_global_id(0);
  if (i < n) order[ranks[i]] = i;
}

// All pairs, a tile of later elements at a time.
__kernel WORK_GROUP void next_by_pairs(__global const int* ranks, __global const SUM* values,
                                       __global const SUM* level, __global SUM* next, int n) {
  __local int tile_ranks[GROUP];
  __local SUM tile_sums[GROUP];
  const int own = get_local_id(0);
  const int i = get_global_id(0);
  const int rank = i < n ? ranks[i] : n;
  SUM best = NONE;
  for (int first = get_group_id(0) * GROUP; first < n; first += GROUP) {
    const int j = first + own;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_ranks[own] = j < n ? ranks[j] : -1;
    tile_sums[own] = j < n ? level[j] : NONE;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < GROUP; ++k) {
      const bool follows = tile_ranks[k] > rank && first + k > i;
      best = max(best, follows ? tile_sums[k] : NONE);
    }
  }
  if (i < n) next[i] = sum_before(values[i], best);
}

// As published: all levels of one element, a work-group a level. levels: [level][n], the first one the values.
__kernel WORK_GROUP void levels_of_element(__global const int* ranks, __global const SUM* values,
                                           __global SUM* levels, int i, int n) {
  __local SUM bests[GROUP];
  const int own = get_local_id(0);
  const size_t below = (size_t)get_group_id(0) * n;
  const int rank = ranks[i];
  SUM best = NONE;
  for (int j = i + 1 + own; j < n; j += GROUP) {
    if (ranks[j] > rank) best = max(best, levels[below + j]);
  }
  best = largest_of_group(bests, own, best);
  if (own == 0) levels[below + n + i] = sum_before(values[i], best);
}

// places[i]: how many elements of i's block of positions have a lower rank.
__kernel WORK_GROUP void places_in_block(__global const int* ranks, __global ushort* places, int n) {
  __local int block[SPAN];
  const int own = get_local_id(0);
  const int first = get_group_id(0) * SPAN;
  for (int e = 0; e < OWN; ++e) {
    const int k = e * GROUP + own;
    block[k] = first + k < n ? ranks[first + k] : n;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int place[OWN];
  for (int e = 0; e < OWN; ++e) place[e] = 0;
  for (int k = 0; k < SPAN; ++k) {
    const int rank = block[k];
    for (int e = 0; e < OWN; ++e) place[e] += rank < block[e * GROUP + own];
  }
  for (int e = 0; e < OWN; ++e) {
    const int i = first + e * GROUP + own;
    if (i < n) places[i] = place[e];
  }
}

// For the OWN elements e * GROUP + own of a block in local memory: best[e] is the largest of the sums that
// stand later in the block and have a higher key.
void best_in_block(__local const int* keys, __local const SUM* sums, int own, SUM* best) {
  int key[OWN];
  for (int e = 0; e < OWN; ++e) {
    key[e] = keys[e * GROUP + own];
    best[e] = NONE;
  }
#pragma unroll
  for (int part = 0; part < OWN; ++part) {
    for (int k = 0; k < GROUP; ++k) {
      const int other = keys[part * GROUP + k];
      const SUM sum = sums[part * GROUP + k];
#pragma unroll
      for (int e = 0; e < part; ++e) best[e] = max(best[e], other > key[e] ? sum : NONE);
      best[part] = max(best[part], other > key[part] && k > own ? sum : NONE);
    }
  }
}

// Inside each block of ranks: in_rank_block[r] is the best level of the elements of higher rank in r's block
// that stand later.
__kernel WORK_GROUP void best_of_rank_blocks(__global const int* order, __global const SUM* level,
                                             __global SUM* in_rank_block, int n) {
  __local int positions[SPAN];
  __local SUM sums[SPAN];
  const int own = get_local_id(0);
  const int first = get_group_id(0) * SPAN;
  for (int e = 0; e < OWN; ++e) {
    const int k = e * GROUP + own;
    const bool inside = first + k < n;
    positions[k] = inside ? order[first + k] : -1;
    sums[k] = inside ? level[order[first + k]] : NONE;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  SUM best[OWN];
  best_in_block(positions, sums, own, best);
  for (int e = 0; e < OWN; ++e) {
    const int r = first + e * GROUP + own;
    if (r < n) in_rank_block[r] = best[e];
  }
}

// Row b of the table: table[b][q] is the best level in position block b of ranks from q * SPAN on.
__kernel WORK_GROUP void table_rows(__global const int* ranks, __global const ushort* places,
                                    __global const SUM* level, __global SUM* table, int blocks, int n) {
  __local int sorted_ranks[SPAN];
  __local SUM sums[SPAN];
  __local SUM parts[GROUP];
  const int own = get_local_id(0);
  const int first = get_group_id(0) * SPAN;
  for (int e = 0; e < OWN; ++e) {
    const int k = e * GROUP + own;
    const bool inside = first + k < n;
    const int place = inside ? places[first + k] : k;
    sorted_ranks[place] = inside ? ranks[first + k] : n;
    sums[place] = inside ? level[first + k] : NONE;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Suffix maxima: each item over OWN neighbours, then over the items behind it.
  for (int k = OWN - 2; k >= 0; --k) {
    sums[own * OWN + k] = max(sums[own * OWN + k], sums[own * OWN + k + 1]);
  }
  parts[own] = sums[own * OWN];
  for (int step = 1; step < GROUP; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const SUM behind = own + step < GROUP ? parts[own + step] : NONE;
    barrier(CLK_LOCAL_MEM_FENCE);
    parts[own] = max(parts[own], behind);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const SUM behind = own + 1 < GROUP ? parts[own + 1] : NONE;
  for (int k = 0; k < OWN; ++k) sums[own * OWN + k] = max(sums[own * OWN + k], behind);
  barrier(CLK_LOCAL_MEM_FENCE);
  __global SUM* const row = table + (size_t)get_group_id(0) * blocks;
  for (int q = own; q < blocks; q += GROUP) {
    const int least = q * SPAN;
    int low = 0, high = SPAN;  // the first place whose rank is at least `least`
    while (low < high) {
      const int middle = (low + high) / 2;
      if (sorted_ranks[middle] < least) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    row[q] = low < SPAN ? sums[low] : NONE;
  }
}

// Suffix maxima along the columns of the table, SEGMENT rows an item.
__kernel void accumulate_segments(__global SUM* table, int blocks) {
  const int q = get_global_id(0);
  const int begin = get_global_id(1) * SEGMENT;
  const int end = min(begin + SEGMENT, blocks);
  if (q >= blocks) return;
  SUM best = NONE;
  for (int b = end - 1; b >= begin; --b) {
    best = max(best, table[(size_t)b * blocks + q]);
    table[(size_t)b * blocks + q] = best;
  }
}

// behind[s][q]: the best of column q in all segments behind s.
__kernel void carry_segments(__global const SUM* table, __global SUM* behind, int blocks, int segments) {
  const int q = get_global_id(0);
  if (q >= blocks) return;
  SUM best = NONE;
  for (int s = segments - 1; s >= 0; --s) {
    behind[(size_t)s * blocks + q] = best;
    best = max(best, table[(size_t)s * SEGMENT * blocks + q]);
  }
}

// The next level: the best of the own position block, of the own rank block, and of the blocks behind both.
__kernel WORK_GROUP void next_by_blocks(__global const int* ranks, __global const SUM* values,
                                        __global const SUM* level, __global const SUM* in_rank_block,
                                        __global const SUM* table, __global const SUM* behind,
                                        __global SUM* next, int blocks, int n) {
  __local int block_ranks[SPAN];
  __local SUM sums[SPAN];
  const int own = get_local_id(0);
  const int first = get_group_id(0) * SPAN;
  for (int e = 0; e < OWN; ++e) {
    const int k = e * GROUP + own;
    const bool inside = first + k < n;
    block_ranks[k] = inside ? ranks[first + k] : -1;
    sums[k] = inside ? level[first + k] : NONE;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  SUM best[OWN];
  best_in_block(block_ranks, sums, own, best);
  const int later = get_group_id(0) + 1;
  for (int e = 0; e < OWN; ++e) {
    const int i = first + e * GROUP + own;
    if (i < n) {
      const int rank = block_ranks[e * GROUP + own];
      const int higher = rank / SPAN + 1;
      SUM found = max(best[e], in_rank_block[rank]);
      if (later < blocks && higher < blocks) {
        found = max(found, table[(size_t)later * blocks + higher]);
        found = max(found, behind[(size_t)(later / SEGMENT) * blocks + higher]);
      }
      next[i] = sum_before(values[i], found);
    }
  }
}

// maxima[group]: the largest sum that the group met.
__kernel WORK_GROUP void level_maxima(__global const SUM* level, __global SUM* maxima, int n) {
  __local SUM bests[GROUP];
  const int own = get_local_id(0);
  SUM best = NONE;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) best = max(best, level[i]);
  best = largest_of_group(bests, own, best);
  if (own == 0) maxima[get_group_id(0)] = best;
}

// chain[0] becomes the first position whose sum is `sum`; it holds INT_MAX before.
__kernel void trace_first(__global const SUM* level, __global int* chain, SUM sum, int n) {
  const int i = get_global_id(0);
  if (i < n && level[i] == sum) atomic_min(chain, i);
}

// chain[step + 1] becomes the first position that may follow chain[step], of the level `level`, so that what
// follows has the sum that `below`, the level beneath, tells.
__kernel void trace_next(__global const int* ranks, __global const SUM* values, __global const SUM* level,
                         __global const SUM* below, __global int* chain, int step, int n) {
  const int j = get_global_id(0);
  const int i = chain[step];
  if (j < n && i >= 0 && j > i) {
    const SUM sum = below[j];
    if (sum != NONE && ranks[j] > ranks[i] && values[i] + sum == level[i]) atomic_min(chain + step + 1, j);
  }
}
