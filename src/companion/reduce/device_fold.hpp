// Reduces stacks in the memory of an OpenCL device (cl/reduce.cl, cl/reduce_tree.cl).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "companion/reduce/reduce.hpp"
#include "opencl/queue.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// Minima and maxima, and sums and means of integers. All calls throw EngineFailure.
class DeviceFold {
 public:
  /// `item_size`: elements of a matrix, from 1 to 2^31 - 1. Sums and means of real numbers need DeviceTree
  /// instead.
  DeviceFold(const Queue& queue, NumberType type, std::size_t item_size, const ReduceOptions& options);

  /// Enqueues the reduction of the first `items` matrices of `stack`, at most 2^30. Returns the kernel's
  /// event.
  cl::Event add(const cl::Buffer& stack, std::size_t items);
  /// The reduced matrix of all matrices added, `items` in total. `last`: set to the event of the last kernel.
  NumberValues result(std::uint64_t items, cl::Event* last = nullptr);

 private:
  void clear_rows();
  /// The number of rows in which `groups` work-groups leave their results.
  std::size_t rows_of(std::size_t groups) const;
  template <class Gathered>
  std::vector<Gathered> fold_rows(cl::Event* last);
  void take_sums(cl::Event* last);

  Queue queue_;
  NumberType type_;
  std::size_t width_;
  ReduceOptions options_;
  std::string build_options_;
  bool sums_, wide_;
  std::size_t gathered_bytes_;  // bytes of an accumulator
  std::size_t group_numbers_;   // numbers that a work-group of fold_stack loads at a time
  std::size_t unit_;            // work-groups that together load a whole number of matrices
  bool by_columns_;             // uses fold_columns, not fold_stack
  std::size_t most_groups_;     // most work-groups of fold_stack, or rows of fold_columns
  std::size_t used_groups_ = 0;
  cl::Kernel fold_, fold_rows_;
  cl::Buffer row_buffer_, result_;
  std::uint64_t since_taken_ = 0;  // matrices whose sums are still in the rows
  std::vector<Int128> totals_;
};

/// Sums of real numbers in the fixed order of reduce.hpp. All calls throw EngineFailure.
class DeviceTree {
 public:
  /// `item_size`: elements of a matrix. Throws EngineFailure if the device has no double precision.
  DeviceTree(const Queue& queue, NumberType type, std::size_t item_size, bool ignore_nan);

  /// Rows of the tree that a work-item adds: those of a block.
  std::size_t block_rows() const { return rows_; }
  /// Enqueues the addition of the first `items` matrices of `stack`. Returns the sums of the blocks, as
  /// [block][column of a row]. `kernel`: set to the kernel's event.
  cl::Buffer add_blocks(const cl::Buffer& stack, std::size_t items, cl::Event* kernel = nullptr);
  /// The sums of the first `items` matrices of `stack`. `first`, `last`: set to the events of the first and
  /// the last kernel.
  std::vector<double> total(const cl::Buffer& stack, std::size_t items, cl::Event& first, cl::Event& last);

 private:
  // Enqueues the addition of `elements` numbers of OpenCL type `number`, in rows of width_. Returns the sums
  // of the blocks.
  cl::Buffer add(const char* number, bool ignore_nan, const cl::Buffer& stack, std::size_t elements,
                 cl::Event* kernel);

  Queue queue_;
  bool wide_;
  std::size_t item_size_, width_, rows_;
  bool ignore_nan_;
};

}  // namespace gpuhmm
