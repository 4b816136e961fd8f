// The best segment of a vector as a dissertation of 2013 finds it (docs/experiments/maximum.md): each work-item
// scans a run of LENGTH elements, an argument, and gives five numbers of it from which the host makes the answer:
// the sums of the best prefix P of what precedes the best segment M, of the gap N1 between them, of M, of the gap
// N2, and of the best suffix S of what follows M, in this order. P, M and S may be empty and are then 0; N1 and N2
// are at most 0; all five together are the sum of the run. The sizes of a run's elements must sum to less than 2^31.
//
// Build options: GROUP work-items of a work-group, a multiple of 32; PITCH places in local memory of a work-item,
// at least 32; BRANCHES 1: if and else as in the dissertation, 0: maxima and selections.

#define INLINE static inline __attribute__((always_inline))

// Elements of a work-item that are staged at a time, and work-items that read neighbouring elements.
#define STEP 32

typedef struct {
  int prefix, left_gap, best;
  int after;   // sum of what follows the best segment
  int suffix;  // best suffix of that
  int run;     // best suffix of all: best + after if it begins with the best segment, else suffix
  int joined;  // 1: it begins with the best segment
  int ends;    // 1: the best segment ends at the last element
} scan_t;

// The best suffix, of sum `run` with the last element, becomes the best segment. `after` is still without that element.
INLINE void open_segment(scan_t* scan, int run) {
  const int whole = scan->prefix + scan->left_gap + scan->best;
  const int before = whole + scan->after - scan->suffix;
  scan->prefix = max(scan->prefix, whole);
  scan->left_gap = before - scan->prefix;
  scan->best = run;
}

INLINE void add_element(scan_t* scan, int x) {
#if BRANCHES
  if (scan->ends && x > 0) {
    scan->best += x;
    scan->run += x;
  } else if (scan->run + x > scan->best) {
    scan->run += x;
    if (scan->joined) {
      scan->best = scan->run;
    } else {
      open_segment(scan, scan->run);
    }
    scan->after = 0;
    scan->suffix = 0;
    scan->joined = 1;
    scan->ends = 1;
  } else if (scan->run + x > 0) {
    scan->run += x;
    scan->after += x;
    if (scan->suffix + x > 0) {
      scan->suffix += x;
    } else {
      scan->suffix = 0;
    }
    scan->ends = 0;
  } else {
    scan->run = 0;
    scan->after += x;
    scan->suffix = 0;
    scan->joined = 0;
    scan->ends = 0;
  }
#else
  const int run = max(scan->run + x, 0);
  const int grows = run > scan->best;
  scan_t opened = *scan;
  open_segment(&opened, run);
  const int opens = grows & !scan->joined;
  scan->prefix = opens ? opened.prefix : scan->prefix;
  scan->left_gap = opens ? opened.left_gap : scan->left_gap;
  scan->best = max(scan->best, run);
  scan->after = grows ? 0 : scan->after + x;
  scan->suffix = grows ? 0 : max(scan->suffix + x, 0);
  scan->run = run;
  scan->joined = grows | (scan->joined & (run > 0));
#endif
}

INLINE void write_five(const scan_t* scan, global int* five) {
  five[0] = scan->prefix;
  five[1] = scan->left_gap;
  five[2] = scan->best;
  five[3] = scan->after - scan->suffix;
  five[4] = scan->suffix;
}

// Each work-item reads its run from global memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan_global(global const int* restrict values,
                                                                           ulong size, ulong length,
                                                                           global int* restrict fives) {
  const ulong first = min((ulong)get_global_id(0) * length, size);
  const ulong last = min(first + length, size);
  scan_t scan = {0, 0, 0, 0, 0, 0, 0, 0};
  for (ulong at = first; at < last; ++at) add_element(&scan, values[at]);
  write_five(&scan, fives + 5 * get_global_id(0));
}

// The work-group copies STEP elements of each of its runs to local memory, 32 work-items one run at a time, so that
// they read neighbouring elements; then each work-item scans its own.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan_staged(global const int* restrict values,
                                                                           ulong size, ulong length,
                                                                           global int* restrict fives) {
  local int staged[GROUP * PITCH];
  const uint item = get_local_id(0);
  const uint place = item % STEP;
  const ulong block = (ulong)get_group_id(0) * GROUP * length;
  const ulong first = min(block + item * length, size);
  const ulong last = min(first + length, size);
  scan_t scan = {0, 0, 0, 0, 0, 0, 0, 0};
  for (ulong done = 0; done < length; done += STEP) {
    for (uint row = item / STEP; row < GROUP; row += GROUP / STEP) {
      const ulong at = block + row * length + done + place;
      if (done + place < length && at < size) staged[row * PITCH + place] = values[at];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong rest = first + done < last ? last - first - done : 0;
    const uint count = (uint)min(rest, (ulong)STEP);
    for (uint i = 0; i < count; ++i) add_element(&scan, staged[item * PITCH + i]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  write_five(&scan, fives + 5 * get_global_id(0));
}
