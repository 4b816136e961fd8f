// null2 odds of many envelopes by expectation over decoded posteriors, after Forward and Backward of cl/hmmer3_sweeps.cl with
// KEEPS ENVELOPES (docs/spec/hmmer3/domains.md, 8 and 10). Bit for bit as the reference: each sum has its order.
// hmmer3_arithmetic.cl comes before; cl/hmmer3_envelopes.cl uses what is here.
//
// A work-group of 32 work-items has one pair. What the odds are summed from is in local memory by parts of stripes: eight of a
// stripe, each with steps that follow each other.

#define STRIPES 4
#define PARTS 8  // of a stripe
#define ITEMS 32

// Sums of posteriors of M and I: of step q of a part, and the part's number.
#define WEIGHT_OF(q, insert, item) weights[((q)*2 + (insert)) * ITEMS + (item)]

// Of a pair: accuracy, the row and the node of the last match, 0 if a posterior is no finite number, the share of residues
// outside of nodes, the number of columns, and from ODDS on the null2 odds without that share.
#define RESULT 32
#define FINITE 3
#define OUTSIDE 4
#define COLUMNS 5
#define ODDS 6

inline float outside_share(float before, float between, float after, float share) {
  return add(add(mul(before, share), mul(after, share)), mul(between, share));
}

// The odds of the plain residues; `each`: steps of a part. All work-items of a group together. sums: one of each.
inline void put_odds(__global const float* restrict emissions, uint steps, uint each, uint plain, uint item,
                     __local const float* weights, __local float* sums, __global float* restrict result) {
  barrier(CLK_LOCAL_MEM_FENCE);
  // A code and a stripe for each item.
  for (uint first = 0; first < plain * STRIPES; first += ITEMS) {
    const uint x = min((first + item) / STRIPES, plain - 1), r = item % STRIPES;
    __global const float* const emission = emissions + x * steps * STRIPES + r;
    float sum = 0.0f;
    uint in_part = 0, from = r * PARTS;
    for (uint q = 0; q < steps; ++q) {
      sum = add(add(sum, mul(WEIGHT_OF(in_part, 0, from), emission[q * STRIPES])), WEIGHT_OF(in_part, 1, from));
      ++in_part;
      from += in_part == each;
      in_part = in_part == each ? 0 : in_part;
    }
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (r == 0 && (first + item) / STRIPES < plain)
      result[ODDS + x] = add(add(sums[item], sums[item + 1]), add(sums[item + 2], sums[item + 3]));
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// The odds of pairs whose alignments are not wanted. A work-item sums one cell after the other over all rows. groups: the
// number of the pair, 1, model, whether the odds are wanted. forward_rows, backward_rows: of a pair from its first row on six
// floats a row: e, n, j, b, c, scale. forward_cells, backward_cells: of a pair from its first cell on, [row, from
// 1][step][stripe] M and I, if the odds are wanted. plain: residues that are not degenerate. Local memory: weights, of a step
// for each item; sums of the items; whether an item's posteriors are finite numbers.
__kernel void null2(__global const uint4* restrict groups, __global const uint4* restrict models,
                    __global const float* restrict emissions, __global const uint4* restrict pairs,
                    __global const float2* restrict lengths, __global const float* restrict forward_rows,
                    __global const float* restrict backward_rows, __global const float2* restrict forward_cells,
                    __global const float2* restrict backward_cells, __global float* restrict results, uint plain,
                    __local float* weights, __local float* sums, __local int* all_finite) {
  const uint item = get_local_id(0);
  const uint4 group = groups[get_group_id(0)], model = models[group.z], pair = pairs[group.x];
  const uint steps = model.z, cells = steps * STRIPES, each = (steps + PARTS - 1) / PARTS;
  const uint rows = group.w ? pair.y : 0;
  const float loop = lengths[group.x].y;
  __global const float* const forward = forward_rows + 6 * (size_t)pair.z;
  __global const float* const backward = backward_rows + 6 * (size_t)pair.z;
  __global float* const result = results + (size_t)group.x * RESULT;
  const float scale = quotient(1.0f, backward[1]), share = quotient(1.0f, (float)pair.y);
  int finite = scale < INFINITY;
  for (uint c = item; c < cells && rows > 0; c += ITEMS) {
    __global const float2* const of_forward = forward_cells + pair.w + c;
    __global const float2* const of_backward = backward_cells + pair.w + c;
    float match = 0.0f, insert = 0.0f;
#if UNROLL
#pragma unroll 8
#endif
    for (uint i = 0; i < rows; ++i) {
      const float factor = mul(scale, forward[6 * (size_t)(i + 1) + 5]);
      const float2 f = of_forward[(size_t)i * cells], b = of_backward[(size_t)i * cells];
      const float of_match = mul(mul(f.x, b.x), factor), of_insert = mul(mul(f.y, b.y), factor);
      finite = finite && of_match < INFINITY && of_insert < INFINITY;
      match = add(of_match, match);
      insert = add(of_insert, insert);
    }
    const uint q = c / STRIPES, of_part = c % STRIPES * PARTS + q / each;
    WEIGHT_OF(q % each, 0, of_part) = mul(match, share);
    WEIGHT_OF(q % each, 1, of_part) = mul(insert, share);
  }
  all_finite[item] = finite;
  // N, J and C, each of its own item.
  const uint state = item == 0 ? 1 : item == 1 ? 2 : 4;
  float outside = 0.0f;
#if UNROLL
#pragma unroll 8
#endif
  for (uint i = 1; i <= rows && item < 3; ++i) {
    const float f = forward[6 * (size_t)(i - 1) + state], b = backward[6 * (size_t)i + state];
    outside = add(outside, mul(mul(mul(f, b), loop), scale));
  }
  put_odds(emissions + model.y, steps, group.w ? each : 1, group.w ? plain : 0, item, weights, sums, result);
  sums[item] = outside;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    for (uint other = 0; other < ITEMS; ++other) finite = finite && all_finite[other];
    result[FINITE] = finite ? 1.0f : 0.0f;
    result[OUTSIDE] = outside_share(sums[0], sums[1], sums[2], share);
  }
}
