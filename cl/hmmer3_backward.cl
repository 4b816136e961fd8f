// HMMER3's Backward of many pairs of a model and a sequence (docs/spec/hmmer3/forward-backward.md, 3), bit for bit as the
// reference. hmmer3_arithmetic.cl and hmmer3_sweeps.cl, whose macros and tables it uses, come before; not for REGIONS.

// After forward(), of whose `forward_rows` it reads the scales; pairs as there. own_scales: of a pair, 1 if Backward has scaled
// otherwise.
__kernel void backward(__global const uchar* restrict residues, __global const uint4* restrict groups,
                       __global const uint4* restrict models, __global const float4* restrict transitions,
                       __global const float* restrict deletes, __global const float* restrict emissions, __global const uint4* restrict pairs,
                       __global const float2* restrict lengths, __global const float2* restrict forward_rows,
                       __global float2* restrict rows, __global uint* restrict own_scales,
#if KEEPS == ENVELOPES
                       __global Kept* restrict kept,
#endif
                       __local float* cells, __local float* joins) {
  const uint item = get_local_id(0), items = get_local_size(0), stripe = item % STRIPES;
  const uint4 group = groups[get_group_id(0)], model = models[group.z];
  const uint steps = model.z, at = group.x + item / STRIPES;
  const int there = item / STRIPES < group.y;
  const uint4 pair = there ? pairs[at] : (uint4)(0);
  const float2 probabilities = there ? lengths[at] : (float2)(0.0f);
  const float move = probabilities.x, loop = probabilities.y;
  const uint longest = pairs[group.x].y;
  const uint last = steps - 1;
  const int has_after = stripe + 1 < STRIPES, falling = (model.w & FALLING) != 0;
  __global const float4* const of_steps = transitions + model.x + 2 * stripe;
  __global const float* const of_deletes = deletes + model.x / 2 + stripe;
  __global const float2* const of_forward = forward_rows + 3 * (size_t)pair.z;
  __global float2* const own_rows = rows + 3 * (size_t)pair.z;
  const float4 into_next = has_after ? of_steps[2] : (float4)(0.0f);

  // Before the last row of a sequence all its cells are 0, which the step from row to row leaves as they are.
  UNROLLED for (uint q = 0; q < steps; ++q) CELL(q, MATCH) = CELL(q, DELETE) = CELL(q, INSERT) = 0.0f;
  float end = 0.0f, before_first = 0.0f, between = 0.0f, begin = 0.0f, after_last = 0.0f, scale = 1.0f;
  int own = 0;
  for (uint i = longest; i > 0; --i) {
    const int on = i <= pair.y, is_last = i == pair.y;
    __global const float* const emission =
        emissions + model.y + (i < pair.y ? residues[pair.x + i] : 0) * steps * STRIPES + stripe;
    float match = of_neighbour(mul(CELL(0, MATCH), emission[0]), joins, item, 1, has_after);
    float4 into = into_next;
    float sum = 0.0f;
    float4 into_ahead[BLOCK], out_ahead[BLOCK];
    float match_ahead[BLOCK], insert_ahead[BLOCK], delete_ahead[BLOCK], emission_ahead[BLOCK];
#define READ(q)                                         \
  EACH {                                                \
    into_ahead[j] = of_steps[DOWN(q) * 2 * STRIPES];    \
    out_ahead[j] = of_steps[DOWN(q) * 2 * STRIPES + 1]; \
    emission_ahead[j] = emission[DOWN(q) * STRIPES];    \
    match_ahead[j] = CELL(DOWN(q), MATCH);              \
    insert_ahead[j] = CELL(DOWN(q), INSERT);            \
  }
    READ(0)
    for (uint t = 0; t < steps; t += BLOCK) {
      float4 into_now[BLOCK], out[BLOCK];
      float match_now[BLOCK], insert_now[BLOCK], odds[BLOCK];
      EACH {
        into_now[j] = into_ahead[j], out[j] = out_ahead[j], odds[j] = emission_ahead[j];
        match_now[j] = match_ahead[j], insert_now[j] = insert_ahead[j];
      }
      READ(t + BLOCK)
      EACH if (t + j < steps) {
        const uint q = last - t - j;
        CELL(q, INSERT) = add(mul(insert_now[j], out[j].z), mul(match, into.z));
        CELL(q, DELETE) = mul(match, into.w);
        CELL(q, MATCH) = add(mul(insert_now[j], out[j].y), mul(match, into.y));
        match = mul(match_now[j], odds[j]);
        into = into_now[j];
        sum = add(sum, mul(match, into.x));
      }
    }
#undef READ
    begin = of_all_stripes(sum, joins + items, item);
    after_last = is_last ? move : mul(after_last, loop);
    between = add(mul(begin, move), mul(between, loop));
    before_first = add(mul(begin, move), mul(before_first, loop));
    end = add(mul(after_last, TO_C), mul(between, TO_J));

    float after = of_neighbour(add(CELL(0, DELETE), end), joins + 2 * items, item, 1, has_after), path = 0.0f;
    float dd_ahead[BLOCK];
#define READ(q)                                   \
  EACH {                                          \
    delete_ahead[j] = CELL(DOWN(q), DELETE);      \
    match_ahead[j] = CELL(DOWN(q), MATCH);        \
    dd_ahead[j] = of_deletes[DOWN(q) * STRIPES];  \
  }
    READ(0)
    for (uint t = 0; t < steps; t += BLOCK) {
      float match_now[BLOCK], delete_now[BLOCK], dd[BLOCK];
      EACH match_now[j] = match_ahead[j], delete_now[j] = delete_ahead[j], dd[j] = dd_ahead[j];
      READ(t + BLOCK)
      EACH if (t + j < steps) {
        const uint q = last - t - j;
        path = mul(after, dd[j]);
        after = add(delete_now[j], add(path, end));
        CELL(q, DELETE) = after;
        CELL(q, MATCH) = add(match_now[j], end);
      }
    }
#undef READ
#define READ(q)                                   \
  EACH {                                          \
    delete_ahead[j] = CELL(DOWN(q), DELETE);      \
    dd_ahead[j] = of_deletes[DOWN(q) * STRIPES];  \
  }
    // D is E at least, so that a path below half of the last digit of E, if no path grows, changes nothing from here on.
    const float negligible = falling ? mul(end, 0x1p-25f) : 0.0f;
    for (int pass = 0; pass < 3; ++pass) {
      path = of_neighbour(path, joins + (3 + pass) * items, item, 1, has_after);
      READ(0)
      for (uint t = 0; t < steps; t += BLOCK) {
        if (!(path > negligible)) {
          path = 0.0f;
          break;
        }
        float delete_now[BLOCK], dd[BLOCK];
        EACH delete_now[j] = delete_ahead[j], dd[j] = dd_ahead[j];
        READ(t + BLOCK)
        EACH if (t + j < steps) {
          path = mul(path, dd[j]);
          CELL(last - t - j, DELETE) = add(delete_now[j], path);
        }
      }
    }
#undef READ
    after = of_neighbour(CELL(0, DELETE), joins + 6 * items, item, 1, has_after);
#define READ(q)                                           \
  EACH {                                                  \
    delete_ahead[j] = CELL(DOWN(q), DELETE);              \
    match_ahead[j] = CELL(DOWN(q), MATCH);                \
    dd_ahead[j] = of_steps[DOWN(q) * 2 * STRIPES + 1].x;  \
  }
    READ(0)
    for (uint t = 0; t < steps; t += BLOCK) {
      float match_now[BLOCK], delete_now[BLOCK], md[BLOCK];
      EACH match_now[j] = match_ahead[j], delete_now[j] = delete_ahead[j], md[j] = dd_ahead[j];
      READ(t + BLOCK)
      EACH if (t + j < steps) {
        CELL(last - t - j, MATCH) = add(match_now[j], mul(after, md[j]));
        after = delete_now[j];
      }
    }
#undef READ
    if (begin > OWN_SCALES) own = 1;
    scale = !on ? 1.0f : own ? (begin > TOO_LARGE ? begin : 1.0f) : of_forward[3 * (size_t)i + 2].y;
    if (scale > 1.0f) {
      end = quotient(end, scale);
      before_first = quotient(before_first, scale);
      between = quotient(between, scale);
      begin = quotient(begin, scale);
      after_last = quotient(after_last, scale);
      const float factor = quotient(1.0f, scale);
      UNROLLED for (uint q = 0; q < steps; ++q) {
        CELL(q, MATCH) = mul(CELL(q, MATCH), factor);
        CELL(q, DELETE) = mul(CELL(q, DELETE), factor);
        CELL(q, INSERT) = mul(CELL(q, INSERT), factor);
      }
    }
    if (on) {
      __global float2* const row = own_rows + 3 * (size_t)i;
      STORE_ROW(row)
#if KEEPS == ENVELOPES
      __global Kept* const kept_row = kept + pair.w + (size_t)(i - 1) * steps * STRIPES + stripe;
      UNROLLED for (uint q = 0; q < steps; ++q) kept_row[q * STRIPES] = KEPT(q);
#endif
    }
  }
  // Row 0.
  __global const float* const emission =
      emissions + model.y + (there ? residues[pair.x] : 0) * steps * STRIPES + stripe;
  float sum = 0.0f;
  UNROLLED for (uint q = 0; q < steps; ++q) {
    sum = add(sum, mul(mul(CELL(q, MATCH), emission[q * STRIPES]), of_steps[q * 2 * STRIPES].x));
  }
  begin = of_all_stripes(sum, joins + 7 * items, item);
  before_first = add(mul(begin, move), mul(before_first, loop));
  end = between = after_last = 0.0f;
  scale = 1.0f;
  if (there) {
    STORE_ROW(own_rows)
    if (stripe == 0) own_scales[at] = own;
  }
}
