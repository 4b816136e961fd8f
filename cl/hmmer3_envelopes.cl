// Posterior decoding, null2 odds and the alignment of optimal accuracy of many envelopes, after Forward and Backward of
// cl/hmmer3_sweeps.cl with KEEPS ENVELOPES (docs/spec/hmmer3/domains.md, 8 to 10). Bit for bit as the reference: each sum has
// its order, maxima have none. hmmer3_arithmetic.cl comes before. Build option: UNROLL 1 to read four steps ahead, else 0.
//
// Work-groups, models and pairs are those of Backward. The matrix of accuracies is not kept: of each cell, bits say which
// state before it the alignment comes from. D of a row is complete when the next row reads it: until then it lacks paths over
// stripe borders, which are one value a stripe.

#if UNROLL
#define BLOCK 4
#else
#define BLOCK 1
#endif
#define EACH _Pragma("unroll") for (uint j = 0; j < BLOCK; ++j)

#define STRIPES 4
#define MATCH 0
#define DELETE 1
#define INSERT 2
#define CELL(q, state) cells[((q)*3 + (state)) * items + item]
// Sums of posteriors of M and I.
#define WEIGHT(q, insert) weights[((q)*2 + (insert)) * items + item]

// M comes from I rather than M; from D rather than these; from B rather than these; I from I rather than M. In the row below:
// D of the next node comes from D rather than M.
#define INSERT_TO_MATCH 1
#define DELETE_TO_MATCH 2
#define BEGIN_TO_MATCH 4
#define STAYS_INSERT 8
#define STAYS_DELETE 16

// Of a pair: accuracy, the row and the node of the last match, 0 if a posterior is no finite number, the share of residues
// outside of nodes, the number of columns, and from ODDS on the null2 odds without that share.
#define RESULT 32
#define ODDS 6

// A step that is impossible contributes 0 while cells are computed, and is not taken.
#define IMPOSSIBLE (-INFINITY)
inline float possible(float probability, float value) { return probability > 0.0f ? value : IMPOSSIBLE; }
inline float through(float probability, float value) { return probability > 0.0f ? value : 0.0f; }

// The value of the work-item of the stripe before; impossible if there is none. For all work-items.
inline float from_before(float value, __local float* join, uint item) {
  join[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return item % STRIPES > 0 ? join[item - 1] : IMPOSSIBLE;
}

// forward_rows, backward_rows: of a pair from its first row on three float2 a row: e, n, j, b, c, scale. forward_cells, backward_cells: of
// a pair from its first cell on, [row, from 1][step][stripe] M and I. choices: bits in the same order. factors: of each row,
// which make posteriors of the products of cells. plain: residues that are not degenerate.
__kernel void accuracy(__global const uint4* restrict groups, __global const uint4* restrict models,
                       __global const float4* restrict transitions, __global const float* restrict emissions,
                       __global const uint4* restrict pairs, __global const float2* restrict lengths,
                       __global const float2* restrict forward_rows, __global const float2* restrict backward_rows,
                       __global const float2* restrict forward_cells, __global const float2* restrict backward_cells,
                       __global uchar* restrict choices, __global float* restrict factors, __global float* restrict results, uint plain,
                       __local float* cells, __local float* weights, __local float* joins, __local int* bad) {
  const uint item = get_local_id(0), items = get_local_size(0), stripe = item % STRIPES, first = item - stripe;
  const uint4 group = groups[get_group_id(0)], model = models[group.z];
  const uint steps = model.z, at = group.x + item / STRIPES, last = steps - 1;
  const int there = item / STRIPES < group.y;
  const uint4 pair = there ? pairs[at] : (uint4)(0);
  const float move = there ? lengths[at].x : 0.0f, loop = there ? lengths[at].y : 0.0f;
  const uint longest = pairs[group.x].y;
  __global const float4* const of_steps = transitions + model.x + 2 * stripe;
  __global const float2* const forward = forward_rows + 3 * (size_t)pair.z;
  __global const float2* const backward = backward_rows + 3 * (size_t)pair.z;
  __global const float2* const of_forward = forward_cells + pair.w + stripe;
  __global const float2* const of_backward = backward_cells + pair.w + stripe;
  __global uchar* const choice = choices + pair.w + stripe;

  // Whether a path of deletes can pass the stripe, and reach its last node.
  int passes = 1, reaches = 1;
  for (uint q = 0; q < steps; ++q) {
    CELL(q, MATCH) = CELL(q, DELETE) = CELL(q, INSERT) = IMPOSSIBLE;
    WEIGHT(q, 0) = WEIGHT(q, 1) = 0.0f;
    reaches = passes;
    passes = passes && of_steps[q * 2 * STRIPES + 1].w > 0.0f;
  }
  const float scale = there ? quotient(1.0f, backward[0].y) : 1.0f;
  float end = IMPOSSIBLE, before_first = 0.0f, between = IMPOSSIBLE, begin = 0.0f, after_last = IMPOSSIBLE;
  float sum_before = 0.0f, sum_between = 0.0f, sum_after = 0.0f;
  float entering = IMPOSSIBLE;
  uint end_row = 0, end_node = 0;
  int finite = scale < INFINITY;
  for (uint i = 1; i <= longest; ++i) {
    const int on = i <= pair.y;
    float factor = 0.0f, posterior_before = 0.0f, posterior_between = 0.0f, posterior_after = 0.0f;
    if (on) {
      __global const float2* const f = forward + 3 * (size_t)(i - 1);
      __global const float2* const b = backward + 3 * (size_t)i;
      factor = mul(scale, f[3 + 2].y);
      posterior_before = mul(mul(mul(f[0].y, b[0].y), loop), scale);
      posterior_between = mul(mul(mul(f[1].x, b[1].x), loop), scale);
      posterior_after = mul(mul(mul(f[2].x, b[2].x), loop), scale);
      sum_before = add(sum_before, posterior_before);
      sum_between = add(sum_between, posterior_between);
      sum_after = add(sum_after, posterior_after);
      if (stripe == 0) factors[pair.z + i] = factor;
    }
    joins[item] = CELL(last, MATCH);
    joins[items + item] = CELL(last, INSERT);
    const float last_delete = reaches ? fmax(CELL(last, DELETE), entering) : CELL(last, DELETE);
    float deletion = from_before(last_delete, joins + 2 * items, item);
    float match = stripe > 0 ? joins[item - 1] : IMPOSSIBLE;
    float insert = stripe > 0 ? joins[items + item - 1] : IMPOSSIBLE;
    float path = IMPOSSIBLE, most = IMPOSSIBLE, coming = entering;
    uint place = 0;
    const size_t row = on ? (size_t)(i - 1) * steps * STRIPES : 0;
    float4 into_ahead[BLOCK], out_ahead[BLOCK];
    float2 forward_ahead[BLOCK], backward_ahead[BLOCK], weight_ahead[BLOCK];
    float match_ahead[BLOCK], insert_ahead[BLOCK], delete_ahead[BLOCK];
#define READ(q)                                                    \
  EACH {                                                           \
    const uint at_q = min((q) + j, last);                          \
    forward_ahead[j] = of_forward[row + at_q * STRIPES];           \
    backward_ahead[j] = of_backward[row + at_q * STRIPES];         \
    into_ahead[j] = of_steps[at_q * 2 * STRIPES];                  \
    out_ahead[j] = of_steps[at_q * 2 * STRIPES + 1];               \
    match_ahead[j] = CELL(at_q, MATCH);                            \
    insert_ahead[j] = CELL(at_q, INSERT);                          \
    delete_ahead[j] = CELL(at_q, DELETE);                          \
    weight_ahead[j] = (float2)(WEIGHT(at_q, 0), WEIGHT(at_q, 1));  \
  }
    READ(0)
    for (uint first_q = 0; first_q < steps; first_q += BLOCK) {
      float4 into_now[BLOCK], out_now[BLOCK];
      float2 forward_now[BLOCK], backward_now[BLOCK], weight_now[BLOCK];
      float match_now[BLOCK], insert_now[BLOCK], delete_now[BLOCK];
      EACH {
        into_now[j] = into_ahead[j], out_now[j] = out_ahead[j], weight_now[j] = weight_ahead[j];
        forward_now[j] = forward_ahead[j], backward_now[j] = backward_ahead[j];
        match_now[j] = match_ahead[j], insert_now[j] = insert_ahead[j], delete_now[j] = delete_ahead[j];
      }
      READ(first_q + BLOCK)
      EACH if (first_q + j < steps) {
        const uint q = first_q + j;
        const float4 into = into_now[j], out = out_now[j];
        // Rows behind the last one of a sequence have a factor of 0, but not always finite cells.
        const float match_posterior = on ? mul(mul(forward_now[j].x, backward_now[j].x), factor) : 0.0f;
        const float insert_posterior = on ? mul(mul(forward_now[j].y, backward_now[j].y), factor) : 0.0f;
        finite = finite && match_posterior < INFINITY && insert_posterior < INFINITY;
        WEIGHT(q, 0) = add(match_posterior, weight_now[j].x);
        WEIGHT(q, 1) = add(insert_posterior, weight_now[j].y);
        const float old_match = match_now[j], old_insert = insert_now[j];
        const float old_delete = fmax(delete_now[j], coming);
        CELL(q, DELETE) = path;
        const float from_match = possible(into.y, match), from_insert = possible(into.z, insert);
        const float from_delete = possible(into.w, deletion);
        float best = fmax(from_match, from_insert);
        uint bits = from_insert > from_match ? INSERT_TO_MATCH : 0;
        bits |= from_delete > best ? DELETE_TO_MATCH : 0;
        best = fmax(best, from_delete);
        bits |= possible(into.x, begin) > best ? BEGIN_TO_MATCH : 0;
        bits |= possible(out.z, old_insert) > possible(out.y, old_match) ? STAYS_INSERT : 0;
        bits |= possible(out.w, old_delete) > possible(out.x, old_match) ? STAYS_DELETE : 0;
        if (on) choice[row + q * STRIPES] = (uchar)bits;
        coming = possible(out.w, coming);
        best = fmax(fmax(through(into.y, match), through(into.z, insert)),
                    fmax(through(into.w, deletion), through(into.x, begin)));
        best = add(best, match_posterior);
        path = fmax(through(out.x, best), through(out.w, path));
        CELL(q, MATCH) = best;
        CELL(q, INSERT) = add(fmax(through(out.z, old_insert), through(out.y, old_match)), insert_posterior);
        if (!(most > best)) place = q;
        most = fmax(most, best);
        match = old_match;
        insert = old_insert;
        deletion = old_delete;
      }
    }
#undef READ
    // What enters the stripe's D from those before.
    float leaving = path;
    for (int border = 2; border < STRIPES; ++border) {
      const float passing = from_before(leaving, joins + (1 + border) * items, item);
      leaving = fmax(path, passes ? passing : IMPOSSIBLE);
    }
    entering = from_before(leaving, joins + 5 * items, item);

    joins[6 * items + item] = most;
    joins[7 * items + item] = (float)place;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (on) {
      __local const float* const mosts = joins + 6 * items + first;
      __local const float* const places = joins + 7 * items + first;
      end = fmax(fmax(mosts[0], mosts[1]), fmax(mosts[2], mosts[3]));
      const float stays = add(after_last, posterior_after);
      if (!(possible(loop, stays) > end)) {
        // So far the alignment ends here, in the last of the largest cells in the order of steps.
        float latest = -1.0f;
        for (uint r = 0; r < STRIPES; ++r) {
          if (mosts[r] != end || places[r] < latest) continue;
          latest = places[r];
          end_node = r * steps + (uint)latest + 1;
        }
        end_row = i;
      }
      between = fmax(through(loop, add(between, posterior_between)), 0.0f);
      after_last = fmax(through(loop, stays), end);
      before_first = through(loop, add(before_first, posterior_before));
      begin = fmax(through(move, before_first), through(move, between));
    }
  }
  __global float* const result = results + (size_t)at * RESULT;
  const float share = there ? quotient(1.0f, (float)pair.y) : 0.0f;
  bad[item] = !finite;
  for (uint q = 0; q < steps; ++q) {
    WEIGHT(q, 0) = mul(WEIGHT(q, 0), share);
    WEIGHT(q, 1) = mul(WEIGHT(q, 1), share);
  }
  for (uint x = 0; x < plain; ++x) {
    __global const float* const emission = emissions + model.y + x * steps * STRIPES + stripe;
    float sum = 0.0f;
    for (uint q = 0; q < steps; ++q) sum = add(add(sum, mul(WEIGHT(q, 0), emission[q * STRIPES])), WEIGHT(q, 1));
    joins[(x % 2) * items + item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const float* const sums = joins + (x % 2) * items + first;
    if (there && stripe == 0) result[ODDS + x] = add(add(sums[0], sums[1]), add(sums[2], sums[3]));
  }
  if (there && stripe == 0) {
    result[0] = after_last;
    result[1] = (float)end_row;
    result[2] = (float)end_node;
    result[3] = bad[first] | bad[first + 1] | bad[first + 2] | bad[first + 3] ? 0.0f : 1.0f;
    result[4] = add(add(mul(sum_before, share), mul(sum_after, share)), mul(sum_between, share));
  }
}

// The alignment of each pair, from its last column to its first: a work-item a pair. Node and, from bit 30 on, state; and the
// posterior's bits. columns: of a pair from column_places on.
__kernel void alignment(uint count, __global const uint4* restrict models, __global const uint4* restrict pairs,
                        __global const uint2* restrict column_places, __global const float2* restrict forward_cells,
                        __global const float2* restrict backward_cells, __global const uchar* restrict choices, __global const float* restrict factors,
                        __global float* restrict results, __global uint2* restrict columns) {
  const uint at = get_global_id(0);
  if (at >= count) return;
  const uint4 pair = pairs[at];
  const uint2 places = column_places[at];
  const uint steps = models[places.y].z;
  __global float* const result = results + (size_t)at * RESULT;
  __global uint2* const column = columns + places.x;
  uint i = (uint)result[1], k = (uint)result[2], state = MATCH, written = 0;
  if (result[3] == 0.0f) i = 0;
  while (i > 0 && k > 0) {
    const size_t in_row = (size_t)((k - 1) % steps) * STRIPES + (k - 1) / steps;
    const size_t row = (size_t)steps * STRIPES, cell = pair.w + (i - 1) * row + in_row;
    if (state == DELETE) {
      column[written++] = (uint2)(k | DELETE << 30, 0);
      --k;
      if (k > 0) {
        const size_t before = (size_t)((k - 1) % steps) * STRIPES + (k - 1) / steps;
        state = choices[pair.w + i * row + before] & STAYS_DELETE ? DELETE : MATCH;
      }
      continue;
    }
    const uint bits = choices[cell];
    const float2 f = forward_cells[cell], b = backward_cells[cell];
    const float product = state == MATCH ? mul(f.x, b.x) : mul(f.y, b.y);
    column[written++] = (uint2)(k | state << 30, as_uint(mul(product, factors[pair.z + i])));
    --i;
    if (state == INSERT) {
      state = bits & STAYS_INSERT ? INSERT : MATCH;
    } else {
      if (bits & BEGIN_TO_MATCH) break;
      state = bits & DELETE_TO_MATCH ? DELETE : bits & INSERT_TO_MATCH ? INSERT : MATCH;
      --k;
    }
  }
  result[5] = (float)written;
}
