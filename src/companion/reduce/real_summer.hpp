// Sums and means of real numbers, whatever adds the blocks of the fixed tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "companion/reduce/pairwise.hpp"
#include "companion/reduce/row_loops.hpp"
#include "companion/reduce/totals.hpp"
#include "companion/reduce/typed_reducer.hpp"

namespace gpuhmm {

/// Cuts the stack into blocks of the tree; NaN is counted and the rest of the tree added on the host.
template <class T>
class RealSummer : public TypedReducer<T> {
 public:
  /// Puts the sums of `blocks` blocks, [block][number of a row], into `sums`.
  using AddBlocks = std::function<void(const T* values, std::size_t blocks, double* sums)>;

  /// `add` adds blocks of `block_rows` rows of the tree, a power of two; it is called from one thread.
  RealSummer(std::size_t item_size, const ReduceOptions& options, std::size_t block_rows, AddBlocks add)
      : TypedReducer<T>(item_size, options),
        add_(std::move(add)),
        lanes_(item_size == 0 ? 1 : tree_lanes<T>(item_size)),
        block_items_(lanes_ * block_rows),
        tree_(lanes_, item_size),
        counts_(item_size, 0) {}

  NumberValues result() override {
    this->require_items();
    const std::size_t size = this->size_;
    if (size == 0) return std::vector<double>();
    if (!waiting_.empty()) {
      waiting_.resize(block_items_ * size, T{-0.0F});
      add_blocks(waiting_.data(), 1);
    }
    if (!ignore()) counts_.assign(size, this->items_);
    return finish_reals(tree_.total(), mean(), counts_);
  }

 protected:
  void add_items(const T* values, std::size_t items) override {
    const std::size_t size = this->size_;
    if (ignore() && mean()) count(values, items);
    // Blocks of the tree begin at multiples of their size in the whole stack.
    if (!waiting_.empty()) {
      const std::size_t lacking = std::min(items, block_items_ - waiting_.size() / size);
      wait_for_more(values, lacking);
      values += lacking * size;
      items -= lacking;
      if (waiting_.size() < block_items_ * size) return;
      add_blocks(waiting_.data(), 1);
      waiting_.clear();
    }
    add_blocks(values, items / block_items_);
    wait_for_more(values + items / block_items_ * block_items_ * size, items % block_items_);
  }

 private:
  bool ignore() const { return this->options_.nan == NanPolicy::Ignore; }
  bool mean() const { return this->options_.operation == ReduceOperation::Mean; }

  void wait_for_more(const T* values, std::size_t items) {
    waiting_.insert(waiting_.end(), values, values + items * this->size_);
  }

  void add_blocks(const T* values, std::size_t blocks) {
    const std::size_t width = lanes_ * this->size_;
    std::vector<double> sums(blocks * width);
    if (blocks > 0) add_(values, blocks, sums.data());
    for (std::size_t block = 0; block < blocks; ++block) tree_.push(sums.data() + block * width);
  }

  void count(const T* values, std::size_t items) {
    std::vector<std::uint32_t> numbers(this->size_);
    constexpr std::size_t kMost = std::size_t{1} << 31;
    for (std::size_t first = 0; first < items; first += kMost) {
      std::fill(numbers.begin(), numbers.end(), 0U);
      count_numbers(values + first * this->size_, std::min(kMost, items - first), this->size_,
                    numbers.data());
      for (std::size_t e = 0; e < numbers.size(); ++e) counts_[e] += numbers[e];
    }
  }

  AddBlocks add_;
  std::size_t lanes_, block_items_;
  BlockSums tree_;
  std::vector<T> waiting_;  // less than a block
  std::vector<std::uint64_t> counts_;
};

}  // namespace gpuhmm
