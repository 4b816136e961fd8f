// The kernel that all striped programs share (striped_lanes.cl): a work-item scores groups of sequences, longest
// first, row by row; each sequence of a group leaves the loop when it ends.

// residues:    of all sequences; starts, lengths: of every sequence, in residues
// members:     [group][GROUP] indices of sequences, longest first, padded with NO_SEQUENCE
// counters:    the next group to be scored; the number of second passes of lazy-F
// transitions, crossings: see parameters_t; emissions: [code][vector][match, insert]
// floors:      lowest, first_q, first_d
// specials:    N->B, N->N, E->C, E->J, C->T, C->C, J->B, J->J, for the multihit sweep
// all_cells:   [vector][VECTORS_AT_ONCE][Q, I] for every work-group
// results:     for every sequence its score (multihit) or its largest match score (others)
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void striped(
    __global const uchar* restrict residues, __global const uint* restrict starts,
    __global const int* restrict lengths, __global const uint* restrict members, const uint groups,
    __global uint* counters, __global const model_t* restrict transitions,
    __global const model_t* restrict emissions, __global const model_t* restrict crossings, const int vectors,
    const int4 floors, const int8 specials, __global vector_t* restrict all_cells,
    __global score_t* restrict results) {
  const parameters_t model = {transitions,
                              crossings,
                              vectors,
                              (vector_t)(score_t)floors.s0,
                              (vector_t)(score_t)floors.s1,
                              (vector_t)(score_t)floors.s2,
                              specials.s0,
                              specials.s1,
                              specials.s2,
                              specials.s3,
                              specials.s4,
                              specials.s5,
                              specials.s6,
                              specials.s7};
  __global vector_t* restrict cells = CELL(all_cells, get_group_id(0) * (size_t)vectors, 0);
  uint passes = 0;

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
      start(&model, state + s);
    }
    int row = 0;
    for (int ending = count - 1; ending >= 0; --ending) {
      const int end = lengths[member[ending]];
      for (; row < end; ++row) {
        __global const model_t* scores[GROUP];
#pragma unroll
        for (int g = 0; g < GROUP; ++g) scores[g] = emissions + sequence[g][row] * (size_t)(vectors * 2);
        passes += sweep_row(&model, scores, cells, state);
      }
      score_t ended[GROUP];
#pragma unroll
      for (int s = 0; s < VECTORS_AT_ONCE; ++s) finish(&model, state + s, ended + s * SEQUENCES);
      results[member[ending]] = ended[ending];
      // From now on the lanes of this sequence read the residues of the longest one; their results are not used.
      sequence[ending] = sequence[0];
    }
  }
  atomic_add(counters + 1, passes);
}
