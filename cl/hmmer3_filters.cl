// HMMER3's bias and Viterbi filters of many pairs of a model and a sequence (docs/spec/hmmer3/filters.md, 5 and 6): one
// work-item a pair. hmmer3_arithmetic.cl comes before. Build option: BIAS 1 for the bias filter, which needs double
// precision, else 0.
//
// groups: first pair, pairs, model. pairs: first residue, residues.

#define CODES 32
#define IMPOSSIBLE (-32768)
#define BASE 12000

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
// the background's loop, and 1 less that. results: the sum of the rows' logarithms, the last row's sum, and 1 if both are
// sure.
__kernel void bias(__global const uchar* restrict residues, __global const uint4* restrict groups,
                   __global const uint4* restrict pairs, __global const float* restrict models,
                   __global const float2* restrict lengths, __global float4* restrict results) {
  const uint4 group = groups[get_group_id(0)];
  if (get_local_id(0) >= group.y) return;
  const uint at = group.x + get_local_id(0);
  const uint4 pair = pairs[at];
  __global const float* const odds = models + group.z * (CODES + 2);
  const float leave = odds[CODES], stay = odds[CODES + 1], loop = lengths[at].x, to_biased = lengths[at].y;
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
  results[at] = (float4)(sum, add(background, biased), (float)sure, 0.0f);
}
#endif

// Tables of Viterbi. models: where the steps begin (in fours), where the emissions begin, nodes, score of E -> C and E -> J.
// steps: of each node k B into its match state, M, I and D into the match state of k + 1, M and I into its insert state, M and
// D into the delete state of k + 1. emissions: [node][code]. Both have room for whole blocks of nodes, and one more: nodes
// behind the last have impossible scores, so that their match scores are the lowest, and so have codes that do not occur, as
// NO_CODE. moves: score of leaving N, C or J. cells: of a group, from its last number on, [node][item]: of a row two scores
// stay, in a word: in the lower half the best way into the match state from the node before, in the upper half the insert
// state, both of the next row.
#define NO_CODE (CODES - 1)
#define CELL(way, insert) ((insert) << 16 | ((way) & 0xffff))

// The largest match score as long as E -> J -> B is no better than N -> B, of ROWS rows at a time: what a row needs of the one
// before it is in registers then. If that score is so large that B becomes better, the pair's largest may be larger.
//
// Scores are not held at the lowest, IMPOSSIBLE: a path that comes to it is never the best (viterbi_never_gains() in
// src/hmmer3/opencl/filter_tables.hpp).
#define ROWS 8
#define EACH_ROW _Pragma("unroll") for (int r = 0; r < ROWS; ++r)
__kernel void viterbi_rows(__global const uchar* restrict residues, __global const uint4* restrict groups,
                           __global const uint4* restrict pairs, __global const int4* restrict models,
                           __global const int4* restrict steps, __global const short* restrict emissions,
                           __global const int* restrict moves, __global int* restrict results, __global int* restrict cells) {
  const uint4 group = groups[get_group_id(0)];
  if (get_local_id(0) >= group.y) return;
  const uint items = get_local_size(0), at = group.x + get_local_id(0);
  const uint4 pair = pairs[at];
  const int4 model = models[group.z];
  const int nodes = model.z, begin = BASE + moves[at];
  __global const int4* const of_steps = steps + model.x;
  __global int* const own = cells + group.w + get_local_id(0);
  for (int k = 0; k <= nodes; ++k) own[k * items] = CELL(IMPOSSIBLE, IMPOSSIBLE);
  int best = IMPOSSIBLE;
  for (uint i = 0; i < pair.y; i += ROWS) {
    __global const short* emission[ROWS];
    int way[ROWS], deletion[ROWS], ahead[ROWS];
    EACH_ROW {
      emission[r] = emissions + model.y + (i + r < pair.y ? residues[pair.x + i + r] : NO_CODE);
      way[r] = deletion[r] = IMPOSSIBLE;
      ahead[r] = emission[r][0];
    }
    int4 into_ahead = of_steps[0], out_ahead = of_steps[1];
    int word_ahead = own[0];
    for (int k = 0; k < nodes; ++k) {
      const int4 into = into_ahead, out = out_ahead;
      const int word = word_ahead;
      int score[ROWS];
      EACH_ROW score[r] = ahead[r];
      into_ahead = of_steps[2 * k + 2];
      out_ahead = of_steps[2 * k + 3];
      word_ahead = own[(k + 1) * items];
      EACH_ROW ahead[r] = emission[r][(k + 1) * CODES];
      const int entry = begin + into.x;
      int insert = word >> 16, coming = (short)word;
      EACH_ROW {
        const int match = max(entry, coming) + score[r];
        best = max(best, match);
        coming = way[r];
        way[r] = max(max(match + into.y, insert + into.z), deletion[r] + into.w);
        deletion[r] = max(match + out.z, deletion[r] + out.w);
        insert = max(match + out.x, insert + out.y);
      }
      own[k * items] = CELL(max(coming, IMPOSSIBLE), max(insert, IMPOSSIBLE));
    }
  }
  results[at] = min(best, 32767);
}

// A block of nodes in registers.
#define NODES 4
typedef struct {
  int4 into[NODES], out[NODES];
  short emission[NODES];
  int word[NODES];
} Block;

inline void load_block(Block* block, __global const int4* steps, __global const short* emission, __global const int* cells,
                       uint items, int first) {
#pragma unroll
  for (int n = 0; n < NODES; ++n) {
    block->into[n] = steps[2 * (first + n)];
    block->out[n] = steps[2 * (first + n) + 1];
    block->emission[n] = emission[(first + n) * CODES];
    block->word[n] = cells[(first + n) * items];
  }
}

// The largest match score, or 32767 if one was larger, row by row.
//
// While a work-item computes a block of nodes, it waits for the next.
__kernel void viterbi(__global const uchar* restrict residues, __global const uint4* restrict groups,
                      __global const uint4* restrict pairs, __global const int4* restrict models,
                      __global const int4* restrict steps, __global const short* restrict emissions,
                      __global const int* restrict moves, __global int* restrict results, __global int* cells) {
  const uint4 group = groups[get_group_id(0)];
  if (get_local_id(0) >= group.y) return;
  const uint items = get_local_size(0), at = group.x + get_local_id(0);
  const uint4 pair = pairs[at];
  const int4 model = models[group.z];
  const int nodes = model.z, end_score = model.w, move = moves[at];
  __global const int4* const of_steps = steps + model.x;
  __global int* const own = cells + group.w + get_local_id(0);
  const int blocks = (nodes + NODES - 1) / NODES;
  for (int k = 0; k < (blocks + 1) * NODES; ++k) own[k * items] = CELL(IMPOSSIBLE, IMPOSSIBLE);
  int best = IMPOSSIBLE, begin = BASE + move;
  for (uint i = 0; i < pair.y && best < 32767; ++i) {
    __global const short* const emission = emissions + model.y + residues[pair.x + i];
    int deletion = IMPOSSIBLE, way = IMPOSSIBLE;
    Block next;
    load_block(&next, of_steps, emission, own, items, 0);
    for (int block = 0; block < blocks; ++block) {
      const Block now = next;
      load_block(&next, of_steps, emission, own, items, (block + 1) * NODES);
#pragma unroll
      for (int n = 0; n < NODES; ++n) {
        const int k = block * NODES + n, insert = now.word[n] >> 16, entry = (int)(short)now.word[n];
        const int match = max(max(max(begin + now.into[n].x, entry), IMPOSSIBLE) + now.emission[n], IMPOSSIBLE);
        best = max(best, match);
        const int next_insert = max(max(match + now.out[n].x, insert + now.out[n].y), IMPOSSIBLE);
        own[k * items] = CELL(way, next_insert);
        way = max(max(match + now.into[n].y, max(insert + now.into[n].z, deletion + now.into[n].w)), IMPOSSIBLE);
        deletion = max(max(match + now.out[n].z, deletion + now.out[n].w), IMPOSSIBLE);
      }
    }
    begin = max(begin, best + end_score + move);
  }
  results[at] = min(best, 32767);
}
