// Memory for large data, in huge pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gpuhmm {

/// Deleter of large_bytes().
class FreeLargeBytes {
 public:
  FreeLargeBytes() = default;
  explicit FreeLargeBytes(std::align_val_t alignment) : alignment_(alignment) {}
  void operator()(std::uint8_t* bytes) const { ::operator delete(bytes, alignment_); }

 private:
  std::align_val_t alignment_{};
};
using LargeBytes = std::unique_ptr<std::uint8_t[], FreeLargeBytes>;

/// Asks the system for huge pages, as far as they lie within the `size` bytes from `bytes` on, of which none
/// has been used.
inline void prefer_huge_pages([[maybe_unused]] void* bytes, [[maybe_unused]] std::size_t size) {
#ifdef __linux__
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (void* first = bytes; std::align(kHugePage, kHugePage, first, size) != nullptr) {
    madvise(first, size / kHugePage * kHugePage, MADV_HUGEPAGE);  // small pages do as well
  }
#endif
}

/// Allocates `size` uninitialised bytes, in huge pages if that is worth it and the system allows it: the
/// first access to each 4 KiB page can take longer than filling it.
inline LargeBytes large_bytes(std::size_t size) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  constexpr std::size_t kCacheLine = 64;
  const bool huge = size >= kHugePage / 2;
  const std::align_val_t alignment{huge ? kHugePage : kCacheLine};
  const std::size_t whole = huge ? (size + kHugePage - 1) / kHugePage * kHugePage : size;
  LargeBytes bytes(static_cast<std::uint8_t*>(::operator new(whole, alignment)), FreeLargeBytes(alignment));
#ifdef __linux__
  if (huge) madvise(bytes.get(), whole, MADV_HUGEPAGE);  // small pages do as well
#endif
  return bytes;
}

}  // namespace gpuhmm
