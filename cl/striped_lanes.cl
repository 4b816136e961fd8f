// Striped kernels for devices whose work-items are CPU threads with vectors: the kernels of the host SIMD engine
// (src/filter/simd) with the same parameters, so that the same proofs hold. A program is this file, one of
// striped_bound.cl, striped_single_hit.cl and striped_multihit.cl, and striped.cl.
//
// The model is striped over the lanes of vectors: lane l holds consecutive nodes, vector v the v-th node of every lane.
// A vector holds one sequence, or two that have half of the lanes each. Two vectors are computed side by side, which
// hides the latency of the scan across lanes.
//
// Build options:
//   BITS         16 (saturating sums) or 32 (sums cannot overflow by construction of the parameters)
//   LANES        scores in a vector: 4, 8, 16
//   MODEL_LANES  lanes that share the model: LANES, or half of it for two sequences in a vector; 4, 8, 16

#define JOIN_TEXT(a, b) a##b
#define JOIN(a, b) JOIN_TEXT(a, b)

#if BITS == 16
#define SCORE short
#define WIDE_VECTOR JOIN(int, LANES)
#else
#define SCORE int
#endif
typedef SCORE score_t;
typedef JOIN(SCORE, LANES) vector_t;       // scores of one or two sequences
typedef JOIN(SCORE, MODEL_LANES) model_t;  // scores of the model

#define SEQUENCES (LANES / MODEL_LANES)  // in a vector
#define VECTORS_AT_ONCE 2
#define GROUP (SEQUENCES * VECTORS_AT_ONCE)  // sequences of a group
#define NO_SEQUENCE 0xffffffffU

// Sum of scores. For 16 bits, compilers turn this form into one saturating instruction; PoCL's add_sat takes ten.
inline vector_t add(vector_t a, vector_t b) {
#if BITS == 16
  return JOIN(convert_short, LANES)(clamp(JOIN(convert_int, LANES)(a) + JOIN(convert_int, LANES)(b),
                                          (WIDE_VECTOR)-32768, (WIDE_VECTOR)32767));
#else
  return a + b;
#endif
}

// v moved up by 1, 2, 4 or 8 of the model's lanes; the lowest lanes come from `below`, whose lanes are all equal.
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
#define UP(step, v, below) \
  ((vector_t)(JOIN(up, step)((v).lo, (below).lo), JOIN(up, step)((v).hi, (below).hi)))
#endif

// The parameters of a model. The order of the planes is that of the host's enumerations.
typedef struct {
  __global const model_t* transitions;  // [vector][PLANES]
  __global const model_t* crossings;    // [plane], scores for paths that cross lanes
  int vectors;
  vector_t lowest;            // stands for minus infinity in a cell
  vector_t first_q, first_d;  // Q and D of node 0, in every row
  // For MULTIHIT.
  int n_begin, n_loop, e_to_c, e_to_j, c_end, c_loop, j_begin, j_loop;
} parameters_t;

// The state of one vector of sequences between rows, besides its cells.
typedef struct {
  vector_t best;    // largest match score so far
  vector_t lazy_f;  // D that enters each lane and is not yet included in the cells
  vector_t top;     // Q of the last vector of nodes
  long n, b, j, c;  // special states of the one sequence, for the multihit kernel
} state_t;

// The cells (Q, and I before its emission) of vector v of nodes for vector s of sequences.
#define CELL(cells, v, s) ((cells) + ((v)*VECTORS_AT_ONCE + (s)) * 2)

// A call would keep the states in memory, which costs a third of the speed.
#define IN_REGISTERS inline __attribute__((always_inline))

// Each kernel defines three functions:
//   void start(model, state)             sets the state of a vector before the first row
//   uint sweep_row(model, scores, cells, states)
//                                        computes a row, given the emissions of each sequence's residue; returns the
//                                        number of second passes of lazy-F
//   void finish(model, state, results)   writes the results of the sequences in a vector

// Max-plus prefix scan over the lanes: lane l gets the maximum of its own value and value[l'] + the weight from l' to l
// for all l' < l. `weights` has one plane for each step of 1, 2, 4, 8 lanes.
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

// The largest of the lanes of each sequence.
inline void largest_lanes(vector_t values, score_t* results) {
  score_t lanes[LANES];
  JOIN(vstore, LANES)(values, 0, lanes);
#pragma unroll
  for (int s = 0; s < SEQUENCES; ++s) {
    results[s] = lanes[s * MODEL_LANES];
#pragma unroll
    for (int l = 1; l < MODEL_LANES; ++l) results[s] = max(results[s], lanes[s * MODEL_LANES + l]);
  }
}
