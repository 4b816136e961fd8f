// Sums and scans in a work-group of GROUP work-items, which all sorting kernels use.
//
// No work-group waits for another: a scan over more than one is three launches (reduce, scan the sums,
// apply). Build options: GROUP, a multiple of 4 and a power of two; ITEMS, keys of a work-item in the sorting
// passes, at most 15.

#define GROUP_KERNEL kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
#define TILE (GROUP * ITEMS)
#define SCAN_ITEMS 16
#define SCAN_TILE (GROUP * SCAN_ITEMS)

// The sum of `value` over the work-items before this one; *total becomes the sum over all.
inline uint group_scan(uint value, local uint* sums, uint* total) {
  const uint lid = get_local_id(0);
  sums[lid] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < GROUP; step <<= 1) {
    const uint before = lid >= step ? sums[lid - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[lid] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const uint through = sums[lid];
  *total = sums[GROUP - 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  return through - value;
}

// sums[group] = the sum of the group's SCAN_TILE numbers.
GROUP_KERNEL scan_reduce(global const uint* numbers, uint size, global uint* sums) {
  local uint shared[GROUP];
  const size_t first = get_group_id(0) * (size_t)SCAN_TILE;
  uint sum = 0;
  for (uint j = 0; j < SCAN_ITEMS; ++j) {
    const size_t i = first + j * GROUP + get_local_id(0);
    sum += i < size ? numbers[i] : 0;
  }
  uint total;
  group_scan(sum, shared, &total);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = total;
}

// Replaces each sum by the sum of all before it; one work-group. sums[size] becomes the sum of all.
GROUP_KERNEL scan_sums(global uint* sums, uint size) {
  local uint shared[GROUP];
  uint before = 0;
  for (uint first = 0; first < size; first += GROUP) {
    const uint i = first + get_local_id(0);
    uint total;
    const uint own = group_scan(i < size ? sums[i] : 0, shared, &total);
    if (i < size) sums[i] = before + own;
    before += total;
  }
  if (get_local_id(0) == 0) sums[size] = before;
}

// Replaces each number by the sum of all before it, given the sums before each group.
GROUP_KERNEL scan_apply(global uint* numbers, uint size, global const uint* sums) {
  local uint shared[GROUP];
  uint before = sums[get_group_id(0)];
  const size_t start = get_group_id(0) * (size_t)SCAN_TILE;
  for (uint j = 0; j < SCAN_ITEMS; ++j) {
    const size_t i = start + j * GROUP + get_local_id(0);
    uint total;
    const uint own = group_scan(i < size ? numbers[i] : 0, shared, &total);
    if (i < size) numbers[i] = before + own;
    before += total;
  }
}
