// Striped sweeps for devices whose work-items are CPU threads with vectors: the kernels of the host SIMD engine
// (src/filter/simd) with the same parameters, so that the same proofs hold.
//
// A work-item scores a group of sequences, longest first, row by row, against a model that lies striped over
// the lanes of VECTORS vectors: lane l holds consecutive nodes, vector v the v-th node of every lane. A vector
// serves one sequence or, its lanes shared out, two; two vectors are swept side by side, which hides the latency
// of the way from lane to lane. Sequences of a group drop out as they end.
//
// Build options:
//   BITS         16 (saturating sums) or 32
//   LANES        scores of a vector: 4, 8, 16
//   MODEL_LANES  lanes that share the model: LANES, or half of it for two sequences a vector
//   SWEEP        GLOCAL_BOUND, SINGLE_HIT (carries where useful), SINGLE_HIT_CARRIED (always), MULTIHIT
// 32-bit sums have room by construction of the parameters.
#define GLOCAL_BOUND 0
#define SINGLE_HIT 1
#define SINGLE_HIT_CARRIED 2
#define MULTIHIT 3

#define JOIN_TEXT(a, b) a##b
#define JOIN(a, b) JOIN_TEXT(a, b)

#if BITS == 16
#define SCORE short
#define WIDE_VECTOR JOIN(int, LANES)
#else
#define SCORE int
#endif
typedef SCORE score_t;
typedef JOIN(SCORE, LANES) vector_t;        // scores of one or two sequences
typedef JOIN(SCORE, MODEL_LANES) model_t;   // scores of the model

#define SEQUENCES (LANES / MODEL_LANES)     // in a vector
#define VECTORS_AT_ONCE 2
#define GROUP (SEQUENCES * VECTORS_AT_ONCE) // places for sequences in a group
#define NO_SEQUENCE 0xffffffffU

// Sum of scores. Compilers know this form for 16 bits as one saturating instruction; PoCL's add_sat is ten.
inline vector_t add(vector_t a, vector_t b) {
#if BITS == 16
  return JOIN(convert_short, LANES)(
      clamp(JOIN(convert_int, LANES)(a) + JOIN(convert_int, LANES)(b), (WIDE_VECTOR)-32768, (WIDE_VECTOR)32767));
#else
  return a + b;
#endif
}

// v moved up by 1, 2, 4 or 8 of the model's lanes; the lowest lanes get those of `below`, which are all alike.
#if MODEL_LANES == 16
inline model_t up1(model_t v, model_t below) {
  return (model_t)(below.s0, v.s01234567, v.s89ab, v.scd, v.se);
}
inline model_t up2(model_t v, model_t below) { return (model_t)(below.s01, v.s01234567, v.s89ab, v.scd); }
inline model_t up4(model_t v, model_t below) { return (model_t)(below.s0123, v.s01234567, v.s89ab); }
inline model_t up8(model_t v, model_t below) { return (model_t)(below.s01234567, v.s01234567); }
#elif MODEL_LANES == 8
inline model_t up1(model_t v, model_t below) { return (model_t)(below.s0, v.s0123, v.s45, v.s6); }
inline model_t up2(model_t v, model_t below) { return (model_t)(below.s01, v.s0123, v.s45); }
inline model_t up4(model_t v, model_t below) { return (model_t)(below.s0123, v.s0123); }
#elif MODEL_LANES == 4
inline model_t up1(model_t v, model_t below) { return (model_t)(below.s0, v.s01, v.s2); }
inline model_t up2(model_t v, model_t below) { return (model_t)(below.s01, v.s01); }
#endif

// How sequences share a vector.
#if SEQUENCES == 1
#define SPREAD(model_scores) (model_scores)
#define EMISSIONS(rows, place) ((rows)[0][place])
#define UP(step, v, below) JOIN(up, step)(v, below)
#else
#define SPREAD(model_scores) ((vector_t)((model_scores), (model_scores)))
#define EMISSIONS(rows, place) ((vector_t)((rows)[0][place], (rows)[1][place]))
#define UP(step, v, below) ((vector_t)(JOIN(up, step)((v).lo, (below).lo), JOIN(up, step)((v).hi, (below).hi)))
#endif

// A model as a row needs it. The order of the planes is that of the host's enumerations.
typedef struct {
  __global const model_t* transitions;  // [vector][PLANES]
  __global const model_t* crossings;    // [plane], scores that concern whole lanes
  int vectors;
  vector_t lowest;            // what stands for minus infinity in a cell
  vector_t first_q, first_d;  // Q and D that node 1 gets from below, in every row
} parameters_t;

// What one vector of sequences holds between rows, beside its cells.
typedef struct {
  vector_t best;   // largest match score so far
  vector_t carry;  // D that enters each lane, not yet in the cells
  vector_t top;    // Q of the last vector of nodes
} state_t;

// The cells (Q, and I before its emission) of vector v of nodes for vector s of sequences.
#define CELL(cells, v, s) ((cells) + ((v) * VECTORS_AT_ONCE + (s)) * 2)

#if SWEEP == GLOCAL_BOUND

enum { MATCH_INSERT, INSERT_INSERT, DELETE_MATCH, PLANES };

// Each lane gets the maximum of its own value, those of the lanes below it and `below`.
inline vector_t running_maximum(vector_t values, vector_t below) {
  values = max(values, UP(1, values, below));
  values = max(values, UP(2, values, below));
#if MODEL_LANES > 4
  values = max(values, UP(4, values, below));
#endif
#if MODEL_LANES > 8
  values = max(values, UP(8, values, below));
#endif
  return values;
}

inline void add_carry_to_top(const parameters_t* model, state_t* state) {
  const model_t delete_match = model->transitions[(model->vectors - 1) * PLANES + DELETE_MATCH];
  state->top = max(state->top, add(state->carry, SPREAD(delete_match)));
}

// Upper bounds for glocal models. Per vector of nodes:
//   M = Q of the node below, row before + match emission
//   I = max(M + mi, I + ii) of the row before + insert emission
//   Q = max(M, I, D + dm);  D of the next node = max(D, M)
// The D of other lanes join Q in the next row; E of a row is the largest D at its end.
inline uint sweep_row(const parameters_t* model, __global const model_t** scores, __global vector_t* cells,
                      state_t* state) {
  vector_t before[VECTORS_AT_ONCE];
  vector_t deletion[VECTORS_AT_ONCE];
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    before[s] = UP(1, state[s].top, model->first_q);
    deletion[s] = model->lowest;
  }
  for (int v = 0; v < model->vectors; ++v) {
    __global const model_t* t = model->transitions + v * PLANES;
    const vector_t match_insert = SPREAD(t[MATCH_INSERT]);
    const vector_t insert_insert = SPREAD(t[INSERT_INSERT]);
    const vector_t delete_match = SPREAD(t[DELETE_MATCH]);
#pragma unroll
    for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
      __global vector_t* cell = CELL(cells, v, s);
      const vector_t match = add(before[s], EMISSIONS(scores + s * SEQUENCES, v * 2));
      const vector_t insert = add(cell[1], EMISSIONS(scores + s * SEQUENCES, v * 2 + 1));
      before[s] = max(cell[0], add(state[s].carry, delete_match));
      cell[1] = max(add(match, match_insert), add(insert, insert_insert));
      state[s].top = max(max(match, insert), add(deletion[s], delete_match));
      cell[0] = state[s].top;
      deletion[s] = max(deletion[s], match);
    }
  }
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    state[s].carry = running_maximum(UP(1, deletion[s], model->first_d), model->first_d);
    add_carry_to_top(model, state + s);
    state[s].best = max(state[s].best, deletion[s]);
  }
  return 0;
}

#else

// Best of all lanes below, for values that lose `weights` on their way, one plane of weights a step.
inline vector_t scan_lanes(vector_t values, vector_t lowest, __global const model_t* weights) {
  values = max(values, add(UP(1, values, lowest), SPREAD(weights[0])));
  values = max(values, add(UP(2, values, lowest), SPREAD(weights[1])));
#if MODEL_LANES > 4
  values = max(values, add(UP(4, values, lowest), SPREAD(weights[2])));
#endif
#if MODEL_LANES > 8
  values = max(values, add(UP(8, values, lowest), SPREAD(weights[3])));
#endif
  return values;
}

enum { ENTRY, MATCH_INSERT, INSERT_INSERT, MATCH_DELETE, DELETE_DELETE, CARRIED };
#define PLANES (SWEEP == SINGLE_HIT_CARRIED ? CARRIED + 1 : CARRIED)
// Crossing planes; the scan weights follow, one plane a step.
enum { HARMLESS, SCAN_WEIGHTS };

inline void add_carry_to_top(const parameters_t* model, state_t* state) {
#if SWEEP == SINGLE_HIT_CARRIED
  const model_t carried = model->transitions[(model->vectors - 1) * PLANES + CARRIED];
  state->top = max(state->top, add(state->carry, SPREAD(carried)));
#endif
}

// Exact single-hit scores. Per vector of nodes:
//   M = max(Q of the node below, row before; entry) + match emission
//   I = max(M + mi, I + ii) of the row before + insert emission
//   Q = max(M, I, D);  D of the next node = max(D + dd, M + md)
// A D that leaves a lane enters the next one through a scan over the lanes, after the row, and joins Q in the
// next row; or else a comparison tells whether it can matter at all, and Q is mended in a second pass.
// Returns how many vectors were mended.
inline uint sweep_row(const parameters_t* model, __global const model_t** scores, __global vector_t* cells,
                      state_t* state) {
  uint mended = 0;
  vector_t before[VECTORS_AT_ONCE];
  vector_t deletion[VECTORS_AT_ONCE];
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    before[s] = UP(1, state[s].top, model->lowest);
    deletion[s] = model->lowest;
  }
  for (int v = 0; v < model->vectors; ++v) {
    __global const model_t* t = model->transitions + v * PLANES;
    const vector_t entry = SPREAD(t[ENTRY]);
    const vector_t match_insert = SPREAD(t[MATCH_INSERT]);
    const vector_t insert_insert = SPREAD(t[INSERT_INSERT]);
    const vector_t match_delete = SPREAD(t[MATCH_DELETE]);
    const vector_t delete_delete = SPREAD(t[DELETE_DELETE]);
#pragma unroll
    for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
      __global vector_t* cell = CELL(cells, v, s);
      const vector_t match = add(max(before[s], entry), EMISSIONS(scores + s * SEQUENCES, v * 2));
      const vector_t insert = add(cell[1], EMISSIONS(scores + s * SEQUENCES, v * 2 + 1));
      before[s] = cell[0];
#if SWEEP == SINGLE_HIT_CARRIED
      before[s] = max(before[s], add(state[s].carry, SPREAD(t[CARRIED])));
#endif
      state[s].best = max(state[s].best, match);
      cell[1] = max(add(match, match_insert), add(insert, insert_insert));
      state[s].top = max(max(match, insert), deletion[s]);
      cell[0] = state[s].top;
      deletion[s] = max(add(deletion[s], delete_delete), add(match, match_delete));
    }
  }
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    vector_t entering = UP(1, deletion[s], model->lowest);
#if SWEEP == SINGLE_HIT_CARRIED
    state[s].carry = scan_lanes(entering, model->lowest, model->crossings + SCAN_WEIGHTS);
    add_carry_to_top(model, state + s);
#else
    if (!any(entering > SPREAD(model->crossings[HARMLESS]))) continue;
    ++mended;
    entering = scan_lanes(entering, model->lowest, model->crossings + SCAN_WEIGHTS);
    for (int v = 0; v < model->vectors; ++v) {
      __global vector_t* cell = CELL(cells, v, s);
      state[s].top = max(cell[0], entering);
      cell[0] = state[s].top;
      // The floor is for 32 bits, where impossible steps would add up.
      entering = max(add(entering, SPREAD(model->transitions[v * PLANES + DELETE_DELETE])), model->lowest);
    }
#endif
  }
  return mended;
}

#endif

// residues:    of all sequences; starts, lengths: of every sequence, in residues
// members:     [group][GROUP] places of sequences, longest first, then NO_SEQUENCE
// counters:    the next group to be done; vectors that were mended
// transitions, crossings: see parameters_t; emissions: [code][vector][match, insert]
// floors:      lowest, first_q, first_d
// all_cells:   [vector][VECTORS_AT_ONCE][Q, I] for every work-group
// results:     largest match score of every sequence
__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void striped(__global const uchar* restrict residues, __global const uint* restrict starts,
             __global const int* restrict lengths, __global const uint* restrict members, const uint groups,
             __global uint* counters, __global const model_t* restrict transitions,
             __global const model_t* restrict emissions, __global const model_t* restrict crossings,
             const int vectors, const int4 floors, __global vector_t* restrict all_cells,
             __global score_t* restrict results) {
  const parameters_t model = {transitions,
                              crossings,
                              vectors,
                              (vector_t)(score_t)floors.s0,
                              (vector_t)(score_t)floors.s1,
                              (vector_t)(score_t)floors.s2};
  __global vector_t* restrict cells = CELL(all_cells, get_group_id(0) * (size_t)vectors, 0);
  uint mended = 0;

  for (uint group = atomic_inc(counters); group < groups; group = atomic_inc(counters)) {
    __global const uint* member = members + (size_t)group * GROUP;
    __global const uchar* sequence[GROUP];
    int count = 0;
    for (int g = 0; g < GROUP; ++g) {
      const bool present = member[g] != NO_SEQUENCE;
      sequence[g] = residues + starts[member[present ? g : 0]];
      count += present;
    }
    state_t state[VECTORS_AT_ONCE];
#pragma unroll
    for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
      for (int v = 0; v < vectors; ++v) CELL(cells, v, s)[0] = CELL(cells, v, s)[1] = model.lowest;
      state[s].best = state[s].top = model.lowest;
      state[s].carry = model.first_d;
      add_carry_to_top(&model, state + s);
    }
    int row = 0;
    for (int ending = count - 1; ending >= 0; --ending) {
      const int end = lengths[member[ending]];
      for (; row < end; ++row) {
        __global const model_t* scores[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; ++g) scores[g] = emissions + sequence[g][row] * (size_t)(vectors * 2);
        mended += sweep_row(&model, scores, cells, state);
      }
      vector_t best[VECTORS_AT_ONCE];
#pragma unroll
      for (int s = 0; s < VECTORS_AT_ONCE; ++s) best[s] = state[s].best;
      const score_t* lanes = (const score_t*)best + ending * MODEL_LANES;
      score_t largest = lanes[0];
      for (int lane = 1; lane < MODEL_LANES; ++lane) largest = max(largest, lanes[lane]);
      results[member[ending]] = largest;
      // From here on the lanes of this sequence read the longest one's residues, to no effect.
      sequence[ending] = sequence[0];
    }
  }
  atomic_add(counters + 1, mended);
}
