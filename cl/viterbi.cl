// Exact Plan7 Viterbi scores, full multihit recurrence, 32-bit integers in 1/1000 bit.
//
// Each SIMD lane scores one sequence. A work-item has a vector of LANES lanes, a work-group has GROUP work-items, and
// the WIDTH = LANES * GROUP sequences of a work-group ("group") are interleaved in memory. A work-group computes all
// nodes of the model for each tile of ROWS residues. The state of a tile's rows stays in registers; for each node, only
// the state of the last row goes through memory to the next tile ("border").
//
// Recurrence, for row i and node k (docs/spec/viterbi-and-traceback.md, 4.1), regrouped: X and P collect the paths into
// the next match and the next insert.
//   m = max(X(i-1,k-1), B(i-1) + begin) + em     i = P(i-1,k) + ei
//   X(i,k) = max(m + mm, i + im, d + dm)         P(i,k) = max(m + mi, i + ii)
//   d(i,k+1) = max(m + md, d + dd)               E(i) = max over k of m + end
// B of a tile's rows is first predicted without the domains that end inside the tile. If one of them raises B (through
// J), the tile is computed again with the B found, until nothing changes. Every pass makes at least one more row final,
// so the result is that of the exact recurrence.
//
// Minus infinity is LOW or below. The host raises lower parameters to LOW. B is at least LOW, so every match cell is at
// least 3 LOW, and no sum is below 6 LOW, which fits in 32 bits.
//
// Build options: LANES (1, 8, 16), ROWS (multiple of 4), GROUP, LOW.

#if LANES == 1
typedef int lanes_t;
#define LOAD(p) (*(p))
#define STORE(v, p) (*(p) = (v))
#define ANY(mask) (mask)
#elif LANES == 8
typedef int8 lanes_t;
#define LOAD(p) vload8(0, p)
#define STORE(v, p) vstore8(v, 0, p)
#define ANY(mask) any(mask)
#elif LANES == 16
typedef int16 lanes_t;
#define LOAD(p) vload16(0, p)
#define STORE(v, p) vstore16(v, 0, p)
#define ANY(mask) any(mask)
#endif

#define WIDTH (LANES * GROUP)

// Indices of a node's parameters in the parameter table.
enum { MM, MI, MD, IM, II, DM, DD, BEGIN, END, NODE_PARAMETERS };

// The match and insert emissions of a row at one node: `table` holds both for each of 32 residue codes, match in the
// low half; the codes of a row's lanes are four bytes apart.
#define PAIR(lane) table[codes[4 * (lane)]]
#define PAIRS8(first)                                                                              \
  (ulong8)(PAIR(first), PAIR(first + 1), PAIR(first + 2), PAIR(first + 3), PAIR(first + 4),        \
           PAIR(first + 5), PAIR(first + 6), PAIR(first + 7))

inline void emissions(__global const ulong* restrict table, __global const uchar* restrict codes,
                      lanes_t* match, lanes_t* insert) {
#if LANES == 1
  const int2 pair = as_int2(PAIR(0));
  *match = pair.x;
  *insert = pair.y;
#elif LANES == 8
  const int16 pairs = as_int16(PAIRS8(0));
  *match = pairs.even;
  *insert = pairs.odd;
#elif LANES == 16
  const int16 low = as_int16(PAIRS8(0));
  const int16 high = as_int16(PAIRS8(8));
  *match = (int16)(low.even, high.even);
  *insert = (int16)(low.odd, high.odd);
#endif
}

// residues:   of every group, [word][sequence], four codes in a word, the first in the lowest byte; padded to a
//             multiple of ROWS with a code whose emissions are LOW
// starts:     first word of every group
// lengths:    residues of every sequence, [group][sequence], the first of a group the longest; 0 without a sequence
// parameters: [node][NODE_PARAMETERS]; emission: [node][32]; nodes count from 0 here
// borders:    2 * nodes * WIDTH * 2 ints for every work-group of the launch
// specials:   N->B, N->N, E->C, E->J, C->T, C->C, J->B, J->J
// scores:     [group][sequence]
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void viterbi(__global const uint* restrict residues, __global const uint* restrict starts,
             __global const int* restrict lengths, const uint groups,
             __global const int* restrict parameters, __global const ulong* restrict emission,
             const int nodes, const int8 specials, __global int* borders, __global int* restrict scores) {
  const int n_begin = specials.s0, n_loop = specials.s1, e_to_c = specials.s2, e_to_j = specials.s3;
  const int c_end = specials.s4, c_loop = specials.s5, j_begin = specials.s6, j_loop = specials.s7;
  const uint lane = get_local_id(0) * LANES;
  const size_t plane = (size_t)nodes * WIDTH * 2;
  __global int* border = borders + get_group_id(0) * 2 * plane + lane * 2;

  for (uint group = get_group_id(0); group < groups; group += get_num_groups(0)) {
    const lanes_t length = LOAD(lengths + (size_t)group * WIDTH + lane);
    const int longest = lengths[(size_t)group * WIDTH];
    int n = 0;
    lanes_t b = n_begin;
    lanes_t j = LOW;
    lanes_t c = LOW;

    for (int row = 0; row < longest; row += ROWS) {
      __global const uint* words = residues + starts[group] + (size_t)(row / 4) * WIDTH + lane;
      __global const int* above = border + (row / ROWS & 1 ? plane : 0);
      __global int* below = border + (row / ROWS & 1 ? 0 : plane);

      lanes_t begin_score[ROWS];
      begin_score[0] = b;
      {
        int n_next = n;
        lanes_t j_next = j;
#pragma unroll
        for (int r = 1; r < ROWS; ++r) {
          n_next = max(n_next + n_loop, LOW);
          j_next = max(j_next + j_loop, (lanes_t)LOW);
          begin_score[r] = max(max(j_next + j_begin, (lanes_t)LOW), (lanes_t)(n_next + n_begin));
        }
      }

      int n_last;
      lanes_t j_last, c_last, changed;
      do {
        lanes_t diagonal[ROWS], deletion[ROWS], end_score[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; ++r) diagonal[r] = deletion[r] = end_score[r] = LOW;

        for (int k = 0; k < nodes; ++k) {
          __global const int* t = parameters + k * NODE_PARAMETERS;
          __global const ulong* table = emission + k * 32;
          const int mm = t[MM], mi = t[MI], md = t[MD], im = t[IM], ii = t[II], dm = t[DM], dd = t[DD];
          const int begin = t[BEGIN], end = t[END];
          const size_t place = (size_t)k * WIDTH * 2;
          lanes_t x = row == 0 ? (lanes_t)LOW : LOAD(above + place);
          lanes_t p = row == 0 ? (lanes_t)LOW : LOAD(above + place + LANES);
#pragma unroll
          for (int r = 0; r < ROWS; ++r) {
            lanes_t em, ei;
            emissions(table, (__global const uchar*)(words + r / 4 * WIDTH) + r % 4, &em, &ei);
            const lanes_t m = max(diagonal[r], begin_score[r] + begin) + em;
            const lanes_t i = p + ei;
            end_score[r] = max(end_score[r], m + end);
            diagonal[r] = x;
            x = max(max(m + mm, i + im), deletion[r] + dm);
            p = max(m + mi, i + ii);
            deletion[r] = max(m + md, deletion[r] + dd);
          }
          STORE(x, below + place);
          STORE(p, below + place + LANES);
        }

        n_last = n;
        j_last = j;
        c_last = c;
        changed = 0;
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
          n_last = max(n_last + n_loop, LOW);
          j_last = max(max(j_last + j_loop, end_score[r] + e_to_j), (lanes_t)LOW);
          const lanes_t c_row = max(max(c_last + c_loop, end_score[r] + e_to_c), (lanes_t)LOW);
          c_last = select(c_last, c_row, (lanes_t)(row + r) < length);
          b = max(max(j_last + j_begin, (lanes_t)LOW), (lanes_t)(n_last + n_begin));
          if (r + 1 < ROWS) {
            changed |= b != begin_score[r + 1];
            begin_score[r + 1] = b;
          }
        }
      } while (ANY(changed));
      n = n_last;
      j = j_last;
      c = c_last;
    }
    STORE(c + c_end, scores + (size_t)group * WIDTH + lane);
  }
}
