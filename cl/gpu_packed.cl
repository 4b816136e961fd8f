// Upper bound of the single-hit Viterbi score, packed 16 bit: one work-item a pair of neighbouring sequences,
// tiles of ROWS rows swept over the nodes. Follows gpu_ops.cl.
//
// The model is that of src/filter/opencl/gpu_bound_model.hpp: unsigned scores above a zero point, every
// parameter rounded up, one row of insert emissions for all nodes, the same B for all nodes and rows. A
// 32-bit word holds sequence a in its low and sequence b in its high half. Layout of sequences and edges as
// in gpu_tiled.cl; a work-group takes 2 * GROUP sequences, edges are (x, p) of both nodes of a pair.
//
// bounds[order[sequence]] becomes the largest E of all rows in the model's units, peaks[...] the largest
// match score of all, which tells whether 16 bit sufficed.
//
// Build options besides those of gpu_ops.cl: GROUP, BLOCK, STRIPS.

#define PAIR_WORDS 32
#define MOVE_WORDS 12

// One pair of nodes against the rows of a tile. `emissions`: a word per residue, first node low. one, two =
// mi ii md dd of the nodes, the same in both halves. ends: es of both nodes, 32 bit.
inline void packed_pair(uint x[ROWS], uint d[ROWS], const uint codes_a[ROWS], const uint codes_b[ROWS],
                        const uint inserts[ROWS], local_place emissions, uint4 one, uint4 two, int2 ends,
                        uint begin, uint4* edge, uint diagonal, int2* best, uint* peak) {
  uint above = diagonal, x1_above = edge->x, x2_above = edge->z;
  uint p1 = edge->y, p2 = edge->w;
  uint best1 = 0, best2 = 0;  // two rows at a time: three-input maxima
  uint even1 = 0, even2 = 0;
#pragma unroll
  for (int row = 0; row < ROWS; ++row) {
    const uint word_a = local_word(emissions + codes_a[row]);
    const uint word_b = local_word(emissions + codes_b[row]);
    const uint m1 = add_pair(max_pair(above, begin), low_halves(word_a, word_b));
    const uint i1 = add_pair(p1, inserts[row]);
    const uint x1 = max3_pair(m1, i1, d[row]);
    p1 = max_pair(add_pair(i1, one.y), add_pair(m1, one.x));
    const uint d2 = max_pair(add_pair(d[row], one.w), add_pair(m1, one.z));

    const uint m2 = add_pair(max_pair(x1_above, begin), high_halves(word_a, word_b));
    const uint i2 = add_pair(p2, inserts[row]);
    x2_above = max3_pair(m2, i2, d2);
    p2 = max_pair(add_pair(i2, two.y), add_pair(m2, two.x));

    x1_above = x1;
    above = x[row];
    x[row] = x2_above;
    d[row] = max_pair(add_pair(d2, two.w), add_pair(m2, two.z));
    if (row & 1) best1 = max_pair(best1, max_pair(even1, m1));
    if (row & 1) best2 = max_pair(best2, max_pair(even2, m2));
    even1 = m1;
    even2 = m2;
  }
  *edge = (uint4)(x1_above, p1, x2_above, p2);
  *peak = max3_pair(*peak, best1, best2);
  best->x = max3(best->x, (int)(best1 & 0xffff) + ends.x, (int)(best2 & 0xffff) + ends.y);
  best->y = max3(best->y, (int)(best1 >> 16) + ends.x, (int)(best2 >> 16) + ends.y);
}

inline void load_strip(__local uint* table, __global const uint* emissions, __global const uint* moves,
                       int first_pair, int count, int strip_pairs) {
  for (int i = get_local_id(0); i < count * PAIR_WORDS; i += GROUP) {
    table[i] = emissions[first_pair * PAIR_WORDS + i];
  }
  for (int i = get_local_id(0); i < count * MOVE_WORDS; i += GROUP) {
    table[strip_pairs * PAIR_WORDS + i] = moves[first_pair * MOVE_WORDS + i];
  }
}

// start_d, start_p: "no path yet" of the deletes into node 1 and of p, both halves. insert_row: insert
// emissions by residue, the same in both halves.
__kernel void packed(__global const uint* restrict residues, __global const ulong* restrict block_starts,
                     __global const int* restrict block_words, __global const uint* order, uint sequences,
                     __global const uint* emissions, __global const uint* moves,
                     __global const uint* insert_row, int pairs, int strip_pairs, uint begin, uint start_d,
                     uint start_p, uint first_group, __global uint4* edges, __global int* bounds,
                     __global ushort* peaks, __local uint4* table_vectors) {
  __local uint* table = (__local uint*)table_vectors;  // aligned for the moves by its type
  const uint lane = get_local_id(0);
  const uint first = (first_group + get_group_id(0)) * (2 * GROUP);
  __global const uint* column = residues + block_starts[first / BLOCK] + first % BLOCK + 2 * lane;
  const int words = block_words[first / BLOCK];
  const int tiles = (words + ROWS / 4 - 1) / (ROWS / 4);
  __global uint4* edge_column = edges + (ulong)get_group_id(0) * (pairs + 1) * GROUP + lane;
  __local const uint4* move_vectors = (__local const uint4*)(table + strip_pairs * PAIR_WORDS);
  __local uint* inserts_table = table + strip_pairs * (PAIR_WORDS + MOVE_WORDS);
  for (int i = lane; i < CODES; i += GROUP) inserts_table[i] = insert_row[i];
#if !STRIPS
  load_strip(table, emissions, moves, 0, pairs, strip_pairs);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
#if !STRIPS
  const local_place emission_place = LOCAL_PLACE(table);
#endif
  const uint4 no_path = (uint4)(0, start_p, 0, start_p);
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
        x[row] = 0;
        d[row] = start_d;
      }
    }
    uint diagonal = 0;
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
                    move[0], move[1], as_int2(move[2].xy), begin, &edge, diagonal, &best, &peak);
        diagonal = diagonal_after;
        edge_column[pair * GROUP] = edge;
      }
    }
  }
  const uint place = first + 2 * lane;
  if (place < sequences) {
    bounds[order[place]] = best.x;
    peaks[order[place]] = (ushort)(peak & 0xffff);
  }
  if (place + 1 < sequences) {
    bounds[order[place + 1]] = best.y;
    peaks[order[place + 1]] = (ushort)(peak >> 16);
  }
}
