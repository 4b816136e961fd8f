// SSV of HMMER3's first stage (docs/spec/hmmer3/filters.md, 1.1): the best cell of the ungapped diagonals of sequences
// and models, and a list of the pairs in which it is high enough. Appended to gpu_ops.cl.
//
// A work-item compares one sequence with two models side by side: model a in the low 16 bits of a word, model b in the
// high ones. A cell is a rise above SSV's floor of -128, plus BASE:
//   cell(i, k) = max(cell(i-1, k-1) + gain(x_i, k), BASE)
// Gains are -127 to 126, so that no sum falls below 0. The maximum of all cells tells whether SSV overflows, long
// before 16 bits do: a cell gains at most 126 from one row to the next, and cells that have wrapped around begin at
// BASE again. Every order of evaluation gives the same maximum: the result is exact.
//
// A tile is ROWS rows, kept in registers while the work-item goes through the nodes, STEP at a time; between tiles the
// cells of its last row are kept in `edges`. Sequences are those of src/filter/opencl/gpu_layout.hpp: sorted by length,
// in blocks [word][BLOCK], padded in front. Padding gains -127.
//
// get_group_id(1) chooses the pair of models, get_group_id(0) + first_group the GROUP sequences. pairs[pair]: first of
// its steps among those of all pairs, and their number. tables: [step][STEP nodes][CODES] words of gains. edges:
// [step of all pairs * groups][GROUP] as (first step * groups + group * steps). least: [pair][class of length], the
// least cell, BASE included, with which a sequence is listed (0xffff: none), for both models. found: sequence, number
// of the model * 65536 + best cell; found_count counts also those that do not fit.
//
// Build options besides those of gpu_ops.cl: GROUP, BLOCK.

#define STEP 4
#define NODE_BYTES (4 * CODES)
#define BASE 0x00800080u

// One node: the cells of the rows of the node before become those of this one. `corner`: the cell of the node before in
// the row above the tile.
inline uint next_node(uint cells[ROWS], const uint codes[ROWS], local_place gains, uint corner, uint best) {
#pragma unroll
  for (int row = ROWS - 1; row >= 0; --row) {
    const uint before = row > 0 ? cells[row - 1] : corner;
    cells[row] = max_pair(add_pair(before, local_word(gains + codes[row])), BASE);
  }
#pragma unroll
  for (int row = 0; row < ROWS; row += 2) best = max3_pair(best, cells[row], cells[row + 1]);
  return best;
}

inline void list_if(uint cell, uint least, uint sequence, uint model, __global uint* found_count,
                    __global uint2* found, uint found_room) {
  if (cell < least) return;
  const uint place = atomic_inc(found_count);
  if (place < found_room) found[place] = (uint2)(sequence, model << 16 | cell);
}

__kernel void ssv(__global const uint* restrict residues, __global const ulong* restrict block_starts,
                  __global const int* restrict block_words, __global const uint* order,
                  __global const uint* classes, uint sequences, __global const uint* restrict tables,
                  __global const uint2* restrict pairs, __global const uint* least, uint class_count,
                  uint first_group, int strip_steps, __global uint4* edges, __global uint* found_count,
                  __global uint2* found, uint found_room, __local uint4* table_vectors) {
  __local uint* table = (__local uint*)table_vectors;
  const uint local_id = get_local_id(0);
  const uint first = (first_group + get_group_id(0)) * GROUP;
  const uint pair = get_group_id(1);
  const uint first_step = pairs[pair].x;
  const int steps = pairs[pair].y;
  __global const uint* column = residues + block_starts[first / BLOCK] + first % BLOCK + local_id;
  __global const uint* pair_table = tables + (ulong)first_step * (STEP * CODES);
  __global uint4* edge_column =
      edges + ((ulong)first_step * get_num_groups(0) + (ulong)get_group_id(0) * steps) * GROUP + local_id;
  const int words = block_words[first / BLOCK];
  const int tiles = (words + ROWS / 4 - 1) / (ROWS / 4);
  uint best = BASE;
  for (int tile = 0; tile < tiles; ++tile) {
    uint codes[ROWS], cells[ROWS];
    load_codes(codes, column, words - (tiles - tile) * (ROWS / 4), BLOCK);
#pragma unroll
    for (int row = 0; row < ROWS; ++row) cells[row] = BASE;
    uint corner = BASE;
    uint4 next = tile > 0 ? edge_column[0] : (uint4)(BASE);
    for (int strip = 0; strip < steps; strip += strip_steps) {
      const int strip_end = min(steps, strip + strip_steps);
      const bool loaded = tile > 0 && strip_steps >= steps;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = local_id; i < (loaded ? 0 : strip_end - strip) * (STEP * CODES); i += GROUP) {
        table[i] = pair_table[strip * (STEP * CODES) + i];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const local_place gains = LOCAL_PLACE(table);
      for (int step = strip; step < strip_end; ++step) {
        const uint4 edge = next;
        if (tile > 0) next = edge_column[min(step + 1, steps - 1) * GROUP];
        const local_place node = gains + (step - strip) * (STEP * NODE_BYTES);
        uint4 last_row;
        best = next_node(cells, codes, node, corner, best);
        last_row.x = cells[ROWS - 1];
        best = next_node(cells, codes, node + NODE_BYTES, edge.x, best);
        last_row.y = cells[ROWS - 1];
        best = next_node(cells, codes, node + 2 * NODE_BYTES, edge.y, best);
        last_row.z = cells[ROWS - 1];
        best = next_node(cells, codes, node + 3 * NODE_BYTES, edge.z, best);
        last_row.w = cells[ROWS - 1];
        corner = edge.w;
        edge_column[step * GROUP] = last_row;
      }
    }
  }
  const uint place = first + local_id;
  if (place < sequences) {
    const uint marks = least[pair * class_count + classes[place]];
    list_if(best & 0xffff, marks & 0xffff, order[place], 2 * pair, found_count, found, found_room);
    list_if(best >> 16, marks >> 16, order[place], 2 * pair + 1, found_count, found, found_room);
  }
}
