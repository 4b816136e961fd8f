// All maximal segments of a vector: those of each tile. Follows segments_stack.cl and segments.cl, whose build
// options hold.

#define TILE (GROUP * CHUNK)
#define SLOTS (TILE / 2)  // a tile has at most this many maximal segments
#define FAMILY 16         // chunks that share a second level of extremes
#define OPEN 0x8000u

// Place of prefix sum k in local memory: one left out after each chunk, so that work-items use different
// banks.
#define AT(k) ((k) + (k) / CHUNK)

DEFINE_SCAN(farthest_before, uint, max(left, right))
DEFINE_SCAN(sum_before, long, left + right)
DEFINE_SCAN(highest_before, long, max(left, right))

// The longest tight segment that starts at `begin`: its end, or'ed with OPEN if no prefix sum to the end of
// the tile comes down to that at `begin`. The extremes of chunk c are those of the prefix sums after its
// elements.
uint tight_end(local const long* sums, local const long* chunk_low, local const long* chunk_high,
               local const long* family_low, local const long* family_high, uint begin) {
  const long low = sums[AT(begin)];
  long high = low;
  uint end = begin;
  const uint chunk_end = (begin / CHUNK + 1) * CHUNK;
  for (uint k = begin + 1; k <= chunk_end; ++k) {
    const long sum = sums[AT(k)];
    if (sum <= low) return end;
    if (sum > high) {
      high = sum;
      end = k;
    }
  }
  // The end lies at place `end`, or is the first highest one in chunk or family `within`.
  uint chunk = chunk_end / CHUNK, within = 0;
  bool in_chunks = false;
  uint open = OPEN;
  while (chunk < GROUP) {
    if (chunk % FAMILY == 0 && family_low[chunk / FAMILY] > low) {
      if (family_high[chunk / FAMILY] > high) {
        high = family_high[chunk / FAMILY];
        within = chunk;
        in_chunks = true;
      }
      chunk += FAMILY;
    } else if (chunk_low[chunk] > low) {
      if (chunk_high[chunk] > high) {
        high = chunk_high[chunk];
        within = chunk;
        in_chunks = true;
      }
      ++chunk;
    } else {
      for (uint k = chunk * CHUNK + 1;; ++k) {
        const long sum = sums[AT(k)];
        if (sum <= low) break;
        if (sum > high) {
          high = sum;
          end = k;
          in_chunks = false;
        }
      }
      open = 0;
      break;
    }
  }
  if (in_chunks) {
    while (chunk_high[within] != high) ++within;
    for (end = within * CHUNK + 1; sums[AT(end)] != high; ++end) {
    }
  }
  return end | open;
}

// The maximal segments of each tile of TILE elements, one tile a work-group: places (begin and end << 16,
// counted in the tile) and the tile's prefix sums at both, in the tile's SLOTS slots of each array; `joints`
// lists which of them can join with segments of other tiles. counts: how many segments, and joints << 16.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void tile_segments(
    global const element* restrict values, ulong size, global uint* restrict places,
    global long* restrict lows, global long* restrict highs, global ushort* restrict joints,
    global uint* restrict counts, global long* restrict totals) {
  local long sums[AT(TILE) + 1];
  local long chunk_low[GROUP], chunk_high[GROUP], left_high[GROUP], scratch[GROUP];
  local long family_low[GROUP / FAMILY], family_high[GROUP / FAMILY];
  local uint small_scratch[GROUP];
  local ushort begins[SLOTS], ends[SLOTS];
  const uint item = get_local_id(0);
  const ulong tile = get_group_id(0);

  for (uint i = item; i < TILE; i += GROUP) {
    const ulong at = tile * TILE + i;
    sums[AT(i + 1)] = at < size ? values[at] : 0;
  }
  if (item == 0) sums[0] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint first = item * CHUNK;
  long total = 0;
  for (uint k = first + 1; k <= first + CHUNK; ++k) total += sums[AT(k)];
  long sum = sum_before(scratch, total, 0);
  long low = LONG_MAX, high = LONG_MIN;
  for (uint k = first + 1; k <= first + CHUNK; ++k) {
    sum += sums[AT(k)];
    sums[AT(k)] = sum;
    low = min(low, sum);
    high = max(high, sum);
  }
  chunk_low[item] = low;
  chunk_high[item] = high;
  // The highest prefix sum up to this chunk; place 0 counts too, with the sum 0.
  left_high[item] = max(highest_before(scratch, high, 0), 0L);
  if (item < GROUP / FAMILY) {
    long family_lowest = LONG_MAX, family_highest = LONG_MIN;
    for (uint c = item * FAMILY; c < (item + 1) * FAMILY; ++c) {
      family_lowest = min(family_lowest, chunk_low[c]);
      family_highest = max(family_highest, chunk_high[c]);
    }
    family_low[item] = family_lowest;
    family_high[item] = family_highest;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  // Maximal segments begin where positive runs do.
  uint starts = 0;  // a bit for each
  uint count = 0;
  for (uint j = 0; j < CHUNK; ++j) {
    const uint k = first + j;
    const long here = sums[AT(k)];
    if (sums[AT(k + 1)] > here && (k == 0 || sums[AT(k - (k > 0))] >= here)) {
      starts |= 1u << j;
      ++count;
    }
  }
  uint at = counts_before(small_scratch, count, 0);
  const uint begin_count = small_scratch[GROUP - 1];
  for (uint j = 0; j < CHUNK; ++j) {
    if ((starts >> j & 1) != 0) begins[at++] = (ushort)(first + j);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < begin_count; i += GROUP) {
    ends[i] = (ushort)tight_end(sums, chunk_low, chunk_high, family_low, family_high, begins[i]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // Those that no earlier one covers are maximal. Each work-item looks at a few in a row.
  const uint share = (begin_count + GROUP - 1) / GROUP;
  const uint first_own = min(item * share, begin_count), last_own = min(first_own + share, begin_count);
  uint farthest = 0;
  for (uint i = first_own; i < last_own; ++i) farthest = max(farthest, (uint)(ends[i] & (OPEN - 1)));
  uint covered = farthest_before(small_scratch, farthest, 0);
  uint kept = 0, joined = 0;  // bits
  count = 0;
  for (uint i = first_own; i < last_own; ++i) {
    const uint begin = begins[i], end = ends[i] & (OPEN - 1);
    if (covered <= begin) {
      kept |= 1u << (i - first_own);
      ++count;
      const uint chunk = begin / CHUNK;
      long highest = left_high[chunk];
      for (uint k = chunk * CHUNK + 1; k <= begin; ++k) highest = max(highest, sums[AT(k)]);
      if ((ends[i] & OPEN) != 0 || sums[AT(end)] > highest) {
        joined |= 1u << (i - first_own);
        count += 1u << 16;
      }
    }
    covered = max(covered, end);
  }
  const uint before = counts_before(small_scratch, count, 0);
  const ulong slots = tile * SLOTS;
  uint slot = before & 0xffff, joint = before >> 16;
  for (uint i = first_own; i < last_own; ++i) {
    if ((kept >> (i - first_own) & 1) != 0) {
      const uint begin = begins[i], end = ends[i] & (OPEN - 1);
      places[slots + slot] = begin | end << 16;
      lows[slots + slot] = sums[AT(begin)];
      highs[slots + slot] = sums[AT(end)];
      if ((joined >> (i - first_own) & 1) != 0) joints[slots + joint++] = (ushort)slot;
      ++slot;
    }
  }
  if (item == 0) {
    counts[tile] = small_scratch[GROUP - 1];
    totals[tile] = sums[AT(TILE)];
  }
}
