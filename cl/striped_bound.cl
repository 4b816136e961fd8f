// Upper bounds for glocal models in the re-based scores of src/filter/simd/glocal_form.hpp. For each vector of nodes:
//   M = Q of the previous node, previous row + match emission
//   I = max(M + mi, I + ii) of the previous row + insert emission
//   Q = max(M, I, D + dm);  D of the next node = max(D, M)
// D from other lanes is added to Q in the next row; E of a row is the largest D at its end.

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

inline void add_lazy_f_to_top(const parameters_t* model, state_t* state) {
  const model_t delete_match = model->transitions[(model->vectors - 1) * PLANES + DELETE_MATCH];
  state->top = max(state->top, add(state->lazy_f, SPREAD(delete_match)));
}

inline void start(const parameters_t* model, state_t* state) {
  state->best = state->top = model->lowest;
  state->lazy_f = model->first_d;
  add_lazy_f_to_top(model, state);
}

IN_REGISTERS uint sweep_row(const parameters_t* model, __global const model_t** scores,
                            __global vector_t* cells, state_t* state) {
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
      before[s] = max(cell[0], add(state[s].lazy_f, delete_match));
      cell[1] = max(add(match, match_insert), add(insert, insert_insert));
      state[s].top = max(max(match, insert), add(deletion[s], delete_match));
      cell[0] = state[s].top;
      deletion[s] = max(deletion[s], match);
    }
  }
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    state[s].lazy_f = running_maximum(UP(1, deletion[s], model->first_d), model->first_d);
    add_lazy_f_to_top(model, state + s);
    state[s].best = max(state[s].best, deletion[s]);
  }
  return 0;
}

inline void finish(const parameters_t* model, const state_t* state, score_t* results) {
  largest_lanes(state->best, results);
}
