// Sums of real numbers in the fixed tree of src/companion/reduce/reduce.hpp: blocks of 8 * EIGHTS rows, neighbours added until
// one row is left.
//
// Options: NUMBER float or double, EIGHTS 1 or 8, GROUP work-items of a group, IGNORE_NAN 0 or 1. Needs
// cl_khr_fp64.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define SUM_OF_EIGHT(term) \
  (((term(0) + term(1)) + (term(2) + term(3))) + ((term(4) + term(5)) + (term(6) + term(7))))

// The number of row k of a column; -0 beyond its `rows` rows.
double number_at(__global const NUMBER* column, int k, int rows, int width) {
  const double number = k < rows ? column[k * (size_t)width] : -0.0;
  return IGNORE_NAN && isnan(number) ? -0.0 : number;
}

double sum_of_rows(__global const NUMBER* column, int first, int rows, int width) {
#define ROW(k) number_at(column, first + k, rows, width)
  return SUM_OF_EIGHT(ROW);
#undef ROW
}

// A work-item adds a column of a block. The stack is `elements` numbers in rows of `width`, the last one perhaps
// short. sums: [block][width], `count` numbers.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void add_blocks(__global const NUMBER* stack,
                                                                            ulong elements, int width, ulong count,
                                                                            __global double* sums) {
  const ulong own = get_global_id(0);
  if (own >= count) return;
  const ulong at = own / width * (8 * EIGHTS) * width + own % width;
  const ulong left = at < elements ? (elements - at + width - 1) / width : 0;
  const int rows = (int)min(left, (ulong)(8 * EIGHTS));
  __global const NUMBER* const column = stack + at;
#if EIGHTS == 1
  sums[own] = sum_of_rows(column, 0, rows, width);
#else
#define EIGHT(k) sum_of_rows(column, 8 * k, rows, width)
  sums[own] = SUM_OF_EIGHT(EIGHT);
#endif
}
