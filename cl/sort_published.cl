// The string sort of Bitencourt (2013): one counting pass over all letters of a word at once, two kernels on
// either side of a scan. Its form is kept: letters are looked up one by one, all counts are in global memory,
// a work-item takes words that follow each other, and equal words land in any order (they cannot be told
// apart, so the text is exact).
//
// words, sorted: `count` words of `length` letters, each with its end (length + 1 bytes).
// Build options: GROUP, the work-group size; EACH, words of a work-item.

#define WORDS_KERNEL kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void

// The word as a number to the base `letters`, whose order is that of the words. A letter that is not in the
// alphabet counts as its last one.
inline uint index_of(global const uchar* word, uint length, constant uchar* alphabet, uint letters) {
  uint index = 0;
  for (uint i = 0; i < length; ++i) {
    uint place = 0;
    while (place + 1 < letters && alphabet[place] != word[i]) ++place;
    index = index * letters + place;
  }
  return index;
}

// buckets[index] += 1 for every word.
WORDS_KERNEL index_counting(global const uchar* words, uint count, uint length, constant uchar* alphabet,
                            uint letters, global uint* buckets) {
  const size_t first = get_global_id(0) * EACH;
  for (size_t i = first; i < first + EACH && i < count; ++i) {
    atomic_inc(&buckets[index_of(words + i * (length + 1), length, alphabet, letters)]);
  }
}

// Copies every word to the next free place of its bucket: starts[index] is that place, and moves on.
WORDS_KERNEL distribution(global const uchar* words, uint count, uint length, constant uchar* alphabet,
                          uint letters, global uint* starts, global uchar* sorted) {
  const size_t first = get_global_id(0) * EACH;
  for (size_t i = first; i < first + EACH && i < count; ++i) {
    global const uchar* const word = words + i * (length + 1);
    const size_t place = atomic_inc(&starts[index_of(word, length, alphabet, letters)]);
    global uchar* const to = sorted + place * (length + 1);
    for (uint j = 0; j <= length; ++j) to[j] = word[j];
  }
}
