// Exact scores by the full recurrence (N, B, J and C in every row), with one sequence in a vector of 32-bit scores.
// D from other lanes is added to Q in the next row.
//
// Build options: MINUS_INFINITY, the lowest value of a special state; LOWEST_BEGIN, to which B is raised for the nodes.

enum {
  BEGIN,
  END,
  MATCH_MATCH,
  MATCH_INSERT,
  MATCH_DELETE,
  INSERT_MATCH,
  INSERT_INSERT,
  DELETE_MATCH,
  DELETE_DELETE,
  LAZY_F,
  PLANES
};

inline void start(const parameters_t* model, state_t* state) {
  state->best = state->lazy_f = state->top = model->lowest;
  state->n = 0;
  state->b = model->n_begin;
  state->j = state->c = MINUS_INFINITY;
}

IN_REGISTERS uint sweep_row(const parameters_t* model, __global const model_t** scores,
                            __global vector_t* cells, state_t* state) {
  vector_t before[VECTORS_AT_ONCE], deletion[VECTORS_AT_ONCE], ending[VECTORS_AT_ONCE],
      begin[VECTORS_AT_ONCE];
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    before[s] = UP(1, state[s].top, model->lowest);
    deletion[s] = ending[s] = model->lowest;
    begin[s] = max((int)state[s].b, LOWEST_BEGIN);
  }
  for (int v = 0; v < model->vectors; ++v) {
    __global const model_t* t = model->transitions + v * PLANES;
#pragma unroll
    for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
      __global vector_t* cell = CELL(cells, v, s);
      const vector_t match = max(before[s], begin[s] + t[BEGIN]) + EMISSIONS(scores + s, v * 2);
      const vector_t insert = cell[1] + EMISSIONS(scores + s, v * 2 + 1);
      before[s] = max(cell[0], state[s].lazy_f + t[LAZY_F]);
      ending[s] = max(ending[s], match + t[END]);
      cell[1] = max(match + t[MATCH_INSERT], insert + t[INSERT_INSERT]);
      state[s].top =
          max(max(match + t[MATCH_MATCH], insert + t[INSERT_MATCH]), deletion[s] + t[DELETE_MATCH]);
      cell[0] = state[s].top;
      deletion[s] = max(deletion[s] + t[DELETE_DELETE], match + t[MATCH_DELETE]);
    }
  }
#pragma unroll
  for (int s = 0; s < VECTORS_AT_ONCE; ++s) {
    state_t* special = state + s;
    special->lazy_f = scan_lanes(UP(1, deletion[s], model->lowest), model->lowest, model->crossings);
    special->top =
        max(special->top, special->lazy_f + model->transitions[(model->vectors - 1) * PLANES + LAZY_F]);
    score_t e;
    largest_lanes(ending[s], &e);
    const long least = MINUS_INFINITY;
    special->n = max(special->n + model->n_loop, least);
    special->j = max(max(special->j + model->j_loop, (long)e + model->e_to_j), least);
    special->b = max(max(special->n + model->n_begin, special->j + model->j_begin), least);
    special->c = max(max(special->c + model->c_loop, (long)e + model->e_to_c), least);
  }
  return 0;
}

inline void finish(const parameters_t* model, const state_t* state, score_t* results) {
  results[0] = convert_int_sat(state->c + model->c_end);
}
