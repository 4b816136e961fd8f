// The inner step of the exact 32-bit kernels: one pair of nodes for the ROWS rows of a tile. Appended to gpu_ops.cl,
// followed by the kernel's file.
//
// State of a row: x = max(M, I, D) and d = D of the next node, both after the last node done. State of a node between
// tiles ("edge"): x of the last row, and p = max(I, M + mi - ii), from which the insert of the next row is entered: its
// emission has ii in it. The recurrence is that of src/filter/opencl/gpu_model.hpp.
//
// Build options: TABLE_LOCAL: emissions are in local memory (1) or global memory (0). HALF_WORDS: a word holds the
// match emission (low half) and the insert emission (high half) of a residue (1), or a row of match words is followed
// by a row of insert words (0). MULTIHIT 1: B of every row is raised by rise[row], and the best E of every row is
// computed. TABLE_STRIDE: words of the table that follow each other are so many words apart: 1, or 32 for
// item_place() of gpu_items.cl.

#if TABLE_LOCAL
typedef local_place table_place;
inline uint table_word(table_place place) { return local_word(place); }
#else
typedef __global const char* table_place;
inline uint table_word(table_place place) { return *(__global const uint*)place; }
#endif

#if HALF_WORDS
#define NODE_BYTES (4 * CODES * TABLE_STRIDE)
#define INSERT_WORD(place, match_word) (match_word)
inline int add_match(int base, uint word) { return add_low_half(base, word); }
inline int add_insert(int base, uint word) { return add_high_half(base, word); }
#else
#define NODE_BYTES (8 * CODES * TABLE_STRIDE)
#define INSERT_WORD(place, match_word) table_word((place) + 4 * CODES * TABLE_STRIDE)
inline int add_match(int base, uint word) { return base + (int)word; }
inline int add_insert(int base, uint word) { return base + (int)word; }
#endif

// `residues`: byte offsets of the rows' codes, times TABLE_STRIDE. `nodes`: emissions of the pair. one, two = mi - ii, md,
// dd, B of the nodes; ends: es of both. `diagonal`: x of the previous node in the row above the tile.
inline void exact_pair(int x[ROWS], int d[ROWS], const uint residues[ROWS], table_place nodes, int4 one,
                       int4 two, int2 ends, int4* edge, int diagonal,
#if MULTIHIT
                       const int rise[ROWS], int e[ROWS]
#else
                       int* best
#endif
) {
  int above = diagonal, x1_above = edge->x, x2_above = edge->z;
  int p1 = edge->y, p2 = edge->w;
  int best1 = FLOOR, best2 = FLOOR;  // two rows at a time: three-input maxima
  int even1 = FLOOR, even2 = FLOOR;
#pragma unroll
  for (int row = 0; row < ROWS; ++row) {
#if MULTIHIT
    const int b1 = one.w + rise[row], b2 = two.w + rise[row];
#else
    const int b1 = one.w, b2 = two.w;
#endif
    const table_place first = nodes + residues[row];
    const uint word1 = table_word(first);
    const int m1 = add_match(max(above, b1), word1);
    const int i1 = add_insert(p1, INSERT_WORD(first, word1));
    const int x1 = max3(m1, i1, d[row]);
    p1 = max(i1, m1 + one.x);
    const int d2 = max(d[row] + one.z, m1 + one.y);

    const table_place second = first + NODE_BYTES;
    const uint word2 = table_word(second);
    const int m2 = add_match(max(x1_above, b2), word2);
    const int i2 = add_insert(p2, INSERT_WORD(second, word2));
    x2_above = max3(m2, i2, d2);
    p2 = max(i2, m2 + two.x);

    x1_above = x1;
    above = x[row];
    x[row] = x2_above;
    d[row] = max(d2 + two.z, m2 + two.y);
#if MULTIHIT
    e[row] = max3(e[row], m1 + ends.x, m2 + ends.y);
#else
    if (row & 1) best1 = max(best1, max(even1, m1));
    if (row & 1) best2 = max(best2, max(even2, m2));
    even1 = m1;
    even2 = m2;
#endif
  }
  *edge = (int4)(x1_above, p1, x2_above, p2);
#if !MULTIHIT
  *best = max3(*best, best1 + ends.x, best2 + ends.y);
#endif
}
