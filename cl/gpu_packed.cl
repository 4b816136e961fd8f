// Upper bounds of single-hit Viterbi scores in packed 16 bits: each work-item scores two neighbouring sequences with
// one model or, with TWO_MODELS, one sequence with two models, tile by tile of ROWS rows, for each tile node by node.
// Appended to gpu_ops.cl and gpu_packed_step.cl.
//
// Layout of sequences and edges as in gpu_tiled.cl; a work-group scores ITEM_SEQUENCES * GROUP sequences, and an edge
// is (x, p) of both nodes of a pair.
//
// Writes the largest E of all rows in the model's units to bounds[order[sequence]], that of a second model to
// bounds[sequences_of_batch + order[sequence]], or OVERFLOWN if 16 bits may have overflowed.
//
// Build options besides those of gpu_packed_step.cl: GROUP, BLOCK, STRIPS.

#define MOVE_WORDS 12
#define STEP_PAIRS (STEP_NODES / 2)
#if TWO_MODELS
#define ITEM_SEQUENCES 1
#define SECOND_CODES codes_a
#define MOVE_ENDS(words) as_int4(words)
#else
#define ITEM_SEQUENCES 2
#define SECOND_CODES codes_b
#define MOVE_ENDS(words) as_int4((words).xyxy)
#endif

inline void load_strip(__local uint* table, __global const uint* emissions, __global const uint* moves,
                       int first_pair, int count, int strip_pairs) {
  for (int i = get_local_id(0); i < count * PAIR_WORDS; i += GROUP) {
    table[i] = emissions[first_pair * PAIR_WORDS + i];
  }
  for (int i = get_local_id(0); i < count * MOVE_WORDS; i += GROUP) {
    table[strip_pairs * PAIR_WORDS + i] = moves[first_pair * MOVE_WORDS + i];
  }
}

// begin, start_p: B and "no path yet" of p. peak_limits: match scores up to these prove that 16 bits did not overflow.
// These have a half for each comparison. insert_row: insert emissions by residue, of two models joined. `pairs`: of the
// larger model.
__kernel void packed(__global const uint* restrict residues, __global const ulong* restrict block_starts,
                     __global const int* restrict block_words, __global const uint* order, uint sequences,
                     __global const uint* emissions, __global const uint* moves,
                     __global const uint* insert_row, int pairs, int strip_pairs, uint begin, uint start_p,
                     uint peak_limits, uint first_group, __global uint4* edges, __global int* bounds,
                     uint sequences_of_batch, __local uint4* table_vectors) {
  __local uint* table = (__local uint*)table_vectors;  // of type uint4 so that the moves are aligned
  const uint local_id = get_local_id(0);
  const uint first = (first_group + get_group_id(0)) * (ITEM_SEQUENCES * GROUP);
  __global const uint* column = residues + block_starts[first / BLOCK] + first % BLOCK + ITEM_SEQUENCES * local_id;
  const int words = block_words[first / BLOCK];
  const int tiles = (words + ROWS / 4 - 1) / (ROWS / 4);
  __global uint4* edge_column = edges + (ulong)get_group_id(0) * (pairs + STEP_PAIRS) * GROUP + local_id;
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
    uint codes_a[ROWS], inserts[ROWS], x[ROWS], d[ROWS];
    const int first_word = words - (tiles - tile) * (ROWS / 4);
#if TWO_MODELS
    load_codes(codes_a, column, first_word, BLOCK);
#pragma unroll
    for (int row = 0; row < ROWS; ++row) {
      inserts[row] = inserts_table[codes_a[row] / 4];
      x[row] = d[row] = begin;
    }
#else
    uint codes_b[ROWS];
#pragma unroll
    for (int w = 0; w < ROWS / 4; ++w) {
      uint2 word = (uint2)(PAD_WORD);
      if (first_word + w >= 0) word = *(__global const uint2*)(column + (first_word + w) * BLOCK);
#pragma unroll
      for (int b = 0; b < 4; ++b) {
        const int row = 4 * w + b;
        codes_a[row] = opaque(word.x >> (8 * b) & 0xff);
        codes_b[row] = opaque(word.y >> (8 * b) & 0xff);
        inserts[row] = JOINED(inserts_table[codes_a[row] / 4], inserts_table[codes_b[row] / 4]);
        x[row] = d[row] = begin;
      }
    }
#endif
    uint diagonal = begin;
    uint4 next[STEP_PAIRS];
#pragma unroll
    for (int i = 0; i < STEP_PAIRS; ++i) next[i] = tile > 0 ? edge_column[i * GROUP] : no_path;
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
      for (; pair < strip_end; pair += STEP_PAIRS) {
        uint4 step_edges[STEP_PAIRS], step_moves[2 * STEP_PAIRS];
        int4 ends[STEP_PAIRS];
        __local const uint4* move = move_vectors + (pair - strip) * 3;
#pragma unroll
        for (int i = 0; i < STEP_PAIRS; ++i) {
          step_edges[i] = next[i];
          if (tile > 0) next[i] = edge_column[(pair + STEP_PAIRS + i) * GROUP];
          step_moves[2 * i] = move[3 * i];
          step_moves[2 * i + 1] = move[3 * i + 1];
          ends[i] = MOVE_ENDS(move[3 * i + 2]);
        }
        const uint diagonal_after = step_edges[STEP_PAIRS - 1].z;
        packed_step(x, d, codes_a, SECOND_CODES, inserts, emission_place + (pair - strip) * (4 * PAIR_WORDS),
                    step_moves, ends, true, begin, step_edges, diagonal, &best, &peak);
        diagonal = diagonal_after;
#pragma unroll
        for (int i = 0; i < STEP_PAIRS; ++i) edge_column[(pair + i) * GROUP] = step_edges[i];
      }
    }
  }
  const uint place = first + ITEM_SEQUENCES * local_id;
  const int2 proven = proven_bounds(best, peak, peak_limits, 4 * words);
  if (place < sequences) bounds[order[place]] = proven.x;
#if TWO_MODELS
  if (place < sequences) bounds[sequences_of_batch + order[place]] = proven.y;
#else
  if (place + 1 < sequences) bounds[order[place + 1]] = proven.y;
#endif
}
