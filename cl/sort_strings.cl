// Sorting strings round by round, one 64-bit word of packed characters a round. Active are the strings that
// equal another one in all words so far; strings equal so far lie side by side, as a group. Follows
// sort_ops.cl.
//
// A string's place in the order is given by slots[i], its place among the active ones by i; a round permutes
// the strings of a group among the group's slots.

#define REPEATED 0x80000000u  // bit of an order entry: equals the string before

// words[i] = `per_word` characters (and no more than `most`) at `depth` of active string i, coded by `codes`
// with `bits` bits each, left-aligned in bits * per_word bits; code 0 ends the string. positions[i] = i.
GROUP_KERNEL load_words(global const uchar* text, ulong text_size, global const ulong* starts,
                        global const uint* strings, uint size, ulong depth, uint most, uint bits,
                        uint per_word, global const uchar* codes, global ulong* words,
                        global uint* positions) {
  const size_t i = get_global_id(0);
  if (i < size) {
    const ulong from = starts[strings[i]] + depth;
    ulong word = 0;
    uint taken = 0;
    for (; taken < most && from + taken < text_size; ++taken) {
      const uchar code = codes[text[from + taken]];
      if (code == 0) break;
      word = word << bits | code;
    }
    words[i] = taken == 0 ? 0 : word << (bits * (per_word - taken));
    positions[i] = (uint)i;
  }
}

// words[i] = the group of the active string at positions[i].
GROUP_KERNEL load_groups(global const uint* groups, global const uint* positions, uint size,
                         global ulong* words) {
  const size_t i = get_global_id(0);
  if (i < size) words[i] = groups[positions[i]];
}

// After sorting: string, group and word of every place. The words come from where the first sort left them.
GROUP_KERNEL gather(global const uint* positions, uint size, global const uint* strings,
                    global const uint* groups, global const ulong* words, global uint* new_strings,
                    global uint* new_groups, global ulong* new_words) {
  const size_t i = get_global_id(0);
  if (i < size) {
    const uint from = positions[i];
    new_strings[i] = strings[from];
    new_groups[i] = groups[from];
    new_words[i] = words[from];
  }
}

inline bool begins(global const uint* groups, global const ulong* words, size_t i, uint size) {
  return i == 0 || i >= size || groups[i] != groups[i - 1] || words[i] != words[i - 1];
}

// Marks the strings that stay active (stays[i]: equal to a neighbour and not ended) and those of them that
// begin a new group (heads[i]); writes the others to the order. Both arrays get a 0 at the end. `last`: no
// string continues after this word.
GROUP_KERNEL judge(global const uint* groups, global const ulong* words, uint size, ulong character,
                   uint last, global const uint* strings, global const uint* slots, global uint* order,
                   global uint* stays, global uint* heads) {
  const size_t i = get_global_id(0);
  if (i == 0) stays[size] = heads[size] = 0;
  if (i < size) {
    const bool first = begins(groups, words, i, size);
    const bool alone = first && begins(groups, words, i + 1, size);
    const bool ended = last != 0 || (words[i] & character) == 0;
    const bool done = alone || ended;
    if (done) order[slots[i]] = strings[i] | (first ? 0 : REPEATED);
    stays[i] = done ? 0 : 1;
    heads[i] = !done && first ? 1 : 0;
  }
}

// Moves the strings that stay active together. stays and heads are now sums of all before (size + 1 of each,
// the last one the sum of all).
GROUP_KERNEL keep(global const uint* stays, global const uint* heads, uint size, global const uint* strings,
                  global const uint* slots, global uint* new_strings, global uint* new_slots,
                  global uint* new_groups) {
  const size_t i = get_global_id(0);
  if (i < size && stays[i] != stays[i + 1]) {
    const uint to = stays[i];
    new_strings[to] = strings[i];
    new_slots[to] = slots[i];
    new_groups[to] = heads[i + 1] - 1;
  }
}

// strings[i] = slots[i] = i, groups[i] = 0: all are one group.
GROUP_KERNEL begin_strings(uint size, global uint* strings, global uint* slots, global uint* groups) {
  const size_t i = get_global_id(0);
  if (i < size) {
    strings[i] = (uint)i;
    slots[i] = (uint)i;
    groups[i] = 0;
  }
}
