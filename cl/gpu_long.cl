// Exact single-hit Viterbi, 32 bit, for long sequences: 32 work-items a stream of sequences,
// GROUP_STREAMS streams a work-group.
// Follows gpu_ops.cl, gpu_exact_pair.cl and gpu_lanes.cl.
//
// The nodes are spread over the lanes, LANE_PAIRS pairs each. Tiles of 16 rows go through the lanes like
// through a pipe: in step s lane l works on tile s - l of the stream and then hands x and d of its last node
// one lane up. Sequences follow one another without draining. A tile is 16 bytes; bits 0 and 1 of its first
// byte mark the first and the last tile of a sequence, which is padded in front. At its last tile every lane
// adds its best E to that of sequence tile_sequences[tile].
//
// The edges and moves of a lane's pairs stay in registers, the emissions lie in local memory. A larger model
// is done in strips of 32 * LANE_PAIRS pairs, each over the whole stream: x and d of the last node of a strip
// go through `border`, [tile][row], to the next (build option STRIPS 1). Pairs from table_pairs on do not
// exist. best_scores must hold FLOOR before. ROWS must be 16, TABLE_LOCAL 1. Build options GROUP_STREAMS;
// LANE_PAIRS, 1 to 5.

__kernel void long_sequences(__global const uint4* tiles, __global const uint* stream_tiles,
                             __global const uint* tile_sequences, __global const uint* emissions,
                             __global const int4* moves, int table_pairs, __global int2* border,
                             __global int* best_scores, __local int4* exchange_vectors, __local uint* table) {
  const uint lane = get_local_id(0) % 32;
  const uint own = GROUP_STREAMS == 1 ? 0 : get_local_id(0) / 32;  // 0: known to be uniform
  const uint stream = get_group_id(0) * GROUP_STREAMS + own;
  __local int* exchange = (__local int*)(exchange_vectors + own * 16);  // 32 ints, and 16 rows handed on
  const uint first_tile = stream_tiles[stream];
  const int count = stream_tiles[stream + 1] - first_tile;
  int longest = count;
#pragma unroll
  for (int i = 0; i < GROUP_STREAMS; ++i) {
    const uint other = get_group_id(0) * GROUP_STREAMS + i;
    longest = max(longest, (int)(stream_tiles[other + 1] - stream_tiles[other]));
  }
  const int pair_words = 2 * NODE_BYTES / 4;
  const uint4 padding = (uint4)(PAD_WORD);
#if STRIPS
  __local int2* handed_on = (__local int2*)exchange + 16;
  __global int2* stream_border = border + (long)first_tile * ROWS;
  for (int first_pair = 0; first_pair < table_pairs; first_pair += 32 * LANE_PAIRS) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const bool last = first_pair + 32 * LANE_PAIRS >= table_pairs;
#else
  {
    const int first_pair = 0;
#endif
    const int words_left = (table_pairs - first_pair) * pair_words;
    for (int i = get_local_id(0); i < 32 * LANE_PAIRS * pair_words; i += 32 * GROUP_STREAMS) {
      table[i] = i < words_left ? emissions[first_pair * pair_words + i] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int lane_pair = lane * LANE_PAIRS;  // of the strip
    const table_place lane_emissions = LOCAL_PLACE(table) + lane_pair * 2 * NODE_BYTES;
    int4 lane_moves[LANE_PAIRS][3], edges[LANE_PAIRS];
#pragma unroll
    for (int i = 0; i < 3 * LANE_PAIRS; ++i) {
      const int pair = first_pair + lane_pair + i / 3;
      lane_moves[i / 3][i % 3] = pair < table_pairs ? moves[3 * pair + i % 3] : (int4)(IMPOSSIBLE);
      edges[i / 3] = (int4)(FLOOR);
    }
    int x[ROWS], d[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; ++row) x[row] = d[row] = FLOOR;
    int best = FLOOR;
    int corner = FLOOR;  // x of the node before the lane's first, in the last row of the tile before
    uint4 next = lane == 0 && count > 0 ? tiles[first_tile] : padding;
#if STRIPS
    int2 next_handed_on = (int2)(FLOOR);
    if (first_pair > 0 && lane < ROWS && count > 0) next_handed_on = stream_border[lane];
#endif
    for (int step = 0; step < longest + 31; ++step) {
      const int tile = step - (int)lane;
      const uint4 words = next;
      next = tile + 1 >= 0 && tile + 1 < count ? tiles[first_tile + tile + 1] : padding;
      const bool begins = (words.x & 1) != 0;
      uint codes[ROWS];
      const uint parts[4] = {words.x & ~3u, words.y, words.z, words.w};
#pragma unroll
      for (int row = 0; row < ROWS; ++row) {
        codes[row] = opaque(parts[row / 4] >> (8 * (row % 4)) & 0xff);
        const int x_below = from_lane_below(x[row], lane, exchange);
        const int d_below = from_lane_below(d[row], lane, exchange);
        x[row] = lane == 0 ? FLOOR : x_below;
        d[row] = lane == 0 ? FLOOR : d_below;
      }
#if STRIPS
      // One row a lane, fetched a step ahead, reaches lane 0 through local memory.
      const bool inside = tile >= 0 && tile < count;
      LANES_BARRIER;
      if (lane < ROWS) handed_on[lane] = next_handed_on;
      LANES_BARRIER;
      if (first_pair > 0) {
        if (lane < ROWS && step + 1 < count) next_handed_on = stream_border[(step + 1) * ROWS + lane];
        if (lane == 0) {
#pragma unroll
          for (int row = 0; row < ROWS; ++row) {
            x[row] = handed_on[row].x;
            d[row] = handed_on[row].y;
          }
        }
      }
#endif
      int diagonal = begins ? FLOOR : corner;
      corner = x[ROWS - 1];
      if (begins) best = FLOOR;
#pragma unroll
      for (int pair = 0; pair < LANE_PAIRS; ++pair) {
        if (begins) edges[pair] = (int4)(FLOOR);
        const int diagonal_after = edges[pair].z;
        exact_pair(x, d, codes, lane_emissions + pair * 2 * NODE_BYTES, lane_moves[pair][0],
                   lane_moves[pair][1], lane_moves[pair][2], &edges[pair], diagonal, &best);
        diagonal = diagonal_after;
      }
#if STRIPS
      if (lane == 31 && inside && !last) {
#pragma unroll
        for (int row = 0; row < ROWS; ++row) stream_border[tile * ROWS + row] = (int2)(x[row], d[row]);
      }
#endif
      if ((words.x & 2) != 0) {
        atomic_max(best_scores + tile_sequences[first_tile + tile], best);
      }
    }
  }
}
