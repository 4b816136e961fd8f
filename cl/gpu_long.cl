// Exact single-hit Viterbi, 32 bit, for long sequences: one work-group of 32 work-items a stream of sequences.
// Follows gpu_ops.cl, gpu_exact_pair.cl and gpu_lanes.cl.
//
// The nodes are spread over the lanes, lane_pairs pairs each. Tiles of 16 rows go through the lanes like
// through a pipe: in step s lane l works on tile s - l of the stream and then hands x and d of its last node
// one lane up. Sequences follow one another without draining. A tile is 16 bytes; bits 0 and 1 of its first
// byte mark the first and the last tile of a sequence, which is padded in front. At its last tile every lane
// adds its best E to that of the sequence.
//
// The edges of a lane's pairs lie in local memory, [pair][lane], and so do the emissions. A model that does not
// fit is done in strips of 32 * lane_pairs pairs, a launch each: x and d of the last node of a strip go through
// `border`, [tile][row] (build option STRIPS 1). first_pair: of the strip; last: it is the last strip.
// best_scores must hold FLOOR before. ROWS must be 16, TABLE_LOCAL 1.

__kernel void long_sequences(__global const uint4* tiles, __global const uint* stream_tiles,
                             __global const uint* stream_sequences, __global const uint* order,
                             __global const uint* emissions, __global const int4* moves, int first_pair,
                             int last, int lane_pairs, __global int2* border, __global int* best_scores,
                             __local int4* edges, __local int4* exchange_vectors,
                             __local uint* table) {
  __local int* exchange = (__local int*)exchange_vectors;  // 32 ints, and 16 rows handed on
  const uint lane = get_local_id(0);
  const uint first_tile = stream_tiles[get_group_id(0)];
  const int count = stream_tiles[get_group_id(0) + 1] - first_tile;
  uint sequence = stream_sequences[get_group_id(0)];
  const int lane_pair = lane * lane_pairs;  // of the strip
  __global const int4* lane_moves = moves + (first_pair + lane_pair) * 3;
  const int pair_words = 2 * NODE_BYTES / 4;
  for (int i = lane; i < 32 * lane_pairs * pair_words; i += 32) {
    table[i] = emissions[first_pair * pair_words + i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const table_place lane_emissions = LOCAL_PLACE(table) + lane_pair * 2 * NODE_BYTES;
  int x[ROWS], d[ROWS];
#pragma unroll
  for (int row = 0; row < ROWS; ++row) x[row] = d[row] = FLOOR;
  int best = FLOOR;
  int corner = FLOOR;  // x of the node before the lane's first, in the last row of the tile before
  const uint4 padding = (uint4)(PAD_WORD);
  uint4 next = lane == 0 && count > 0 ? tiles[first_tile] : padding;
#if STRIPS
  __local int2* handed_on = (__local int2*)exchange + 16;
  __global int2* stream_border = border + (long)first_tile * ROWS;
  int2 next_handed_on = (int2)(FLOOR);
  if (first_pair > 0 && lane < ROWS && count > 0) next_handed_on = stream_border[lane];
#endif
  for (int step = 0; step < count + 31; ++step) {
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
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < ROWS) handed_on[lane] = next_handed_on;
    barrier(CLK_LOCAL_MEM_FENCE);
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
    for (int pair = 0; pair < lane_pairs; ++pair) {
      int4 edge = begins ? (int4)(FLOOR) : edges[pair * 32 + lane];
      const int diagonal_after = edge.z;
      exact_pair(x, d, codes, lane_emissions + pair * 2 * NODE_BYTES, lane_moves[3 * pair],
                 lane_moves[3 * pair + 1], lane_moves[3 * pair + 2], &edge, diagonal, &best);
      diagonal = diagonal_after;
      edges[pair * 32 + lane] = edge;
    }
#if STRIPS
    if (lane == 31 && inside && !last) {
#pragma unroll
      for (int row = 0; row < ROWS; ++row) stream_border[tile * ROWS + row] = (int2)(x[row], d[row]);
    }
#endif
    if ((words.x & 2) != 0) {
      atomic_max(best_scores + order[sequence], best);
      ++sequence;
    }
  }
}
