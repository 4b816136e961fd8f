// HMMER3's Forward of many pairs of a model and a sequence, row after row; of a row only the states outside of nodes stay
// (docs/spec/hmmer3/forward-backward.md, 2). Bit for bit as the reference: each sum has its order.
// hmmer3_arithmetic.cl and hmmer3_joins.cl come before. Build options, besides those of hmmer3_joins.cl: LISTED, how many
// scales are listed of a pair; KEEPS, which cells of all rows stay: NOTHING, or for ENVELOPES, parts of sequences that have
// one domain, M and I of both directions, or for REGIONS M, I and D of Forward.

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
#define KEPT(q) (float4)(matches[q], inserts[q], deletes[q], 0.0f)
#else
typedef float2 Kept;
#define KEPT(q) (float2)(matches[q], inserts[q])
#endif

// Of a model beside its nodes: no path of deletes grows.
#define FALLING 0x80000000u

// Rows are scaled when E or B exceed TOO_LARGE; Backward has scales of its own once B exceeds OWN_SCALES, the largest
// float that is at most 1e16.
#define TOO_LARGE 10000.0f
#define OWN_SCALES 0x1.1c3792p+53f

// The row of this pair with the states outside of nodes: e, n, j, b, c, scale.
#define STORE_ROW(to)                                                 \
  if (own.part == 0) {                                                \
    if (own.stripe == 0) (to)[0] = (float2)(end, before_first);       \
    if (own.stripe == 1) (to)[1] = (float2)(between, begin);          \
    if (own.stripe == 2) (to)[2] = (float2)(after_last, scale);       \
  }

// groups: first pair, pairs, model. models: where the transitions begin, where the emissions begin, steps, nodes.
// transitions: [step][stripe] B, M, I, D into the node's match state; MD, MI, II, DD out of it. from_deletes: [step][stripe]
// DD once more, as it is needed alone. emissions: [code][step][stripe]. pairs: first residue, residues, first row, first cell
// that stays. lengths: move and loop of N, J and C. rows: three float2 each. ends, LISTED + 2 floats a pair: the last C, the
// number of rows that were scaled, and the scales of the first LISTED of them.
__kernel void forward(__global const uchar* restrict residues, __global const uint4* restrict groups,
                      __global const uint4* restrict models, __global const float4* restrict transitions,
                      __global const float* restrict from_deletes, __global const float* restrict emissions,
                      __global const uint4* restrict pairs, __global const float2* restrict lengths,
                      __global float2* restrict rows, __global float* restrict ends,
#if KEEPS != NOTHING
                      __global Kept* restrict kept,
#endif
                      uint parts, __local float4* joins) {
  const uint4 group = groups[get_group_id(0)], model = models[group.z];
  const uint steps = model.z;
  Place own = place_of(steps, parts, joins);
  const uint at = group.x + own.sequence;
  const int there = own.sequence < group.y;
  const uint4 pair = there ? pairs[at] : (uint4)(0);
  const float2 probabilities = there ? lengths[at] : (float2)(0.0f);
  const float move = probabilities.x, loop = probabilities.y;
  const uint longest = pairs[group.x].y;
  const int stops_early = (model.w & ~FALLING) >= 100;
  __global const float4* const of_steps = transitions + model.x + 2 * own.cell;
  __global const float* const of_deletes = from_deletes + model.x / 2 + own.cell;
  __global float2* const own_rows = rows + 3 * (size_t)pair.z;

  float matches[STEPS], inserts[STEPS], deletes[STEPS];
  EACH_CELL matches[b + j] = inserts[b + j] = deletes[b + j] = 0.0f;
  float4 last_cell = (float4)(0.0f);  // M, I, D
  float end = 0.0f, before_first = 1.0f, between = 0.0f, begin = move, after_last = 0.0f, scale = 1.0f;
  uint scaled = 0;
  if (there) {
    STORE_ROW(own_rows)
  }
  for (uint i = 0; i < longest; ++i) {
    const int on = i < pair.y;
    __global const float* const emission =
        emissions + model.y + (on ? residues[pair.x + i] : 0) * steps * STRIPES + own.cell;
    // M and I, and of D what comes from M of the same part.
    float4 before = moved4(last_cell, own.before, &own);
    float path = 0.0f;
    float4 into_ahead[BLOCK], out_ahead[BLOCK];
    float odds_ahead[BLOCK], dd_ahead[BLOCK];
#define READ(first)                                  \
  EACH {                                   \
    into_ahead[j] = of_steps[AT((first) + j) * 2 * STRIPES];   \
    out_ahead[j] = of_steps[AT((first) + j) * 2 * STRIPES + 1];\
    odds_ahead[j] = emission[AT((first) + j) * STRIPES];       \
  }
    READ(0)
    EACH_BLOCK {
      float4 into[BLOCK], out[BLOCK];
      float odds[BLOCK];
      EACH into[j] = into_ahead[j], out[j] = out_ahead[j], odds[j] = odds_ahead[j];
      READ(b + BLOCK)
      EACH if (USED) {
        const uint q = b + j;
        float s = mul(begin, into[j].x);
        s = add(s, mul(before.x, into[j].y));
        s = add(s, mul(before.y, into[j].z));
        s = add(s, mul(before.z, into[j].w));
        s = mul(s, odds[j]);
        before = (float4)(matches[q], inserts[q], deletes[q], 0.0f);
        matches[q] = s;
        deletes[q] = path;
        path = mul(s, out[j].x);
        inserts[q] = add(mul(before.x, out[j].y), mul(before.y, out[j].z));
        last_cell.x = s;
        last_cell.y = inserts[q];
      }
    }
#undef READ
    // D from D; and the sum of M.
    const float coming = moved(path, own.before, &own);
    if (own.part > 0) {
      EACH if (j == own.unused) deletes[j] = coming;
    }
    float sum = 0.0f;
    path = coming;
#define READ(first) EACH dd_ahead[j] = of_deletes[AT((first) + j) * STRIPES];
    EACH_ROUND {
      if (own.part == round) {
        READ(0)
        EACH_BLOCK {
          float dd[BLOCK];
          EACH dd[j] = dd_ahead[j];
          READ(b + BLOCK)
          EACH if (USED) {
            const uint q = b + j;
            sum = add(sum, matches[q]);
            const float d = add(path, deletes[q]);
            deletes[q] = last_cell.z = d;
            path = mul(d, dd[j]);
          }
        }
      }
      TAKE_FROM_BEFORE(path)
      TAKE_FROM_BEFORE(sum)
    }
    int going_on = on;
    _Pragma("unroll 1") for (int pass = 0; pass < 3; ++pass) {
      path = moved(path, own.before, &own);
      path = going_on ? path : 0.0f;
      int changed = 0;
      EACH_ROUND {
        if (own.part == round) {
          READ(0)
          EACH_BLOCK {
            float dd[BLOCK];
            EACH dd[j] = dd_ahead[j];
            READ(b + BLOCK)
            EACH if (USED) {
              const uint q = b + j;
              const float d = add(path, deletes[q]);
              changed |= d > deletes[q];
              deletes[q] = last_cell.z = d;
              path = mul(path, dd[j]);
            }
          }
        }
        TAKE_FROM_BEFORE(path)
      }
      if (pass == 2) break;
      if (!stops_early) continue;
      // A sequence in which nothing has changed stops: from here on nothing is added.
      const uint2 going = of_sequences(going_on && changed, &own);
      going_on = going.x != 0;
      if (going.y == 0) break;
    }
#undef READ
#if SHARED
    sum = moved(sum, own.final_of_stripe, &own);
#endif
    EACH_ROUND {
      if (own.part == round) {
        EACH_CELL sum = add(deletes[b + j], sum);
      }
      TAKE_FROM_BEFORE(sum)
    }
    end = of_last_parts(sum, &own);

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
      EACH_CELL {
        matches[b + j] = mul(matches[b + j], factor);
        inserts[b + j] = mul(inserts[b + j], factor);
        deletes[b + j] = mul(deletes[b + j], factor);
      }
      last_cell = (float4)(mul(last_cell.x, factor), mul(last_cell.y, factor), mul(last_cell.z, factor), 0.0f);
      end = 1.0f;
      if (on) {
        if (own.first && scaled < LISTED) ends[(size_t)at * (LISTED + 2) + 2 + scaled] = scale;
        ++scaled;
      }
    }
    if (on) {
      __global float2* const row = own_rows + 3 * (size_t)(i + 1);
      STORE_ROW(row)
      if (own.first && i + 1 == pair.y) {
        ends[(size_t)at * (LISTED + 2)] = after_last;
        ends[(size_t)at * (LISTED + 2) + 1] = (float)scaled;
      }
#if KEEPS != NOTHING
      __global Kept* const kept_row = kept + pair.w + (size_t)i * steps * STRIPES + own.cell;
      EACH_CELL kept_row[(b + j) * STRIPES] = KEPT(b + j);
#endif
    }
  }
}
