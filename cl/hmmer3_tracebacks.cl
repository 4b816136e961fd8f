// Tracebacks sampled from Forward's cells of many regions, and the null2 odds of what they align, after Forward of
// cl/hmmer3_sweeps.cl with KEEPS REGIONS (docs/spec/hmmer3/domains.md, 5). The draws and the sums are those of the
// reference. hmmer3_arithmetic.cl comes before.
//
// A work-group has one region. Its first work-item draws the tracebacks, one stretch from E to B after the other; all of them
// then add up the odds of the stretch, one residue code each, and add them to the residues that it covers. A region that has
// probabilities which are no numbers, or all 0, is left to the host.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define STRIPES 4
#define MATCH 0
#define DELETE 1
#define INSERT 2
#define NOWHERE 3

#define TRACEBACKS 200
#define CODES 32  // places of a node in the table of emissions, and work-items
#define GROUPS 32
#define AHEAD 4   // match states whose cells are read while those behind them are drawn
#define READ 8    // nodes whose odds are read at a time
#define TO_C 0.5f
#define TO_J 0.5f

// What the first work-item tells the others: whether it goes on, the residues that the stretch covers (from the second one on,
// up to the last one), how many nodes emit, and how many residues.
#define GOES_ON 0
#define FROM 1
#define TO 2
#define NODES 3
#define RESIDUES 4
#define FAILED 5
#define ROW 6

inline double uniform_number(uint* state) {
  *state = *state * 69069u + 1u;
  return (double)*state * 0x1p-32;
}

// One of `count` values, drawn with a probability proportional to it, step by step as the reference does.
inline uint choose_exactly(const float* values, uint count, double drawn) {
  float total = 0.0f, lost = 0.0f;
  for (uint z = 0; z < count; ++z) {
    const float next = add(values[z], -lost), with_next = add(total, next);
    lost = add(add(with_next, -total), -next);
    total = with_next;
  }
  if (!(total > 0.0f)) return NOWHERE + 1;
  double norm = 0.0, cumulated = 0.0;
  for (uint z = 0; z < count; ++z) norm += (double)quotient(values[z], total);
  for (uint z = 0; z < count; ++z) {
    cumulated += (double)quotient(values[z], total);
    if (drawn < cumulated / norm) return z;
  }
  return NOWHERE + 1;
}

// The same; NOWHERE + 1 if the values have no sum. Single precision decides where its rounding, some 1e-6 of the sum, cannot
// change the choice.
inline uint choose(float4 values, uint count, uint* state) {
  const double drawn = uniform_number(state);
  const float second = values.x + values.y, third = second + values.z, sum = third + values.w;
  if (!(sum > 1e-30f) || !(sum < 1e30f)) return NOWHERE + 1;
  const float at = (float)drawn * sum, margin = 1e-5f * sum;
  if (fabs(at - values.x) > margin && fabs(at - second) > margin && fabs(at - third) > margin)
    return (at > values.x) + (at > second) + (at > third);
  const float each[4] = {values.x, values.y, values.z, values.w};
  return choose_exactly(each, count, drawn);
}

inline uint choose_of_two(float a, float b, uint* state) { return choose((float4)(a, b, 0.0f, 0.0f), 2, state); }

// The share of a match or delete cell in E, in the order in which the last node of a domain is drawn: steps first, in each
// match cells, then delete cells, stripe after stripe. `of_step`: M, I and D of the stripes.
inline float share_in_end(__global const float4* of_step, uint place, float inverse) {
  const float4 cell = of_step[place % STRIPES];
  return mul(place < STRIPES ? cell.x : cell.z, inverse);
}

// The last node, from step `first` on, given the sum of the shares before; 0: none before step `behind`. What is drawn must
// lie more than `margin` beside all sums; if not, or if there is none, `sure` becomes 0. Gives the node's state.
inline uint walk_to_end(__global const float4* row, uint steps, uint first, uint behind, float inverse, double sum, double drawn,
                        double margin, uint* sure, uint* state) {
  for (uint q = first; q < behind; ++q) {
    for (uint place = 0; place < 2 * STRIPES; ++place) {
      sum += (double)share_in_end(row + q * STRIPES, place, inverse);
      if (fabs(sum - drawn) <= margin) *sure = 0;
      if (!(drawn < sum)) continue;
      *state = place < STRIPES ? MATCH : DELETE;
      return place % STRIPES * steps + q + 1;
    }
  }
  *sure = 0;
  return 0;
}

// The last node of a domain, by the sums of the shares of 32 groups of steps: rounding differs from that of a sum from the
// beginning by far less than the margin. Where that may change the draw, the sum is made from the beginning.
inline uint drawn_end(__global const float4* row, uint steps, float inverse, __local const double* sums, double drawn,
                      uint* state) {
  const uint size = (steps + GROUPS - 1) / GROUPS;
  double sum = 0.0;
  uint group = 0, sure = 1;
  while (group + 1 < GROUPS && !(drawn < sum + sums[group])) sum += sums[group++];
  const uint first = min(group * size, steps), behind = min(first + size, steps);
  if (fabs(sum - drawn) <= 1e-9) sure = 0;
  uint node = sure ? walk_to_end(row, steps, first, behind, inverse, sum, drawn, 1e-9, &sure, state) : 0;
  if (sure) return node;
  // All cells together may be less than what is drawn, by rounding: then the host goes on.
  return walk_to_end(row, steps, 0, steps, inverse, 0.0, drawn, -1.0, &sure, state);
}

// M, I and D of a node, at step q of a stripe, in a row; nothing is in row 0 and node 0.
#define CELL(i, q, stripe, k) \
  ((i) > 0 && (k) > 0 ? first_row[((i)-1) * row_size + (q)*STRIPES + (stripe)] : (float4)(0.0f))
// Goes to the node before.
#define STEP_BACK(k, q, stripe)               \
  {                                           \
    --k;                                      \
    stripe = q == 0 ? stripe - 1 : stripe;    \
    q = q == 0 ? last : q - 1;                \
  }
// Reads what the match state at the next place comes from, and goes on to the one before it.
#define READ_AHEAD(j)                                                                                     \
  {                                                                                                       \
    into_ahead[j] = next_k > 0 ? of_steps[(next_q * STRIPES + next_stripe) * 2] : (float4)(0.0f);         \
    if (next_i > 0) --next_i;                                                                             \
    if (next_k > 0) STEP_BACK(next_k, next_q, next_stripe)                                                \
    begin_ahead[j] = f[3 * next_i + 1].y;                                                                 \
    cell_ahead[j] = CELL(next_i, next_q, next_stripe, next_k);                                            \
  }

// regions: first residue, residues, first row, first cell. numbers: of a region its model, and its number in the launch.
// models, transitions and rows as in cl/hmmer3_sweeps.cl; emissions: from emission_places on [node, from 1][CODES]. cells: M, I
// and D of all rows. sums: of each residue, from the first row on. segments: from, to, first and, from bit 16 on, last node,
// and number of the region with the traceback in its last 8 bits; used: how many, of `room`.
__kernel void tracebacks(__global const uchar* restrict residues, __global const uint4* restrict models,
                         __global const float4* restrict transitions, __global const uint* restrict emission_places,
                         __global const float* restrict emissions, __global const uint4* restrict regions,
                         __global const uint* restrict model_numbers, __global const float2* restrict lengths,
                         __global const float2* restrict rows, __global const float4* restrict cells, uint seed,
                         __global float* restrict sums, __global uint4* restrict segments, __global uint* restrict used,
                         uint room, __global uint* restrict failed, __local uint* emitting, __local float* counts,
                         __local float* odds, __local double* end_sums, __local uint* common) {
  const uint item = get_local_id(0), items = get_local_size(0), number = get_group_id(0);
  const uint4 region = regions[number];
  const uint model_number = model_numbers[number];
  const uint4 model = models[model_number];
  const uint steps = model.z, last = steps - 1, length = region.y;
  const float move = lengths[number].x, loop = lengths[number].y;
  __global const float4* const of_steps = transitions + model.x;
  __global const float* const of_nodes = emissions + emission_places[model_number];
  __global const float2* const f = rows + 3 * (size_t)region.z;
  __global const float4* const first_row = cells + region.w;
  __global const uchar* const sequence = residues + region.x;
  __global float* const own_sums = sums + region.z;
  const size_t row_size = (size_t)steps * STRIPES;

  // A residue's sum belongs to one work-item.
  for (uint p = item; p < length; p += items) own_sums[p] = 0.0f;
  uint state_of_draws = seed, going_on = 1;
  for (uint t = 0; t < TRACEBACKS && going_on; ++t) {
    uint i = length, edge = length;  // residues from `edge` on are done
    int in_c = 1;
    for (int more = 1; more;) {
      if (item == 0) {
        // C or J emits residues, until a domain ends.
        uint failure = 0;
        for (int stays = 1; stays && !failure;) {
          if (i == 0) {
            failure = 1;
          } else {
            const float before = in_c ? f[3 * (i - 1) + 2].x : f[3 * (i - 1) + 1].x;
            const float ends = mul(mul(f[3 * i].x, in_c ? TO_C : TO_J), f[3 * i + 2].y);
            const uint choice = choose_of_two(mul(before, loop), ends, &state_of_draws);
            failure = choice > 1;
            stays = choice == 0;
            if (stays) --i;
          }
        }
        common[ROW] = failure ? 0 : i;
        in_c = 0;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint end_row = common[ROW];
      __global const float4* const row = first_row + (end_row > 0 ? end_row - 1 : 0) * row_size;
      const float inverse = quotient(1.0f, f[3 * end_row].x);
      {
        const uint size = (steps + GROUPS - 1) / GROUPS, first = min(item * size, steps);
        double sum = 0.0;
        for (uint q = first; q < min(first + size, steps); ++q) {
          for (uint place = 0; place < 2 * STRIPES; ++place) sum += (double)share_in_end(row + q * STRIPES, place, inverse);
        }
        end_sums[item] = sum;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      if (item == 0) {
        uint failure = end_row == 0, nodes = 0, emitted = 0, from = 0, to = 0, model_from = 0, model_to = 0;
        uint k = 0, state = MATCH;
        if (!failure) {
          k = drawn_end(row, steps, inverse, end_sums, uniform_number(&state_of_draws), &state);
          failure = k == 0;
        }
        uint q = failure ? 0 : (k - 1) % steps, stripe = failure ? 0 : (k - 1) / steps;
        // What match states on a diagonal come from, as most come from a match; and the place that is read next.
        float4 into_ahead[AHEAD], cell_ahead[AHEAD];
        float begin_ahead[AHEAD];
        uint next_i = 0, next_k = 0, next_q = 0, next_stripe = 0, last_node = 0;
        int filled = 0;
        while (!failure && state != NOWHERE) {
          if (state != DELETE) {
            ++emitted;
            if (last_node == k) {
              counts[nodes - 1] += 1.0f;
            } else {
              emitting[nodes] = last_node = k;
              counts[nodes++] = 1.0f;
            }
          }
          if (state == MATCH) {
            if (to == 0) {
              to = i;
              model_to = k;
            }
            from = i;
            model_from = k;
            if (!filled) {
              next_i = i, next_k = k, next_q = q, next_stripe = stripe;
              _Pragma("unroll") for (uint j = 0; j < AHEAD; ++j) {
                READ_AHEAD(j)
              }
            }
            const float4 into = into_ahead[0], cell = cell_ahead[0];
            const float begin = begin_ahead[0];
            _Pragma("unroll") for (uint j = 0; j + 1 < AHEAD; ++j) {
              into_ahead[j] = into_ahead[j + 1], cell_ahead[j] = cell_ahead[j + 1], begin_ahead[j] = begin_ahead[j + 1];
            }
            READ_AHEAD(AHEAD - 1)
            --i;
            STEP_BACK(k, q, stripe)
            const float4 values =
                (float4)(mul(begin, into.x), mul(cell.x, into.y), mul(cell.y, into.z), mul(cell.z, into.w));
            const uint choice = choose(values, 4, &state_of_draws);
            failure = choice > 3 || (choice > 0 && (i == 0 || k == 0));
            state = choice == 0 ? NOWHERE : choice == 1 ? MATCH : choice == 2 ? INSERT : DELETE;
            filled = choice == 1;
          } else {
            const int inserted = state == INSERT;
            if (inserted) {
              --i;
            } else {
              STEP_BACK(k, q, stripe)
            }
            failure = i == 0 || k == 0;
            const float4 out = failure ? (float4)(0.0f) : of_steps[(q * STRIPES + stripe) * 2 + 1];
            const float4 cell = CELL(i, q, stripe, k);
            const uint choice = choose_of_two(mul(cell.x, inserted ? out.y : out.x),
                                              inserted ? mul(cell.y, out.z) : mul(cell.z, out.w), &state_of_draws);
            failure = failure || choice > 1;
            state = choice == 0 ? MATCH : state;
          }
        }
        uint again = 0;
        if (!failure) {
          const uint place = atomic_inc(used);
          if (place < room) segments[place] = (uint4)(from, to, model_from | model_to << 16, number << 8 | t);
          again = choose_of_two(mul(f[3 * i].y, move), mul(f[3 * i + 1].x, move), &state_of_draws);
          failure = again > 1 || to == 0;
        }
        common[GOES_ON] = !failure && again == 1;
        common[FROM] = from;
        common[TO] = to;
        common[NODES] = nodes;
        common[RESIDUES] = emitted;
        common[FAILED] = failure;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint from = common[FROM], to = common[TO], failure = common[FAILED], nodes = failure ? 0 : common[NODES];
      // Nodes in the order of the stripes, which begins with the last one that was drawn.
      const float share = quotient(1.0f, (float)common[RESIDUES]);
      float of_stripes[STRIPES] = {0.0f, 0.0f, 0.0f, 0.0f};
      uint left = nodes;
      for (uint r = 0; r < STRIPES; ++r) {
        float sum = 0.0f;
        while (left > 0 && emitting[left - 1] <= (r + 1) * steps) {
          // Some nodes are read at a time; those of later stripes are not used.
          float weights[READ], odds_of_nodes[READ];
          uint nodes_read[READ];
          _Pragma("unroll") for (uint j = 0; j < READ; ++j) {
            const uint at = left > j ? left - 1 - j : 0;
            nodes_read[j] = left > j ? emitting[at] : ~0u;
            weights[j] = mul(counts[at], share);
            odds_of_nodes[j] = of_nodes[(emitting[at] - 1) * CODES + item];
          }
          _Pragma("unroll") for (uint j = 0; j < READ; ++j) {
            if (nodes_read[j] <= (r + 1) * steps) {
              sum = add(sum, mul(weights[j], odds_of_nodes[j]));
              --left;
            }
          }
        }
        of_stripes[r] = sum;
      }
      odds[item] = add(add(of_stripes[0], of_stripes[1]), add(of_stripes[2], of_stripes[3]));
      more = common[GOES_ON];
      going_on = !failure;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (!failure) {
        for (uint p = from + (item + items - from % items) % items; p < edge; p += items)
          own_sums[p] = add(own_sums[p], p < to ? odds[sequence[p]] : 1.0f);
        edge = from;
      }
    }
    // Residues in front of domains are unbiased, as are those between and behind them and the first of each domain.
    if (going_on) {
      for (uint p = item; p < edge; p += items) own_sums[p] = add(own_sums[p], 1.0f);
    }
  }
  if (item == 0) failed[number] = !going_on;
}
