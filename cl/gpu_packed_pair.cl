// The inner step of the packed 16-bit kernels: one pair of nodes for the ROWS rows of a tile of two sequences. Appended
// to gpu_ops.cl, followed by the kernel's file.
//
// The model is that of src/filter/opencl/gpu_bound_model.hpp: unsigned scores above a zero point, every parameter
// rounded up, one row of insert emissions for all nodes, the same B for all nodes and rows. A 32-bit word holds
// sequence a in its low half and sequence b in its high half.
//
// State of a row: x = max(M, I, D) and d = D of the next node, both after the last node done. State of a node between
// tiles ("edge"): x of the last row, and p = max(I + ii, M + mi), from which the insert of the next row is entered.
//
// `floored`: d includes B, so that x is never below B and the next match needs no maximum with it. B then also reaches
// nodes through deletes: that can only raise a score, and does not where deletes gain nothing. "No path yet" of x and
// d is B.

#define PAIR_WORDS 32
// The bound of a sequence for which 16 bits may have overflowed.
#define OVERFLOWN 0x7fffffff

// `codes_a`, `codes_b`: byte offsets of the rows' codes. `inserts`: insert emissions of the rows. `emissions`: a word
// for each residue, first node in the low half. one, two = mi ii md dd of the nodes, the same in both halves. ends: es
// of both nodes, 32 bits. `diagonal`: x of the previous node in the row above the tile. `best`: the largest E of each
// sequence. `peak`: the largest match score of each sequence, which shows whether 16 bits may have overflowed.
inline void packed_pair(uint x[ROWS], uint d[ROWS], const uint codes_a[ROWS], const uint codes_b[ROWS],
                        const uint inserts[ROWS], local_place emissions, uint4 one, uint4 two, int2 ends,
                        const bool floored, uint begin, uint4* edge, uint diagonal, int2* best, uint* peak) {
  uint above = diagonal, x1_above = edge->x, x2_above = edge->z;
  uint p1 = edge->y, p2 = edge->w;
  uint best1 = 0, best2 = 0;  // two rows at a time: three-input maxima
  uint even1 = 0, even2 = 0;
#pragma unroll
  for (int row = 0; row < ROWS; ++row) {
    const uint word_a = local_word(emissions + codes_a[row]);
    const uint word_b = local_word(emissions + codes_b[row]);
    const uint m1 = add_pair(floored ? above : max_pair(above, begin), low_halves(word_a, word_b));
    const uint i1 = add_pair(p1, inserts[row]);
    const uint x1 = max3_pair(m1, i1, d[row]);
    p1 = max_pair(add_pair(i1, one.y), add_pair(m1, one.x));
    const uint opened2 = add_pair(m1, one.z);
    const uint d2 = max_pair(add_pair(d[row], one.w), floored ? max_pair(opened2, begin) : opened2);

    const uint m2 = add_pair(floored ? x1_above : max_pair(x1_above, begin), high_halves(word_a, word_b));
    const uint i2 = add_pair(p2, inserts[row]);
    x2_above = max3_pair(m2, i2, d2);
    p2 = max_pair(add_pair(i2, two.y), add_pair(m2, two.x));

    x1_above = x1;
    above = x[row];
    x[row] = x2_above;
    const uint opened3 = add_pair(m2, two.z);
    d[row] = max_pair(add_pair(d2, two.w), floored ? max_pair(opened3, begin) : opened3);
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

// The largest E of a sequence if its peak proves it, otherwise OVERFLOWN.
inline int proven_bound(int best, uint peak, uint peak_limit) { return peak > peak_limit ? OVERFLOWN : best; }
