// The common part of all fast GPU kernels: residue words, three-input maxima, packed 16-bit arithmetic, and
// instructions that only NVIDIA's compiler knows. Prepended to every other gpu_*.cl.
//
// A residue is a byte with four times its code (a byte offset into a table of 32-bit words); four residues are in a
// word, the first in the lowest byte. Padding is code 31.
//
// Build options: ROWS (rows of a tile, a multiple of 4); NVIDIA 1 for inline PTX, else 0.

#define CODES 32
#define PAD_WORD 0x7c7c7c7cu
#define IMPOSSIBLE (-200000000)
#define FLOOR (-800000000)

inline int max3(int a, int b, int c) { return max(max(a, b), c); }

#if NVIDIA

// Hides the origin of a value: otherwise the compiler recomputes the value in the inner loop to save registers.
inline uint opaque(uint value) {
  uint result;
  asm volatile("mov.b32 %0, %1;" : "=r"(result) : "r"(value));
  return result;
}
// base + the low or high half of `word`, signed. dp2a uses a less busy pipeline than shifts and permutes.
inline int add_low_half(int base, uint word) {
  int result;
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(1), "r"(base));
  return result;
}
inline int add_high_half(int base, uint word) {
  int result;
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(word), "r"(256), "r"(base));
  return result;
}
inline uint add_pair(uint a, uint b) {
  uint result;
  asm("add.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
inline uint max_pair(uint a, uint b) {
  uint result;
  asm("max.u16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
inline uint low_halves(uint a, uint b) {
  uint result;
  asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}
inline uint high_halves(uint a, uint b) {
  uint result;
  asm("prmt.b32 %0, %1, %2, 0x7632;" : "=r"(result) : "r"(a), "r"(b));
  return result;
}

// A 32-bit address in local memory, and the word there: the compiler's 64-bit addresses need extra operations. The
// compiler may move the load, as it is not volatile; therefore use LOCAL_PLACE only after the barrier that makes the
// words valid.
typedef uint local_place;
inline uint local_word(local_place place) {
  uint result;
  asm("ld.shared.u32 %0, [%1];" : "=r"(result) : "r"(place));
  return result;
}
#define LOCAL_PLACE(pointer) opaque((uint)(size_t)(pointer))

#else

typedef __local const char* local_place;
inline uint local_word(local_place place) { return *(__local const uint*)place; }
#define LOCAL_PLACE(pointer) ((__local const char*)(pointer))

inline uint opaque(uint value) { return value; }
inline int add_low_half(int base, uint word) { return base + (short)(word & 0xffff); }
inline int add_high_half(int base, uint word) { return base + (short)(word >> 16); }
inline uint add_pair(uint a, uint b) { return as_uint(as_ushort2(a) + as_ushort2(b)); }
inline uint max_pair(uint a, uint b) { return as_uint(max(as_ushort2(a), as_ushort2(b))); }
inline uint low_halves(uint a, uint b) { return (a & 0xffff) | b << 16; }
inline uint high_halves(uint a, uint b) { return a >> 16 | (b & 0xffff0000); }

#endif

// The byte offsets of the codes of a tile's rows. `column`: words of a sequence, `stride` apart; those before the first
// are padding.
inline void load_codes(uint codes[ROWS], __global const uint* column, int first_word, int stride) {
#pragma unroll
  for (int w = 0; w < ROWS / 4; ++w) {
    const uint word = first_word + w >= 0 ? column[(first_word + w) * stride] : PAD_WORD;
#pragma unroll
    for (int b = 0; b < 4; ++b) codes[4 * w + b] = opaque(word >> (8 * b) & 0xff);
  }
}

inline uint max3_pair(uint a, uint b, uint c) { return max_pair(max_pair(a, b), c); }
