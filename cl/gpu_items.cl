// Functions by which 32 work-items that share a sequence pass values to their neighbours. On NVIDIA they are a warp and
// use warp shuffles; elsewhere they use `exchange` in local memory (32 ints for every 32 work-items). A work-group may
// have several such sets; all its work-items must call these functions together. Appended to gpu_ops.cl.

// The place of word i of a table with `pair_words` words for each pair of nodes, of which a work-item has `item_pairs`
// consecutive ones. The 32 work-items' words for one place lie side by side, in 32 banks of local memory: whatever
// residues they read at a time, they do not wait for each other.
inline int item_place(int i, int pair_words, int item_pairs) {
  const int pair = i / pair_words;
  return (pair % item_pairs * pair_words + i % pair_words) * 32 + pair / item_pairs;
}

#if NVIDIA

#define ITEMS_BARRIER asm volatile("bar.warp.sync 0xffffffff;" : : : "memory")

inline int from_item_below(int value, uint local_id, __local int* exchange) {
  int result;
  asm volatile("shfl.sync.up.b32 %0, %1, 1, 0, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
inline int from_last_item(int value, uint local_id, __local int* exchange) {
  int result;
  asm volatile("shfl.sync.idx.b32 %0, %1, 31, 31, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
}
// The value of the work-item that is `distance` places lower; the own one if there is none.
inline int from_lower_item(int value, int distance, uint local_id, __local int* exchange) {
  int result;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(result) : "r"(value), "r"(distance));
  return result;
}
// The largest value of the 32.
inline int largest_of_items(int value, uint local_id, __local int* exchange) {
  for (int distance = 16; distance > 0; distance /= 2) {
    int other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(other) : "r"(value), "r"(distance));
    value = max(value, other);
  }
  return value;
}

#else

#define ITEMS_BARRIER barrier(CLK_LOCAL_MEM_FENCE)

inline int from_item(int value, uint local_id, uint source, __local int* exchange) {
  barrier(CLK_LOCAL_MEM_FENCE);
  exchange[local_id] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return exchange[source];
}
inline int from_item_below(int value, uint local_id, __local int* exchange) {
  return from_item(value, local_id, local_id == 0 ? 0 : local_id - 1, exchange);
}
inline int from_last_item(int value, uint local_id, __local int* exchange) {
  return from_item(value, local_id, 31, exchange);
}
inline int from_lower_item(int value, int distance, uint local_id, __local int* exchange) {
  return from_item(value, local_id, local_id < distance ? local_id : local_id - distance, exchange);
}
inline int largest_of_items(int value, uint local_id, __local int* exchange) {
  int largest = from_item(value, local_id, 0, exchange);
  for (int item = 1; item < 32; ++item) largest = max(largest, exchange[item]);
  return largest;
}

#endif
