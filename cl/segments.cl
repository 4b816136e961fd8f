// Maximum-sum segments of a vector, tile by tile (docs/segments.md).
//
// Build options: ELEMENT int or long, GROUP work-items of a work-group, QUADS groups of four elements of a
// work-item in tile_sums, CHUNK elements of a work-item in tile_segments (a power of two; GROUP * CHUNK below
// 32,768).

typedef ELEMENT element;
#define VECTOR_NAME(type) type##4
#define VECTOR_OF(type) VECTOR_NAME(type)
typedef VECTOR_OF(ELEMENT) element4;

// ---- Best segment ----

// The four numbers of a tile: sum, best prefix, best suffix, best segment (x, y, z, w), empty ones allowed.
long4 merged(long4 left, long4 right) {
  return (long4)(left.x + right.x, max(left.y, left.x + right.y), max(right.z, left.z + right.x),
                 max(max(left.w, right.w), left.z + right.y));
}

// Adds one element to the numbers of a run; `lowest` is its lowest prefix sum.
#define ADD_ELEMENT(value)     \
  sum += (value);              \
  lowest = min(lowest, sum);   \
  highest = max(highest, sum); \
  best = max(best, sum - lowest);

#define ADD_QUAD(quad) ADD_ELEMENT((quad).x) ADD_ELEMENT((quad).y) ADD_ELEMENT((quad).z) ADD_ELEMENT((quad).w)

// The sums of a work-item's values in [-NARROW, NARROW) fit 31 bits.
#define NARROW (0x10000000 / QUADS)

// Places of a work-item in local memory, in quads: one more than it uses, so that work-items read different
// banks.
#define PITCH (QUADS + 1)

// The four numbers of each tile of GROUP * QUADS * 4 elements, one tile a work-group. The tile is read in the
// order of memory and handed to the work-items, each with a run of its own, through local memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void tile_sums(
    global const element* restrict values, ulong size, global long4* restrict tiles) {
  local long4 space[(GROUP * PITCH * sizeof(element4) + sizeof(long4) - 1) / sizeof(long4)];
  local element4* staged = (local element4*)space;
  local long4* tree = space;  // when the staged elements are done with
  const uint item = get_local_id(0);
  const ulong start = (ulong)get_group_id(0) * (GROUP * QUADS * 4);
#pragma unroll
  for (uint i = 0; i < QUADS; ++i) {
    const uint quad = i * GROUP + item;
    const ulong at = start + 4 * quad;
    element4 part = (element4)(0);
    if (at + 4 <= size) {
      part = vload4(quad, values + start);
    } else {
      if (at < size) part.x = values[at];
      if (at + 1 < size) part.y = values[at + 1];
      if (at + 2 < size) part.z = values[at + 2];
    }
    staged[quad / QUADS * PITCH + quad % QUADS] = part;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  local const element4* own = staged + item * PITCH;
  long4 run = (long4)(0);
  bool wide = true;
  if (sizeof(element) == sizeof(int)) {
    // Sums that wrap are not used.
    int sum = 0, lowest = 0, highest = 0, best = 0;
    uint seen = 0;
#pragma unroll
    for (uint i = 0; i < QUADS; ++i) {
      const element4 part = own[i];
      ADD_QUAD(part)
      seen |= ((uint)part.x + NARROW) | ((uint)part.y + NARROW) | ((uint)part.z + NARROW) |
              ((uint)part.w + NARROW);
    }
    wide = (seen & ~(2u * NARROW - 1)) != 0;
    run = (long4)(sum, highest, (long)sum - lowest, best);
  }
  if (wide) {
    long sum = 0, lowest = 0, highest = 0, best = 0;
    for (uint i = 0; i < QUADS; ++i) {
      const element4 part = own[i];
      ADD_QUAD(part)
    }
    run = (long4)(sum, highest, sum - lowest, best);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  tree[item] = run;
  for (uint distance = 1; distance < GROUP; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint left = item * 2 * distance;
    if (left < GROUP) tree[left] = merged(tree[left], tree[left + distance]);
  }
  if (item == 0) tiles[get_group_id(0)] = tree[0];
}

// Reads all values and adds them up: what the memory gives at best, to compare with.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void plain_sum(
    global const element* restrict values, ulong size, global long* restrict sums) {
  local long tree[GROUP];
  const uint item = get_local_id(0);
  const ulong fours = size / 4;
  long sum = 0;
  for (ulong i = get_global_id(0); i < fours; i += get_global_size(0)) {
    const element4 part = vload4(i, values);
    sum += (long)part.x + part.y + (long)part.z + part.w;
  }
  if (get_global_id(0) == 0) {
    for (ulong i = fours * 4; i < size; ++i) sum += values[i];
  }
  tree[item] = sum;
  for (uint distance = GROUP / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < distance) tree[item] += tree[item + distance];
  }
  if (item == 0) sums[get_group_id(0)] = tree[0];
}

// ---- All maximal segments ----

#define TILE (GROUP * CHUNK)
#define SLOTS (TILE / 2)  // a tile has at most this many maximal segments
#define FAMILY 16         // chunks that share a second level of extremes
#define OPEN 0x8000u

// Place of prefix sum k in local memory: one left out after each chunk, so that work-items use different
// banks.
#define AT(k) ((k) + (k) / CHUNK)

// Defines name(scratch, value, none): the values of all work-items before this one put together, `none` for
// the first; and scratch[GROUP - 1] is that of all until the scratch is used again.
#define DEFINE_SCAN(name, type, joined)                                     \
  type name(local type* scratch, type value, type none) {                   \
    const uint item = get_local_id(0);                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                           \
    scratch[item] = value;                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                           \
    for (uint distance = 1; distance < GROUP; distance *= 2) {              \
      const type left = item >= distance ? scratch[item - distance] : none; \
      barrier(CLK_LOCAL_MEM_FENCE);                                         \
      const type right = scratch[item];                                     \
      scratch[item] = joined;                                               \
      barrier(CLK_LOCAL_MEM_FENCE);                                         \
    }                                                                       \
    return item > 0 ? scratch[item - 1] : none;                             \
  }
DEFINE_SCAN(counts_before, uint, left + right)
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

// ---- Joining tiles ----

// The numbers before each of `count` ones, and that of all behind them: of counts >> shift, and of totals. One
// work-group, each work-item with a run of its own.
#define SCAN_ALL(type, value, before, scratch, results)                                                   \
  const uint item = get_local_id(0);                                                                      \
  const uint share = (count + GROUP - 1) / GROUP;                                                         \
  const uint first = min(item * share, count), last = min(first + share, count);                          \
  type sum = 0;                                                                                           \
  for (uint i = first; i < last; ++i) sum += (value);                                                     \
  sum = before(scratch, sum, 0);                                                                          \
  for (uint i = first; i < last; ++i) {                                                                   \
    const type own = (value);                                                                             \
    results[i] = sum;                                                                                     \
    sum += own;                                                                                           \
  }                                                                                                       \
  if (item == GROUP - 1) results[count] = sum;

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan_counts(uint count,
                                                                           global const uint* restrict counts,
                                                                           uint shift,
                                                                           global uint* restrict offsets) {
  local uint scratch[GROUP];
  SCAN_ALL(uint, counts[i] >> shift, counts_before, scratch, offsets)
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan_totals(uint count,
                                                                           global const long* restrict totals,
                                                                           global long* restrict bases) {
  local long scratch[GROUP];
  SCAN_ALL(long, totals[i], sum_before, scratch, bases)
}

// Writes the joints of each tile behind those of the tiles before, `offsets` from the start, as begin, end
// and the prefix sums at both, counted from the start of the vector; `bases` are the prefix sums before the
// tiles. Gives how many a tile has.
kernel void gather_joints(uint tiles, global const uint* restrict places, global const long* restrict lows,
                          global const long* restrict highs, global const ushort* restrict joints,
                          global const uint* restrict counts, global const uint* restrict offsets,
                          global const long* restrict bases, global long4* restrict gathered,
                          global uint* restrict joint_counts) {
  const uint tile = get_global_id(0);
  if (tile >= tiles) return;
  const ulong slots = (ulong)tile * SLOTS;
  const long start = (long)tile * TILE;
  const uint count = counts[tile] >> 16;
  for (uint i = 0; i < count; ++i) {
    const ulong slot = slots + joints[slots + i];
    gathered[offsets[tile] + i] = (long4)(start + (places[slot] & 0xffff), start + (places[slot] >> 16),
                                          bases[tile] + lows[slot], bases[tile] + highs[slot]);
  }
  joint_counts[tile] = count;
}

// Nodes are `span` consecutive tiles or nodes of the level before, their children, each with a list of
// segments (begin, end, prefix sums at both) that can join with those of others. A work-item joins the lists
// of a node's children with the stack of Ruzzo and Tompa, in the place of the first list, and leaves there what
// can join further. `crossing`, span places a node, takes the segments that cross borders of children. The
// lists of `children` ones begin at starts and have counts segments; those of the nodes begin at node_starts
// and have node_counts. links: as many places as there are segments.
kernel void join_children(uint children, uint span, uint tiles_of_child, uint tiles,
                          global const long* restrict bases, global const uint* restrict starts,
                          global const uint* restrict counts, global long4* items, global uint* restrict links,
                          global uint* restrict node_starts, global uint* restrict node_counts,
                          global long4* restrict crossing, global uint* restrict crossing_counts) {
  const uint node = get_global_id(0);
  const uint first = node * span, last = min(first + span, children);
  if (first >= children) return;
  global long4* stack = items + starts[first];
  global uint* lower_of = links + starts[first];  // place + 1 of the nearest item below that starts lower
  uint size = 0;
  for (uint child = first; child < last; ++child) {
    global const long4* list = items + starts[child];
    const uint count = counts[child];
    for (uint i = 0; i < count; ++i) {
      long4 segment = list[i];
      uint lower = size;
      for (;;) {
        while (lower > 0 && stack[lower - 1].z >= segment.z) lower = lower_of[lower - 1];
        if (lower == 0 || stack[lower - 1].w >= segment.w) break;
        size = lower - 1;
        segment.x = stack[size].x;
        segment.z = stack[size].z;
        lower = lower_of[size];
      }
      lower_of[size] = lower;
      stack[size++] = segment;
    }
  }
  const long unit = (long)tiles_of_child * TILE;
  uint crossing_count = 0;
  for (uint i = 0; i < size; ++i) {
    const long4 segment = stack[i];
    if (segment.x / unit != (segment.y - 1) / unit) crossing[first + crossing_count++] = segment;
  }
  crossing_counts[node] = crossing_count;
  // To the left join those that rise above all before them, to the right those that start below all after.
  uint left = 0, others = 0;  // how many; the first place behind the last of them
  long highest = bases[min(first * tiles_of_child, tiles)];
  for (uint i = 0; i < size; ++i) {
    const long4 segment = stack[i];
    if (segment.w > highest) {
      highest = segment.w;
      stack[left++] = segment;
      others = i + 1;
    }
  }
  uint right = size;
  long lowest = bases[min(last * tiles_of_child, tiles)];
  for (uint i = size; i > others; --i) {
    const long4 segment = stack[i - 1];
    if (segment.z < lowest) {
      lowest = segment.z;
      stack[--right] = segment;
    }
  }
  for (uint i = right; i < size; ++i) stack[left++] = stack[i];
  node_starts[node] = starts[first];
  node_counts[node] = left;
}

// The lists of all nodes behind each other, a work-group for each, and the prefix sums before the nodes.
kernel void pack_lists(uint tiles_of_node, uint tiles, global const uint* restrict starts,
                       global const uint* restrict offsets, global const long4* restrict items,
                       global const long* restrict bases, global long4* restrict packed,
                       global long* restrict node_bases) {
  const uint node = get_group_id(0);
  const uint offset = offsets[node], count = offsets[node + 1] - offset;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0))
    packed[offset + i] = items[starts[node] + i];
  if (get_local_id(0) == 0) {
    node_bases[node] = bases[node * tiles_of_node];
    if (node + 1 == get_num_groups(0)) node_bases[node + 1] = bases[tiles];
  }
}

// Takes the segments that cross borders of the children of nodes into account for each tile: cuts, between
// which places of the tile its own segments are kept, and `begins`, the segment that begins in the tile and
// ends in another (none: begin and end are the same). `fresh` is not 0 for the lowest level, the others
// follow upward.
kernel void cover_tiles(uint tiles, uint fresh, uint tiles_of_node, uint span,
                        global const long4* restrict crossing, global const uint* restrict crossing_counts,
                        global uint2* restrict cuts, global long4* restrict begins) {
  const uint tile = get_global_id(0);
  if (tile >= tiles) return;
  const long start = (long)tile * TILE, end = start + TILE;
  const uint node = tile / tiles_of_node;
  global const long4* list = crossing + (ulong)node * span;
  uint2 cut = (uint2)(0, TILE);
  long4 own = (long4)(0);
  if (fresh == 0) {
    cut = cuts[tile];
    own = begins[tile];
  }
  // The first one that ends behind the tile's start.
  const uint count = crossing_counts[node];
  uint low = 0, high = count;
  while (low < high) {
    const uint middle = (low + high) / 2;
    if (list[middle].y <= start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low < count && list[low].x < start) {
    const long covered = list[low++].y;
    cut.x = max(cut.x, (uint)min(covered - start, (long)TILE));
    if (own.x < covered) own = (long4)(0);
  }
  if (low < count && list[low].x < end) {
    own = list[low];
    cut.y = min(cut.y, (uint)(own.x - start));
  }
  cuts[tile] = cut;
  begins[tile] = own;
}

// Segments of a tile that no crossing one covers: those that begin at cuts.x or later and before cuts.y.
// Gives the first and how many, and with the one that begins there and crosses the tile's end how many the
// answer has of the tile.
kernel void kept_ranges(uint tiles, global const uint* restrict places, global const uint* restrict counts,
                        global const uint2* restrict cuts, global const long4* restrict begins,
                        global uint2* restrict kept, global uint* restrict answer_counts) {
  const uint tile = get_global_id(0);
  if (tile >= tiles) return;
  global const uint* own = places + (ulong)tile * SLOTS;
  const uint2 cut = cuts[tile];
  uint range[2];
  for (uint side = 0; side < 2; ++side) {
    const uint least = side == 0 ? cut.x : cut.y;
    uint low = 0, high = counts[tile] & 0xffff;
    while (low < high) {
      const uint middle = (low + high) / 2;
      if ((own[middle] & 0xffff) < least) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    range[side] = low;
  }
  const uint count = range[1] > range[0] ? range[1] - range[0] : 0;
  kept[tile] = (uint2)(range[0], count);
  answer_counts[tile] = count + (begins[tile].y > begins[tile].x ? 1 : 0);
}

// Writes what the answer has of each tile to its place in the answer, one tile a work-group.
kernel void write_segments(global const uint* restrict places, global const long* restrict lows,
                           global const long* restrict highs, global const uint2* restrict kept,
                           global const long4* restrict begins, global const uint* restrict offsets,
                           global const long* restrict bases, global long4* restrict answer) {
  const uint tile = get_group_id(0);
  const long start = (long)tile * TILE;
  const uint count = kept[tile].y;
  const ulong slots = (ulong)tile * SLOTS + kept[tile].x;
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) {
    const uint place = places[slots + i];
    answer[offsets[tile] + i] = (long4)(start + (place & 0xffff), start + (place >> 16),
                                        bases[tile] + lows[slots + i], bases[tile] + highs[slots + i]);
  }
  if (get_local_id(0) == 0 && begins[tile].y > begins[tile].x) answer[offsets[tile] + count] = begins[tile];
}
