// How the work-items that have a sequence together share its model's nodes in the kernels of cl/hmmer3_sweeps.cl and
// cl/hmmer3_backward.cl, and what they tell each other. hmmer3_arithmetic.cl comes before.
//
// A work-group has one model and some sequences, the longest one first. A sequence has four stripes of nodes: node k lies at
// step (k - 1) % steps of stripe (k - 1) / steps. `parts` work-items share a stripe, each with up to STEPS steps that follow
// each other, whose cells it keeps: item = (sequence * parts + part) * 4 + stripe. Sums and paths of deletes that run
// through a stripe are computed in rounds, part after part.
//
// Build options: STEPS, a multiple of 4; SHARED 0 if there is always one part, else 1; BLOCK 4 to unroll the loops over steps,
// so that cells are in registers, or 1. The work-groups of a launch may differ in their parts.

#if SHARED
#define PARTS own.parts
#else
#define PARTS 1
#endif

#define NOTHING 0
#define ENVELOPES 1
#define REGIONS 2

#define STRIPES 4
#define MATCH 0
#define DELETE 1
#define INSERT 2

// Cells lie in blocks, so that those of all blocks but the first, which may begin with cells that are not used, need no
// condition. Unrolled loops are left at the first block behind the model, and begun near its last one: a jump over a block
// costs as much time as the block, since its instructions must be fetched. Tables are read AHEAD cells before they are
// needed; what is read in front of the first step and behind the last one is not used.
#if BLOCK > 1
#define EACH_BLOCK _Pragma("unroll") for (uint b = 0; b < STEPS; b += BLOCK) if (b >= own.top) break; else
#else
#define EACH_BLOCK for (uint b = 0; b < own.top; b += BLOCK)
#endif
#define AHEAD (BLOCK > 1 ? 2 : 1)
#define EACH _Pragma("unroll") for (uint j = 0; j < BLOCK; ++j)
// Whether the cell b + j is used.
#define USED (b > 0 || j >= own.unused)
#define EACH_CELL EACH_BLOCK EACH if (USED)
// The same from the last step to the first.
#if BLOCK > 1
#define JUMP 16
#define EACH_BLOCK_DOWN                                                                                              \
  _Pragma("unroll") for (int jump = (STEPS - 1) / JUMP * JUMP; jump >= 0; jump -= JUMP) if (jump < (int)own.top)      \
      _Pragma("unroll") for (int b = min(jump + JUMP, STEPS) - BLOCK; b >= jump; b -= BLOCK) if (b < (int)own.top)
#else
#define EACH_BLOCK_DOWN for (int b = (int)own.top - 1; b >= 0; --b)
#endif
#define EACH_DOWN _Pragma("unroll") for (int j = BLOCK - 1; j >= 0; --j)
// Tables of cells from the last one to the first: read ahead, and taken for one cell, q.
#define READ_CELL(q)                                       \
  into_ahead[j % AHEAD] = of_steps[(q) * 2 * STRIPES];     \
  out_ahead[j % AHEAD] = of_steps[(q) * 2 * STRIPES + 1];  \
  odds_ahead[j % AHEAD] = emission[(q) * STRIPES];
#define TAKE_CELL                                                                             \
  const int q = b + j;                                                                        \
  const float4 into_node = into_ahead[j % AHEAD], out_of_node = out_ahead[j % AHEAD];         \
  const float odds = odds_ahead[j % AHEAD];                                                   \
  READ_CELL(q - AHEAD)
// Reads tables for the first cells of such a loop.
#define READ_TOP EACH_DOWN if (j >= BLOCK - AHEAD) { READ((int)own.top - BLOCK + j) }
#define EACH_ROUND _Pragma("unroll 1") for (uint round = 0; round < PARTS; ++round)
// At the end of a round: the part behind takes the value for its own. No condition of the loop may be around it, as barriers
// of PoCL 3.1 then go wrong.
#if SHARED
#define TAKE_FROM_BEFORE(value)                            \
  {                                                        \
    const float arrived = moved(value, own.before, &own);  \
    if (own.part == round + 1) value = arrived;            \
  }
#else
#define TAKE_FROM_BEFORE(value)
#endif

// A work-item's place: the items from which it gets what comes from the step before, and from the step behind; -1: there is
// none.
typedef struct {
  uint parts;            // of a stripe
  uint item, sequence, part, stripe;
  uint unused, top;      // cells that are not used, and behind the last one
  int cell;              // of its cell 0 in tables, [step][stripe]
  int before, after;
  uint final_of_stripe;  // the item of the last part that has steps, of the same stripe
  uint first_item;       // of the sequence
  int first;             // whether it is this one
  __local float4* joins;  // two for each item, which take turns
  uint turn;
} Place;

inline Place place_of(uint steps, uint parts, __local float4* joins) {
  Place own;
  own.parts = parts;
  const uint each = (steps + PARTS - 1) / PARTS, final_part = (steps - 1) / each;
  own.item = get_local_id(0);
  own.stripe = own.item % STRIPES;
  own.part = own.item / STRIPES % PARTS;
  own.sequence = own.item / (STRIPES * PARTS);
  const uint begin = own.part * each;
  const uint mine = begin < steps ? min(each, steps - begin) : 0;
  own.unused = (BLOCK - mine % BLOCK) % BLOCK;
  own.top = mine + own.unused;
  own.cell = (int)(min(begin, steps - 1) * STRIPES + own.stripe) - (int)(own.unused * STRIPES);
  const uint of_sequence = own.sequence * PARTS * STRIPES;
  own.final_of_stripe = of_sequence + final_part * STRIPES + own.stripe;
  own.before = own.part > 0 ? (int)(own.item - STRIPES) : own.stripe > 0 ? (int)(own.final_of_stripe - 1) : -1;
  own.after = own.part < final_part           ? (int)(own.item + STRIPES)
              : own.stripe + 1 < STRIPES      ? (int)(of_sequence + own.stripe + 1)
                                              : -1;
  own.first_item = of_sequence;
  own.first = own.item == of_sequence;
  own.joins = joins;
  own.turn = 0;
  return own;
}

// The value of item `from`; 0 if that is negative. These functions are for all work-items of a group together, or, on NVIDIA's
// devices, of a warp.
#if NVIDIA
// A warp, 32 work-items that run in step, has whole sequences, and rows of its own. That several warps are a work-group only
// keeps those of one model, which read the same tables, together.
#define WARP 32
#define LEADER (own.item / WARP * WARP / (STRIPES * PARTS))
inline uint warp_mask(void) { return get_local_size(0) < WARP ? (1u << get_local_size(0)) - 1 : ~0u; }
inline float of_item(float value, uint from) {
  float result;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, %3;" : "=f"(result) : "f"(value), "r"(from), "r"(warp_mask()));
  return result;
}
inline float moved(float value, int from, Place* own) {
  const float result = of_item(value, from < 0 ? own->item : (uint)from);
  return from < 0 ? 0.0f : result;
}
inline float4 moved4(float4 value, int from, Place* own) {
  return (float4)(moved(value.x, from, own), moved(value.y, from, own), moved(value.z, from, own), 0.0f);
}
// Whether `flag` is set in an item of the same sequence, and in any that these functions are for together.
inline uint2 of_sequences(int flag, Place* own) {
  uint set;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(set)
               : "r"(flag), "r"(warp_mask()));
  const uint each = own->parts * STRIPES, of_one = each < WARP ? (1u << each % WARP) - 1 : ~0u;
  return (uint2)(set & of_one << own->first_item % WARP, set);
}
// The sum over the stripes of a sequence of what item `from` and the three behind it have.
inline float of_stripes(float value, uint from, Place* own) {
  return add(add(of_item(value, from), of_item(value, from + 1)), add(of_item(value, from + 2), of_item(value, from + 3)));
}
#else
#define LEADER 0
inline __local float4* joined(float4 value, Place* own) {
  __local float4* const join = own->joins + own->turn * get_local_size(0);
  own->turn ^= 1;
  join[own->item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return join;
}
inline float4 moved4(float4 value, int from, Place* own) {
  __local const float4* const join = joined(value, own);
  return from < 0 ? (float4)(0.0f) : join[from];
}
inline float moved(float value, int from, Place* own) { return moved4((float4)(value), from, own).x; }
inline uint2 of_sequences(int flag, Place* own) {
  __local const float4* const join = joined((float4)(flag ? 1.0f : 0.0f), own);
  uint2 set = (uint2)(0);
  for (uint other = 0; other < get_local_size(0); ++other) {
    if (join[other].x == 0.0f) continue;
    set.y = 1;
    if (other / (STRIPES * own->parts) == own->sequence) set.x = 1;
  }
  return set;
}
inline float of_stripes(float value, uint from, Place* own) {
  __local const float4* const join = joined((float4)(value), own) + from;
  return add(add(join[0].x, join[1].x), add(join[2].x, join[3].x));
}
#endif
// Such sums of what the last parts of the stripes have, and of what the first ones have.
inline float of_last_parts(float value, Place* own) {
  return of_stripes(value, own->final_of_stripe - own->stripe, own);
}
inline float of_first_parts(float value, Place* own) { return of_stripes(value, own->first_item, own); }
