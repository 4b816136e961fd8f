// Single-hit Viterbi for long sequences, with 32 work-items for each chain of sequences and GROUP_CHAINS chains in a
// work-group: exact in 32 bits, or (build option PACKED 1) upper bounds in packed 16 bits for two sequences side by
// side. Appended to gpu_ops.cl, gpu_exact_pair.cl or gpu_packed_step.cl, and gpu_items.cl.
//
// The nodes are divided among the work-items, ITEM_PAIRS pairs each. Tiles of 16 rows pass through the work-items as in
// a pipeline: in step s work-item l computes tile s - l of the chain, and then passes x and d of its last node to the
// next work-item. Sequences follow one another without emptying the pipeline. A tile has 16 bytes; bits 0 and 1 of its
// first byte mark the first and the last tile of a sequence, which is padded in front. At the last tile of a sequence,
// every work-item adds its best E to the maximum best_scores[tile_sequences[tile]].
//
// With PACKED, a chain consists of pairs of tiles, pair_tiles[...], the longer sequence (a) first. Both end at the same
// time, with NO_TILE before the shorter one begins. Bounds are tighter than those of gpu_packed.cl (not `floored`),
// since scoring a long sequence again costs more.
//
// The edges and moves of a work-item's pairs stay in registers, the emissions are in local memory. A larger model is
// computed in strips of 32 * ITEM_PAIRS pairs, each over the whole chain: x and d of the last node of a strip pass
// through `border`, [tile][row], to the next strip (build option STRIPS 1). Pairs from table_pairs on do not exist.
// The host sets best_scores to FLOOR before. ROWS must be 16, TABLE_LOCAL 1. Build options: GROUP_CHAINS; ITEM_PAIRS,
// 1 to 5.

#if PACKED

#define NO_TILE 0xffffffffu
#define PAIR_BYTES (4 * PAIR_WORDS * TABLE_STRIDE)
#define AS_CELL as_uint
typedef uint cell;
typedef uint2 cell2;
typedef uint4 cell4;

#else

#define PAIR_BYTES (2 * NODE_BYTES)
#define AS_CELL as_int
typedef int cell;
typedef int2 cell2;
typedef int4 cell4;

#endif

// `begin`, `start_p`, `insert_row` and `peak_limits`: as in gpu_packed.cl.
__kernel void long_sequences(__global const uint4* tiles, __global const uint* chain_tiles,
                             __global const uint* tile_sequences, __global const uint* emissions,
                             __global const cell4* moves, int table_pairs, __global cell2* border,
                             __global int* best_scores, __local int4* exchange_vectors, __local uint* table
#if PACKED
                             ,
                             __global const uint2* pair_tiles, __global const uint* insert_row, uint begin,
                             uint start_p, uint peak_limits
#endif
) {
  const uint local_id = get_local_id(0) % 32;
  const uint own = GROUP_CHAINS == 1 ? 0 : get_local_id(0) / 32;  // a constant lets the compiler know it is uniform
  const uint chain = get_group_id(0) * GROUP_CHAINS + own;
  __local int* exchange = (__local int*)(exchange_vectors + own * 16);  // 32 ints, then 16 rows of handed_on
  const uint first_tile = chain_tiles[chain];
  const int count = chain_tiles[chain + 1] - first_tile;
  int longest = count;
#pragma unroll
  for (int i = 0; i < GROUP_CHAINS; ++i) {
    const uint other = get_group_id(0) * GROUP_CHAINS + i;
    longest = max(longest, (int)(chain_tiles[other + 1] - chain_tiles[other]));
  }
  const uint4 padding = (uint4)(PAD_WORD);
#if PACKED
  const uint no_path = begin;
  const uint4 no_edges = (uint4)(begin, start_p, begin, start_p);
  const uint4 no_move = (uint4)(0);
  __local uint* inserts_table = table + 32 * ITEM_PAIRS * PAIR_WORDS;
  if (get_local_id(0) < CODES) inserts_table[get_local_id(0)] = insert_row[get_local_id(0)];
#else
  const int no_path = FLOOR;
  const int4 no_edges = (int4)(FLOOR), no_move = (int4)(IMPOSSIBLE);
#endif
#if STRIPS
  __local cell2* handed_on = (__local cell2*)exchange + 16;
  __global cell2* chain_border = border + (long)first_tile * ROWS;
  for (int first_pair = 0; first_pair < table_pairs; first_pair += 32 * ITEM_PAIRS) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const bool last = first_pair + 32 * ITEM_PAIRS >= table_pairs;
#else
  {
    const int first_pair = 0;
#endif
    const int pair_words = PAIR_BYTES / 4 / TABLE_STRIDE;
    const int words_left = (table_pairs - first_pair) * pair_words;
    for (int i = get_local_id(0); i < 32 * ITEM_PAIRS * pair_words; i += 32 * GROUP_CHAINS) {
      const int place = item_place(i, pair_words, ITEM_PAIRS);
      table[place] = i < words_left ? emissions[first_pair * pair_words + i] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int item_pair = local_id * ITEM_PAIRS;  // of the strip
    cell4 own_moves[ITEM_PAIRS][3], edges[ITEM_PAIRS];
#pragma unroll
    for (int i = 0; i < ITEM_PAIRS; ++i) {
      const int pair = first_pair + item_pair + i;
      const bool exists = pair < table_pairs;
      own_moves[i][0] = exists ? moves[3 * pair] : no_move;
      own_moves[i][1] = exists ? moves[3 * pair + 1] : no_move;
      own_moves[i][2] = exists ? moves[3 * pair + 2] : (cell4)(IMPOSSIBLE);
      edges[i] = no_edges;
    }
    cell x[ROWS], d[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; ++row) x[row] = d[row] = no_path;
    cell corner = no_path;  // x of the node before the work-item's first node, in the last row of the previous tile
#if PACKED
    const local_place own_emissions = LOCAL_PLACE(table) + 4 * local_id;
    int2 best = (int2)(FLOOR);
    uint peak = 0;
    const uint2 no_pair = (uint2)(NO_TILE);
    uint2 pair_tile = no_pair;
    uint2 next_pair = local_id == 0 && count > 0 ? pair_tiles[first_tile] : no_pair;
    uint4 next = next_pair.x != NO_TILE ? tiles[next_pair.x] : padding;
    uint4 next_b = next_pair.y != NO_TILE ? tiles[next_pair.y] : padding;
    uint2 pair_after = local_id <= 1 && count > 1 - (int)local_id ? pair_tiles[first_tile + 1 - local_id] : no_pair;
#else
    const table_place own_emissions = LOCAL_PLACE(table) + 4 * local_id;
    int best = FLOOR;
    uint4 next = local_id == 0 && count > 0 ? tiles[first_tile] : padding;
#endif
#if STRIPS
    cell2 next_handed_on = (cell2)(no_path);
    if (first_pair > 0 && local_id < ROWS && count > 0) next_handed_on = chain_border[local_id];
#endif
    for (int step = 0; step < longest + 31; ++step) {
      const int tile = step - (int)local_id;
      const uint4 words = next;
#if PACKED
      // Tiles are loaded one step ahead, their numbers two steps.
      const uint4 words_b = next_b;
      pair_tile = next_pair;
      next_pair = pair_after;
      next = next_pair.x != NO_TILE ? tiles[next_pair.x] : padding;
      next_b = next_pair.y != NO_TILE ? tiles[next_pair.y] : padding;
      pair_after = tile + 2 >= 0 && tile + 2 < count ? pair_tiles[first_tile + tile + 2] : no_pair;
#else
      next = tile + 1 >= 0 && tile + 1 < count ? tiles[first_tile + tile + 1] : padding;
#endif
      const bool begins = (words.x & 1) != 0;
      uint codes[ROWS];
      const uint parts[4] = {words.x & ~3u, words.y, words.z, words.w};
#if PACKED
      uint codes_b[ROWS], inserts[ROWS];
      const uint parts_b[4] = {words_b.x & ~3u, words_b.y, words_b.z, words_b.w};
#endif
#pragma unroll
      for (int row = 0; row < ROWS; ++row) {
        codes[row] = opaque(parts[row / 4] >> (8 * (row % 4)) & 0xff);
#if PACKED
        codes_b[row] = opaque(parts_b[row / 4] >> (8 * (row % 4)) & 0xff);
        inserts[row] = JOINED(inserts_table[codes[row] / 4], inserts_table[codes_b[row] / 4]);
        codes_b[row] = opaque(codes_b[row] * TABLE_STRIDE);
#endif
        codes[row] = opaque(codes[row] * TABLE_STRIDE);
        const cell x_below = AS_CELL(from_item_below(as_int(x[row]), local_id, exchange));
        const cell d_below = AS_CELL(from_item_below(as_int(d[row]), local_id, exchange));
        x[row] = local_id == 0 ? no_path : x_below;
        d[row] = local_id == 0 ? no_path : d_below;
      }
#if STRIPS
      // Each work-item loads one row of the border a step ahead; work-item 0 gets them through local memory.
      const bool inside = tile >= 0 && tile < count;
      ITEMS_BARRIER;
      if (local_id < ROWS) handed_on[local_id] = next_handed_on;
      ITEMS_BARRIER;
      if (first_pair > 0) {
        if (local_id < ROWS && step + 1 < count) next_handed_on = chain_border[(step + 1) * ROWS + local_id];
        if (local_id == 0) {
#pragma unroll
          for (int row = 0; row < ROWS; ++row) {
            x[row] = handed_on[row].x;
            d[row] = handed_on[row].y;
          }
        }
      }
#endif
      cell diagonal = begins ? no_path : corner;
      corner = x[ROWS - 1];
#if PACKED
      if (begins) {
        best = (int2)(FLOOR);
        peak = 0;
      }
#else
      if (begins) best = FLOOR;
#endif
#pragma unroll
      for (int pair = 0; pair < ITEM_PAIRS; ++pair) {
        if (begins) edges[pair] = no_edges;
        const cell diagonal_after = edges[pair].z;
#if PACKED
        const int4 ends = as_int4(own_moves[pair][2].xyxy);
        packed_step(x, d, codes, codes_b, inserts, own_emissions + pair * PAIR_BYTES, own_moves[pair], &ends, false,
                    begin, &edges[pair], diagonal, &best, &peak);
#else
        exact_pair(x, d, codes, own_emissions + pair * PAIR_BYTES, own_moves[pair][0], own_moves[pair][1],
                   own_moves[pair][2].xy, &edges[pair], diagonal, &best);
#endif
        diagonal = diagonal_after;
      }
#if STRIPS
      if (local_id == 31 && inside && !last) {
#pragma unroll
        for (int row = 0; row < ROWS; ++row) chain_border[tile * ROWS + row] = (cell2)(x[row], d[row]);
      }
#endif
      if ((words.x & 2) != 0) {
#if PACKED
        // Other work-items, in which a does not overflow, have E of b, too: so b is OVERFLOWN if a is.
        const int2 proven = proven_bounds(best, peak, peak_limits, 0x10000);
        atomic_max(best_scores + tile_sequences[pair_tile.x], proven.x);
        atomic_max(best_scores + tile_sequences[pair_tile.y], proven.y);
#else
        atomic_max(best_scores + tile_sequences[first_tile + tile], best);
#endif
      }
    }
  }
}
