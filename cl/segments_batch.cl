// The segments of each sequence of a batch (docs/segments.md): a work-item for a short sequence, a work-group for
// a long one. Follows segments_stack.cl.
//
// Build options: SUM int or long, GROUP work-items of a work-group (a power of two).
//
// Residues are codes below CODES, four in a word. Sequences: first residue, residues, first slot, place in the
// answer. Scores, by code, are not below `bottom`, which is so low that no segment with a sum above 0 holds a
// residue of it; twice its size fits SUM. Segments are (begin, end, prefix sums at both), places counted from
// the start of their sequence.

#define CODES 32
#define VECTOR_NAME(type) type##4
#define VECTOR_OF(type) VECTOR_NAME(type)
typedef VECTOR_OF(SUM) SUM4;

DEFINE_PUSH(push_run, SUM4)

void load_scores(global const SUM* restrict from, local SUM* scores) {
  for (uint code = get_local_id(0); code < CODES; code += GROUP) scores[code] = from[code];
  barrier(CLK_LOCAL_MEM_FENCE);
}

// The score of residue `at`. Residues are asked for in order; `word` holds the word of the one before, or that
// of this one.
SUM score_at(global const uint* restrict residues, local const SUM* scores, uint at, uint* word) {
  if (at % 4 == 0) *word = residues[at / 4];
  return scores[*word >> at % 4 * 8 & (CODES - 1)];
}

// The best segment that ends in residues [at, last) of a sequence that starts at `start`; `sum` is that of the
// best one that ends before `at`, which starts at `begin`. Of equal ones the first end, then the last begin.
SUM4 best_between(global const uint* restrict residues, local const SUM* scores, uint start, uint at, uint last,
                  SUM sum, uint begin) {
  SUM best = 0;
  uint best_begin = start, best_end = start;
  uint word = residues[at / 4];
  for (; at < last; ++at) {
    sum += score_at(residues, scores, at, &word);
    const bool better = sum > best;  // conditions on random residues are no branches
    best = better ? sum : best;
    best_begin = better ? begin : best_begin;
    best_end = better ? at + 1 : best_end;
    begin = sum > 0 ? begin : at + 1;
    sum = max(sum, (SUM)0);
  }
  return (SUM4)(best_begin - start, best_end - start, 0, best);
}

// The sum of the best segment that ends where one ends falls to 0 between excursions. Finds the maximal segments
// of the excursions that begin in [at, stop) of a sequence [start, end), leaves those that score at least
// `least`, 1 or more, and have at least min_length residues in the slots, and gives their number. The stack of
// an excursion lies behind what is left of the ones before; as its runs are apart, slot i is not in use before
// residue at + 2 i is.
uint segments_between(global const uint* restrict residues, local const SUM* scores, uint start, uint at,
                      uint stop, uint end, SUM least, SUM min_length, global SUM4* slots, global uint* links) {
  uint kept = 0, begin = at;
  uint word = residues[at / 4];
  SUM sum = 0;
  for (;;) {
    while (at < end && sum < least && (sum > 0 || at < stop)) {
      sum += score_at(residues, scores, at++, &word);
      begin = sum > 0 ? begin : at;
      sum = max(sum, (SUM)0);
    }
    if (sum < least) return kept;
    // Once more from the start of the excursion, run by run.
    at = begin;
    word = residues[at / 4];
    sum = 0;
    uint size = kept;
    do {
      const uint run = at;
      const SUM low = sum;
      SUM score = 0;
      while (at < end && (score = score_at(residues, scores, at, &word)) > 0) {
        sum += score;
        ++at;
      }
      size = push_run(slots, links, kept, size, (SUM4)(run - start, at - start, low, sum));
      while (at < end && sum > 0 && (score = score_at(residues, scores, at, &word)) <= 0) {
        sum += score;
        ++at;
      }
    } while (at < end && sum > 0);
    for (uint i = kept; i < size; ++i) {
      const SUM4 segment = slots[i];
      if (segment.w - segment.z >= least && segment.y - segment.x >= min_length) slots[kept++] = segment;
    }
    sum = 0;
    begin = at;
  }
}

// What a run of residues does to the recurrence of the best sum that ends here: the run's sum (or bottom, if it
// is below), the best sum that ends at the run's end, and where that begins; and bottom.
SUM4 run_state(global const uint* restrict residues, local const SUM* scores, uint first, uint last, SUM bottom) {
  SUM total = 0, sum = 0;
  uint begin = first;
  uint word = residues[first / 4];
  for (uint at = first; at < last; ++at) {
    const SUM score = score_at(residues, scores, at, &word);
    total = max(total + score, bottom);
    sum += score;
    begin = sum > 0 ? begin : at + 1;
    sum = max(sum, (SUM)0);
  }
  return (SUM4)(total, sum, begin, bottom);
}

SUM4 joined_states(SUM4 left, SUM4 right) {
  const SUM longer = left.y + right.x;
  const bool keep = right.y >= longer;
  return (SUM4)(max(left.x + right.x, left.w), keep ? right.y : longer, keep ? right.z : left.z, left.w);
}
DEFINE_SCAN(states_before, SUM4, joined_states(left, right))

// The part of a long sequence that this work-item has.
uint2 own_part(uint4 sequence) {
  const uint share = (sequence.y + GROUP - 1) / GROUP;
  const uint first = min((uint)get_local_id(0) * share, sequence.y);
  return sequence.x + (uint2)(first, min(first + share, sequence.y));
}

// The best segments of sequences [first, count), a work-item each.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void best_by_items(
    global const uint* restrict residues, global const SUM* restrict residue_scores,
    global const uint4* restrict sequences, uint first, uint count, global SUM4* restrict answer) {
  local SUM scores[CODES];
  load_scores(residue_scores, scores);
  const uint own = first + get_global_id(0);
  if (own >= count) return;
  const uint4 sequence = sequences[own];
  answer[sequence.w] =
      best_between(residues, scores, sequence.x, sequence.x, sequence.x + sequence.y, 0, sequence.x);
}

// The best segments of the first sequences, a work-group each. Its work-items have equal parts of the sequence.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void best_by_groups(
    global const uint* restrict residues, global const SUM* restrict residue_scores,
    global const uint4* restrict sequences, SUM bottom, global SUM4* restrict answer) {
  local SUM scores[CODES];
  local SUM4 scratch[GROUP];
  load_scores(residue_scores, scores);
  const uint item = get_local_id(0);
  const uint4 sequence = sequences[get_group_id(0)];
  const uint2 part = own_part(sequence);
  const SUM4 before = states_before(scratch, run_state(residues, scores, part.x, part.y, bottom),
                                    (SUM4)(0, 0, sequence.x, bottom));
  const SUM4 best =
      best_between(residues, scores, sequence.x, part.x, part.y, before.y, (uint)before.z);
  barrier(CLK_LOCAL_MEM_FENCE);
  scratch[item] = best;
  for (uint distance = 1; distance < GROUP; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint left = item * 2 * distance;
    if (left < GROUP && scratch[left + distance].w > scratch[left].w) scratch[left] = scratch[left + distance];
  }
  if (item == 0) answer[sequence.w] = scratch[0];
}

// The segments of sequences [first, count), a work-item each. `found` counts those of all sequences; ranges: where
// those of a sequence begin in the answer, and how many they are. slots, links: places for half of the residues
// of each sequence, rounded up.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void all_by_items(
    global const uint* restrict residues, global const SUM* restrict residue_scores,
    global const uint4* restrict sequences, uint first, uint count, SUM least, SUM min_length,
    global SUM4* restrict slots, global uint* restrict links, global uint* restrict found,
    global SUM4* restrict answer, global uint2* restrict ranges) {
  local SUM scores[CODES];
  load_scores(residue_scores, scores);
  const uint own = first + get_global_id(0);
  if (own >= count) return;
  const uint4 sequence = sequences[own];
  const uint end = sequence.x + sequence.y;
  global SUM4* own_slots = slots + sequence.z;
  const uint own_count = segments_between(residues, scores, sequence.x, sequence.x, end, end, least, min_length,
                                          own_slots, links + sequence.z);
  const uint offset = own_count > 0 ? atomic_add(found, own_count) : 0;
  for (uint i = 0; i < own_count; ++i) answer[offset + i] = own_slots[i];
  ranges[sequence.w] = (uint2)(offset, own_count);
}

// The segments of the first sequences, a work-group each. A work-item has the excursions that begin in its part
// of the sequence.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void all_by_groups(
    global const uint* restrict residues, global const SUM* restrict residue_scores,
    global const uint4* restrict sequences, SUM bottom, SUM least, SUM min_length, global SUM4* restrict slots,
    global uint* restrict links, global uint* restrict found, global SUM4* restrict answer,
    global uint2* restrict ranges) {
  local SUM scores[CODES];
  local SUM4 scratch[GROUP];
  local uint small_scratch[GROUP];
  local uint group_offset;
  load_scores(residue_scores, scores);
  const uint item = get_local_id(0);
  const uint4 sequence = sequences[get_group_id(0)];
  const uint2 part = own_part(sequence);
  SUM sum = states_before(scratch, run_state(residues, scores, part.x, part.y, bottom),
                          (SUM4)(0, 0, sequence.x, bottom))
                .y;
  // The rest of an excursion that began before is not this work-item's.
  uint at = part.x;
  uint word = residues[at / 4];
  while (at < part.y && sum > 0) sum += score_at(residues, scores, at++, &word);
  const uint slot = sequence.z + (at - sequence.x) / 2;
  const uint count = segments_between(residues, scores, sequence.x, at, part.y, sequence.x + sequence.y, least,
                                      min_length, slots + slot, links + slot);
  const uint before = counts_before(small_scratch, count, 0);
  const uint group_count = small_scratch[GROUP - 1];
  if (item == 0) {
    group_offset = group_count > 0 ? atomic_add(found, group_count) : 0;
    ranges[sequence.w] = (uint2)(group_offset, group_count);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < count; ++i) answer[group_offset + before + i] = slots[slot + i];
}
