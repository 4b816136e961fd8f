// The inner step of the packed 16-bit kernels: STEP_NODES nodes, 2 or 4, for the ROWS rows of a tile. Appended to
// gpu_ops.cl, followed by the kernel's file.
//
// The model is that of src/filter/opencl/gpu_bound_model.hpp: unsigned scores above a zero point, every parameter
// rounded up, one row of insert emissions for all nodes, the same B for all nodes and rows. A 32-bit word holds two
// comparisons, a in its low half and b in its high half: two sequences with one model or, with the build option
// TWO_MODELS 1, one sequence with two models (gpu_bound_pair.hpp).
//
// State of a row: x = max(M, I, D) and d = D of the next node, both after the last node done. State of a node between
// tiles ("edge"): x of the last row, and p = max(I + ii, M + mi), from which the insert of the next row is entered.
//
// `floored`: d includes B, so that x is never below B and the next match needs no maximum with it. B then also reaches
// nodes through deletes: that can only raise a score, and does not where deletes gain nothing. "No path yet" of x and
// d is B.

#if TWO_MODELS
#define PAIR_WORDS 64
#else
#define PAIR_WORDS 32
#endif
// The bound of a comparison for which 16 bits may have overflowed.
#define OVERFLOWN 0x7fffffff
// Two scores that joined_add() adds to those of a word.
#define JOINED(low, high) ((uint)(low) + ((uint)(high) << 16))

// Adds to both halves by one addition of 32 bits: NVIDIA's devices have two pipes for it, but only one for add_pair() and
// maxima. A sum in the low half that leaves 16 bits makes the high one greater by 1, one below 0 less by 1.
inline uint joined_add(uint halves, uint joined) { return halves + joined; }

// Build option TABLE_STRIDE: words of the table that follow each other are so many words apart: 1, or 32 for
// item_place() of gpu_items.cl.
//
// `codes_a`, `codes_b`: byte offsets of the rows' codes, times TABLE_STRIDE; two models share them. `inserts`: insert
// emissions of the rows, joined. `emissions`: a word for each residue, of one model with the first node in the low half;
// of two models a word for each node and residue. moves: mi ii md dd of each node, of which ii is joined. ends: es of
// each two nodes, 32 bits, of a and of b. `diagonal`: x of the previous node in the row above the tile. `best`: the
// largest E of each comparison. `peak`: the largest match score of each, which shows whether 16 bits may have
// overflowed.
inline void packed_step(uint x[ROWS], uint d[ROWS], const uint codes_a[ROWS], const uint codes_b[ROWS],
                        const uint inserts[ROWS], local_place emissions, const uint4 moves[STEP_NODES],
                        const int4 ends[STEP_NODES / 2], const bool floored, uint begin, uint4 edges[STEP_NODES / 2],
                        uint diagonal, int2* best, uint* peak) {
  uint x_above[STEP_NODES], p[STEP_NODES], largest[STEP_NODES], even[STEP_NODES];
#pragma unroll
  for (int k = 0; k < STEP_NODES; ++k) {
    x_above[k] = k % 2 ? edges[k / 2].z : edges[k / 2].x;
    p[k] = k % 2 ? edges[k / 2].w : edges[k / 2].y;
    largest[k] = even[k] = 0;
  }
  uint above = diagonal;
#pragma unroll
  for (int row = 0; row < ROWS; ++row) {
    uint matches[STEP_NODES];
#pragma unroll
    for (int k = 0; k < STEP_NODES; k += 2) {
      const local_place place = emissions + k / 2 * (4 * PAIR_WORDS * TABLE_STRIDE);
#if TWO_MODELS
      matches[k] = local_word(place + codes_a[row]);
      matches[k + 1] = local_word(place + codes_a[row] + 4 * CODES * TABLE_STRIDE);
#else
      const uint word_a = local_word(place + codes_a[row]);
      const uint word_b = local_word(place + codes_b[row]);
      matches[k] = low_halves(word_a, word_b);
      matches[k + 1] = high_halves(word_a, word_b);
#endif
    }
    uint from = above, deleted = d[row];
    above = x[row];
#pragma unroll
    for (int k = 0; k < STEP_NODES; ++k) {
      const uint m = add_pair(floored ? from : max_pair(from, begin), matches[k]);
      const uint i = joined_add(p[k], inserts[row]);
      from = x_above[k];
      x_above[k] = max3_pair(m, i, deleted);
      p[k] = max_pair(joined_add(i, moves[k].y), add_pair(m, moves[k].x));
      const uint opened = add_pair(m, moves[k].z);
      deleted = max_pair(add_pair(deleted, moves[k].w), floored ? max_pair(opened, begin) : opened);
      if (row & 1) largest[k] = max_pair(largest[k], max_pair(even[k], m));  // two rows at a time: three-input maxima
      even[k] = m;
    }
    x[row] = x_above[STEP_NODES - 1];
    d[row] = deleted;
  }
#pragma unroll
  for (int k = 0; k < STEP_NODES; k += 2) {
    edges[k / 2] = (uint4)(x_above[k], p[k], x_above[k + 1], p[k + 1]);
    *peak = max3_pair(*peak, largest[k], largest[k + 1]);
    best->x = max3(best->x, (int)(largest[k] & 0xffff) + ends[k / 2].x, (int)(largest[k + 1] & 0xffff) + ends[k / 2].y);
    best->y = max3(best->y, (int)(largest[k] >> 16) + ends[k / 2].z, (int)(largest[k + 1] >> 16) + ends[k / 2].w);
  }
}

// The largest E of each comparison if its peak proves it, otherwise OVERFLOWN. Once a has overflowed, its sums may fall
// below 0, and scores of b be too low: by 1 for each of the `rows` rows, as a path comes through one insert a row and an
// insertion with ii costs less than 16 bits. With `rows` above all scores b is OVERFLOWN if a is.
inline int2 proven_bounds(int2 best, uint peak, uint peak_limits, int rows) {
  const bool a_proven = (peak & 0xffff) <= (peak_limits & 0xffff);
  const int missing = a_proven ? 0 : rows;
  const bool b_proven = (int)(peak >> 16) + missing <= (int)(peak_limits >> 16);
  return (int2)(a_proven ? best.x : OVERFLOWN, b_proven ? best.y + missing : OVERFLOWN);
}
