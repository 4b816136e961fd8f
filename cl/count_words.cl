// Sorts lines of one short length over few letters: counts every possible word, then writes the words in order.
// Appended to sort_ops.cl. A line is `length` letters and a newline.
//
// Build options: SLOTS, counters of a work-group for frequent words, a power of two; TEXT_BYTES, the bytes
// of the lines that a work-group writes, a multiple of 16.

#define FREE 0xffffffffu

// Adds the lines to counts[word]. A word is its letters, each coded by `codes` with `bits` bits. `lines_each`: lines of
// a work-item.
GROUP_KERNEL count_words(global const uchar* text, uint lines, uint lines_each, uint length, uint bits,
                         global const uchar* codes, global uint* counts) {
  local uchar table[256];
  local uint words[SLOTS], numbers[SLOTS];
  const uint lid = get_local_id(0);
  for (uint i = lid; i < 256; i += GROUP) table[i] = codes[i];
  for (uint i = lid; i < SLOTS; i += GROUP) {
    words[i] = FREE;
    numbers[i] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const size_t first = get_group_id(0) * (size_t)GROUP * lines_each;
  for (uint j = 0; j < lines_each; ++j) {
    const size_t line = first + j * GROUP + lid;
    if (line < lines) {
      global const uchar* const letters = text + line * (length + 1);
      uint word = 0;
      for (uint i = 0; i < length; ++i) word = word << bits | table[letters[i]];
      // the first word in a slot keeps it for the work-group; other words are counted in global memory
      const uint slot = word * 0x9e3779b1u >> 16 & (SLOTS - 1);
      uint holder = words[slot];
      if (holder == FREE) {
        holder = atomic_cmpxchg(&words[slot], FREE, word);
        if (holder == FREE) holder = word;
      }
      if (holder == word) {
        atomic_inc(&numbers[slot]);
      } else {
        atomic_inc(&counts[word]);
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = lid; i < SLOTS; i += GROUP) {
    if (numbers[i] > 0) atomic_add(&counts[words[i]], numbers[i]);
  }
}

// Writes the lines in order; before[word] is the number of lines with smaller words, for `words` words.
GROUP_KERNEL write_words(global const uint* before, uint words, uint lines, uint lines_each, uint length,
                         uint bits, global const uchar* letters, global uint* text) {
  local uint together[TEXT_BYTES / 4];
  local uchar* const bytes = (local uchar*)together;
  const uint lid = get_local_id(0);
  const size_t first = get_group_id(0) * (size_t)GROUP * lines_each;
  const uint mask = (1u << bits) - 1;
  const size_t start = first + lid * lines_each;
  // the last word with no more than `start` lines before it
  uint word = 0, beyond = words;
  while (beyond - word > 1) {
    const uint middle = word + (beyond - word) / 2;
    if (before[middle] <= start) {
      word = middle;
    } else {
      beyond = middle;
    }
  }
  for (uint j = 0; j < lines_each; ++j) {
    while (word + 1 < words && before[word + 1] <= start + j) ++word;
    local uchar* const line = bytes + (lid * lines_each + j) * (length + 1);
    for (uint i = 0; i < length; ++i) line[i] = letters[word >> (bits * (length - 1 - i)) & mask];
    line[length] = '\n';
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // whole 32-bit words of text; the buffer is long enough for the last one
  const uint count = GROUP * lines_each * (length + 1) / 4;
  const size_t all = ((size_t)lines * (length + 1) + 3) / 4, offset = first * (length + 1) / 4;
  for (uint i = lid; i < count && offset + i < all; i += GROUP) text[offset + i] = together[i];
}
