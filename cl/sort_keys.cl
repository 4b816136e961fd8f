// Stable sorting of 64-bit keys, least significant digit first: one pass is digit_counts, a scan of the
// counts, and scatter. With PAIRS defined, a 32-bit value goes with each key. Follows sort_ops.cl.

#define DIGITS 256
#define COUNTERS 8  // tables of a work-group, so that equal digits are counted in several counters
#define QUARTER (GROUP / 4)

// both[2 * group], both[2 * group + 1] = AND and OR of the keys that the group reads: each key is read by
// one group.
GROUP_KERNEL key_bits(global const ulong* keys, uint size, global ulong* both) {
  local ulong all[GROUP], any[GROUP];
  const uint lid = get_local_id(0);
  ulong ones = ~0UL, some = 0;
  for (size_t i = get_global_id(0); i < size; i += get_global_size(0)) {
    ones &= keys[i];
    some |= keys[i];
  }
  all[lid] = ones;
  any[lid] = some;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = GROUP / 2; step > 0; step /= 2) {
    if (lid < step) {
      all[lid] &= all[lid + step];
      any[lid] |= any[lid + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) {
    both[2 * get_group_id(0)] = all[0];
    both[2 * get_group_id(0) + 1] = any[0];
  }
}

// counts[digit * tiles + tile] = keys of the tile with this digit, (key >> shift) & mask.
GROUP_KERNEL digit_counts(global const ulong* keys, uint size, uint shift, uint mask, global uint* counts,
                          uint tiles) {
  local uint own[COUNTERS * DIGITS];
  const uint lid = get_local_id(0), tile = get_group_id(0);
  for (uint i = lid; i < COUNTERS * DIGITS; i += GROUP) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = 0; j < ITEMS; ++j) {
    const size_t i = tile * (size_t)TILE + j * GROUP + lid;
    if (i < size) atomic_inc(&own[lid % COUNTERS * DIGITS + ((uint)(keys[i] >> shift) & mask)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint digit = lid; digit <= mask; digit += GROUP) {
    uint sum = 0;
    for (uint c = 0; c < COUNTERS; ++c) sum += own[c * DIGITS + digit];
    counts[digit * (size_t)tiles + tile] = sum;
  }
}

#define LANES 0x0001000100010001UL  // of four 16-bit numbers

// Sorts the tile in `keys` by four bits. A work-item's keys lie side by side, so that its numbers of each
// digit fit 4 bits of one word; over the group they are 16-bit numbers, four in a word, summed side by side.
inline void split(local ulong* keys,
#ifdef PAIRS
                  local uint* values,
#endif
                  local ulong* counts, local ulong* sums, uint shift, uint mask) {
  const uint lid = get_local_id(0);
  ulong own[ITEMS];
#ifdef PAIRS
  uint own_values[ITEMS];
#endif
  ulong number = 0, ranks = 0;
#pragma unroll
  for (uint j = 0; j < ITEMS; ++j) {
    own[j] = keys[lid * ITEMS + j];
#ifdef PAIRS
    own_values[j] = values[lid * ITEMS + j];
#endif
    const uint place = 4 * ((uint)(own[j] >> shift) & mask);
    ranks |= ((number >> place) & 15) << (4 * j);
    number += 1UL << place;
  }
  for (uint word = 0; word < 4; ++word) {
    const uint four = (uint)(number >> (16 * word)) & 0xffff;
    const ulong second = four >> 4 & 15, third = four >> 8 & 15, last = four >> 12;
    counts[word * GROUP + lid] = (four & 15) | second << 16 | third << 32 | last << 48;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // a quarter of the group scans one of the words, four entries a work-item
  const uint word = lid / QUARTER, part = lid % QUARTER;
  local ulong* const four = counts + word * GROUP + 4 * part;
  const ulong first = four[0], second = first + four[1], third = second + four[2], all = third + four[3];
  sums[lid] = all;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < QUARTER; step <<= 1) {
    const ulong before = part >= step ? sums[lid - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[lid] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ulong start = 0;  // of the word's digits, in the tile
  for (uint w = 0; w < word; ++w) start += (sums[w * QUARTER + QUARTER - 1] * LANES) >> 48;
  start = start * LANES + ((sums[word * QUARTER + QUARTER - 1] * LANES) << 16);
  const ulong before = start + sums[lid] - all;
  four[0] = before;
  four[1] = before + first;
  four[2] = before + second;
  four[3] = before + third;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint j = 0; j < ITEMS; ++j) {
    const uint digit = (uint)(own[j] >> shift) & mask;
    const uint place = ((uint)(counts[digit / 4 * GROUP + lid] >> (16 * (digit % 4))) & 0xffff) +
                       ((uint)(ranks >> (4 * j)) & 15);
    keys[place] = own[j];
#ifdef PAIRS
    values[place] = own_values[j];
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

#ifdef PAIRS
#define SPLIT(shift, mask) split(keys, values, counts, sums, shift, mask)
#else
#define SPLIT(shift, mask) split(keys, counts, sums, shift, mask)
#endif

// Moves the keys to their places: places[digit * tiles + tile] is where the tile's first key with the digit
// goes.
GROUP_KERNEL scatter(global const ulong* from, global ulong* to,
#ifdef PAIRS
                     global const uint* values_from, global uint* values_to,
#endif
                     uint size, uint shift, uint mask, global const uint* places, uint tiles) {
  local ulong keys[TILE];
#ifdef PAIRS
  local uint values[TILE];
#endif
  local ulong counts[4 * GROUP];
  local ulong sums[GROUP];
  local uint starts[DIGITS];
  const uint lid = get_local_id(0), tile = get_group_id(0);
  const size_t first = tile * (size_t)TILE;
  const uint count = (uint)min((size_t)TILE, size - first);
  for (uint j = 0; j < ITEMS; ++j) {
    const uint i = j * GROUP + lid;
    // keys beyond the end have the largest digit and stay last
    keys[i] = i < count ? from[first + i] : ~0UL;
#ifdef PAIRS
    values[i] = i < count ? values_from[first + i] : 0;
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint done = 0; mask >> done != 0; done += 4) SPLIT(shift + done, mask >> done & 15);
  for (uint j = 0; j < ITEMS; ++j) {
    const uint i = j * GROUP + lid;
    const uint digit = (uint)(keys[i] >> shift) & mask;
    const uint before = i == 0 ? mask + 1 : (uint)(keys[i - 1] >> shift) & mask;
    if (digit != before) starts[digit] = i;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint j = 0; j < ITEMS; ++j) {
    const uint i = j * GROUP + lid;
    if (i < count) {
      const uint digit = (uint)(keys[i] >> shift) & mask;
      const size_t place = places[digit * (size_t)tiles + tile] + i - starts[digit];
      to[place] = keys[i];
#ifdef PAIRS
      values_to[place] = values[i];
#endif
    }
  }
}

#ifndef PAIRS
// Most significant digit first: once keys lie in the order of their high bits, those of one bucket fit a
// work-group, which sorts them by the low ones in local memory.

// counts[high bits] += 1 for the first GROUP of every `step` * GROUP keys.
GROUP_KERNEL sample_buckets(global const ulong* keys, uint size, uint step, uint shift, uint mask,
                            global uint* counts) {
  const size_t i = get_group_id(0) * (size_t)step * GROUP + get_local_id(0);
  if (i < size) atomic_inc(&counts[(uint)(keys[i] >> shift) & mask]);
}

// starts[bucket] = the first key in the bucket or after it, for buckets up to mask + 1.
GROUP_KERNEL bucket_starts(global const ulong* keys, uint size, uint shift, uint mask, global uint* starts) {
  const size_t i = get_global_id(0);
  if (i < size) {
    const uint bucket = (uint)(keys[i] >> shift) & mask;
    const uint next = i == 0 ? 0 : ((uint)(keys[i - 1] >> shift) & mask) + 1;
    for (uint b = next; b <= bucket; ++b) starts[b] = (uint)i;
    if (i + 1 == size) {
      for (uint b = bucket + 1; b <= mask + 1; ++b) starts[b] = size;
    }
  }
}

// Sorts the keys of a bucket, at most TILE, by bits [low, high).
GROUP_KERNEL sort_buckets(global ulong* all, global const uint* starts, uint low, uint high) {
  local ulong keys[TILE];
  local ulong counts[4 * GROUP];
  local ulong sums[GROUP];
  const uint lid = get_local_id(0);
  global ulong* const own = all + starts[get_group_id(0)];
  const uint count = starts[get_group_id(0) + 1] - starts[get_group_id(0)];
  for (uint j = 0; j < ITEMS; ++j) {
    const uint i = j * GROUP + lid;
    keys[i] = i < count ? own[i] : ~0UL;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint shift = low; shift < high; shift += 4) SPLIT(shift, (1u << min(4u, high - shift)) - 1);
  for (uint j = 0; j < ITEMS; ++j) {
    const uint i = j * GROUP + lid;
    if (i < count) own[i] = keys[i];
  }
}
#endif
