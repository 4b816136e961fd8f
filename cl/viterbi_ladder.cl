// Plan7 Viterbi scores, one work-item a sequence, in the forms whose speeds `gpuhmm bench ladder` compares.
//
// Recurrence, per row i (residue) and node j (docs/spec/viterbi-and-traceback.md, 4.1):
//   M(i,j) = eM(j) + max(M(i-1,j-1) + MM, I(i-1,j-1) + IM, D(i-1,j-1) + DM, B(i-1) + BM(j))
//   I(i,j) = eI(j) + max(M(i-1,j) + MI, I(i-1,j) + II)      D(i,j) = max(M(i,j-1) + MD, D(i,j-1) + DD)
//   E = max over j of M(i,j) + ME(j)    J(i) = max(J(i-1) + JJ, E + EJ)    C(i) = max(C(i-1) + CC, E + EC)
//   B(i) = max(i NN + NB, J(i) + JB)    score = C(last) + CT
// Two rows are kept, by turns. Minus infinity is LOW; the host raises lesser parameters to LOW. Every cell has
// a way from B, which is at least LOW, so that no sum is below 6 LOW, which fits in 32 bits.
//
// Build options (numbers; the host's names are those of Variant in src/experiment/ladder/variant.hpp):
//   SCHEDULE  0: state by state; 1: statements of all nodes of a step interleaved, deletions in their order;
//             2: the deletions interleaved as well, which reads cells before they are written: wrong scores
//   UNROLL    nodes a step of the loop over nodes
//   MAX_FORM  0: if (b > a) a = b; 1: max(a, b)
//   COALESCED residues: 0: one sequence after the other; 1: by position; READ: residues a read (1, 4, 16)
//   CELLS     M, I, D, J, B, C: 0: global, a work-item's together; 1: global, those of all items side by side;
//             2: private, for up to MOST_NODES nodes
//   REGULAR   transitions of nodes: 0: global; 1: constant; 2: local, each group from a copy of its own
//   SPECIALS  the others: 0: global; 1: local, for each 32 work-items; 2: global, for each work-item
//   EMISSIONS 0: global [node][symbol]; 1: global [symbol][node]; 2: local [symbol][node] in padded rows
//   SYMBOLS   symbols of a node's emissions
//   FINE      0: the kernel rows_of_sequences; 1: cell_of_sequences
//   PROGRESS  first row of a launch: 0: the argument; 1: kept for each work-item; 2: kept for each group

enum { MM, MI, MD, IM, II, DM, DD, BM, ME, OF_NODE };
enum { NN, NB, EJ, EC, CC, CT, JJ, JB, OF_MODEL };
enum { CELL_J = 0, CELL_B = 2, CELL_C = 4, CELL_E = 6, OF_ITEM = 7 };

#if MAX_FORM
#define RAISE(best, other) best = max(best, other)
#else
#define RAISE(best, other)              \
  do {                                  \
    const int candidate = (other);      \
    if (candidate > best) best = candidate; \
  } while (0)
#endif

#if CELLS == 1
#define CELL(cells, place) cells[(place) * stride]
#else
#define CELL(cells, place) cells[place]
#endif

#if REGULAR == 1
#define REGULAR_SPACE __constant
#else
#define REGULAR_SPACE __global
#endif
#if REGULAR == 2
#define REGULAR_OF(kind, j) local_regular[(j) * OF_NODE + (kind)]
#else
#define REGULAR_OF(kind, j) regular[(j) * OF_NODE + (kind)]
#endif

#if SPECIALS == 1
#define SPECIAL(kind) local_specials[get_local_id(0) / 32 * OF_MODEL + (kind)]
#elif SPECIALS == 2
#define SPECIAL(kind) specials[(kind) * stride + item]
#else
#define SPECIAL(kind) specials[kind]
#endif

#if EMISSIONS == 0
#define MATCH_EMISSION(j) match_emissions[(j) * SYMBOLS + symbol]
#define INSERT_EMISSION(j) insert_emissions[(j) * SYMBOLS + symbol]
#elif EMISSIONS == 1
#define MATCH_EMISSION(j) match_emissions[symbol * (nodes + 1) + (j)]
#define INSERT_EMISSION(j) insert_emissions[symbol * (nodes + 1) + (j)]
#else
#define EMISSION_ROW ((nodes + 32) / 33 * 33)
#define MATCH_EMISSION(j) local_emissions[symbol * EMISSION_ROW + (j) - 1]
#define INSERT_EMISSION(j) local_emissions[(SYMBOLS + symbol) * EMISSION_ROW + (j) - 1]
#endif

// residues: bytes. starts: of plain residues the first byte of every sequence, a multiple of READ; of coalesced
// ones the place, in units of READ bytes, of the first sequence's unit number u, for every u; sequences then
// fall in length. stride: items of interleaved cells and of replicated specials. scores, lengths: [item].
#define ARGUMENTS                                                                                     \
  __global const uchar *restrict residues, __global const uint *restrict starts,                      \
      __global const int *restrict lengths, const uint items, const uint stride, const int nodes,     \
      REGULAR_SPACE const int *restrict regular, __global const int *restrict specials,               \
      __global const int *restrict match_emissions, __global const int *restrict insert_emissions,    \
      __global int *match_cells, __global int *insert_cells, __global int *delete_cells,              \
      __global int *special_cells, __global int *restrict scores, __local int *local_regular,         \
      __local int *local_specials, __local int *local_emissions

// Copies what belongs into local memory; all work-items of a group call it.
#define LOAD_LOCAL_MEMORY()                                                                            \
  do {                                                                                                 \
    if (REGULAR == 2) {                                                                                \
      const int size = (nodes + 1) * OF_NODE;                                                          \
      REGULAR_SPACE const int* own = regular + get_group_id(0) * ((size + 31) / 32 * 32);              \
      for (int k = get_local_id(0); k < size; k += get_local_size(0)) local_regular[k] = own[k];       \
    }                                                                                                  \
    if (SPECIALS == 1 && get_local_id(0) % 32 == 0) {                                                  \
      for (int k = 0; k < OF_MODEL; ++k)                                                               \
        local_specials[get_local_id(0) / 32 * OF_MODEL + k] = specials[k];                             \
    }                                                                                                  \
    if (EMISSIONS == 2) {                                                                              \
      const int row = (nodes + 32) / 33 * 33;                                                          \
      for (int k = get_local_id(0); k < nodes * SYMBOLS; k += get_local_size(0)) {                     \
        const int x = k / nodes, j = k % nodes;                                                        \
        local_emissions[x * row + j] = match_emissions[x * (nodes + 1) + j + 1];                       \
        local_emissions[(SYMBOLS + x) * row + j] = insert_emissions[x * (nodes + 1) + j + 1];          \
      }                                                                                                \
    }                                                                                                  \
    if (REGULAR == 2 || SPECIALS == 1 || EMISSIONS == 2) barrier(CLK_LOCAL_MEM_FENCE);                 \
  } while (0)

// The cells of `item`.
#if CELLS == 0
#define OWN_CELLS()                                                         \
  __global int* match = match_cells + (size_t)item * 2 * (nodes + 1);       \
  __global int* insertion = insert_cells + (size_t)item * 2 * (nodes + 1);  \
  __global int* deletion = delete_cells + (size_t)item * 2 * (nodes + 1);   \
  __global int* special = special_cells + (size_t)item * OF_ITEM
#elif CELLS == 1
#define OWN_CELLS()                                \
  __global int* match = match_cells + item;        \
  __global int* insertion = insert_cells + item;   \
  __global int* deletion = delete_cells + item;    \
  __global int* special = special_cells + item
#else
#define OWN_CELLS()                                                                                    \
  int match[2 * (MOST_NODES + 1)], insertion[2 * (MOST_NODES + 1)], deletion[2 * (MOST_NODES + 1)];    \
  int special[OF_ITEM]
#endif

// Row 0, and column 0 of both rows.
#define START_CELLS()                                                              \
  do {                                                                             \
    for (int j = 0; j <= nodes; ++j)                                               \
      CELL(match, j) = CELL(insertion, j) = CELL(deletion, j) = LOW;               \
    CELL(match, nodes + 1) = CELL(insertion, nodes + 1) = CELL(deletion, nodes + 1) = LOW; \
    CELL(special, CELL_J) = CELL(special, CELL_C) = LOW;                           \
    CELL(special, CELL_B) = SPECIAL(NB);                                           \
  } while (0)

// All of node j, state by state.
#define NODE(j)                                                                          \
  do {                                                                                   \
    int best = CELL(match, above + (j) - 1) + REGULAR_OF(MM, (j) - 1);                   \
    RAISE(best, CELL(insertion, above + (j) - 1) + REGULAR_OF(IM, (j) - 1));             \
    RAISE(best, CELL(deletion, above + (j) - 1) + REGULAR_OF(DM, (j) - 1));              \
    RAISE(best, begin + REGULAR_OF(BM, j));                                              \
    best += MATCH_EMISSION(j);                                                           \
    CELL(match, here + (j)) = best;                                                      \
    RAISE(end, best + REGULAR_OF(ME, j));                                                \
    best = CELL(match, above + (j)) + REGULAR_OF(MI, j);                                 \
    RAISE(best, CELL(insertion, above + (j)) + REGULAR_OF(II, j));                       \
    CELL(insertion, here + (j)) = best + INSERT_EMISSION(j);                             \
    best = CELL(match, here + (j) - 1) + REGULAR_OF(MD, (j) - 1);                        \
    RAISE(best, CELL(deletion, here + (j) - 1) + REGULAR_OF(DD, (j) - 1));               \
    CELL(deletion, here + (j)) = best;                                                   \
  } while (0)

// J, B and C behind row i.
#define END_OF_ROW(i)                                                                    \
  do {                                                                                   \
    const int before = 1 - ((i) & 1), now = (i) & 1;                                     \
    int j_best = CELL(special, CELL_J + before) + SPECIAL(JJ);                           \
    int c_best = CELL(special, CELL_C + before) + SPECIAL(CC);                           \
    RAISE(j_best, end + SPECIAL(EJ));                                                    \
    RAISE(c_best, end + SPECIAL(EC));                                                    \
    int b_best = (i) * SPECIAL(NN) + SPECIAL(NB);                                        \
    RAISE(b_best, j_best + SPECIAL(JB));                                                 \
    CELL(special, CELL_J + now) = j_best;                                                \
    CELL(special, CELL_B + now) = b_best;                                                \
    CELL(special, CELL_C + now) = c_best;                                                \
  } while (0)

// The place, in units of READ bytes, of unit u of the item's residues.
#if COALESCED
#define UNIT(u) (starts[u] + item)
#else
#define UNIT(u) (start / READ + (u))
#endif

#if !FINE
// Computes up to `rows` rows of every sequence, from row `first_row` (counted from 0) or from where the launch
// before ended (PROGRESS). Cells in private memory are lost at the end: then all rows in one launch.
__kernel void rows_of_sequences(ARGUMENTS, const int first_row, const int rows, __global int* progress) {
  LOAD_LOCAL_MEMORY();
  const uint item = get_global_id(0);
  const bool present = item < items;
#if PROGRESS == 1
  const int first = present ? progress[item] : 0;
  if (present) progress[item] = first + rows;
#elif PROGRESS == 2
  const int first = progress[get_group_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0) progress[get_group_id(0)] = first + rows;
#else
  const int first = first_row;
#endif
  const int length = present ? lengths[item] : 0;
  if (present && first < length) {
    OWN_CELLS();
    if (first == 0) START_CELLS();
#if !COALESCED
    const uint start = starts[item];
#endif
#if READ == 4
    uint word = first % 4 != 0 ? ((__global const uint*)residues)[UNIT(first / 4)] >> (8 * (first % 4)) : 0;
#elif READ == 16
    uint4 unit = 0;
    uint word = 0;
    if (first % 16 != 0) {
      unit = ((__global const uint4*)residues)[UNIT(first / 16)];
      for (int skipped = 0; skipped < first % 16 / 4; ++skipped) unit = unit.yzww;
      if (first % 4 != 0) {
        word = unit.x >> (8 * (first % 4));
        unit = unit.yzww;
      }
    }
#endif
    const int last = min(length, first + rows);
    for (int i = first + 1; i <= last; ++i) {
#if READ == 1
      const int symbol = residues[UNIT(i - 1)];
#else
#if READ == 4
      if ((i - 1) % 4 == 0) word = ((__global const uint*)residues)[UNIT((i - 1) / 4)];
#else
      if ((i - 1) % 16 == 0) unit = ((__global const uint4*)residues)[UNIT((i - 1) / 16)];
      if ((i - 1) % 4 == 0) {
        word = unit.x;
        unit = unit.yzww;
      }
#endif
      const int symbol = word & 0xff;
      word >>= 8;
#endif
      const int here = (i & 1) * (nodes + 1), above = nodes + 1 - here;
      const int begin = CELL(special, CELL_B + 1 - (i & 1));
      int end = LOW;
      int j = 1;
#pragma unroll 1
      for (; j + UNROLL - 1 <= nodes; j += UNROLL) {
#if SCHEDULE == 0
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) NODE(j + u);
#else
        int m[UNROLL], n[UNROLL], d[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
          m[u] = CELL(match, above + j + u - 1) + REGULAR_OF(MM, j + u - 1);
          n[u] = CELL(match, above + j + u) + REGULAR_OF(MI, j + u);
          if (SCHEDULE == 2 || u == 0) d[u] = CELL(match, here + j + u - 1) + REGULAR_OF(MD, j + u - 1);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
          RAISE(m[u], CELL(insertion, above + j + u - 1) + REGULAR_OF(IM, j + u - 1));
          RAISE(n[u], CELL(insertion, above + j + u) + REGULAR_OF(II, j + u));
          if (SCHEDULE == 2 || u == 0)
            RAISE(d[u], CELL(deletion, here + j + u - 1) + REGULAR_OF(DD, j + u - 1));
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
          RAISE(m[u], CELL(deletion, above + j + u - 1) + REGULAR_OF(DM, j + u - 1));
          CELL(insertion, here + j + u) = n[u] + INSERT_EMISSION(j + u);
        }
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
          RAISE(m[u], begin + REGULAR_OF(BM, j + u));
          m[u] += MATCH_EMISSION(j + u);
          CELL(match, here + j + u) = m[u];
        }
#if SCHEDULE == 1
#pragma unroll
        for (int u = 1; u < UNROLL; ++u) {
          d[u] = m[u - 1] + REGULAR_OF(MD, j + u - 1);
          RAISE(d[u], d[u - 1] + REGULAR_OF(DD, j + u - 1));
        }
#endif
#pragma unroll
        for (int u = 0; u < UNROLL; ++u) {
          CELL(deletion, here + j + u) = d[u];
          RAISE(end, m[u] + REGULAR_OF(ME, j + u));
        }
#endif
      }
#pragma unroll 1
      for (; j <= nodes; ++j) NODE(j);
      END_OF_ROW(i);
    }
    if (last == length) scores[item] = CELL(special, CELL_C + (length & 1)) + SPECIAL(CT);
  }
}

#else
// Computes cell (i, j) of every sequence, i and j from 1; with i = j = 1 row 0 as well. The launch before
// computed the cell to the left, or the end of the row above.
__kernel void cell_of_sequences(ARGUMENTS, const int i, const int j) {
  LOAD_LOCAL_MEMORY();
  const uint item = get_global_id(0);
  const int length = item < items ? lengths[item] : 0;
  if (i <= length) {
    OWN_CELLS();
    if (i == 1 && j == 1) START_CELLS();
#if !COALESCED
    const uint start = starts[item];
#endif
    const int symbol = residues[UNIT((i - 1) / READ) * READ + (i - 1) % READ];
    const int here = (i & 1) * (nodes + 1), above = nodes + 1 - here;
    const int begin = CELL(special, CELL_B + 1 - (i & 1));
    int end = j == 1 ? LOW : CELL(special, CELL_E);
    NODE(j);
    if (j < nodes) {
      CELL(special, CELL_E) = end;
    } else {
      END_OF_ROW(i);
      if (i == length) scores[item] = CELL(special, CELL_C + (length & 1)) + SPECIAL(CT);
    }
  }
}
#endif
