// The best segment of a vector: the numbers of its tiles (docs/segments.md). segments_stack.cl stands
// before, segments_tiles.cl and segments_joins.cl, in this order, follow in the same program.
//
// Build options: ELEMENT int or long, GROUP work-items of a work-group, QUADS groups of four elements of a
// work-item in tile_sums, CHUNK elements of a work-item in tile_segments (a power of two; GROUP * CHUNK below
// 32,768).

typedef ELEMENT element;
#define VECTOR_NAME(type) type##4
#define VECTOR_OF(type) VECTOR_NAME(type)
typedef VECTOR_OF(ELEMENT) element4;

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
