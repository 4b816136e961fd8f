// Sums of real numbers in the fixed tree of src/reduce/reduce.hpp: blocks of 256 matrices, the last one filled
// up with -0, halves added until one is left.
//
// Options: NUMBER float or double, GROUP work-items of a group, IGNORE_NAN 0 or 1. Needs cl_khr_fp64.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define BLOCK 256    // matrices of a block
#define ROWS 8       // of a block that a work-item adds at a time
#define PARTS 32     // BLOCK / ROWS
#define MOST_COLUMNS 32

// A group takes one block and `columns` columns, at most MOST_COLUMNS, of the matrices; the groups of a block
// follow each other. sums: [block][width].
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void add_blocks(__global const NUMBER* stack,
                                                                            ulong items, int width, int columns,
                                                                            __global double* sums) {
  __local double lanes[PARTS * MOST_COLUMNS];
  const int own = get_local_id(0);
  const size_t tiles = (width + columns - 1) / columns;
  const size_t block = get_group_id(0) / tiles;
  const ulong begin = block * BLOCK;
  const int first = get_group_id(0) % tiles * columns;
  for (int lane = own; lane < PARTS * columns; lane += GROUP) {
    const int part = lane / columns;
    const int column = first + lane % columns;
    double row[ROWS];
#pragma unroll
    for (int k = 0; k < ROWS; ++k) {
      const ulong item = begin + k * PARTS + part;
      const bool there = item < items && column < width;
      const double number = there ? stack[item * width + column] : -0.0;
      row[k] = IGNORE_NAN && isnan(number) ? -0.0 : number;
    }
    lanes[lane] = ((row[0] + row[4]) + (row[2] + row[6])) + ((row[1] + row[5]) + (row[3] + row[7]));
  }
  for (int reach = PARTS / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int lane = own; lane < reach * columns; lane += GROUP) lanes[lane] += lanes[lane + reach * columns];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own < columns && first + own < width) sums[block * width + first + own] = lanes[own];
}
