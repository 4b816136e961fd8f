// Exact single-hit scores, re-based with free ends (src/plan7/rebased_model.hpp). For each vector of nodes:
//   M = max(Q of the previous node, previous row; entry) + match emission
//   I = max(M + mi, I + ii) of the previous row + insert emission
//   Q = max(M, I, D);  D of the next node = max(D + dd, M + md)
// A D that leaves a lane enters the next one through a scan over the lanes, after the row. With the build option
// LAZY_F_ALWAYS = 1 that D is added to Q in the next row; otherwise a comparison shows whether it can matter at all,
// and if so a second pass corrects Q.

enum { ENTRY, MATCH_INSERT, INSERT_INSERT, MATCH_DELETE, DELETE_DELETE, LAZY_F };
#define PLANES (LAZY_F + LAZY_F_ALWAYS)
// Crossing planes; from SCAN_WEIGHTS on one plane for each step of the scan.
enum { HARMLESS, SCAN_WEIGHTS };

inline void add_lazy_f_to_top(const parameters_t* model, state_t* state) {
#if LAZY_F_ALWAYS
  const model_t lazy_f = model->transitions[(model->vectors - 1) * PLANES + LAZY_F];
  state->top = max(state->top, add(state->lazy_f, SPREAD(lazy_f)));
#endif
}

inline void start(const parameters_t* model, state_t* state) {
  state->best = state->top = model->lowest;
  state->lazy_f = model->first_d;
  add_lazy_f_to_top(model, state);
}

IN_REGISTERS uint sweep_row(const parameters_t* model, __global const model_t** scores,
                            __global vector_t* cells, state_t* state) {
  uint passes = 0;
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
#if LAZY_F_ALWAYS
      before[s] = max(before[s], add(state[s].lazy_f, SPREAD(t[LAZY_F])));
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
#if LAZY_F_ALWAYS
    state[s].lazy_f = scan_lanes(entering, model->lowest, model->crossings + SCAN_WEIGHTS);
    add_lazy_f_to_top(model, state + s);
#else
    if (!any(entering > SPREAD(model->crossings[HARMLESS]))) continue;
    ++passes;
    entering = scan_lanes(entering, model->lowest, model->crossings + SCAN_WEIGHTS);
    for (int v = 0; v < model->vectors; ++v) {
      __global vector_t* cell = CELL(cells, v, s);
      state[s].top = max(cell[0], entering);
      cell[0] = state[s].top;
      // The floor is for 32 bits, where sums of impossible transitions would overflow.
      entering = max(add(entering, SPREAD(model->transitions[v * PLANES + DELETE_DELETE])), model->lowest);
    }
#endif
  }
  return passes;
}

inline void finish(const parameters_t* model, const state_t* state, score_t* results) {
  largest_lanes(state->best, results);
}
