// HMMER3's bias and Viterbi filters of many pairs of a model and a sequence (docs/spec/hmmer3/filters.md, 5 and 6): one
// work-item a pair. hmmer3_arithmetic.cl comes before. Build option: BIAS 1 for the bias filter, which needs double
// precision, else 0.
//
// groups: first pair, pairs, model. pairs: first residue, residues.
//
// For pairs that need a Viterbi score when the bias filter has theirs, kernels follow each other without the host: bias,
// choose, cut_groups, viterbi; then those three again for pairs that do not pass by a score that may be too low.

#define CODES 32
#define IMPOSSIBLE (-32768)
#define BASE 12000
#define MOST 32767

#define UNSURE 0.0f
#define SURE 1.0f
#define CHOSEN 2.0f
// Added to results of Viterbi that were computed exactly.
#define EXACT 65536

#if BIAS
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// The logarithm as the host rounds it. Clears `sure` if another double precision logarithm, at most four units in the last
// place away, would be rounded to another number.
inline float rounded_log(float x, int* sure) {
  const double exact = log((double)x);
  if ((float)(exact * (1.0 - 0x1p-50)) != (float)(exact * (1.0 + 0x1p-50))) *sure = 0;
  return (float)exact;
}

// models: the odds of the codes, then the biased state's transitions to the other one and to itself. lengths: of each pair
// the background's loop, and of its score without the part that depends on the length only the least and the most with
// which it needs a Viterbi score; then the largest match score of Viterbi that passes if that score is 0. scale: what a
// match score rises by with it. results: the sum of the rows' logarithms, the last row's sum, how they are (UNSURE, SURE or
// CHOSEN, if the pair needs a Viterbi score, too), and the match score with which it passes.
__kernel void bias(__global const uchar* restrict residues, __global const uint4* restrict groups,
                   __global const uint4* restrict pairs, __global const float* restrict models,
                   __global const float4* restrict lengths, float scale, __global float4* restrict results) {
  const uint4 group = groups[get_group_id(0)];
  if (get_local_id(0) >= group.y) return;
  const uint at = group.x + get_local_id(0);
  const uint4 pair = pairs[at];
  __global const float* const odds = models + group.z * (CODES + 2);
  const float4 length = lengths[at];
  const float leave = odds[CODES], stay = odds[CODES + 1], loop = length.x, to_biased = 1.0f - loop;
  float background = 0.999f, biased = 0.001f, sum = 0.0f;
  int sure = 1;
  for (uint i = 0; i < pair.y; ++i) {
    float a = background, b = biased;
    if (i > 0) {
      a = add(mul(background, loop), mul(biased, leave));
      b = add(mul(background, to_biased), mul(biased, stay));
    }
    b = mul(b, odds[residues[pair.x + i]]);
    float most = 0.0f;
    if (a > most) most = a;
    if (b > most) most = b;
    background = quotient(a, most);
    biased = quotient(b, most);
    sum = add(sum, rounded_log(most, &sure));
  }
  const float last = add(background, biased), score = sum + (float)log((double)last);
  const float chosen = score >= length.y && score <= length.z ? CHOSEN : SURE;
  results[at] = (float4)(sum, last, sure ? chosen : UNSURE, length.w + scale * score);
}
#endif

// Of the pairs of each segment, consecutive ones of a model, those that need a Viterbi score by the bias filter's results, in
// their order: their numbers, from the segment's first place on, and how many they are. If `again` is 1, of these the ones
// that need their exact score, in their place. A work-group has a segment. segments: first pair, pairs, and the largest
// match score that shows that it is exact. scores: of Viterbi. sums: a number for each work-item.
__kernel void choose(__global const int4* restrict segments, __global const float4* restrict results,
                     __global const int* restrict scores, __global uint* chosen, __global uint* counts, int again,
                     __local uint* sums) {
  const uint items = get_local_size(0), item = get_local_id(0);
  const int4 segment = segments[get_group_id(0)];
  const uint begin = segment.x, pairs = again ? counts[get_group_id(0)] : segment.y;
  uint count = 0;
  for (uint first = 0; first < pairs; first += items) {
    bool needed = false;
    uint pair = 0;
    if (first + item < pairs) {
      pair = again ? chosen[begin + first + item] : begin + first + item;
      const float4 result = results[pair];
      needed = again ? scores[pair] > segment.z && scores[pair] < MOST && (float)scores[pair] < result.w
                     : result.z == CHOSEN;
    }
    sums[item] = needed;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint distance = 1; distance < items; distance *= 2) {
      const uint before = item >= distance ? sums[item - distance] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      sums[item] += before;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (needed) chosen[begin + count + sums[item] - 1] = pair;
    count += sums[items - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) counts[get_group_id(0)] = count;
}

// Leaves the groups of each segment as many pairs as were chosen. Their first pairs, and most pairs, are those of the whole
// segment; the fourth number of a group is its segment. One work-item a group.
__kernel void cut_groups(__global uint4* restrict groups, __global const int4* restrict segments,
                         __global const uint* restrict counts) {
  const uint4 group = groups[get_global_id(0)];
  const uint before = group.x - segments[group.w].x, count = counts[group.w];
  groups[get_global_id(0)].y = count > before ? min(group.y, count - before) : 0;
}

// Tables of Viterbi. models: where the steps begin (in fours), where the emissions begin, nodes, score of E -> C and E ->
// J. steps: of each node k B into its match state, M, I and D into the match state of k + 1, M and I into its insert state,
// M and D into the delete state of k + 1. emissions: [block of nodes][code], four shorts. Both have room for whole blocks
// of nodes, and one more: nodes behind the last have impossible scores, so that their match scores are the lowest, and so
// have codes that do not occur, as NO_CODE. order: the numbers of the pairs in the order in which groups have them. moves:
// score of leaving N, C or J. cells: of a work-group, [2][block of nodes][item]: of a row two scores a node stay, in a word:
// in the lower half the best way into the match state from the node before, in the upper half the insert state, both of the
// next row.
#define NO_CODE (CODES - 1)
#define CELL(way, insert) ((insert) << 16 | ((way) & 0xffff))
#define NODES 4
#define ROWS 8
#define AHEAD 2
#define EACH_ROW _Pragma("unroll") for (int r = 0; r < ROWS; ++r)

// The largest match scores of ROWS rows, each of which has a score of B: what a row needs of the one before it is in
// registers, but for the first one, which reads it of `from`, and the last one, which leaves it in `to`.
__attribute__((always_inline)) inline void score_rows(__global const int4* restrict steps,
                                                      __global const int2* const emission[ROWS], const int begins[ROWS],
                                                      int blocks, __global const int4* from, __global int4* to,
                                                      uint items, int bests[ROWS]) {
  int way[ROWS], deletion[ROWS];
  int2 scores_ahead[ROWS];
  EACH_ROW {
    way[r] = deletion[r] = bests[r] = IMPOSSIBLE;
    scores_ahead[r] = emission[r][0];
  }
  int4 into_ahead[AHEAD], out_ahead[AHEAD], words_ahead = from[0];
#pragma unroll
  for (int k = 0; k < AHEAD; ++k) {
    into_ahead[k] = steps[2 * k];
    out_ahead[k] = steps[2 * k + 1];
  }
  for (int block = 0; block < blocks; ++block) {
    int word[NODES] = {words_ahead.x, words_ahead.y, words_ahead.z, words_ahead.w};
    words_ahead = from[(block + 1) * items];
    int2 scores[ROWS];
    EACH_ROW {
      scores[r] = scores_ahead[r];
      scores_ahead[r] = emission[r][(block + 1) * CODES];
    }
#pragma unroll
    for (int n = 0; n < NODES; ++n) {
      const int k = block * NODES + n;
      const int4 into = into_ahead[n % AHEAD], out = out_ahead[n % AHEAD];
      into_ahead[n % AHEAD] = steps[2 * (k + AHEAD)];
      out_ahead[n % AHEAD] = steps[2 * (k + AHEAD) + 1];
      int insert = word[n] >> 16, coming = (short)word[n];
      EACH_ROW {
        const short2 two = as_short2(n < 2 ? scores[r].x : scores[r].y);
        const int score = n % 2 == 0 ? two.x : two.y;
        const int match = max(begins[r] + into.x, coming) + score;
        bests[r] = max(bests[r], match);
        coming = way[r];
        way[r] = max(max(match + into.y, insert + into.z), deletion[r] + into.w);
        deletion[r] = max(match + out.z, deletion[r] + out.w);
        insert = max(match + out.x, insert + out.y);
      }
      word[n] = CELL(max(coming, IMPOSSIBLE), max(insert, IMPOSSIBLE));
    }
    to[block * items] = (int4)(word[0], word[1], word[2], word[3]);
  }
}

// The largest match score, or MOST if one was larger.
//
// A row's B is the better one of N -> B and of J -> B, J being the best E of the rows before it less a constant. So B of ROWS
// rows is known for the first one only. The others get that, too; if E of one of them then gives a better B to one behind it,
// the rows are computed again with the new scores of B, until those of a pass are the ones that its own E give. Then they are
// right: B of the first row is, and B of a row depends on rows before it only. Each pass makes at least one more row right.
// The result is exact. If `exact` is 0, rows are computed once: scores of B, and the result, are right or too low; they are
// right if J -> B never was the better one, which the result shows. If it is 1, EXACT is added to the result.
//
// Scores are not held at the lowest, IMPOSSIBLE: a path that comes to it never is the best (viterbi_never_gains() in
// src/hmmer3/opencl/filter_tables.hpp).
//
// Work-groups take one after the other of `group_count` groups; taken[exact], how many have been taken, begins with the
// number of work-groups. room: blocks of nodes for which a work-group has cells, one more than the largest model's.
__kernel void viterbi(__global const uchar* restrict residues, __global const uint4* restrict groups,
                      __global const uint4* restrict pairs, __global const int4* restrict models,
                      __global const int4* restrict steps, __global const int2* restrict emissions,
                      __global const uint* restrict order, __global const int* restrict moves,
                      __global int* restrict results, __global int4* cells, uint room, uint group_count,
                      __global uint* taken, int exact, __local uint* turn) {
  const uint items = get_local_size(0), item = get_local_id(0);
  __global int4* const own = cells + (size_t)get_group_id(0) * 2 * room * items + item;
  uint taking = get_group_id(0);
  while (taking < group_count) {
    const uint4 group = groups[taking];
    if (item < group.y) {
      const uint at = order[group.x + item];
      const uint4 pair = pairs[at];
      const int4 model = models[group.z];
      const int blocks = (model.z + NODES - 1) / NODES, move = moves[at], rise = model.w + move;
      __global int4 *from = own, *to = own + room * items;
      for (int block = 0; block < blocks; ++block) from[block * items] = (int4)(CELL(IMPOSSIBLE, IMPOSSIBLE));
      int best = IMPOSSIBLE, begin = BASE + move;
      for (uint i = 0; i < pair.y && best < MOST; i += ROWS) {
        __global const int2* emission[ROWS];
        int begins[ROWS], bests[ROWS];
        EACH_ROW {
          emission[r] = emissions + model.y + (i + r < pair.y ? residues[pair.x + i + r] : NO_CODE);
          begins[r] = begin;
        }
        score_rows(steps + model.x, emission, begins, blocks, from, to, items, bests);
        int changed = exact;
        while (changed) {
          int right = begin;
          changed = 0;
          EACH_ROW {
            changed |= right > begins[r];
            begins[r] = right;
            right = max(right, bests[r] + rise);
          }
          if (changed) score_rows(steps + model.x, emission, begins, blocks, from, to, items, bests);
        }
        EACH_ROW best = max(best, bests[r]);
        begin = max(begin, best + rise);
        __global int4* const old = from;
        from = to;
        to = old;
      }
      results[at] = min(best, MOST) + exact * EXACT;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) *turn = atomic_inc(taken + exact);
    barrier(CLK_LOCAL_MEM_FENCE);
    taking = *turn;
  }
}
