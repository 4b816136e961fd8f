// The ladder of reductions, for minima of arrays: one kernel a rung.
//
// Arrays of n ints follow each other in `arrays`; get_group_id(1) counts them from `first` on. Every
// work-group reduces some elements of one array: its minimum becomes minima[array * groups of an array +
// group]. Minima of integers do not depend on their order.
//
// Option: GROUP, work-items of a group, a power of two of at most 1024. No device is taken to run work-items
// in step, so every step ends with a barrier that all of them reach.

#define NOTHING INT_MAX

// One element a work-item.
int load_one(__global const int* values, int n) {
  const int e = get_global_id(0);
  return e < n ? values[e] : NOTHING;
}

// Two, a group's width apart.
int load_two(__global const int* values, int n) {
  const int e = get_group_id(0) * 2 * GROUP + get_local_id(0);
  const int first = e < n ? values[e] : NOTHING;
  return e + GROUP < n ? min(first, values[e + GROUP]) : first;
}

// As many as there are, the width of all groups apart.
int load_several(__global const int* values, int n) {
  int found = NOTHING;
  for (int e = get_global_id(0); e < n; e += get_global_size(0)) found = min(found, values[e]);
  return found;
}

void join(__local int* partial, int to, int from) { partial[to] = min(partial[to], partial[from]); }

// Neighbours first; the work-items that go on are spread over all.
void fold_interleaved_divergent(__local int* partial, int own) {
  for (int reach = 1; reach < GROUP; reach *= 2) {
    if (own % (2 * reach) == 0) join(partial, own, own + reach);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Neighbours first, by the first work-items.
void fold_interleaved(__local int* partial, int own) {
  for (int reach = 1; reach < GROUP; reach *= 2) {
    const int to = 2 * reach * own;
    if (to < GROUP) join(partial, to, to + reach);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Halves first, by the first work-items.
void fold_sequential(__local int* partial, int own) {
  for (int reach = GROUP / 2; reach > 0; reach /= 2) {
    if (own < reach) join(partial, own, own + reach);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#define STEP(reach)                                   \
  if (GROUP > reach) {                                \
    if (own < reach) join(partial, own, own + reach); \
    barrier(CLK_LOCAL_MEM_FENCE);                     \
  }

// The same, the last steps of 64 partial minima without a loop.
void fold_last_unrolled(__local int* partial, int own) {
  for (int reach = GROUP / 2; reach > 32; reach /= 2) {
    if (own < reach) join(partial, own, own + reach);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  STEP(32) STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)
}

// The same without any loop.
void fold_unrolled(__local int* partial, int own){STEP(512) STEP(256) STEP(128) STEP(64) STEP(32) STEP(16)
                                                      STEP(8) STEP(4) STEP(2) STEP(1)}

#define RUNG(name, load, fold)                                                                             \
  __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void name(__global const int* arrays, int n, \
                                                                        int first, __global int* minima) { \
    __local int partial[GROUP];                                                                            \
    const int own = get_local_id(0);                                                                       \
    const size_t array = first + get_group_id(1);                                                          \
    partial[own] = load(arrays + array * n, n);                                                            \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
    fold(partial, own);                                                                                    \
    if (own == 0) minima[array * get_num_groups(0) + get_group_id(0)] = partial[0];                        \
  }

RUNG(interleaved_divergent, load_one, fold_interleaved_divergent)
    RUNG(interleaved, load_one, fold_interleaved) RUNG(sequential, load_one, fold_sequential)
        RUNG(first_on_load, load_two, fold_sequential) RUNG(last_unrolled, load_two, fold_last_unrolled)
            RUNG(unrolled, load_two, fold_unrolled) RUNG(several_elements, load_several, fold_unrolled)
