// Posterior decoding, null2 odds and the alignment of optimal accuracy of many envelopes, after Forward and Backward of
// cl/hmmer3_sweeps.cl with KEEPS ENVELOPES (docs/spec/hmmer3/domains.md, 8 to 10). Bit for bit as the reference: each sum has
// its order, maxima have none. hmmer3_arithmetic.cl and hmmer3_null2.cl come before.
//
// A work-group of 32 work-items has one pair. Eight of them, in the order of the nodes, share a stripe, each with steps that
// follow each other, whose cells are in local memory. The matrix of accuracies is not kept: of each cell, bits say which state
// before it the alignment comes from. D of a row is complete when the next row reads it: until then it lacks paths that come
// from other work-items, which are one value for each.

#if UNROLL
#define BLOCK 4
#else
#define BLOCK 1
#endif
#define EACH _Pragma("unroll") for (uint j = 0; j < BLOCK; ++j)

#define MATCH 0
#define DELETE 1
#define INSERT 2
// Of this item's step, and of any item's.
#define CELL(q, state) cells[((q)*3 + (state)) * ITEMS + item]
#define WEIGHT(q, insert) WEIGHT_OF(q, insert, item)

// M comes from I rather than M; from D rather than these; from B rather than these; I from I rather than M. In the row below:
// D of the next node comes from D rather than M.
#define INSERT_TO_MATCH 1
#define DELETE_TO_MATCH 2
#define BEGIN_TO_MATCH 4
#define STAYS_INSERT 8
#define STAYS_DELETE 16

// A step that is impossible contributes 0 while cells are computed, and is not taken.
#define IMPOSSIBLE (-INFINITY)
inline float possible(float probability, float value) { return probability > 0.0f ? value : IMPOSSIBLE; }
inline float through(float probability, float value) { return probability > 0.0f ? value : 0.0f; }

// What work-items tell each other, all of a group together. `joins`: two for each item, which take turns.
typedef struct {
  uint item;
  int before;     // the item with the steps before; -1: none
  // Whether a path of deletes can pass the item's steps; on NVIDIA's devices bit d for the last d items together.
  uint passable;
  __local float4* joins;
  uint turn;
} Place;
#if NVIDIA
inline float of_item(float value, uint from) {
  float result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(result) : "f"(value), "r"(from));
  return result;
}
inline void set_passable(int passable, Place* own) {
  uint set;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(set) : "r"(passable));
  own->passable = 0;
  for (uint d = 1; d < ITEMS; d *= 2) {
    const uint last = (1u << d) - 1;
    if (own->item >= d && (set >> (own->item - d + 1) & last) == last) own->passable |= d;
  }
}
inline float4 of_before(float4 value, Place* own) {
  const uint from = own->before < 0 ? own->item : (uint)own->before;
  const float4 told = (float4)(of_item(value.x, from), of_item(value.y, from), of_item(value.z, from), 0.0f);
  return own->before < 0 ? (float4)(IMPOSSIBLE) : told;
}
// What enters an item's steps by deletes, given what leaves each by those that begin there.
inline float entering_of(float leaving, Place* own) {
  for (uint d = 1; d < ITEMS; d *= 2) {
    const float arriving = of_item(leaving, own->item - min(d, own->item));
    leaving = own->passable & d ? fmax(leaving, arriving) : leaving;
  }
  const float entering = of_item(leaving, own->item - min(1u, own->item));
  return own->item > 0 ? entering : IMPOSSIBLE;
}
inline float largest(float value, Place* own) {
  for (uint d = 1; d < ITEMS; d *= 2) value = fmax(value, of_item(value, own->item ^ d));
  return value;
}
#else
inline __local float4* told(float4 value, Place* own) {
  __local float4* const join = own->joins + own->turn * ITEMS;
  own->turn ^= 1;
  join[own->item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return join;
}
inline void set_passable(int passable, Place* own) { own->passable = passable; }
inline float4 of_before(float4 value, Place* own) {
  __local const float4* const join = told(value, own);
  return own->before < 0 ? (float4)(IMPOSSIBLE) : join[own->before];
}
inline float entering_of(float leaving, Place* own) {
  __local const float4* const join = told((float4)(leaving, own->passable ? 1.0f : 0.0f, 0.0f, 0.0f), own);
  float entering = IMPOSSIBLE;
  for (uint other = 0; other < ITEMS; ++other) {
    const float4 of_other = join[other];
    const float passing = fmax(of_other.x, of_other.y > 0.0f ? entering : IMPOSSIBLE);
    entering = other < own->item ? passing : entering;
  }
  return entering;
}
inline float largest(float value, Place* own) {
  __local const float4* const join = told((float4)(value), own);
  float most = join[0].x;
  for (uint other = 1; other < ITEMS; ++other) most = fmax(most, join[other].x);
  return most;
}
#endif

// groups: the number of the pair, 1, model, whether null2 odds are wanted. forward_rows, backward_rows: of a pair from its
// first row on three float2 a row: e, n, j, b, c, scale. forward_cells, backward_cells: of a pair from its first cell on, [row,
// from 1][step][stripe] M and I. choices: bits in the same order. factors: of each row, which make posteriors of the products
// of cells. plain: residues that are not degenerate. Local memory: cells and weights, of a step for each item; sums of items.
__kernel void accuracy(__global const uint4* restrict groups, __global const uint4* restrict models,
                       __global const float4* restrict transitions, __global const float* restrict emissions,
                       __global const uint4* restrict pairs, __global const float2* restrict lengths,
                       __global const float2* restrict forward_rows, __global const float2* restrict backward_rows,
                       __global const float2* restrict forward_cells, __global const float2* restrict backward_cells,
                       __global uchar* restrict choices, __global float* restrict factors, __global float* restrict results,
                       uint plain, __local float* cells, __local float* weights, __local float4* joins, __local float* sums) {
  const uint item = get_local_id(0), stripe = item / PARTS, part = item % PARTS;
  const uint4 group = groups[get_group_id(0)], model = models[group.z], pair = pairs[group.x];
  const uint at = group.x, steps = model.z, each = (steps + PARTS - 1) / PARTS;
  const uint begin_step = min(part * each, steps), count = min(each, steps - begin_step), last = count > 0 ? count - 1 : 0;
  const float move = lengths[at].x, loop = lengths[at].y;
  const uint first_cell = begin_step * STRIPES + stripe;
  __global const float4* const of_steps = transitions + model.x + 2 * first_cell;
  __global const float2* const forward = forward_rows + 3 * (size_t)pair.z;
  __global const float2* const backward = backward_rows + 3 * (size_t)pair.z;
  __global const float2* const of_forward = forward_cells + pair.w + first_cell;
  __global const float2* const of_backward = backward_cells + pair.w + first_cell;
  __global uchar* const choice = choices + pair.w + first_cell;
  Place own = {item, -1, 0, joins, 0};
  if (part > 0) own.before = (int)item - 1;
  if (part == 0 && stripe > 0) own.before = (int)((stripe - 1) * PARTS + (steps - 1) / each);

  // Whether a path of deletes can pass the steps, and reach the last one.
  int passes = 1, reaches = 1;
  for (uint q = 0; q < each; ++q) {
    CELL(q, MATCH) = CELL(q, DELETE) = CELL(q, INSERT) = IMPOSSIBLE;
    WEIGHT(q, 0) = WEIGHT(q, 1) = 0.0f;
    const int passes_step = q >= count || of_steps[min(q, last) * 2 * STRIPES + 1].w > 0.0f;
    reaches = q < count ? passes : reaches;
    passes = passes && passes_step;
  }
  set_passable(passes, &own);
  const float scale = quotient(1.0f, backward[0].y);
  float end = IMPOSSIBLE, before_first = 0.0f, between = IMPOSSIBLE, begin = 0.0f, after_last = IMPOSSIBLE;
  float sum_before = 0.0f, sum_between = 0.0f, sum_after = 0.0f;
  float entering = IMPOSSIBLE;
  uint end_row = 0, end_node = 0;
  int finite = scale < INFINITY;
  float4 last_cell = (float4)(IMPOSSIBLE);  // M, I, D
  for (uint i = 1; i <= pair.y; ++i) {
    __global const float2* const f = forward + 3 * (size_t)(i - 1);
    __global const float2* const b = backward + 3 * (size_t)i;
    const float factor = mul(scale, f[3 + 2].y);
    const float posterior_before = mul(mul(mul(f[0].y, b[0].y), loop), scale);
    const float posterior_between = mul(mul(mul(f[1].x, b[1].x), loop), scale);
    const float posterior_after = mul(mul(mul(f[2].x, b[2].x), loop), scale);
    sum_before = add(sum_before, posterior_before);
    sum_between = add(sum_between, posterior_between);
    sum_after = add(sum_after, posterior_after);
    if (item == 0) factors[pair.z + i] = factor;
    last_cell.z = reaches ? fmax(last_cell.z, entering) : last_cell.z;
    const float4 before = of_before(last_cell, &own);
    float match = before.x, insert = before.y, deletion = before.z;
    float path = IMPOSSIBLE, most = IMPOSSIBLE, coming = entering;
    uint place = 0;
    const size_t row = (size_t)(i - 1) * steps * STRIPES;
    for (uint first_q = 0; first_q < each; first_q += BLOCK) {
      float4 into_now[BLOCK], out_now[BLOCK];
      float2 forward_now[BLOCK], backward_now[BLOCK];
      EACH {
        const uint at_q = min(first_q + j, last);
        forward_now[j] = count > 0 ? of_forward[row + at_q * STRIPES] : (float2)(0.0f);
        backward_now[j] = count > 0 ? of_backward[row + at_q * STRIPES] : (float2)(0.0f);
        into_now[j] = count > 0 ? of_steps[at_q * 2 * STRIPES] : (float4)(0.0f);
        out_now[j] = count > 0 ? of_steps[at_q * 2 * STRIPES + 1] : (float4)(0.0f);
      }
      EACH if (first_q + j < count) {
        const uint q = first_q + j;
        const float4 into = into_now[j], out = out_now[j];
        const float match_posterior = mul(mul(forward_now[j].x, backward_now[j].x), factor);
        const float insert_posterior = mul(mul(forward_now[j].y, backward_now[j].y), factor);
        finite = finite && match_posterior < INFINITY && insert_posterior < INFINITY;
        WEIGHT(q, 0) = add(match_posterior, WEIGHT(q, 0));
        WEIGHT(q, 1) = add(insert_posterior, WEIGHT(q, 1));
        const float old_match = CELL(q, MATCH), old_insert = CELL(q, INSERT);
        const float old_delete = fmax(CELL(q, DELETE), coming);
        CELL(q, DELETE) = path;
        last_cell.z = path;
        const float from_match = possible(into.y, match), from_insert = possible(into.z, insert);
        const float from_delete = possible(into.w, deletion);
        float best = fmax(from_match, from_insert);
        uint bits = from_insert > from_match ? INSERT_TO_MATCH : 0;
        bits |= from_delete > best ? DELETE_TO_MATCH : 0;
        best = fmax(best, from_delete);
        bits |= possible(into.x, begin) > best ? BEGIN_TO_MATCH : 0;
        bits |= possible(out.z, old_insert) > possible(out.y, old_match) ? STAYS_INSERT : 0;
        bits |= possible(out.w, old_delete) > possible(out.x, old_match) ? STAYS_DELETE : 0;
        choice[row + q * STRIPES] = (uchar)bits;
        coming = possible(out.w, coming);
        best = fmax(fmax(through(into.y, match), through(into.z, insert)),
                    fmax(through(into.w, deletion), through(into.x, begin)));
        best = add(best, match_posterior);
        path = fmax(through(out.x, best), through(out.w, path));
        CELL(q, MATCH) = last_cell.x = best;
        CELL(q, INSERT) = last_cell.y = add(fmax(through(out.z, old_insert), through(out.y, old_match)), insert_posterior);
        if (!(most > best)) place = q;
        most = fmax(most, best);
        match = old_match;
        insert = old_insert;
        deletion = old_delete;
      }
    }
    entering = entering_of(path, &own);
    end = largest(most, &own);
    const float stays = add(after_last, posterior_after);
    // The last of the largest cells in the order of steps; so far the alignment ends here.
    const float step = most == end ? (float)((begin_step + place) * STRIPES + stripe) : -1.0f;
    const uint end_place = (uint)largest(step, &own);
    if (!(possible(loop, stays) > end)) {
      end_node = end_place % STRIPES * steps + end_place / STRIPES + 1;
      end_row = i;
    }
    between = fmax(through(loop, add(between, posterior_between)), 0.0f);
    after_last = fmax(through(loop, stays), end);
    before_first = through(loop, add(before_first, posterior_before));
    begin = fmax(through(move, before_first), through(move, between));
  }
  __global float* const result = results + (size_t)at * RESULT;
  const float bad = largest(finite ? 0.0f : 1.0f, &own);
  if (group.w) {
    const float share = quotient(1.0f, (float)pair.y);
    for (uint q = 0; q < each; ++q) {
      WEIGHT(q, 0) = mul(WEIGHT(q, 0), share);
      WEIGHT(q, 1) = mul(WEIGHT(q, 1), share);
    }
    put_odds(emissions + model.y, steps, each, plain, item, weights, sums, result);
    if (item == 0) result[OUTSIDE] = outside_share(sum_before, sum_between, sum_after, share);
  }
  if (item == 0) {
    result[0] = after_last;
    result[1] = (float)end_row;
    result[2] = (float)end_node;
    result[FINITE] = bad > 0.0f ? 0.0f : 1.0f;
  }
}

// The alignment of each pair, from its last column to its first: a work-item a pair. Node and, from bit 30 on, state; and the
// posterior's bits. ends_only: instead of all columns the last match and, if there is another, the first one, each with its
// row. groups: as above. columns: of a pair from column_places on.
__kernel void alignment(uint count, uint ends_only, __global const uint4* restrict groups,
                        __global const uint4* restrict models, __global const uint4* restrict pairs,
                        __global const uint* restrict column_places, __global const float2* restrict forward_cells,
                        __global const float2* restrict backward_cells, __global const uchar* restrict choices,
                        __global const float* restrict factors, __global float* restrict results,
                        __global uint2* restrict columns) {
  if (get_global_id(0) >= count) return;
  const uint4 group = groups[get_global_id(0)], pair = pairs[group.x];
  const uint steps = models[group.z].z;
  __global float* const result = results + (size_t)group.x * RESULT;
  __global uint2* const column = columns + column_places[group.x];
  uint i = (uint)result[1], k = (uint)result[2], state = MATCH, written = 0;
  if (result[FINITE] == 0.0f) i = 0;
  while (i > 0 && k > 0) {
    const size_t in_row = (size_t)((k - 1) % steps) * STRIPES + (k - 1) / steps;
    const size_t row = (size_t)steps * STRIPES, cell = pair.w + (i - 1) * row + in_row;
    if (state == DELETE) {
      if (!ends_only) column[written++] = (uint2)(k | DELETE << 30, 0);
      --k;
      if (k > 0) {
        const size_t before = (size_t)((k - 1) % steps) * STRIPES + (k - 1) / steps;
        state = choices[pair.w + i * row + before] & STAYS_DELETE ? DELETE : MATCH;
      }
      continue;
    }
    const uint bits = choices[cell];
    if (!ends_only) {
      const float2 f = forward_cells[cell], b = backward_cells[cell];
      const float product = state == MATCH ? mul(f.x, b.x) : mul(f.y, b.y);
      column[written++] = (uint2)(k | state << 30, as_uint(mul(product, factors[pair.z + i])));
    } else if (state == MATCH) {
      column[min(written, 1u)] = (uint2)(k, i);
      written = min(written + 1, 2u);
    }
    --i;
    if (state == INSERT) {
      state = bits & STAYS_INSERT ? INSERT : MATCH;
    } else {
      if (bits & BEGIN_TO_MATCH) break;
      state = bits & DELETE_TO_MATCH ? DELETE : bits & INSERT_TO_MATCH ? INSERT : MATCH;
      --k;
    }
  }
  result[COLUMNS] = (float)written;
}
