// Single precision as HMMER3's scores need it: each operation is rounded on its own, and small numbers become 0. Prepended
// to the kernels that use it.
//
// Build options: NVIDIA 1 for inline PTX, as NVIDIA's compiler keeps small numbers whatever is asked of it, else 0; FLUSH 1
// for a device that keeps them, too, else 0.

#pragma OPENCL FP_CONTRACT OFF

#if NVIDIA
inline float mul(float a, float b) {
  float result;
  asm("mul.rn.ftz.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
inline float add(float a, float b) {
  float result;
  asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
inline float quotient(float a, float b) {
  float result;
  asm("div.rn.ftz.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
#else
inline float flushed(float x) { return FLUSH && fabs(x) < 0x1p-126f ? 0.0f : x; }
inline float mul(float a, float b) { return flushed(a * b); }
inline float add(float a, float b) { return flushed(a + b); }
inline float quotient(float a, float b) { return flushed(a / b); }
#endif

// What a device makes of a product, a sum and a quotient of three numbers each: only one that rounds each operation on its
// own and takes small numbers for 0 gives the reference's scores.
__kernel void arithmetic(__global const float4* numbers, __global float4* results) {
  const float4 x = numbers[get_global_id(0)];
  const float product = mul(x.x, x.y);
  results[get_global_id(0)] = (float4)(product, add(product, x.z), quotient(x.x, x.y), mul(product, x.z));
}
