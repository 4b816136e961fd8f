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
#define CODES 32  // places of a node in the table of emissions
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
#define TOLD 6

inline double uniform_number(uint* state) {
  *state = *state * 69069u + 1u;
  return (double)*state * 0x1p-32;
}

// One of `count` values, drawn with a probability proportional to it; NOWHERE + 1 if they have no sum.
inline uint choose(const float* values, uint count, uint* state) {
  const double drawn = uniform_number(state), margin = 1e-5;
  double sum = 0.0;
  for (uint z = 0; z < count; ++z) sum += (double)values[z];
  if (!(sum > 1e-30) || !(sum < 1e30)) return NOWHERE + 1;
  double left = drawn * sum;
  for (uint z = 0; z < count; ++z) {
    left -= (double)values[z];
    if (left < -margin * sum) return z;
    if (left < margin * sum) break;
  }
  // Rounding may decide: as the reference, step by step.
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

inline uint choose_of_two(float a, float b, uint* state) {
  const float values[2] = {a, b};
  return choose(values, 2, state);
}

// The last node of a domain that ends with this row, by the share of its match and delete cells in E, steps first; 0: none.
// `row`: M, I and D. Gives the node's state.
inline uint drawn_end(__global const float4* row, uint steps, float end, double drawn, uint* state) {
  const float inverse = quotient(1.0f, end);
  double sum = 0.0;
  for (uint round = 0; round < 3; ++round) {
    for (uint q = 0; q < steps; ++q) {
      const float4 a = row[q * STRIPES], b = row[q * STRIPES + 1], c = row[q * STRIPES + 2], d = row[q * STRIPES + 3];
      const float shares[2 * STRIPES] = {a.x, b.x, c.x, d.x, a.z, b.z, c.z, d.z};
      for (uint place = 0; place < 2 * STRIPES; ++place) {
        sum += (double)mul(shares[place], inverse);
        if (!(drawn < sum)) continue;
        *state = place < STRIPES ? MATCH : DELETE;
        return place % STRIPES * steps + q + 1;
      }
    }
  }
  return 0;
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
                         __local float* odds, __local uint* told) {
  const uint item = get_local_id(0), items = get_local_size(0), number = get_group_id(0);
  const uint4 region = regions[number];
  const uint model_number = model_numbers[number];
  const uint4 model = models[model_number];
  const uint steps = model.z, length = region.y;
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
        uint failure = 0, nodes = 0, emitted = 0, from = 0, to = 0, model_from = 0, model_to = 0;
        // C or J emits residues, until a domain ends.
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
        uint k = 0, state = MATCH;
        if (!failure) {
          const double drawn = uniform_number(&state_of_draws);
          k = drawn_end(first_row + (i - 1) * row_size, steps, f[3 * i].x, drawn, &state);
          failure = k == 0;
        }
        uint q = failure ? 0 : (k - 1) % steps, stripe = failure ? 0 : (k - 1) / steps;
        while (!failure && state != NOWHERE) {
          const uint emits = state != DELETE;
          if (emits) {
            ++emitted;
            if (nodes > 0 && emitting[nodes - 1] == k) {
              counts[nodes - 1] += 1.0f;
            } else {
              emitting[nodes] = k;
              counts[nodes++] = 1.0f;
            }
          }
          const float4 into = of_steps[(q * STRIPES + stripe) * 2], out = of_steps[(q * STRIPES + stripe) * 2 + 1];
          if (state == MATCH) {
            if (to == 0) {
              to = i;
              model_to = k;
            }
            from = i;
            model_from = k;
          }
          if (emits) --i;
          if (state != INSERT) {
            --k;
            stripe = q == 0 ? stripe - 1 : stripe;
            q = q == 0 ? steps - 1 : q - 1;
          }
          // Nothing is in row 0 and node 0.
          const float4 cell = i > 0 && k > 0 ? first_row[(i - 1) * row_size + q * STRIPES + stripe] : (float4)(0.0f);
          if (state == MATCH) {
            const float values[4] = {mul(f[3 * i + 1].y, into.x), mul(cell.x, into.y), mul(cell.y, into.z),
                                     mul(cell.z, into.w)};
            const uint choice = choose(values, 4, &state_of_draws);
            failure = choice > 3 || (choice > 0 && (i == 0 || k == 0));
            state = choice == 0 ? NOWHERE : choice == 1 ? MATCH : choice == 2 ? INSERT : DELETE;
          } else {
            const int inserted = state == INSERT;
            const float4 onward = inserted ? out : k > 0 ? of_steps[(q * STRIPES + stripe) * 2 + 1] : (float4)(0.0f);
            const uint choice = choose_of_two(mul(cell.x, inserted ? onward.y : onward.x),
                                              inserted ? mul(cell.y, onward.z) : mul(cell.z, onward.w), &state_of_draws);
            failure = choice > 1 || i == 0 || k == 0;
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
        told[GOES_ON] = !failure && again == 1;
        told[FROM] = from;
        told[TO] = to;
        told[NODES] = nodes;
        told[RESIDUES] = emitted;
        told[FAILED] = failure;
        in_c = 0;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint from = told[FROM], to = told[TO], failure = told[FAILED], nodes = failure ? 0 : told[NODES];
      // Nodes in the order of the stripes, which begins with the last one that was drawn.
      const float share = quotient(1.0f, (float)told[RESIDUES]);
      float of_stripes[STRIPES] = {0.0f, 0.0f, 0.0f, 0.0f};
      uint left = nodes;
      for (uint r = 0; r < STRIPES; ++r) {
        float sum = 0.0f;
        for (; left > 0 && emitting[left - 1] <= (r + 1) * steps; --left)
          sum = add(sum, mul(mul(counts[left - 1], share), of_nodes[(emitting[left - 1] - 1) * CODES + item]));
        of_stripes[r] = sum;
      }
      odds[item] = add(add(of_stripes[0], of_stripes[1]), add(of_stripes[2], of_stripes[3]));
      more = told[GOES_ON];
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
