// All maximal segments of a vector: the segments of tiles joined level by level, and the answer written.
// Follows segments_tiles.cl.

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

DEFINE_PUSH(push_joint, long4)

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
  global uint* lower_of = links + starts[first];
  uint size = 0;
  for (uint child = first; child < last; ++child) {
    global const long4* list = items + starts[child];
    const uint count = counts[child];
    for (uint i = 0; i < count; ++i) size = push_joint(stack, lower_of, 0, size, list[i]);
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
