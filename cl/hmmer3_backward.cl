// HMMER3's Backward of many pairs of a model and a sequence (docs/spec/hmmer3/forward-backward.md, 3), bit for bit as the
// reference. hmmer3_arithmetic.cl, hmmer3_joins.cl and hmmer3_sweeps.cl, whose macros and tables it uses, come before; not for
// REGIONS.

#define EACH_ROUND_DOWN _Pragma("unroll 1") for (int round = PARTS - 1; round >= 0; --round)
// The value of the first cell that is used.
#if BLOCK > 1
#define FIRST(cells) \
  (own.unused == 0 ? (cells)[0] : own.unused == 1 ? (cells)[1] : own.unused == 2 ? (cells)[2] : (cells)[3])
#else
#define FIRST(cells) (cells)[0]
#endif
// At the end of a round: the part before takes the value for its own.
#if SHARED
#define TAKE_FROM_AFTER(value)                                                           \
  {                                                                                      \
    const float arrived = moved(value, own.after, &own);                                 \
    if ((int)own.part + 1 == round && own.item < own.final_of_stripe) value = arrived;   \
  }
#else
#define TAKE_FROM_AFTER(value)
#endif

// After forward(), of whose `forward_rows` it reads the scales; pairs as there. own_scales: of a pair, 1 if Backward has scaled
// otherwise.
__kernel void backward(__global const uchar* restrict residues, __global const uint4* restrict groups,
                       __global const uint4* restrict models, __global const float4* restrict transitions,
                       __global const float2* restrict into_deletes, __global const float* restrict emissions,
                       __global const uint4* restrict pairs, __global const float2* restrict lengths,
                       __global const float2* restrict forward_rows, __global float2* restrict rows,
                       __global uint* restrict own_scales,
#if KEEPS == ENVELOPES
                       __global Kept* restrict kept,
#endif
                       __local float4* joins) {
  const uint4 group = groups[get_group_id(0)], model = models[group.z];
  const uint steps = model.z;
  Place own = place_of(steps, group.w, joins);
  const uint at = group.x + own.sequence;
  const int there = own.sequence < group.y;
  const uint4 pair = there ? pairs[at] : (uint4)(0);
  const float2 probabilities = there ? lengths[at] : (float2)(0.0f);
  const float move = probabilities.x, loop = probabilities.y;
  const uint longest = LEADER < group.y ? pairs[group.x + LEADER].y : 0;
  const int falling = (model.w & FALLING) != 0;
  __global const float4* const of_steps = transitions + model.x + 2 * own.cell;
  __global const float2* const of_deletes = into_deletes + model.x / 2 + own.cell;
  __global const float2* const of_forward = forward_rows + 3 * (size_t)pair.z;
  __global float2* const own_rows = rows + 3 * (size_t)pair.z;
  // Into the step behind those of this item.
  const float4 into_next = own.item < own.final_of_stripe ? of_steps[2 * STRIPES * own.top]
                           : own.after >= 0               ? transitions[model.x + 2 * (own.stripe + 1)]
                                                          : (float4)(0.0f);

  // Before the last row of a sequence all its cells are 0, which the step from row to row leaves as they are.
  float matches[STEPS], inserts[STEPS], deletes[STEPS];
  EACH_CELL matches[b + j] = inserts[b + j] = deletes[b + j] = 0.0f;
  float end = 0.0f, before_first = 0.0f, between = 0.0f, begin = 0.0f, after_last = 0.0f, scale = 1.0f;
  int scales_itself = 0;
  for (uint i = longest; i > 0; --i) {
    const int on = i <= pair.y, is_last = i == pair.y;
    __global const float* const emission =
        emissions + model.y + (i < pair.y ? residues[pair.x + i] : 0) * steps * STRIPES + own.cell;
    const float arriving = moved(mul(FIRST(matches), emission[own.unused * STRIPES]), own.after, &own);
    float match = arriving, sum = 0.0f, first_delete = 0.0f;
    float4 into = into_next;
    float4 into_ahead[AHEAD], out_ahead[AHEAD];
    float odds_ahead[AHEAD], ahead[AHEAD], through_ahead[AHEAD];
#define READ READ_CELL
    READ_TOP
    EACH_BLOCK_DOWN EACH_DOWN {
      TAKE_CELL
      if (USED) {
        const float insert = inserts[q], below = mul(matches[q], odds);
        inserts[q] = add(mul(insert, out_of_node.z), mul(match, into.z));
        matches[q] = add(mul(insert, out_of_node.y), mul(match, into.y));
        if (b == 0) first_delete = mul(match, into.w);
        // For B and for D of the step before.
        deletes[q] = match = below;
        into = into_node;
      }
    }
#undef READ
#define READ(q) ahead[j % AHEAD] = of_steps[(q) * 2 * STRIPES].x;
    EACH_ROUND_DOWN {
      if (own.part == round) {
        READ_TOP
        EACH_BLOCK_DOWN EACH_DOWN {
          const float begins = ahead[j % AHEAD];
          READ(b + j - AHEAD)
          if (USED) sum = add(sum, mul(deletes[b + j], begins));
        }
      }
      TAKE_FROM_AFTER(sum)
    }
#undef READ
    begin = of_first_parts(sum, &own);
    after_last = is_last ? move : mul(after_last, loop);
    between = add(mul(begin, move), mul(between, loop));
    before_first = add(mul(begin, move), mul(before_first, loop));
    end = add(mul(after_last, TO_C), mul(between, TO_J));

    // D: from here on of this row.
    float after = moved(add(first_delete, end), own.after, &own), path = 0.0f;
    float below = arriving, through = into_next.w;
#define READ(q)                                  \
  ahead[j % AHEAD] = of_deletes[(q) * STRIPES].y;  \
  through_ahead[j % AHEAD] = of_steps[(q) * 2 * STRIPES].w;
    EACH_ROUND_DOWN {
      if (own.part == round) {
        READ_TOP
        EACH_BLOCK_DOWN EACH_DOWN {
          const int q = b + j;
          const float dd = ahead[j % AHEAD], through_now = through_ahead[j % AHEAD];
          READ(q - AHEAD)
          if (USED) {
            path = mul(after, dd);
            after = add(mul(below, through), add(path, end));
            below = deletes[q];
            through = through_now;
            deletes[q] = after;
            matches[q] = add(matches[q], end);
          }
        }
      }
      TAKE_FROM_AFTER(after)
    }
#undef READ
#define READ(q) ahead[j % AHEAD] = of_deletes[(q) * STRIPES].y;
    // D is E at least, so that a path below half of the last digit of E, if no path grows, changes nothing from here on.
    const float negligible = falling ? mul(end, 0x1p-25f) : 0.0f;
    _Pragma("unroll 1") for (int pass = 0; pass < 3; ++pass) {
      path = moved(path, own.after, &own);
      EACH_ROUND_DOWN {
        if (own.part == round && path > negligible) {
          READ_TOP
          EACH_BLOCK_DOWN if (path > negligible) EACH_DOWN {
            const float dd = ahead[j % AHEAD];
            READ(b + j - AHEAD)
            if (USED) {
              path = mul(path, dd);
              deletes[b + j] = add(deletes[b + j], path);
            }
          }
        }
        TAKE_FROM_AFTER(path)
      }
    }
#undef READ
    after = moved(FIRST(deletes), own.after, &own);
#define READ(q) ahead[j % AHEAD] = of_steps[(q) * 2 * STRIPES + 1].x;
    READ_TOP
    EACH_BLOCK_DOWN EACH_DOWN {
      const float md = ahead[j % AHEAD];
      READ(b + j - AHEAD)
      if (USED) {
        matches[b + j] = add(matches[b + j], mul(after, md));
        after = deletes[b + j];
      }
    }
#undef READ
    if (begin > OWN_SCALES) scales_itself = 1;
    scale = !on ? 1.0f : scales_itself ? (begin > TOO_LARGE ? begin : 1.0f) : of_forward[3 * (size_t)i + 2].y;
    if (scale > 1.0f) {
      end = quotient(end, scale);
      before_first = quotient(before_first, scale);
      between = quotient(between, scale);
      begin = quotient(begin, scale);
      after_last = quotient(after_last, scale);
      const float factor = quotient(1.0f, scale);
      EACH_CELL {
        matches[b + j] = mul(matches[b + j], factor);
        inserts[b + j] = mul(inserts[b + j], factor);
        deletes[b + j] = mul(deletes[b + j], factor);
      }
    }
    if (on) {
      __global float2* const row = own_rows + 3 * (size_t)i;
      STORE_ROW(row)
#if KEEPS == ENVELOPES
      if (pair.w != NOT_KEPT) {
        __global Kept* const kept_row = kept + pair.w + (size_t)(i - 1) * steps * STRIPES;
        EACH_CELL kept_row[KEPT_PLACE(b + j)] = KEPT(b + j);
      }
#endif
    }
  }
  // Row 0.
  __global const float* const emission =
      emissions + model.y + (there ? residues[pair.x] : 0) * steps * STRIPES + own.cell;
  float sum = 0.0f;
  EACH_ROUND {
    if (own.part == round) {
      EACH_CELL {
        const uint q = b + j;
        sum = add(sum, mul(mul(matches[q], emission[q * STRIPES]), of_steps[q * 2 * STRIPES].x));
      }
    }
    TAKE_FROM_BEFORE(sum)
  }
  begin = of_last_parts(sum, &own);
  before_first = add(mul(begin, move), mul(before_first, loop));
  end = between = after_last = 0.0f;
  scale = 1.0f;
  if (there) {
    STORE_ROW(own_rows)
    if (own.first) own_scales[at] = scales_itself;
  }
}
