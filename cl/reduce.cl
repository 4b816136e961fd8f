// Stacks of matrices reduced element by element: minima, maxima and exact sums of integers; a stack is read as
// it lies.
//
// Options: STORED int or long, what a number is stored as (real numbers too); LANES and WIDE, numbers that are
// loaded at a time and the vector that holds them; GROUP work-items of a group. Then either SUMS, or MAXIMUM
// (0 or 1), LOSING (the key that every other one wins against) and, for real numbers, NAN_KEY, MAGNITUDE (all
// bits but the sign) and INFINITE (the bits of infinity).

#define WORK_GROUP __attribute__((reqd_work_group_size(GROUP, 1, 1)))

#ifdef SUMS
#ifdef WIDE_SUMS
// The sums of the low halves, unsigned, and of the high halves of 64-bit numbers.
typedef long2 Gathered;
#define NOTHING ((long2)(0, 0))
Gathered gathered(STORED x) { return (long2)(x & 0xffffffffL, x >> 32); }
#else
typedef long Gathered;
#define NOTHING 0
Gathered gathered(STORED x) { return x; }
#endif
Gathered join(Gathered a, Gathered b) { return a + b; }
#else
// Integers in the order of the numbers.
typedef STORED Gathered;
#define NOTHING LOSING
Gathered gathered(STORED x) {
#ifdef NAN_KEY
  const STORED key = x ^ ((x >> (8 * sizeof(STORED) - 1)) & MAGNITUDE);
  return (x & MAGNITUDE) > INFINITE ? NAN_KEY : key;
#else
  return x;
#endif
}
Gathered join(Gathered a, Gathered b) { return MAXIMUM ? max(a, b) : min(a, b); }
#endif

// One wide load into the accumulators of its lanes.
void gather(Gathered* own, WIDE x) {
  own[0] = join(own[0], gathered(x.s0));
  own[1] = join(own[1], gathered(x.s1));
#if LANES == 4
  own[2] = join(own[2], gathered(x.s2));
  own[3] = join(own[3], gathered(x.s3));
#endif
}

// Folds `elements` numbers of matrices of `width` into `rows`: a row of `width` for each group, if that is no
// more than GROUP * LANES; else the accumulators of all items in order, which are whole rows of `width`.
// global size * LANES must be a multiple of width, so that an item always meets the same positions.
__kernel WORK_GROUP void fold_stack(__global const STORED* stack, ulong elements, int width,
                                    __global Gathered* rows) {
  __local Gathered folded[GROUP * LANES];
  const int own = get_local_id(0);
  __global const WIDE* const wide = (__global const WIDE*)stack;
  const ulong whole = elements / LANES;
  const ulong stride = get_global_size(0);
  Gathered lanes[LANES];
  for (int lane = 0; lane < LANES; ++lane) lanes[lane] = NOTHING;
  ulong at = get_global_id(0);
  for (; at + 3 * stride < whole; at += 4 * stride) {
    const WIDE a = wide[at], b = wide[at + stride], c = wide[at + 2 * stride], d = wide[at + 3 * stride];
    gather(lanes, a);
    gather(lanes, b);
    gather(lanes, c);
    gather(lanes, d);
  }
  for (; at < whole; at += stride) gather(lanes, wide[at]);
  if (at == whole) {
    for (int lane = 0; lane < LANES - 1; ++lane) {
      const ulong rest = whole * LANES + lane;
      if (rest < elements) lanes[lane] = join(lanes[lane], gathered(stack[rest]));
    }
  }
  for (int lane = 0; lane < LANES; ++lane) folded[own * LANES + lane] = lanes[lane];
  // Folds whole matrices upon each other until one is left.
  int length = GROUP * LANES;
  while (length > width) {
    const int matrices = (length + width - 1) / width;
    const int kept = (matrices + 1) / 2 * width;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = own; k + kept < length; k += GROUP) folded[k] = join(folded[k], folded[k + kept]);
    length = kept;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t first = get_group_id(0) * (size_t)(GROUP * LANES);
  for (int k = own; k < length; k += GROUP) {
    const size_t row = get_group_id(0) * (size_t)width;
    const size_t place = width <= GROUP * LANES ? row + (first + k) % width : first + k;
    rows[place] = join(rows[place], folded[k]);
  }
}

// The same for large matrices: an item a column, get_global_size(1) rows.
__kernel void fold_columns(__global const STORED* stack, ulong items, int width, __global Gathered* rows) {
  const int column = get_global_id(0);
  if (column >= width) return;
  const size_t row = get_global_id(1);
  Gathered found = NOTHING;
  for (ulong item = row; item < items; item += get_global_size(1)) {
    found = join(found, gathered(stack[item * width + column]));
  }
  rows[row * width + column] = join(rows[row * width + column], found);
}

// Folds rows into one, a group a column.
__kernel WORK_GROUP void fold_rows(__global const Gathered* rows, int count, int width,
                                   __global Gathered* result) {
  __local Gathered folded[GROUP];
  const int own = get_local_id(0);
  const size_t column = get_group_id(0);
  Gathered found = NOTHING;
  for (int row = own; row < count; row += GROUP) found = join(found, rows[row * (size_t)width + column]);
  folded[own] = found;
  for (int reach = GROUP / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < reach) folded[own] = join(folded[own], folded[own + reach]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own == 0) result[column] = folded[0];
}
