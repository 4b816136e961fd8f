// The common part of all reducers: the number type, refusing NaN, splitting work among threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "companion/reduce/reduce.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

/// Checks and counts matrices of type T and passes them to add_items().
template <class T>
class TypedReducer : public StackReducer {
 public:
  TypedReducer(std::size_t item_size, const ReduceOptions& options) : size_(item_size), options_(options) {}

  void add(const NumberValues& matrices) override {
    const auto& values = std::get<std::vector<T>>(matrices);
    if (size_ == 0) return;
    const std::size_t items = values.size() / size_;
    if (options_.nan == NanPolicy::Refuse) refuse_nan(values);
    if (items > 0) add_items(values.data(), items);
    items_ += items;
  }

 protected:
  virtual void add_items(const T* values, std::size_t items) = 0;

  void require_items() const {
    if (size_ > 0 && items_ == 0) throw std::invalid_argument("a stack of no matrices");
  }

  /// Calls body(first, count) for parts of `items` matrices, on all threads. Every part but the last has a
  /// multiple of `unit` matrices.
  template <class Body>
  void in_parts(std::size_t items, std::size_t unit, const Body& body) const {
    constexpr std::size_t kPartElements = std::size_t{1} << 18;  // numbers that a thread takes at a time
    constexpr std::size_t kPartItems = 64;                       // least matrices of a part
    const std::size_t wanted = std::max(kPartItems, kPartElements / size_);
    parallel_for(options_.threads, items, (wanted + unit - 1) / unit * unit,
                 [&](std::size_t first, std::size_t last) { body(first, last - first); });
  }

  std::size_t size_;
  ReduceOptions options_;
  std::uint64_t items_ = 0;

 private:
  void refuse_nan(const std::vector<T>& values) const {
    if constexpr (std::is_floating_point_v<T>) {
      const auto found = std::find_if(values.begin(), values.end(), [](T v) { return v != v; });
      if (found == values.end()) return;
      const auto place = static_cast<std::uint64_t>(found - values.begin());
      throw NanFound(items_ + place / size_, place % size_);
    }
  }
};

}  // namespace gpuhmm
