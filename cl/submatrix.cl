// The walk over pairs (g, h) of lines, g <= h, of a matrix laid out as sums along its rows (see
// src/companion/submatrix/planes.hpp): a work-item keeps the runs of ITEM_G x ITEM_H pairs in registers while the rows go
// by, last row first, so that a run is the best rectangle that begins at the row.
//
//   VALUE     int or long; VALUE4 four of them
//   ITEM_G    lines g of a work-item, one after the other
//   ITEM_H    lines h of a work-item, GROUP_H apart, so that the reads of neighbours join
//   GROUP_G   work-items of a work-group over lines g
//   GROUP_H   and over lines h; the product is a power of two
//   KEPT      what is found beside the best sum: 0 nothing, 1 the first row, 2 the first line g
//   MULTIPLY  1: subtract by NVIDIA's multiply-add, which has a pipe of its own (VALUE int)
//   PREFETCH  1: read a row while the one before it is worked on

#define ITEMS (GROUP_G * GROUP_H)

// The runs stay in registers, and `masked` is a constant, only if nothing is called.
#define INLINE static inline __attribute__((always_inline))

typedef struct {
  VALUE sum;
  uint first;
} found_t;

// The better of two.
INLINE found_t better(found_t a, found_t b) {
  return b.sum > a.sum || (b.sum == a.sum && b.first < a.first) ? b : a;
}

// The compiler would turn a multiplication with the constant -1, or one that several sums share, into additions.
INLINE VALUE difference(VALUE top, VALUE low, VALUE minus_one) {
#if MULTIPLY
  int result;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(minus_one), "r"(top));
  return result;
#else
  return top - low;
#endif
}

// Reads the sums of a row for the lines of one work-item.
INLINE void read_row(__global const VALUE* lower, __global const VALUE* upper, VALUE* low, VALUE* top) {
#if ITEM_G % 4 == 0
#pragma unroll
  for (int a = 0; a < ITEM_G; a += 4) {
    const VALUE4 four = ((__global const VALUE4*)lower)[a / 4];
    low[a] = four.x;
    low[a + 1] = four.y;
    low[a + 2] = four.z;
    low[a + 3] = four.w;
  }
#else
#pragma unroll
  for (int a = 0; a < ITEM_G; ++a) low[a] = lower[a];
#endif
#pragma unroll
  for (int b = 0; b < ITEM_H; ++b) top[b] = upper[b * GROUP_H];
}

// The runs of one work-item. The pointers lead to its first line g and h in the last row; `masked` (a constant)
// tells that some of the pairs have g > h, which must not count.
INLINE found_t walk(__global const VALUE* lower, __global const VALUE* upper, ulong stride, uint length, uint g,
                    uint h, VALUE minus_one, const bool masked) {
  VALUE run[ITEM_G][ITEM_H];
#pragma unroll
  for (int a = 0; a < ITEM_G; ++a) {
#pragma unroll
    for (int b = 0; b < ITEM_H; ++b) run[a][b] = 0;
  }
  found_t best = {0, 0};
#if KEPT == 2
  VALUE best_of_line[ITEM_G];
#pragma unroll
  for (int a = 0; a < ITEM_G; ++a) best_of_line[a] = 0;
#endif
#if PREFETCH
  VALUE next_low[ITEM_G];
  VALUE next_top[ITEM_H];
  read_row(lower, upper, next_low, next_top);
#endif
  for (uint row = length; row-- > 0;) {
    VALUE low[ITEM_G];
    VALUE top[ITEM_H];
#if PREFETCH
#pragma unroll
    for (int a = 0; a < ITEM_G; ++a) low[a] = next_low[a];
#pragma unroll
    for (int b = 0; b < ITEM_H; ++b) top[b] = next_top[b];
    lower -= row > 0 ? stride : 0;
    upper -= row > 0 ? stride : 0;
    read_row(lower, upper, next_low, next_top);
#else
    read_row(lower, upper, low, top);
    lower -= stride;
    upper -= stride;
#endif
    VALUE best_of_row = 0;
#pragma unroll
    for (int a = 0; a < ITEM_G; ++a) {
#pragma unroll
      for (int b = 0; b < ITEM_H; ++b) {
        VALUE sum = difference(top[b], low[a], minus_one);
        if (masked) sum = g + a > h + b * GROUP_H ? 0 : sum;
        run[a][b] = max(run[a][b] + sum, (VALUE)0);
      }
      // Two runs and the best so far: a maximum of three, which some devices have as one instruction.
#pragma unroll
      for (int b = 0; b < ITEM_H; b += 2) {
        const VALUE larger = max(run[a][b], run[a][b + 1]);
#if KEPT == 0
        best.sum = max(best.sum, larger);
#elif KEPT == 1
        best_of_row = max(best_of_row, larger);
#else
        best_of_line[a] = max(best_of_line[a], larger);
#endif
      }
    }
#if KEPT == 1
    if (best_of_row >= best.sum) {
      best.sum = best_of_row;
      best.first = row;
    }
#endif
  }
#if KEPT == 2
  best.first = g;
#pragma unroll
  for (int a = 0; a < ITEM_G; ++a) {
    const found_t of_line = {best_of_line[a], g + a};
    best = better(best, of_line);
  }
#endif
  return best;
}

// One work-group for each of `tiles`, the first lines g and h of its pairs; it writes the best of them. The upper
// sums begin at `upper_place`.
__attribute__((reqd_work_group_size(GROUP_H, GROUP_G, 1))) __kernel void submatrix_walk(
    __global const VALUE* restrict lower, __global const VALUE* restrict upper, ulong upper_place, ulong stride,
    uint length, VALUE minus_one, __global const uint2* restrict tiles, __global VALUE* restrict sums,
    __global uint* restrict firsts) {
  __local VALUE sum_of[ITEMS];
  __local uint first_of[ITEMS];
  const uint2 tile = tiles[get_group_id(0)];
  const uint g = tile.x + get_local_id(1) * ITEM_G;
  const uint h = tile.y + get_local_id(0);
  const ulong last = (length - 1) * stride;
  found_t best;
  if (tile.x + GROUP_G * ITEM_G <= tile.y + 1) {
    best = walk(lower + last + g, upper + last + upper_place + h, stride, length, g, h, minus_one, false);
  } else {
    best = walk(lower + last + g, upper + last + upper_place + h, stride, length, g, h, minus_one, true);
  }
  const uint item = get_local_id(1) * GROUP_H + get_local_id(0);
  sum_of[item] = best.sum;
  first_of[item] = best.first;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint rest = ITEMS / 2; rest > 0; rest /= 2) {
    if (item < rest) {
      const found_t mine = {sum_of[item], first_of[item]};
      const found_t other = {sum_of[item + rest], first_of[item + rest]};
      const found_t both = better(mine, other);
      sum_of[item] = both.sum;
      first_of[item] = both.first;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    sums[get_group_id(0)] = sum_of[0];
    firsts[get_group_id(0)] = first_of[0];
  }
}
