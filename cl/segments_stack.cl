// What the kernels on segments share: scans of a work-group and the stack of Ruzzo and Tompa. Goes before other
// files of the same program, which make functions of it for their types.
//
// Build option: GROUP work-items of a work-group, a power of two.

// Defines name(scratch, value, none): the values of all work-items before this one put together, `none` for
// the first; and scratch[GROUP - 1] is that of all until the scratch is used again.
#define DEFINE_SCAN(name, type, joined)                                     \
  type name(local type* scratch, type value, type none) {                   \
    const uint item = get_local_id(0);                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                           \
    scratch[item] = value;                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                           \
    for (uint distance = 1; distance < GROUP; distance *= 2) {              \
      const type left = item >= distance ? scratch[item - distance] : none; \
      barrier(CLK_LOCAL_MEM_FENCE);                                         \
      const type right = scratch[item];                                     \
      scratch[item] = joined;                                               \
      barrier(CLK_LOCAL_MEM_FENCE);                                         \
    }                                                                       \
    return item > 0 ? scratch[item - 1] : none;                             \
  }
DEFINE_SCAN(counts_before, uint, left + right)

// Defines name(stack, lower_of, base, size, segment): pushes a segment (begin, end, prefix sums at both) on the
// stack whose items are stack[base] to stack[size - 1], and gives its new size. lower_of, for each item: place +
// 1 of the nearest item below that starts lower, or base.
#define DEFINE_PUSH(name, type)                                                                    \
  uint name(global type* stack, global uint* lower_of, uint base, uint size, type segment) {       \
    uint lower = size;                                                                             \
    for (;;) {                                                                                     \
      while (lower > base && stack[lower - 1].z >= segment.z) lower = lower_of[lower - 1];         \
      if (lower == base || stack[lower - 1].w >= segment.w) break;                                 \
      size = lower - 1;                                                                            \
      segment.x = stack[size].x;                                                                   \
      segment.z = stack[size].z;                                                                   \
      lower = lower_of[size];                                                                      \
    }                                                                                              \
    lower_of[size] = lower;                                                                        \
    stack[size] = segment;                                                                         \
    return size + 1;                                                                               \
  }
