// Stacks in the memory of an OpenCL device, folded there (cl/reduce.cl, cl/reduce_tree.cl).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "companion/reduce/reduce.hpp"
#include "opencl/queue.hpp"
#include "util/int128.hpp"

namespace gpuhmm {

/// Minima, maxima and sums of integers. All calls throw EngineFailure.
class DeviceFold {
 public:
  /// Sums, or means, of real numbers are not for it: see DeviceTree. `item_size` at least 1, less than 2^31.
  DeviceFold(const Queue& queue, NumberType type, std::size_t item_size, const ReduceOptions& options);

  /// Enqueues the folding of `items` matrices, at most 2^30, at the beginning of `stack`; its kernel.
  cl::Event add(const cl::Buffer& stack, std::size_t items);
  /// The reduced matrix of all that was added, `items` matrices in all; the last kernel as `last`.
  NumberValues result(std::uint64_t items, cl::Event* last = nullptr);

 private:
  void clear_rows();
  /// Rows that `groups` work-groups leave.
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
  std::size_t gathered_bytes_;  // of an accumulator
  std::size_t group_numbers_;   // that a work-group of fold_stack loads at a time
  std::size_t unit_;            // so many of its groups load a whole number of matrices
  bool by_columns_;             // fold_columns, not fold_stack
  std::size_t most_groups_;     // of fold_stack; rows of fold_columns
  std::size_t used_groups_ = 0;
  cl::Kernel fold_, fold_rows_;
  cl::Buffer row_buffer_, result_;
  std::uint64_t since_taken_ = 0;  // matrices whose sums are in the rows
  std::vector<Int128> totals_;
};

/// Sums of real numbers in the fixed tree. All calls throw EngineFailure.
class DeviceTree {
 public:
  /// Throws EngineFailure if the device has no double precision.
  DeviceTree(const Queue& queue, NumberType type, std::size_t item_size, bool ignore_nan);

  /// Rows of the tree that a work-item adds.
  std::size_t block_rows() const { return rows_; }
  /// Enqueues the sums of the blocks of `items` matrices at the beginning of `stack`: [block][number of a
  /// row].
  cl::Buffer add_blocks(const cl::Buffer& stack, std::size_t items, cl::Event* kernel = nullptr);
  /// The sums of all `items` matrices; the first and the last kernel.
  std::vector<double> total(const cl::Buffer& stack, std::size_t items, cl::Event& first, cl::Event& last);

 private:
  // The sums of the blocks of `elements` numbers, which are rows of width_.
  cl::Buffer add(const char* number, bool ignore_nan, const cl::Buffer& stack, std::size_t elements,
                 cl::Event* kernel);

  Queue queue_;
  bool wide_;
  std::size_t item_size_, width_, rows_;
  bool ignore_nan_;
};

}  // namespace gpuhmm
