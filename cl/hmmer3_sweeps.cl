// HMMER3's Forward of many pairs of a model and a sequence, row after row; of a row only the states outside of nodes stay
// (docs/spec/hmmer3/forward-backward.md, 2). Bit for bit as the reference: each sum has its order.
// hmmer3_arithmetic.cl and hmmer3_joins.cl come before. Build options, besides those of hmmer3_joins.cl: LISTED, how many
// scales are listed with a pair; KEEPS, which cells of all rows stay: NOTHING, or for ENVELOPES, parts of sequences that have
// one domain, M and I of both directions, or for REGIONS M, I and D of Forward.

// Steps from E to C and to J.
#if KEEPS == ENVELOPES
#define TO_C 1.0f
#define TO_J 0.0f
#else
#define TO_C 0.5f
#define TO_J 0.5f
#endif

// What stays of a cell, and where in a row an item's cell q is: M and I, a pair's cells [row, from 1][step][stripe]; or M, I, D
// and nothing, [row, from 1][stripe][step], which is the order of the nodes.
#if KEEPS == REGIONS
typedef float4 Kept;
#define KEPT(q) (float4)(matches[q], inserts[q], deletes[q], 0.0f)
#define KEPT_PLACE(q) ((int)(own.stripe * steps) + (own.cell - (int)own.stripe) / STRIPES + (int)(q))
#else
typedef float2 Kept;
#define KEPT(q) (float2)(matches[q], inserts[q])
#define KEPT_PLACE(q) (own.cell + (int)(q)*STRIPES)
#endif
// In place of a pair's first cell: its cells need not stay.
#define NOT_KEPT 0xffffffffu

// Of a model beside its nodes: no path of deletes grows.
#define FALLING 0x80000000u

// A path of deletes that comes to a node with at most this part of its D changes no D from there on, also not in the next
// stripe, so that a pass may end there. What is below half of the last digit of D, 2^-25 of it, changes nothing. From node to
// node the path is multiplied by DD, and so are the terms of D that come from before, what the path of the pass before brought
// over the border of the stripe among them; all other terms are at least 0. So the path's part of D does not grow but for
// rounding, by 2^-24 for each operation, a thousandth in 4,096 nodes, for which there is a factor of 2. If small numbers become
// 0, the path, the smaller one, does so first.
#define NEGLIGIBLE 0x1p-26f

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

// groups: first pair, pairs, model, parts of a stripe. models: where the transitions begin, where the emissions begin, steps,
// nodes. transitions: [step][stripe] B, M, I, D into the node's match state; MD, MI, II, DD out of it. into_deletes:
// [step][stripe] MD and DD once more, as they are needed alone. emissions: [code][step][stripe]. pairs: first residue,
// residues, first row, first cell that stays. lengths: move and loop of N, J and C. rows: three float2 each. ends, LISTED + 2
// floats a pair: the last C, the number of rows that were scaled, and the scales of the first LISTED of them. further: those
// of later rows, of all pairs: pair, scale; `further_count` of them, of which those have a place that there is `room` for.
__kernel void forward(__global const uchar* restrict residues, __global const uint4* restrict groups,
                      __global const uint4* restrict models, __global const float4* restrict transitions,
                      __global const float2* restrict into_deletes, __global const float* restrict emissions,
                      __global const uint4* restrict pairs, __global const float2* restrict lengths,
                      __global float2* restrict rows, __global float* restrict ends,
#if KEEPS == NOTHING
                      __global uint2* restrict further, __global uint* further_count, uint room,
#else
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
  const int stops_early = (model.w & ~FALLING) >= 100;
  __global const float4* const of_steps = transitions + model.x + 2 * own.cell;
  __global const float2* const of_deletes = into_deletes + model.x / 2 + own.cell;
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
    // M and I, from the last node to the first, so that each takes the place of the one of the row before.
    const float4 before = moved4(last_cell, own.before, &own);
    float leaving = 0.0f;  // from the last M to D
    float4 into_ahead[AHEAD], out_ahead[AHEAD];
    float odds_ahead[AHEAD];
#define READ READ_CELL
    READ_TOP
    EACH_BLOCK_DOWN EACH_DOWN {
      TAKE_CELL
      if (USED) {
        const int is_first = b == 0 && j == (int)own.unused, below = q > 0 ? q - 1 : 0;
        float s = mul(begin, into_node.x);
        s = add(s, mul(is_first ? before.x : matches[below], into_node.y));
        s = add(s, mul(is_first ? before.y : inserts[below], into_node.z));
        s = add(s, mul(is_first ? before.z : deletes[below], into_node.w));
        s = mul(s, odds);
        inserts[q] = add(mul(matches[q], out_of_node.y), mul(inserts[q], out_of_node.z));
        matches[q] = s;
        if (j == BLOCK - 1 && b + BLOCK == (int)own.top) {
          leaving = mul(s, out_of_node.x);
          last_cell.x = s;
          last_cell.y = inserts[q];
        }
      }
    }
#undef READ
    // D, from M and from D; and the sum of M.
    const float coming = moved(leaving, own.before, &own);
    float sum = 0.0f, path = coming, from_match = own.part > 0 ? coming : 0.0f;
    float2 onward_ahead[AHEAD];
#define READ(q) onward_ahead[j % AHEAD] = of_deletes[(q) * STRIPES];
    EACH_ROUND {
      if (own.part == round) {
        EACH if (j < AHEAD) { READ(j) }
        EACH_BLOCK EACH {
          const uint q = b + j;
          const float2 onward = onward_ahead[j % AHEAD];
          READ(q + AHEAD)
          if (USED) {
            sum = add(sum, matches[q]);
            const float d = add(path, from_match);
            deletes[q] = last_cell.z = d;
            path = mul(d, onward.y);
            from_match = mul(matches[q], onward.x);
          }
        }
      }
      TAKE_FROM_BEFORE(path)
      TAKE_FROM_BEFORE(sum)
    }
#undef READ
    float dd_ahead[AHEAD];
#define READ(q) dd_ahead[j % AHEAD] = of_deletes[(q) * STRIPES].y;
    int going_on = on;
    _Pragma("unroll 1") for (int pass = 0; pass < 3; ++pass) {
      path = moved(path, own.before, &own);
      path = going_on ? path : 0.0f;
      int changed = 0;
      EACH_ROUND {
        if (own.part == round && path != 0.0f) {
          float last = last_cell.z;
          int matters = 1;
          EACH if (j < AHEAD) { READ(j) }
          EACH_BLOCK if (matters) {
            float adding = path;
            EACH {
              const uint q = b + j;
              const float dd = dd_ahead[j % AHEAD];
              READ(q + AHEAD)
              if (USED) {
                last = add(path, deletes[q]);
                changed |= last > deletes[q];
                deletes[q] = last;
                adding = path;
                path = mul(path, dd);
              }
            }
            matters = !(adding <= mul(last, NEGLIGIBLE));
          }
          if (matters) {
            last_cell.z = last;
          } else {
            path = 0.0f;
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
        if (own.first) {
          if (scaled < LISTED) {
            ends[(size_t)at * (LISTED + 2) + 2 + scaled] = scale;
          } else {
#if KEEPS == NOTHING
            const uint place = atomic_inc(further_count);
            if (place < room) further[place] = (uint2)(at, as_uint(scale));
#endif
          }
        }
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
      if (pair.w != NOT_KEPT) {
        __global Kept* const kept_row = kept + pair.w + (size_t)i * steps * STRIPES;
        EACH_CELL kept_row[KEPT_PLACE(b + j)] = KEPT(b + j);
      }
#endif
    }
  }
}
