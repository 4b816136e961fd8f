// Functions by which 32 work-items that share a sequence pass values to their neighbours. On NVIDIA they are a warp and
// use warp shuffles; elsewhere they use `exchange` in local memory (32 ints for every 32 work-items). A work-group may
// have several such sets; all its work-items must call these functions together. Appended to gpu_ops.cl.

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

#endif
