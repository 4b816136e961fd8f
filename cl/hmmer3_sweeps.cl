// HMMER3's Forward of many pairs of a model and a sequence, row after row; of a row only the states outside of nodes stay
// (docs/spec/hmmer3/forward-backward.md, 2). Bit for bit as the reference: each sum has its order.
// hmmer3_arithmetic.cl comes before. Build options: UNROLL 1 to read four steps of a loop ahead, as a chain of additions and
// multiplications would wait for memory in each step, else 0; LISTED, how many scales are listed of a pair; KEEPS, which cells of all rows
// stay, NOTHING, or for ENVELOPES, parts of sequences that have one domain, M and I of both directions, or for REGIONS M, I
// and D of Forward.
//
// A work-group has one model and up to a quarter as many sequences as work-items, the longest one first. A sequence has
// four work-items, one for each stripe of nodes: node k lies at step (k - 1) % steps of stripe (k - 1) / steps. A work-item
// reads only its own cells; what it needs of the neighbouring stripe goes through `joins`.

// Steps that are read while those before are computed. What is read behind the last step is not used.
#if UNROLL
#define UNROLLED _Pragma("unroll 4")
#define BLOCK 4
#else
#define UNROLLED
#define BLOCK 1
#endif
#define EACH _Pragma("unroll") for (uint j = 0; j < BLOCK; ++j)
#define UP(q) min((q) + j, last)
#define DOWN(q) ((q) + j < steps ? last - (q)-j : 0)

#define NOTHING 0
#define ENVELOPES 1
#define REGIONS 2

// Steps from E to C and to J.
#if KEEPS == ENVELOPES
#define TO_C 1.0f
#define TO_J 0.0f
#else
#define TO_C 0.5f
#define TO_J 0.5f
#endif

// What stays of a cell: M and I, or M, I, D and nothing. A pair's cells: [row, from 1][step][stripe].
#if KEEPS == REGIONS
typedef float4 Kept;
#define KEPT(q) (float4)(CELL(q, MATCH), CELL(q, INSERT), CELL(q, DELETE), 0.0f)
#else
typedef float2 Kept;
#define KEPT(q) (float2)(CELL(q, MATCH), CELL(q, INSERT))
#endif

// Of a model beside its nodes: no path of deletes grows.
#define FALLING 0x80000000u

#define STRIPES 4
#define MATCH 0
#define DELETE 1
#define INSERT 2

// Rows are scaled when E or B exceed TOO_LARGE; Backward has scales of its own once B exceeds OWN_SCALES, the largest
// float that is at most 1e16.
#define TOO_LARGE 10000.0f
#define OWN_SCALES 0x1.1c3792p+53f

#define CELL(q, state) cells[((q)*3 + (state)) * items + item]
// The row of this pair with the states outside of nodes: e, n, j, b, c, scale.
#define STORE_ROW(to)                                            \
  if (stripe == 0) (to)[0] = (float2)(end, before_first);        \
  if (stripe == 1) (to)[1] = (float2)(between, begin);           \
  if (stripe == 2) (to)[2] = (float2)(after_last, scale);

// The value of the work-item `to` places on, which belongs to a stripe beside; 0 if there is none. For all work-items.
inline float of_neighbour(float value, __local float* join, uint item, int to, int there) {
  join[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return there ? join[item + to] : 0.0f;
}

// The sum over the stripes of a sequence. For all work-items.
inline float of_all_stripes(float value, __local float* join, uint item) {
  join[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint first = item - item % STRIPES;
  return add(add(join[first], join[first + 1]), add(join[first + 2], join[first + 3]));
}

// groups: first pair, pairs, model. models: where the transitions begin, where the emissions begin, steps, nodes.
// transitions: [step][stripe] B, M, I, D into the node's match state; MD, MI, II, DD out of it. deletes: [step][stripe] DD
// once more, as it is needed alone. emissions: [code][step][stripe]. pairs: first residue, residues, first row, first cell
// that stays. lengths: move and loop of N, J and C. rows: three float2 each. ends, LISTED + 2 floats a pair: the last C, the
// number of rows that were scaled, and the scales of the first LISTED of them.
__kernel void forward(__global const uchar* restrict residues, __global const uint4* restrict groups,
                      __global const uint4* restrict models, __global const float4* restrict transitions,
                      __global const float* restrict deletes, __global const float* restrict emissions, __global const uint4* restrict pairs,
                      __global const float2* restrict lengths, __global float2* restrict rows,
                      __global float* restrict ends,
#if KEEPS != NOTHING
                      __global Kept* restrict kept,
#endif
                      __local float* cells, __local float* joins, __local int* changing) {
  const uint item = get_local_id(0), items = get_local_size(0), stripe = item % STRIPES;
  const uint4 group = groups[get_group_id(0)], model = models[group.z];
  const uint steps = model.z, at = group.x + item / STRIPES;
  const int there = item / STRIPES < group.y;
  const uint4 pair = there ? pairs[at] : (uint4)(0);
  const float2 probabilities = there ? lengths[at] : (float2)(0.0f);
  const float move = probabilities.x, loop = probabilities.y;
  const uint longest = pairs[group.x].y;
  const uint last = steps - 1;
  const int has_before = stripe > 0, stops_early = (model.w & ~FALLING) >= 100;
  __global const float4* const of_steps = transitions + model.x + 2 * stripe;
  __global const float* const of_deletes = deletes + model.x / 2 + stripe;
  __global float2* const own_rows = rows + 3 * (size_t)pair.z;

  UNROLLED for (uint q = 0; q < steps; ++q) CELL(q, MATCH) = CELL(q, DELETE) = CELL(q, INSERT) = 0.0f;
  float end = 0.0f, before_first = 1.0f, between = 0.0f, begin = move, after_last = 0.0f, scale = 1.0f;
  uint scaled = 0;
  if (there) {
    STORE_ROW(own_rows)
  }
  for (uint i = 0; i < longest; ++i) {
    const int on = i < pair.y;
    __global const float* const emission =
        emissions + model.y + (on ? residues[pair.x + i] : 0) * steps * STRIPES + stripe;
    // M and I, and of D what comes from M.
    joins[item] = CELL(steps - 1, MATCH);
    joins[items + item] = CELL(steps - 1, INSERT);
    float deletion = of_neighbour(CELL(steps - 1, DELETE), joins + 2 * items, item, -1, has_before);
    float match = has_before ? joins[item - 1] : 0.0f, insert = has_before ? joins[items + item - 1] : 0.0f;
    float sum = 0.0f, path = 0.0f;
    float4 into_ahead[BLOCK], out_ahead[BLOCK];
    float match_ahead[BLOCK], insert_ahead[BLOCK], delete_ahead[BLOCK], emission_ahead[BLOCK];
#define READ(q)                                         \
  EACH {                                                \
    into_ahead[j] = of_steps[UP(q) * 2 * STRIPES];      \
    out_ahead[j] = of_steps[UP(q) * 2 * STRIPES + 1];   \
    emission_ahead[j] = emission[UP(q) * STRIPES];      \
    match_ahead[j] = CELL(UP(q), MATCH);                \
    insert_ahead[j] = CELL(UP(q), INSERT);              \
    delete_ahead[j] = CELL(UP(q), DELETE);              \
  }
    READ(0)
    for (uint q = 0; q < steps; q += BLOCK) {
      float4 into[BLOCK], out[BLOCK];
      float match_now[BLOCK], insert_now[BLOCK], delete_now[BLOCK], odds[BLOCK];
      EACH {
        into[j] = into_ahead[j], out[j] = out_ahead[j], odds[j] = emission_ahead[j];
        match_now[j] = match_ahead[j], insert_now[j] = insert_ahead[j], delete_now[j] = delete_ahead[j];
      }
      READ(q + BLOCK)
      EACH if (q + j < steps) {
        float s = mul(begin, into[j].x);
        s = add(s, mul(match, into[j].y));
        s = add(s, mul(insert, into[j].z));
        s = add(s, mul(deletion, into[j].w));
        s = mul(s, odds[j]);
        sum = add(sum, s);
        match = match_now[j];
        insert = insert_now[j];
        deletion = delete_now[j];
        CELL(q + j, MATCH) = s;
        CELL(q + j, DELETE) = path;
        path = mul(s, out[j].x);
        CELL(q + j, INSERT) = add(mul(match, out[j].y), mul(insert, out[j].z));
      }
    }
#undef READ
    // D from D.
    if (item < 2) changing[item] = 0;
    path = of_neighbour(path, joins + 3 * items, item, -1, has_before);
    float dd_ahead[BLOCK];
#define READ(q)                                 \
  EACH {                                        \
    delete_ahead[j] = CELL(UP(q), DELETE);      \
    dd_ahead[j] = of_deletes[UP(q) * STRIPES];  \
  }
    READ(0)
    for (uint q = 0; q < steps; q += BLOCK) {
      float delete_now[BLOCK], dd[BLOCK];
      EACH delete_now[j] = delete_ahead[j], dd[j] = dd_ahead[j];
      READ(q + BLOCK)
      EACH if (q + j < steps) {
        const float d = add(path, delete_now[j]);
        CELL(q + j, DELETE) = d;
        path = mul(d, dd[j]);
      }
    }
    int going_on = on;
    for (int pass = 0; pass < 3; ++pass) {
      path = of_neighbour(path, joins + (4 + pass % 2) * items, item, -1, has_before);
      if (pass > 0 && stops_early) {
        if (!changing[pass - 1]) break;
        // A sequence in which nothing has changed stops: from here on nothing is added.
        __local const int* const changed = changing + 2 + (pass - 1) * items + (item - stripe);
        going_on = going_on && (changed[0] | changed[1] | changed[2] | changed[3]);
        path = going_on ? path : 0.0f;
      }
      int changed = 0;
      READ(0)
      for (uint q = 0; q < steps; q += BLOCK) {
        float before[BLOCK], dd[BLOCK];
        EACH before[j] = delete_ahead[j], dd[j] = dd_ahead[j];
        READ(q + BLOCK)
        EACH if (q + j < steps) {
          const float d = add(path, before[j]);
          changed |= d > before[j];
          CELL(q + j, DELETE) = d;
          path = mul(path, dd[j]);
        }
      }
      if (pass == 2) break;
      changing[2 + pass * items + item] = changed;
      if (going_on && changed) changing[pass] = 1;
    }
#undef READ
    UNROLLED for (uint q = 0; q < steps; ++q) sum = add(CELL(q, DELETE), sum);
    end = of_all_stripes(sum, joins + 6 * items, item);

    before_first = mul(before_first, loop);
    after_last = add(mul(after_last, loop), mul(end, TO_C));
    between = add(mul(between, loop), mul(end, TO_J));
    begin = add(mul(between, move), mul(before_first, move));
    scale = 1.0f;
    if (end > TOO_LARGE) {
      before_first = quotient(before_first, end);
      after_last = quotient(after_last, end);
      between = quotient(between, end);
      begin = quotient(begin, end);
      scale = end;
      const float factor = quotient(1.0f, end);
      UNROLLED for (uint q = 0; q < steps; ++q) {
        CELL(q, MATCH) = mul(CELL(q, MATCH), factor);
        CELL(q, DELETE) = mul(CELL(q, DELETE), factor);
        CELL(q, INSERT) = mul(CELL(q, INSERT), factor);
      }
      end = 1.0f;
      if (on) {
        if (stripe == 0 && scaled < LISTED) ends[(size_t)at * (LISTED + 2) + 2 + scaled] = scale;
        ++scaled;
      }
    }
    if (on) {
      __global float2* const row = own_rows + 3 * (size_t)(i + 1);
      STORE_ROW(row)
      if (stripe == 0 && i + 1 == pair.y) {
        ends[(size_t)at * (LISTED + 2)] = after_last;
        ends[(size_t)at * (LISTED + 2) + 1] = (float)scaled;
      }
#if KEEPS != NOTHING
      __global Kept* const kept_row = kept + pair.w + (size_t)i * steps * STRIPES + stripe;
      UNROLLED for (uint q = 0; q < steps; ++q) kept_row[q * STRIPES] = KEPT(q);
#endif
    }
  }
}
