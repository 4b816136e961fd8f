// HMMER3's MSV of many pairs of a model and a sequence (docs/spec/hmmer3/filters.md, 1.2): one work-item a pair.
//
//   cell(i, k) = max(cell(i-1, k-1), begin(i)) + gain(x_i, k)
//
// Cells are not held between 0 and 255 as HMMER3's are: begin is never negative, so that those below 0 do not matter, and
// the result is known when one comes near 255. A gain is the model's bias less the cost.
//
// The largest cell of a row may raise begin of the rows behind it. ROWS rows are in registers while the work-item goes
// through the nodes; all begin with what is known of the rows before them. Where it turns out that begin is higher in one of
// them, it is raised and the rows are done again, until nothing changes. Every such begin is at most the right one, and that
// of the first row is right; so they are right at the end: begin only ever depends on rows before.
//
// groups, from first_group on: first pair, pairs, model, first word of the group's edges. pairs: first residue, residues.
// models: first of its gains, nodes, bias, cost of E -> C and E -> J. gains: [node][code], room for one node more; codes
// that do not occur lose 255. to_begin: of each pair the cost of J -> B -> M. results: the largest cell; at least 255 less
// the bias if MSV overflows. edges: [2][node][item], with room for one node more each, the cells of the last row of the
// rows before, and of these.

#define CODES 32
#define NO_CODE (CODES - 1)
#define BASE 190
#define OVERFLOW 255
#define ROWS 16
#define EACH_ROW _Pragma("unroll") for (int r = 0; r < ROWS; ++r)

inline int begin_behind(int most, int end_cost, int to_begin) { return max(0, max(BASE, most - end_cost) - to_begin); }

__kernel void msv(__global const uchar* restrict residues, __global const uint4* restrict groups, uint first_group,
                  __global const uint4* restrict pairs, __global const int4* restrict models,
                  __global const short* restrict gains, __global const int* restrict to_begin,
                  __global int* restrict results, __global int* restrict edges) {
  const uint4 group = groups[first_group + get_group_id(0)];
  if (get_local_id(0) >= group.y) return;
  const uint items = get_local_size(0), at = group.x + get_local_id(0);
  const uint4 pair = pairs[at];
  const int4 model = models[group.z];
  const int nodes = model.y, overflow = OVERFLOW - model.z, end_cost = model.w, cost = to_begin[at];
  __global int* above = edges + group.w + get_local_id(0);
  __global int* below = above + (nodes + 1) * items;
  int most = 0;
  int begin[ROWS];
  EACH_ROW begin[r] = begin_behind(0, end_cost, cost);
  // Work-items that do their rows again do not keep the others from going on.
  for (uint i = 0; i < pair.y && most < overflow;) {
    uint codes[ROWS];
    int cells[ROWS], largest[ROWS];
    EACH_ROW {
      codes[r] = i + r < pair.y ? residues[pair.x + i + r] : NO_CODE;
      cells[r] = largest[r] = 0;
    }
    __global const short* node = gains + model.x;
    int ahead[ROWS], edge_ahead = above[0], corner = 0;
    EACH_ROW ahead[r] = node[codes[r]];
    for (int k = 0; k < nodes; ++k) {
      int before = corner, gain[ROWS];
      EACH_ROW gain[r] = ahead[r];
      corner = i > 0 ? edge_ahead : 0;
      node += CODES;
      EACH_ROW ahead[r] = node[codes[r]];
      edge_ahead = above[(k + 1) * items];
      EACH_ROW {
        const int now = max(before, begin[r]) + gain[r];
        largest[r] = max(largest[r], now);
        before = cells[r];
        cells[r] = now;
      }
      below[k * items] = cells[ROWS - 1];
    }
    bool again = false;
    int known = most;
    EACH_ROW {
      const int right = begin_behind(known, end_cost, cost);
      again = again || right > begin[r];
      begin[r] = right;
      known = max(known, largest[r]);
    }
    if (again && known < overflow) continue;
    most = known;
    i += ROWS;
    EACH_ROW begin[r] = begin_behind(most, end_cost, cost);
    __global int* const last = above;
    above = below;
    below = last;
  }
  results[at] = most;
}
