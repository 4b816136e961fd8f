// The largest sum of a rectangle of a square matrix of ints as a dissertation of 2013 finds it
// (docs/experiments/maximum.md): prefix sums of the rows; then each work-item takes pairs of columns (g, h), g <= h,
// and scans the column of the sums between them for its best segment. No sum of a rectangle or of a part of a row
// may leave 32 bits.
//
// Build options: GROUP work-items of a work-group; ROWS rows that walk_staged stages at a time; BRANCHES 1: if and
// else as in the dissertation, 0: maxima.

#define INLINE static inline __attribute__((always_inline))

// Replaces each of `size` rows by its prefix sums.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void row_sums(global int* restrict matrix, uint size) {
  for (uint row = get_global_id(0); row < size; row += get_global_size(0)) {
    global int* const values = matrix + (ulong)row * size;
    int sum = 0;
    for (uint column = 0; column < size; ++column) {
      sum += values[column];
      values[column] = sum;
    }
  }
}

// The number of the first pair (g, g): pairs are numbered from 0, those of g before those of g + 1. All in 32 bits
// for sizes up to 32,767.
INLINE uint first_pair(uint size, uint g) { return g * (2 * size + 1 - g) / 2; }

// Column g of a pair: the formula in float is near enough to be put right by a step or two.
INLINE uint column_of(uint size, uint pair) {
  const uint side = 2 * size + 1;
  const float root = sqrt((float)(side * side - 8 * pair));
  uint g = (uint)clamp(((float)side - root) / 2, 0.0f, (float)(size - 1));
  while (first_pair(size, g) > pair) --g;
  while (g + 1 < size && first_pair(size, g + 1) <= pair) ++g;
  return g;
}

typedef struct {
  int best, run;
  int ends;  // 1: the best segment ends at the last row
} scan_t;

INLINE void add_row(scan_t* scan, int x) {
#if BRANCHES
  if (scan->ends && x > 0) {
    scan->best += x;
    scan->run = scan->best;
  } else if (scan->run + x > scan->best) {
    scan->run += x;
    scan->best = scan->run;
    scan->ends = 1;
  } else if (scan->run + x > 0) {
    scan->run += x;
    scan->ends = 0;
  } else {
    scan->run = 0;
    scan->ends = 0;
  }
#else
  scan->run = max(scan->run + x, 0);
  scan->best = max(scan->best, scan->run);
#endif
}

typedef struct {
  uint g, h;
} pair_t;

INLINE pair_t pair_of(uint size, uint number) {
  pair_t pair;
  pair.g = column_of(size, number);
  pair.h = pair.g + (number - first_pair(size, pair.g));
  return pair;
}

// The sum of a row between the columns of a pair.
INLINE int between(global const int* row, pair_t pair) {
  return pair.g > 0 ? row[pair.h] - row[pair.g - 1] : row[pair.h];
}

// Pairs [first, last), work-item i of m takes first + i, first + i + m and so on; largest[i] rises to its best sum.
// `sums` are those of row_sums.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void walk_global(global const int* restrict sums,
                                                                           uint size, uint first, uint last,
                                                                           global int* restrict largest) {
  int best = largest[get_global_id(0)];
  for (uint number = first + get_global_id(0); number < last; number += get_global_size(0)) {
    const pair_t pair = pair_of(size, number);
    scan_t scan = {0, 0, 0};
    for (uint row = 0; row < size; ++row) add_row(&scan, between(sums + (ulong)row * size, pair));
    best = max(best, scan.best);
  }
  largest[get_global_id(0)] = best;
}

// The same, by way of local memory: ROWS sums of the column at a time. A work-item reads only what it wrote.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void walk_staged(global const int* restrict sums,
                                                                           uint size, uint first, uint last,
                                                                           global int* restrict largest) {
  local int staged[ROWS * GROUP];
  local int* const own = staged + get_local_id(0);
  int best = largest[get_global_id(0)];
  for (uint number = first + get_global_id(0); number < last; number += get_global_size(0)) {
    const pair_t pair = pair_of(size, number);
    scan_t scan = {0, 0, 0};
    for (uint row = 0; row < size; row += ROWS) {
      const uint count = min(size - row, (uint)ROWS);
      for (uint i = 0; i < count; ++i) {
        own[i * GROUP] = between(sums + (ulong)(row + i) * size, pair);
      }
      for (uint i = 0; i < count; ++i) add_row(&scan, own[i * GROUP]);
    }
    best = max(best, scan.best);
  }
  largest[get_global_id(0)] = best;
}
