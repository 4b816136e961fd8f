// Tracebacks sampled from Forward's cells of many regions, and the null2 odds of what they align, after Forward of
// cl/hmmer3_sweeps.cl with KEEPS REGIONS (docs/spec/hmmer3/domains.md, 5). The draws and the sums are those of the
// reference. hmmer3_arithmetic.cl comes before.
//
// A work-group of 32 work-items has one region, whose tracebacks follow each other, as each goes on with the random numbers of
// the one before. Most draws of a traceback go on in the same state: so each work-item makes one of the next 32 draws, each at
// the place that it has if all before it stay in the state. The first one that leaves it ends the run; those behind it are not
// used. All variables of a traceback are the same in all work-items. They then add up the odds of a stretch from E to B, one
// residue code each, and add them to the residues that it covers. A region that has probabilities which are no numbers, or all
// 0, is left to the host.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define STRIPES 4
#define MATCH 0
#define DELETE 1
#define INSERT 2
// Beside the states of nodes: C or J; E; B, when the stretch in front of it is known.
#define OUTSIDE 3
#define AT_END 4
#define STRETCH 5

// Choices of what a match state comes from; for the others STAYS, or another one to leave. FAILS: probabilities have no sum, or
// lead out of the matrix.
#define BEGINS 0
#define STAYS 1
#define FROM_INSERT 2
#define FROM_DELETE 3
#define FAILS 4

#define TRACEBACKS 200
#define ITEMS 32  // of a work-group; places of a node in the table of emissions
#define READ 8    // nodes whose odds are read at a time
#define TO_C 0.5f
#define TO_J 0.5f

#define FACTOR 69069u
#define ADDEND 1u

// One of `count` values, drawn with a probability proportional to it, step by step as the reference does.
inline uint choose_exactly(const float* values, uint count, double drawn) {
  float total = 0.0f, lost = 0.0f;
  for (uint z = 0; z < count; ++z) {
    const float next = add(values[z], -lost), with_next = add(total, next);
    lost = add(add(with_next, -total), -next);
    total = with_next;
  }
  if (!(total > 0.0f)) return FAILS;
  double norm = 0.0, cumulated = 0.0;
  for (uint z = 0; z < count; ++z) norm += (double)quotient(values[z], total);
  for (uint z = 0; z < count; ++z) {
    cumulated += (double)quotient(values[z], total);
    if (drawn < cumulated / norm) return z;
  }
  return FAILS;
}

// The same by a random number. Single precision decides where its rounding, some 1e-6 of the sum, cannot change the choice.
inline uint choose(float4 values, uint count, uint number) {
  const float second = values.x + values.y, third = second + values.z, sum = third + values.w;
  if (!(sum > 1e-30f) || !(sum < 1e30f)) return FAILS;
  const float at = (float)number * 0x1p-32f * sum, margin = 1e-5f * sum;
  if (fabs(at - values.x) > margin && fabs(at - second) > margin && fabs(at - third) > margin)
    return (at > values.x) + (at > second) + (at > third);
  const float each[4] = {values.x, values.y, values.z, values.w};
  return choose_exactly(each, count, (double)number * 0x1p-32);
}

inline uint choose_of_two(float a, float b, uint number) { return choose((float4)(a, b, 0.0f, 0.0f), 2, number); }

// Of the first work-item whose choice is not `stay`: its number, choice and random number; ITEMS and what the last one has, if
// there is none. For all work-items together; a barrier is between what they do before and behind it.
#if NVIDIA
inline uint of_item(uint value, uint item) {
  uint result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(result) : "r"(value), "r"(item));
  return result;
}
inline uint4 first_leaving(uint choice, uint stay, uint number, __local uint2* all) {
  uint set;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(set)
               : "r"((int)(choice != stay)));
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint first = set != 0 ? popcount((set & -set) - 1) : ITEMS, from = min(first, ITEMS - 1u);
  return (uint4)(first, of_item(choice, from), of_item(number, from), 0);
}
#else
inline uint4 first_leaving(uint choice, uint stay, uint number, __local uint2* all) {
  all[get_local_id(0)] = (uint2)(choice, number);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint first = 0;
  while (first < ITEMS && all[first].x == stay) ++first;
  const uint2 found = all[min(first, ITEMS - 1u)];
  return (uint4)(first, found.x, found.y, 0);
}
#endif

// The share of a match or delete cell in E, in the order in which the last node of a domain is drawn: steps first, in each
// match cells, then delete cells, stripe after stripe. `of_step`: M, I and D of the step in the first stripe.
inline float share_in_end(__global const float4* of_step, uint steps, uint place, float inverse) {
  const float4 cell = of_step[place % STRIPES * steps];
  return mul(place < STRIPES ? cell.x : cell.z, inverse);
}

// The last node, from step `first` on, given the sum of the shares before, and from bit 16 on its state; 0: none before step
// `behind`, or what is drawn does not lie more than `margin` beside all sums.
inline uint walk_to_end(__global const float4* row, uint steps, uint first, uint behind, float inverse, double sum,
                        double drawn, double margin) {
  if (fabs(sum - drawn) <= margin) return 0;
  for (uint q = first; q < behind; ++q) {
    for (uint place = 0; place < 2 * STRIPES; ++place) {
      sum += (double)share_in_end(row + q, steps, place, inverse);
      if (fabs(sum - drawn) <= margin) return 0;
      if (drawn < sum) return (place % STRIPES * steps + q + 1) | (place < STRIPES ? MATCH : DELETE) << 16;
    }
  }
  return 0;
}

// regions: first residue, residues, first row, first cell; model_numbers: their models. models and rows as in
// cl/hmmer3_sweeps.cl. node_places: where a model's nodes begin in the following. emissions: [node][ITEMS]. into: [node] B, M,
// I, D into its match state; out: MD, MI, II, DD out of it. cells: M, I and D, [row, from 1][stripe][step], so [row][node].
// sums: of each residue, from the first row on. segments: from, to, first and, from bit 16 on, last node, and number of the
// region with the traceback in its last 8 bits; used: how many, of `room`. Local memory: counts, how many residues each node,
// from 1, has emitted; own_sums: those of the region.
__kernel void tracebacks(__global const uchar* restrict residues, __global const uint4* restrict models,
                         __global const uint* restrict node_places, __global const float* restrict emissions,
                         __global const float4* restrict into, __global const float4* restrict out,
                         __global const uint4* restrict regions, __global const uint* restrict model_numbers,
                         __global const float2* restrict lengths, __global const float2* restrict rows,
                         __global const float4* restrict cells, uint seed, __global float* restrict sums,
                         __global uint4* restrict segments, __global uint* restrict used, uint room,
                         __global uint* restrict failed, __local float* counts, __local float* own_sums,
                         __local float* odds, __local double* end_sums, __local uint2* choices) {
  const uint item = get_local_id(0), number = get_group_id(0);
  const uint4 region = regions[number];
  const uint model_number = model_numbers[number], node_place = node_places[model_number];
  const uint steps = models[model_number].z, row_size = steps * STRIPES, length = region.y;
  const float move = lengths[number].x, loop = lengths[number].y;
  __global const float4* const into_node = into + node_place;
  __global const float4* const out_of_node = out + node_place;
  __global const float* const of_nodes = emissions + (size_t)node_place * ITEMS + item;
  __global const float2* const f = rows + 3 * (size_t)region.z;
  __global const float4* const first_row = cells + region.w;
  __global const uchar* const sequence = residues + region.x;

  // A residue's sum belongs to one work-item.
  for (uint p = item; p < length; p += ITEMS) own_sums[p] = 0.0f;
  for (uint k = item; k <= steps * STRIPES; k += ITEMS) counts[k] = 0.0f;
  // From a state of the random numbers to that of this item's draw. (With `item` rounds PoCL 3.1 goes wrong.)
  uint factor = 1, addend = 0;
  for (uint j = 0; j < ITEMS; ++j) {
    factor = j <= item ? factor * FACTOR : factor;
    addend = j <= item ? addend * FACTOR + ADDEND : addend;
  }
  const uint size = (steps + ITEMS - 1) / ITEMS, first_step = min(item * size, steps), behind = min(first_step + size, steps);
  uint draws = seed, t = 0;
  uint state = OUTSIDE, i = length, k = 0;
  uint edge = length;  // residues from here on are done
  uint from = 0, to = 0, model_from = 0, model_to = 0, emitted = 0;
  int in_c = 1, again = 0, failure = 0;
  for (int going = 1; going;) {
    __global const float4* const row = first_row + (i > 0 ? i - 1 : 0) * row_size;
    const float inverse = state == AT_END ? quotient(1.0f, f[3 * i].x) : 0.0f;
    if (state == AT_END) {
      double sum = 0.0;
      for (uint q = first_step; q < behind; ++q) {
        for (uint place = 0; place < 2 * STRIPES; ++place) sum += (double)share_in_end(row + q, steps, place, inverse);
      }
      end_sums[item] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint mine = draws * factor + addend, choice = FAILS, stay = STAYS;
    if (state == OUTSIDE) {
      stay = 0;
      if (i > item) {
        const uint at = i - item;
        const float before = in_c ? f[3 * (at - 1) + 2].x : f[3 * (at - 1) + 1].x;
        const float ends = mul(mul(f[3 * at].x, in_c ? TO_C : TO_J), f[3 * at + 2].y);
        choice = choose_of_two(mul(before, loop), ends, mine);
      }
    } else if (state == AT_END) {
      // The last node, by the sums of the shares of 32 groups of steps: rounding differs from that of a sum from the beginning
      // by far less than the margin.
      const double drawn = (double)(draws * FACTOR + ADDEND) * 0x1p-32;
      double before = 0.0;
      for (uint j = 0; j + 1 < ITEMS; ++j) before += j < item ? end_sums[j] : 0.0;
      stay = 0;
      choice = drawn < before + end_sums[item] || item == ITEMS - 1;
      mine = choice ? walk_to_end(row, steps, first_step, behind, inverse, before, drawn, 1e-9) : 0;
    } else if (state == STRETCH) {
      // The odds of this item's code: nodes in the order of the stripes.
      const float share = quotient(1.0f, (float)emitted);
      float of_stripes[STRIPES];
      for (uint r = 0; r < STRIPES; ++r) {
        const uint lowest = max(model_from, r * steps + 1), highest = min(model_to, (r + 1) * steps);
        float sum = 0.0f;
        for (uint first = lowest; first <= highest; first += READ) {
          float weights[READ], odds_of_nodes[READ];
          _Pragma("unroll") for (uint j = 0; j < READ; ++j) {
            const uint node = min(first + j, highest);
            weights[j] = first + j <= highest ? mul(counts[node], share) : 0.0f;
            odds_of_nodes[j] = of_nodes[(node - 1) * ITEMS];
          }
          _Pragma("unroll") for (uint j = 0; j < READ; ++j) sum = add(sum, mul(weights[j], odds_of_nodes[j]));
        }
        of_stripes[r] = sum;
      }
      odds[item] = add(add(of_stripes[0], of_stripes[1]), add(of_stripes[2], of_stripes[3]));
    } else {
      // The state before each draw is on a line through the matrix, `reach` draws from the edge.
      const uint reach = state == MATCH ? min(i, k) : state == INSERT ? i : k;
      const uint line = (state == DELETE ? 0 : row_size) + (state == INSERT ? 0 : 1);
      const int inside = item + 1 < reach;
      const float4 cell =
          inside ? first_row[(i - 1) * row_size + k - 1 - (item + 1) * line] : (float4)(0.0f);
      if (state == MATCH && item < reach) {
        const float4 steps_into = into_node[k - 1 - item];
        choice = choose((float4)(mul(f[3 * (i - 1 - item) + 1].y, steps_into.x), mul(cell.x, steps_into.y),
                                 mul(cell.y, steps_into.z), mul(cell.z, steps_into.w)),
                        4, mine);
        if (choice != BEGINS && !inside) choice = FAILS;
      } else if (inside) {
        const float4 steps_out = out_of_node[state == INSERT ? k - 1 : k - 2 - item];
        choice = choose_of_two(mul(cell.x, state == INSERT ? steps_out.y : steps_out.x),
                               state == INSERT ? mul(cell.y, steps_out.z) : mul(cell.z, steps_out.w), mine);
      }
    }
    const uint4 first = first_leaving(choice, stay, mine, choices);
    if (state == OUTSIDE) {
      draws = first.z;
      i -= min(first.x, i);
      failure = first.y > 1;
      if (first.x < ITEMS) state = AT_END;
    } else if (state == AT_END) {
      draws = draws * FACTOR + ADDEND;
      // If rounding may change the draw, the sum is made from the beginning. All cells together may be less than what is drawn,
      // by rounding: then the host goes on.
      const uint last =
          first.z != 0 ? first.z : walk_to_end(row, steps, 0, steps, inverse, 0.0, (double)draws * 0x1p-32, -1.0);
      failure = last == 0;
      k = last & 0xffff;
      state = last >> 16;
      from = to = model_from = model_to = emitted = 0;
    } else if (state == STRETCH) {
      for (uint used_k = model_from + item; used_k <= model_to; used_k += ITEMS) counts[used_k] = 0.0f;
      // Residues in front of domains are unbiased, as are those between and behind them and the first of each domain.
      const uint done_to = again ? from : 0;
      for (uint p = done_to + (item + ITEMS - done_to % ITEMS) % ITEMS; p < edge; p += ITEMS)
        own_sums[p] = add(own_sums[p], p >= from && p < to ? odds[sequence[p]] : 1.0f);
      edge = done_to;
      state = OUTSIDE;
      in_c = !again;
      if (!again) {
        i = edge = length;
        going = ++t < TRACEBACKS;
      }
    } else {
      const uint run = min(first.x + 1, (uint)ITEMS);
      draws = first.z;
      failure = first.y >= FAILS;
      if (!failure) {
        if (state == MATCH) {
          if (to == 0) {
            to = i;
            model_to = k;
          }
          from = i - (run - 1);
          model_from = k - (run - 1);
          if (item < run) counts[k - item] += 1.0f;
        } else if (state == INSERT && item == 0) {
          counts[k] += (float)run;
        }
        if (state != DELETE) {
          emitted += run;
          i -= run;
        }
        if (state != INSERT) k -= run;
        if (state != MATCH) {
          state = first.y == STAYS ? state : MATCH;
        } else if (first.y != BEGINS) {
          state = first.y == FROM_INSERT ? INSERT : first.y == FROM_DELETE ? DELETE : MATCH;
        } else {
          state = STRETCH;
          if (item == 0) {
            const uint place = atomic_inc(used);
            if (place < room) segments[place] = (uint4)(from, to, model_from | model_to << 16, number << 8 | t);
          }
          draws = draws * FACTOR + ADDEND;
          const uint before = choose_of_two(mul(f[3 * i].y, move), mul(f[3 * i + 1].x, move), draws);
          again = before == 1;
          failure = before > 1;
        }
      }
    }
    going = going && !failure;
  }
  for (uint p = item; p < length; p += ITEMS) sums[region.z + p] = own_sums[p];
  if (item == 0) failed[number] = failure;
}
