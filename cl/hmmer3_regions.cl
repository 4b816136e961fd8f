// HMMER3's regions of pairs after Forward and Backward: where on a sequence domains are, by posterior probabilities
// (docs/spec/hmmer3/domains.md, 4), bit for bit as the reference. hmmer3_arithmetic.cl comes before.

#define ITEMS 32

// Probabilities of a residue: from 0.25 on a region opens, it begins and ends below 0.1 beside domains' begins and ends; it
// probably has several domains if this many, 0.2, are expected to end in it before as many begin.
#define OPENS 0.25f
#define EDGE 0.1f
#define SEVERAL 0.2f

// A work-group of ITEMS work-items has a pair. pairs: first residue, residues, first row of both directions, 0. lengths: move
// and loop of N, J and C. Rows: three float2 each: e, n, j, b, c, scale. own_scales: of a pair, 1 if Backward has scaled
// otherwise than Forward, which multihit models hardly ever do: it is left out. posteriors: room for as many rows. found: pair,
// first and last residue from 1, whether there are several domains; `used` of `room`, and if that is exceeded, those that found
// no room are left out. results, of a pair: 1, or 0 if it is left out, as those whose probabilities overflow are; first place
// in `found`, regions, expected domains.
__kernel void regions(__global const uint4* restrict pairs, __global const float2* restrict lengths,
                      __global const float2* restrict forward_rows, __global const float2* restrict backward_rows,
                      __global const uint* restrict own_scales, __global float4* posteriors,
                      __global uint4* restrict found, __global uint* used, uint room, __global uint4* restrict results,
                      __local float* most, __local uint* common) {
  const uint item = get_local_id(0), at = get_group_id(0);
  const uint4 pair = pairs[at];
  const uint length = pair.y;
  __global const float2* const f = forward_rows + 3 * (size_t)pair.z;
  __global const float2* const b = backward_rows + 3 * (size_t)pair.z;
  __global float4* const own = posteriors + pair.z;
  const float loop = lengths[at].y;

  // Of each row: what begins and what ends there, the probability of being in a domain.
  const float factor = quotient(1.0f, b[0].y);
  for (uint i = 1 + item; i <= length; i += ITEMS) {
    const float2 f0 = f[3 * (size_t)i - 3], f1 = f[3 * (size_t)i - 2], f2 = f[3 * (size_t)i - 1];
    const float2 g0 = f[3 * (size_t)i], g2 = f[3 * (size_t)i + 2];
    const float2 b0 = b[3 * (size_t)i], b1 = b[3 * (size_t)i + 1], b2 = b[3 * (size_t)i + 2];
    const float begins = mul(mul(mul(f1.y, b[3 * (size_t)i - 2].y), f2.y), factor);
    const float ends = mul(mul(mul(g0.x, b0.x), g2.y), factor);
    float outside = mul(mul(mul(f0.y, b0.y), loop), factor);
    outside = add(outside, mul(mul(mul(f1.x, b1.x), loop), factor));
    outside = add(outside, mul(mul(mul(f2.x, b2.x), loop), factor));
    own[i] = (float4)(begins, ends, add(1.0f, -outside), 0.0f);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);

  // Sums of begins and ends so far take the place of each row's; region r is noted in row r + 1.
  if (item == 0) {
    float begins = 0.0f, ends = 0.0f;
    uint start = 0, count = 0;
    int open = 0, finite = own_scales[at] == 0;
    float4 ahead = own[1];
    for (uint j = 1; j <= length; ++j) {
      const float4 row = ahead;
      ahead = own[min(j + 1, length)];
      const float begins_now = add(begins, row.x), ends_now = add(ends, row.y);
      finite = finite && isfinite(begins_now) && isfinite(ends_now) && isfinite(row.z);
      own[j] = (float4)(begins_now, ends_now, 0.0f, 0.0f);
      if (!open) {
        if (add(row.z, -add(begins_now, -begins)) < EDGE || start == 0) start = j;
        open = row.z >= OPENS;
      } else if (add(row.z, -add(ends_now, -ends)) < EDGE) {
        own[count + 1].z = as_float(start);
        own[count + 1].w = as_float(j);
        ++count;
        start = 0;
        open = 0;
      }
      begins = begins_now;
      ends = ends_now;
    }
    const uint first = finite ? atomic_add(used, count) : 0;
    const int done = finite && first <= room && count <= room - first;
    results[at] = (uint4)(done, first, count, as_uint(begins));
    common[0] = done ? count : 0;
    common[1] = first;
  }
  barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);

  const uint count = common[0], first = common[1];
  for (uint r = 0; r < count; ++r) {
    const uint from = as_uint(own[r + 1].z), to = as_uint(own[r + 1].w);
    const float ends_before = from > 1 ? own[from - 1].y : 0.0f, begins_at_end = own[to].x;
    float largest = -1.0f;
    for (uint z = from + item; z <= to; z += ITEMS) {
      const float begins_before = z > 1 ? own[z - 1].x : 0.0f;
      largest = fmax(largest, fmin(add(own[z].y, -ends_before), add(begins_at_end, -begins_before)));
    }
    most[item] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
      for (uint other = 1; other < ITEMS; ++other) largest = fmax(largest, most[other]);
      found[first + r] = (uint4)(at, from, to, largest >= SEVERAL);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
