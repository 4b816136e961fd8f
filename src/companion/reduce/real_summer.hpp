// Sums and means of real numbers. A function adds the blocks of the fixed tree (pairwise.hpp), on the host or
// a device.
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

/// Cuts the stack into blocks of the tree. Counts NaN and adds the upper part of the tree on the host.
template <class T>
class RealSummer : public TypedReducer<T> {
 public:
  /// Writes the sums of `blocks` consecutive blocks to `sums`, as [block][column of a row].
  using AddBlocks = std::function<void(const T* values, std::size_t blocks, double* sums)>;

  /// `block_rows`: rows of a block, a power of two. `add` adds blocks; it is called from one thread.
  RealSummer(std::size_t item_size, const ReduceOptions& options, std::size_t block_rows, AddBlocks add)
      : TypedReducer<T>(item_size, options),
        add_(std::move(add)),
        row_items_(item_size == 0 ? 1 : tree_row_items<T>(item_size)),
        block_items_(row_items_ * block_rows),
        tree_(row_items_, item_size),
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
    const std::size_t width = row_items_ * this->size_;
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
  std::size_t row_items_, block_items_;
  BlockSums tree_;
  std::vector<T> waiting_;  // matrices of a block that is not yet complete
  std::vector<std::uint64_t> counts_;
};

}  // namespace gpuhmm
