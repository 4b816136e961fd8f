// Viterbi paths of sequences: a work-group of 32 work-items sweeps one sequence by the full recurrence, keeps a byte for
// each cell, which says where the best paths through it come from, and follows the best path back. Appended to gpu_ops.cl
// and gpu_items.cl.
//
// Scores are re-based with free ends (src/plan7/rebased_model.hpp), so that what a node passes on is the largest of its M,
// I and D, and E the largest M. A work-item has `steps` consecutive nodes: node k is at step (k - 1) % steps of item
// (k - 1) / steps. In each row it computes first M, I and, as if no delete entered its nodes, D behind the last one. A
// scan over the items gives the D that enters each, and the largest M gives E and B. With these the second pass computes
// D, what comes into the next match, and the record. All that a traceback compares are sums of the same numbers as in the
// host's sweep (src/align/sweep_kernel.cpp): candidates tie here exactly if they do there, and the record names the one
// that HMMER prefers. The host checks that the score is proven (GridModel::proves).
//
// Tables: `deletes` [step][item] M->D, D->D; `inserts` [step][item] M->I, I->I; `begins` [step][item] B->M of the next
// node; `emissions` [code][step][item] match, insert; `crossings` [5][item] weights of the scan; `specials` N->B, N->N,
// E->C, C->C; E->J, J->J, J->B, C->T; B->M of node 1. Pair p: pairs[2 p] its first residue (one byte each), its length, its
// first row, the least score of a path wanted; pairs[2 p + 1] its first row of `record` in units of 32 bytes, its first
// word of `words`, how many it has. `rows` [row 0..L]: the node that E comes from, and the row of the E that B comes from,
// 0 if it comes from N.
//
// found[p]: the score, and how many words its path takes; -1 if they do not suffice. The path from its end on: for each
// domain the row of E and the last node, then runs of states, 4 times their number + 0 for M, 1 for I, 2 for D; the last
// word of a domain is 4 times the row of B + 3.

#define LOWEST_BEGIN (-600000000)
#define MINUS_INFINITY (-987654321)

// States, and the record of a cell: where M of the next row and node comes from (two bits); whether D of the next node
// comes from M, and I of the next row.
#define IN_MATCH 0
#define IN_INSERT 1
#define IN_DELETE 2
#define IN_BEGIN 3
#define OPENS_DELETE 4
#define OPENS_INSERT 8

// The record of a cell; that of row 0 or node 0 tells that only B comes before.
inline uchar recorded(__global const uchar* record, int row, int node, int steps) {
  if (row < 1 || node < 1) return IN_BEGIN;
  return record[((size_t)(row - 1) * steps + (node - 1) % steps) * 32 + (node - 1) / steps];
}

// Follows the path back from E of `row`; all work-items do the same, each reads a cell ahead on the diagonal. Returns the
// number of words.
inline int follow(__global const uchar* record, __global const int2* rows, int row, int steps, int room, int item,
                  __global int* words, __local uchar* ahead) {
  int used = 0;
  while (row > 0 && used >= 0) {
    const int2 from = rows[row];
    int node = from.x;
    bool fits = node > 0 && used + 2 <= room;
    if (fits && item == 0) {
      words[used] = row;
      words[used + 1] = node;
    }
    used += 2;
    int state = IN_MATCH, run = 0, read = 32;
    while (fits && state != IN_BEGIN) {
      int next;
      ++run;
      if (state == IN_MATCH) {
        if (read == 32) {
          barrier(CLK_LOCAL_MEM_FENCE);
          ahead[item] = recorded(record, row - 1 - item, node - 1 - item, steps);
          barrier(CLK_LOCAL_MEM_FENCE);
          read = 0;
        }
        next = ahead[read++] & 3;
        --row;
        --node;
      } else if (state == IN_INSERT) {
        --row;
        next = recorded(record, row, node, steps) & OPENS_INSERT ? IN_MATCH : IN_INSERT;
      } else {
        --node;
        next = recorded(record, row, node, steps) & OPENS_DELETE ? IN_MATCH : IN_DELETE;
      }
      fits = next == IN_BEGIN ? row >= 0 && node >= 0 : row > 0 && node > 0;
      if (next != state) {
        fits = fits && used + 2 <= room;
        if (fits && item == 0) words[used] = run * 4 + state;
        ++used;
        run = 0;
        read = 32;
        state = next;
      }
    }
    if (fits && item == 0) words[used] = row * 4 + IN_BEGIN;
    used = fits ? used + 1 : -1;
    if (fits) row = rows[row].y;
  }
  return used;
}

__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void paths(
    __global const uchar* residues, __global const int4* pairs, __global const int2* deletes,
    __global const int2* inserts, __global const int* begins, __global const int2* emissions,
    __global const int* crossings, __global const int4* specials, int steps, int nothing, __global uchar* record,
    __global int2* rows, __global int* words, __global int2* found, __local int2* cells, __local int* exchange,
    __local uchar* ahead) {
  const int item = get_local_id(0);
  const int pair = get_group_id(0);
  const int4 place = pairs[2 * pair];
  const int4 space = pairs[2 * pair + 1];
  const int last_row = place.y;
  __global const uchar* const sequence = residues + place.x;
  __global int2* const own_rows = rows + place.z;
  __global uchar* const own_record = record + (size_t)space.x * 32;
  const int4 first_specials = specials[0];
  const int4 last_specials = specials[1];
  const int first_begin = specials[2].x;

  int weights[5];
#pragma unroll
  for (int at = 0; at < 5; ++at) weights[at] = crossings[at * 32 + item];
  int n = 0, j = MINUS_INFINITY, b = first_specials.x, c = MINUS_INFINITY;
  int j_end = 0, c_end = 0;  // rows of the E that J and C come from
  int into_next = max(nothing, max(b, LOWEST_BEGIN) + begins[(steps - 1) * 32 + item]);  // the node behind the last one
  // What comes into M of the next node, and into I, in the next row.
  for (int at = 0; at < steps; ++at) {
    cells[at * 32 + item] = (int2)(max(nothing, max(b, LOWEST_BEGIN) + begins[at * 32 + item]), nothing);
  }
  if (item == 0) own_rows[0] = (int2)(0);

  for (int row = 1; row <= last_row; ++row) {
    __global const int2* emission = emissions + (size_t)sequence[row - 1] * steps * 32 + item;
    int into = from_item_below(into_next, item, exchange);
    if (item == 0) into = max(nothing, max(b, LOWEST_BEGIN) + first_begin);
    int del = nothing, best = nothing, best_at = 0;
    for (int at = 0; at < steps; ++at) {
      const int2 cell = cells[at * 32 + item];
      const int2 to_delete = deletes[at * 32 + item];
      const int2 emitted = emission[at * 32];
      const int match = into + emitted.x;
      into = cell.x;
      if (match >= best) {
        best = match;
        best_at = at;
      }
      del = max(del + to_delete.y, match + to_delete.x);
      cells[at * 32 + item] = (int2)(match, cell.y + emitted.y);
    }

    int entering = from_item_below(del, item, exchange);
    if (item == 0) entering = nothing;
#pragma unroll
    for (int at = 0; at < 5; ++at) {
      const int lower = from_lower_item(entering, 1 << at, item, exchange);
      entering = max(entering, (item < 1 << at ? nothing : lower) + weights[at]);
    }
    const int e = largest_of_items(best, item, exchange);
    const int exit = largest_of_items(best == e ? item * steps + best_at + 1 : 0, item, exchange);

    n = max(n + first_specials.y, MINUS_INFINITY);
    const int j_on = j + last_specials.y, j_new = e + last_specials.x;
    if (j_new > max(j_on, MINUS_INFINITY)) j_end = row;
    j = max3(j_on, j_new, MINUS_INFINITY);
    const int b_first = n + first_specials.x, b_again = j + last_specials.z;
    b = max3(b_first, b_again, MINUS_INFINITY);
    const int c_on = c + first_specials.w, c_new = e + first_specials.z;
    if (c_new > max(c_on, MINUS_INFINITY)) c_end = row;
    c = max3(c_on, c_new, MINUS_INFINITY);
    if (item == 0) own_rows[row] = (int2)(exit, b_first >= b_again ? 0 : j_end);

    const int begin = max(b, LOWEST_BEGIN);
    __global uchar* const own = own_record + (size_t)(row - 1) * steps * 32 + item;
    del = entering;
    for (int at = 0; at < steps; ++at) {
      const int2 cell = cells[at * 32 + item];
      const int2 to_delete = deletes[at * 32 + item];
      const int2 to_insert = inserts[at * 32 + item];
      const int passed_on = max3(cell.x, cell.y, del);
      const int entry = begin + begins[at * 32 + item];
      const int opened = cell.x + to_delete.x, extended = del + to_delete.y;
      const int inserting = cell.x + to_insert.x, again = cell.y + to_insert.y;
      const int from = cell.x == passed_on ? IN_MATCH : cell.y == passed_on ? IN_INSERT : IN_DELETE;
      own[at * 32] = (uchar)((entry >= passed_on ? IN_BEGIN : from) | (opened >= extended ? OPENS_DELETE : 0) |
                             (inserting >= again ? OPENS_INSERT : 0));
      del = max(opened, extended);
      into_next = max(passed_on, entry);
      cells[at * 32 + item] = (int2)(into_next, max(inserting, again));
    }
  }

  barrier(CLK_GLOBAL_MEM_FENCE);
  const int score = c + last_specials.w;
  const int end = score >= place.w ? c_end : 0;
  const int used = follow(own_record, own_rows, end, steps, space.z, item, words + space.y, ahead);
  if (item == 0) found[pair] = (int2)(score, used);
}
