// Packs sequences as the SSV kernel reads them (src/filter/opencl/gpu_layout.hpp): a work-item a place, the words of a block
// [word][BLOCK], a residue a byte with four times its code, the first in the lowest byte, padding in front.
//
// residues, from first_residue on: those of all sequences. firsts, lengths: of each place the first of these, and their
// number. block_starts, block_words: of each block the first word, and the words of a sequence. Places behind the last
// sequence are padding.
//
// Build options: BLOCK, PAD_CODE.

__kernel void pack(__global const uchar* restrict residues, ulong first_residue, __global const ulong* restrict firsts,
                   __global const uint* restrict lengths, uint sequences, __global const ulong* restrict block_starts,
                   __global const int* restrict block_words, __global uint* restrict packed) {
  const size_t place = get_global_id(0), block = place / BLOCK;
  const int words = block_words[block];
  const int length = place < sequences ? (int)lengths[place] : 0;
  __global const uchar* const first = residues + first_residue + (place < sequences ? firsts[place] : 0);
  __global uint* const column = packed + block_starts[block] + place % BLOCK;
  int at = length - 4 * words;  // of the first residue of a word
  for (int w = 0; w < words; ++w, at += 4) {
    uint word = 0;
#pragma unroll
    for (int b = 0; b < 4; ++b) word |= (uint)(at + b < 0 ? PAD_CODE : first[at + b]) << (8 * b + 2);
    column[(size_t)w * BLOCK] = word;
  }
}
