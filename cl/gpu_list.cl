// Exact multihit Viterbi in 32 bits for listed sequences: one work-group of 32 work-items for each sequence. Appended
// to gpu_ops.cl, gpu_exact_pair.cl (MULTIHIT 1) and gpu_items.cl.
//
// The nodes are divided among the work-items, and tiles of 16 rows pass through them as in a pipeline, as in
// gpu_long.cl. The best E of every row is passed on with x and d, so the last work-item knows E of every row. Through
// J, B rises above N->B in a row by max(0, best E of the previous rows + j_return). The first work-item is 31 tiles
// ahead of the last one, so it uses a lower bound of that rise: from the best E that the last work-item knows at that
// moment, and from the rises found in the previous pass (`rises`). The last work-item checks the bounds: if one was too
// small, the whole sequence is computed again with the rises found. Every pass makes the rows up to the next hit
// final, so the result is that of the exact recurrence.
//
// Sequence i: words[i] words of 4 residues from first_words[i] on, strides[i] apart (BLOCK: in `residues`,
// 1: in `chain_words`), and rows of `rises` from rise_rows[i] on. Writes the largest E of all rows to best_scores[i],
// or FLOOR if `pass_limit` passes are not enough. ROWS must be 16.

__kernel void listed(__global const uint* residues, __global const uint* chain_words,
                     __global const ulong* first_words, __global const int* strides,
                     __global const int* words, __global const uint* rise_rows,
                     __global const uint* emissions, __global const int4* moves, int item_pairs, int j_return,
                     int pass_limit, __global int* rises, __global int* best_scores, __local int4* edges,
                     __local int* exchange, __local uint* table) {
  const uint local_id = get_local_id(0);
  const uint item = get_group_id(0);
  const int stride = strides[item];
  __global const uint* sequence = (stride == 1 ? chain_words : residues) + first_words[item];
  __global int* sequence_rises = rises + rise_rows[item];
  const int tiles = (words[item] + 3) / 4;
  const int missing_words = 4 * tiles - words[item];
  const int first_pair = local_id * item_pairs;
  __global const int4* own_moves = moves + first_pair * 3;
#if TABLE_LOCAL
  const int pair_words = 2 * NODE_BYTES / 4 / TABLE_STRIDE;
  for (int i = local_id; i < 32 * item_pairs * pair_words; i += 32) {
    table[item_place(i, pair_words, item_pairs)] = emissions[i];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const table_place own_emissions = LOCAL_PLACE(table) + 4 * local_id;
#else
  const table_place own_emissions = (table_place)emissions + first_pair * 2 * NODE_BYTES;
#endif
  int best = FLOOR;
  int changed = 1;
  for (int pass = 0; changed && pass < pass_limit; ++pass) {
    int x[ROWS], d[ROWS], e[ROWS];
#pragma unroll
    for (int row = 0; row < ROWS; ++row) x[row] = d[row] = e[row] = FLOOR;
    int corner = FLOOR;
    int known_rise = 0;
    best = FLOOR;
    changed = 0;
    for (int step = 0; step < tiles + 31; ++step) {
      const int tile = step - (int)local_id;
      const bool inside = tile >= 0 && tile < tiles;
      uint codes[ROWS];
      int rise[ROWS];
      const int last_rise = max(0, from_last_item(best, local_id, exchange) + j_return);
      known_rise = from_item_below(known_rise, local_id, exchange);
      if (local_id == 0) known_rise = last_rise;
#pragma unroll
      for (int w = 0; w < ROWS / 4; ++w) {
        const int place = 4 * tile + w - missing_words;
        const uint word = (inside && place >= 0 ? sequence[place * stride] : PAD_WORD) & 0xfcfcfcfcu;
#pragma unroll
        for (int b = 0; b < 4; ++b) codes[4 * w + b] = opaque((word >> (8 * b) & 0xff) * TABLE_STRIDE);
      }
#pragma unroll
      for (int row = 0; row < ROWS; ++row) {
        const int found_before = inside && pass > 0 ? sequence_rises[ROWS * tile + row] : 0;
        rise[row] = max(known_rise, found_before);
        const int x_below = from_item_below(x[row], local_id, exchange);
        const int d_below = from_item_below(d[row], local_id, exchange);
        const int e_below = from_item_below(e[row], local_id, exchange);
        x[row] = local_id == 0 ? FLOOR : x_below;
        d[row] = local_id == 0 ? FLOOR : d_below;
        e[row] = local_id == 0 ? FLOOR : e_below;
      }
      int diagonal = tile == 0 ? FLOOR : corner;
      corner = x[ROWS - 1];
      for (int pair = 0; pair < item_pairs; ++pair) {
        int4 edge = tile == 0 ? (int4)(FLOOR) : edges[pair * 32 + local_id];
        const int diagonal_after = edge.z;
        exact_pair(x, d, codes, own_emissions + pair * 2 * NODE_BYTES, own_moves[3 * pair],
                   own_moves[3 * pair + 1], own_moves[3 * pair + 2].xy, &edge, diagonal, rise, e);
        diagonal = diagonal_after;
        edges[pair * 32 + local_id] = edge;
      }
      if (local_id == 31 && inside) {
#pragma unroll
        for (int row = 0; row < ROWS; ++row) {
          const int found = max(0, best + j_return);
          changed |= found != rise[row];
          sequence_rises[ROWS * tile + row] = found;
          best = max(best, e[row]);
        }
      }
    }
    changed = from_last_item(changed, local_id, exchange);
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
  if (local_id == 31) best_scores[item] = changed ? FLOOR : best;
}
