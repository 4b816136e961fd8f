// Exact single-hit Viterbi in 32 bits: each work-item scores one sequence, tile by tile of ROWS rows, for each tile
// node by node. Appended to gpu_ops.cl and gpu_exact_pair.cl.
//
// Sequences are sorted by length and stored in blocks of BLOCK: [word][BLOCK], padded in front to the longest of the
// block (src/filter/opencl/gpu_layout.hpp). A work-group scores GROUP neighbours of a block. Between tiles the edges
// are stored in `edges`: [group][pairs + 1][GROUP]. The emissions and moves are loaded into local memory in strips of
// `strip_pairs` pairs.
//
// Writes the largest E of all rows to best_scores[order[sequence]].
//
// Build options besides those of the other files: GROUP, BLOCK. No required work-group size, with which NVIDIA's
// compiler would ignore its register limit.

inline void load_strip(__local uint* table, __global const uint* emissions, __global const uint* moves,
                       int first_pair, int count, int strip_pairs) {
  const int pair_words = 2 * NODE_BYTES / 4;
  for (int i = get_local_id(0); i < count * pair_words; i += GROUP) {
    table[i] = emissions[first_pair * pair_words + i];
  }
  for (int i = get_local_id(0); i < count * 12; i += GROUP) {
    table[strip_pairs * pair_words + i] = moves[first_pair * 12 + i];
  }
}

__kernel void tiled(__global const uint* restrict residues, __global const ulong* restrict block_starts,
                    __global const int* restrict block_words, __global const uint* order, uint sequences,
                    __global const uint* emissions, __global const uint* moves, int pairs, int strip_pairs,
                    uint first_group, __global int4* edges, __global int* best_scores,
                    __local uint4* table_vectors) {
  __local uint* table = (__local uint*)table_vectors;  // of type uint4 so that the moves are aligned
  const uint local_id = get_local_id(0);
  const uint first = (first_group + get_group_id(0)) * GROUP;
  __global const uint* column = residues + block_starts[first / BLOCK] + first % BLOCK + local_id;
  const int words = block_words[first / BLOCK];
  const int tiles = (words + ROWS / 4 - 1) / (ROWS / 4);
  __global int4* edge_column = edges + (ulong)get_group_id(0) * (pairs + 1) * GROUP + local_id;
  __local const int4* move_vectors = (__local const int4*)(table + strip_pairs * (2 * NODE_BYTES / 4));
  const int4 no_path = (int4)(FLOOR);
  int best = FLOOR;
  for (int tile = 0; tile < tiles; ++tile) {
    uint codes[ROWS];
    int x[ROWS], d[ROWS];
    load_codes(codes, column, words - (tiles - tile) * (ROWS / 4), BLOCK);
#pragma unroll
    for (int row = 0; row < ROWS; ++row) x[row] = d[row] = FLOOR;
    int diagonal = FLOOR;
    int4 next = tile > 0 ? edge_column[0] : no_path;
    int pair = 0;
    for (int strip = 0; strip < pairs; strip += strip_pairs) {
      const int strip_end = min(pairs, strip + strip_pairs);
      const bool loaded = tile > 0 && strip_pairs >= pairs;
      barrier(CLK_LOCAL_MEM_FENCE);
      load_strip(table, emissions, moves, strip, loaded ? 0 : strip_end - strip, strip_pairs);
      barrier(CLK_LOCAL_MEM_FENCE);
      const local_place emission_place = LOCAL_PLACE(table);
      for (; pair < strip_end; ++pair) {
        int4 edge = next;
        if (tile > 0) next = edge_column[(pair + 1) * GROUP];
        const int diagonal_after = edge.z;
        __local const int4* move = move_vectors + (pair - strip) * 3;
        exact_pair(x, d, codes, emission_place + (pair - strip) * 2 * NODE_BYTES, move[0], move[1],
                   move[2].xy, &edge, diagonal, &best);
        diagonal = diagonal_after;
        edge_column[pair * GROUP] = edge;
      }
    }
  }
  if (first + local_id < sequences) best_scores[order[first + local_id]] = best;
}
