// Upper bounds of single-hit Viterbi scores in packed 16 bits: each work-item scores a pair of neighbouring sequences,
// tile by tile of ROWS rows, for each tile node by node. Appended to gpu_ops.cl and gpu_packed_pair.cl.
//
// Layout of sequences and edges as in gpu_tiled.cl; a work-group scores 2 * GROUP sequences, and an edge is (x, p) of
// both nodes of a pair.
//
// Writes the largest E of all rows in the model's units to bounds[order[sequence]], or OVERFLOWN if 16 bits may have
// overflowed.
//
// Build options besides those of gpu_ops.cl: GROUP, BLOCK, STRIPS.

#define MOVE_WORDS 12

inline void load_strip(__local uint* table, __global const uint* emissions, __global const uint* moves,
                       int first_pair, int count, int strip_pairs) {
  for (int i = get_local_id(0); i < count * PAIR_WORDS; i += GROUP) {
    table[i] = emissions[first_pair * PAIR_WORDS + i];
  }
  for (int i = get_local_id(0); i < count * MOVE_WORDS; i += GROUP) {
    table[strip_pairs * PAIR_WORDS + i] = moves[first_pair * MOVE_WORDS + i];
  }
}

// begin, start_p: B and "no path yet" of p, the same in both halves. insert_row: insert emissions by residue, the same
// in both halves. peak_limit: match scores up to this prove that 16 bits did not overflow.
__kernel void packed(__global const uint* restrict residues, __global const ulong* restrict block_starts,
                     __global const int* restrict block_words, __global const uint* order, uint sequences,
                     __global const uint* emissions, __global const uint* moves,
                     __global const uint* insert_row, int pairs, int strip_pairs, uint begin, uint start_p,
                     uint peak_limit, uint first_group, __global uint4* edges, __global int* bounds,
                     __local uint4* table_vectors) {
  __local uint* table = (__local uint*)table_vectors;  // of type uint4 so that the moves are aligned
  const uint local_id = get_local_id(0);
  const uint first = (first_group + get_group_id(0)) * (2 * GROUP);
  __global const uint* column = residues + block_starts[first / BLOCK] + first % BLOCK + 2 * local_id;
  const int words = block_words[first / BLOCK];
  const int tiles = (words + ROWS / 4 - 1) / (ROWS / 4);
  __global uint4* edge_column = edges + (ulong)get_group_id(0) * (pairs + 1) * GROUP + local_id;
  __local const uint4* move_vectors = (__local const uint4*)(table + strip_pairs * PAIR_WORDS);
  __local uint* inserts_table = table + strip_pairs * (PAIR_WORDS + MOVE_WORDS);
  for (int i = local_id; i < CODES; i += GROUP) inserts_table[i] = insert_row[i];
#if !STRIPS
  load_strip(table, emissions, moves, 0, pairs, strip_pairs);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
#if !STRIPS
  const local_place emission_place = LOCAL_PLACE(table);
#endif
  const uint4 no_path = (uint4)(begin, start_p, begin, start_p);
  int2 best = (int2)(FLOOR);
  uint peak = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    uint codes_a[ROWS], codes_b[ROWS], inserts[ROWS], x[ROWS], d[ROWS];
    const int first_word = words - (tiles - tile) * (ROWS / 4);
#pragma unroll
    for (int w = 0; w < ROWS / 4; ++w) {
      uint2 word = (uint2)(PAD_WORD);
      if (first_word + w >= 0) word = *(__global const uint2*)(column + (first_word + w) * BLOCK);
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        const int row = 4 * w + b;
        codes_a[row] = opaque(word.x >> (8 * b) & 0xff);
        codes_b[row] = opaque(word.y >> (8 * b) & 0xff);
        inserts[row] = low_halves(inserts_table[codes_a[row] / 4], inserts_table[codes_b[row] / 4]);
        x[row] = d[row] = begin;
      }
    }
    uint diagonal = begin;
    uint4 next = tile > 0 ? edge_column[0] : no_path;
    int pair = 0;
#if STRIPS
    for (int strip = 0; strip < pairs; strip += strip_pairs) {
      const int strip_end = min(pairs, strip + strip_pairs);
      barrier(CLK_LOCAL_MEM_FENCE);
      load_strip(table, emissions, moves, strip, strip_end - strip, strip_pairs);
      barrier(CLK_LOCAL_MEM_FENCE);
      const local_place emission_place = LOCAL_PLACE(table);
#else
    {
      const int strip = 0, strip_end = pairs;
#endif
      for (; pair < strip_end; ++pair) {
        uint4 edge = next;
        if (tile > 0) next = edge_column[(pair + 1) * GROUP];
        const uint diagonal_after = edge.z;
        __local const uint4* move = move_vectors + (pair - strip) * 3;
        packed_pair(x, d, codes_a, codes_b, inserts, emission_place + (pair - strip) * (4 * PAIR_WORDS),
                    move[0], move[1], as_int2(move[2].xy), true, begin, &edge, diagonal, &best, &peak);
        diagonal = diagonal_after;
        edge_column[pair * GROUP] = edge;
      }
    }
  }
  const uint place = first + 2 * local_id;
  if (place < sequences) bounds[order[place]] = proven_bound(best.x, peak & 0xffff, peak_limit);
  if (place + 1 < sequences) bounds[order[place + 1]] = proven_bound(best.y, peak >> 16, peak_limit);
}
