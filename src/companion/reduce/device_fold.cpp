// Launches the kernels of cl/reduce.cl and cl/reduce_tree.cl.
#include "companion/reduce/device_fold.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "companion/reduce/order_keys.hpp"
#include "companion/reduce/pairwise.hpp"
#include "companion/reduce/row_loops.hpp"
#include "companion/reduce/totals.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kGroup = 256;         // work-items of a work-group
constexpr std::size_t kLoadBytes = 16;      // bytes that a work-item loads at a time
constexpr std::size_t kGroupsPerUnit = 64;  // most work-groups per compute unit, many times what runs at once
constexpr std::size_t kLeastLoads = 8;      // loads of a work-item, so that small stacks leave few rows
constexpr std::size_t kMostUnit = 1 << 11;  // unit_ above which fold_columns is used
constexpr std::size_t kColumnItems = 1 << 17;  // work-items of fold_columns, about
constexpr std::size_t kTreeRows = 64;          // rows of the tree that a work-item adds at most
constexpr std::uint64_t kMostInRows = std::uint64_t{1} << 31;  // matrices whose sums fit the rows

std::size_t ceiling(std::size_t count, std::size_t part) { return (count + part - 1) / part; }

bool is_real(NumberType type) { return type == NumberType::Float32 || type == NumberType::Float64; }
bool is_wide(NumberType type) { return type == NumberType::Int64 || type == NumberType::Float64; }

// The OpenCL C name of the lowest or highest value of the stored type.
std::string limit(bool wide, bool highest) {
  return std::string(wide ? "LONG_" : "INT_") + (highest ? "MAX" : "MIN");
}

std::string fold_options(NumberType type, const ReduceOptions& options) {
  const bool wide = is_wide(type);
  std::string text = wide ? "-DSTORED=long -DWIDE=long2 -DLANES=2" : "-DSTORED=int -DWIDE=int4 -DLANES=4";
  text += " -DGROUP=" + std::to_string(kGroup);
  if (options.operation >= ReduceOperation::Sum) return text + " -DSUMS" + (wide ? " -DWIDE_SUMS" : "");
  const bool maximum = options.operation == ReduceOperation::Maximum;
  const bool ignore = options.nan == NanPolicy::Ignore;
  text += " -DMAXIMUM=" + std::to_string(maximum) + " -DLOSING=" + limit(wide, !maximum);
  if (is_real(type)) {
    text += " -DNAN_KEY=" + limit(wide, maximum != ignore) + " -DMAGNITUDE=" + limit(wide, true) +
            " -DINFINITE=" + (wide ? "0x7ff0000000000000L" : "0x7f800000");
  }
  return text;
}

template <class T, class Key>
NumberValues numbers_of_keys(const std::vector<Key>& keys) {
  std::vector<T> numbers;
  numbers.reserve(keys.size());
  for (const Key key : keys) numbers.push_back(number_of_key<T>(key));
  return numbers;
}

// A sum of 64-bit integers in the layout of the kernels: low + high * 2^32.
struct HalfSums {
  cl_long low, high;
};

}  // namespace

DeviceFold::DeviceFold(const Queue& queue, NumberType type, std::size_t item_size,
                       const ReduceOptions& options)
    : queue_(queue),
      type_(type),
      width_(item_size),
      options_(options),
      build_options_(fold_options(type, options)),
      sums_(options.operation >= ReduceOperation::Sum),
      wide_(is_wide(type)) {
  const OpenDevice& device = queue_.device();
  const std::size_t lanes = kLoadBytes / (wide_ ? 8 : 4);
  gathered_bytes_ = sums_ ? (wide_ ? sizeof(HalfSums) : sizeof(cl_long)) : kLoadBytes / lanes;
  group_numbers_ = kGroup * lanes;
  unit_ = width_ / std::gcd(width_, group_numbers_);
  by_columns_ = unit_ > kMostUnit;
  most_groups_ = by_columns_
                     ? std::max<std::size_t>(1, kColumnItems / width_)
                     : ceiling(std::max(1U, device.info().compute_units) * kGroupsPerUnit, unit_) * unit_;
  fold_ = device.kernel({"reduce.cl"}, by_columns_ ? "fold_columns" : "fold_stack", build_options_);
  fold_rows_ = device.kernel({"reduce.cl"}, "fold_rows", build_options_);
  row_buffer_ = device.buffer<char>(rows_of(most_groups_) * width_ * gathered_bytes_);
  result_ = device.buffer<char>(width_ * gathered_bytes_);
  if (sums_) totals_.assign(width_, 0);
  clear_rows();
}

std::size_t DeviceFold::rows_of(std::size_t groups) const {
  if (by_columns_ || width_ <= group_numbers_) return groups;
  return groups * group_numbers_ / width_;
}

void DeviceFold::clear_rows() {
  const bool maximum = options_.operation == ReduceOperation::Maximum;
  const std::size_t count = rows_of(most_groups_) * width_;
  if (sums_) {
    queue_.fill(row_buffer_, cl_long{0}, count * gathered_bytes_ / sizeof(cl_long));
  } else if (wide_) {
    queue_.fill(row_buffer_, cl_long{losing_key<std::int64_t>(maximum)}, count);
  } else {
    queue_.fill(row_buffer_, cl_int{losing_key<std::int32_t>(maximum)}, count);
  }
}

cl::Event DeviceFold::add(const cl::Buffer& stack, std::size_t items) {
  if (sums_ && since_taken_ + items > kMostInRows) take_sums(nullptr);
  since_taken_ += items;
  const std::size_t groups =
      by_columns_
          ? most_groups_
          : std::min(most_groups_, ceiling(items * width_, group_numbers_ * kLeastLoads * unit_) * unit_);
  used_groups_ = std::max(used_groups_, groups);
  const cl::NDRange all =
      by_columns_ ? cl::NDRange(ceiling(width_, kGroup) * kGroup, groups) : cl::NDRange(groups * kGroup);
  const cl::NDRange group = by_columns_ ? cl::NDRange(kGroup, 1) : cl::NDRange(kGroup);
  return queue_.launch(fold_, {all, group}, stack, cl_ulong{by_columns_ ? items : items * width_},
                       static_cast<cl_int>(width_), row_buffer_);
}

template <class Gathered>
std::vector<Gathered> DeviceFold::fold_rows(cl::Event* last) {
  const cl::Event done =
      queue_.launch(fold_rows_, {width_ * kGroup, kGroup}, row_buffer_,
                    static_cast<cl_int>(rows_of(used_groups_)), static_cast<cl_int>(width_), result_);
  if (last != nullptr) *last = done;
  return queue_.read<Gathered>(result_, width_);
}

void DeviceFold::take_sums(cl::Event* last) {
  if (wide_) {
    const std::vector<HalfSums> sums = fold_rows<HalfSums>(last);
    for (std::size_t e = 0; e < width_; ++e)
      totals_[e] += sums[e].low + Int128{sums[e].high} * (Int128{1} << 32);
  } else {
    const std::vector<cl_long> sums = fold_rows<cl_long>(last);
    for (std::size_t e = 0; e < width_; ++e) totals_[e] += sums[e];
  }
  since_taken_ = 0;
  clear_rows();
}

NumberValues DeviceFold::result(std::uint64_t items, cl::Event* last) {
  if (sums_) {
    take_sums(last);
    return finish_integers(totals_, options_.operation == ReduceOperation::Mean, items);
  }
  switch (type_) {
    case NumberType::Int32:
      return numbers_of_keys<std::int32_t>(fold_rows<std::int32_t>(last));
    case NumberType::Int64:
      return numbers_of_keys<std::int64_t>(fold_rows<std::int64_t>(last));
    case NumberType::Float32:
      return numbers_of_keys<float>(fold_rows<std::int32_t>(last));
    default:
      return numbers_of_keys<double>(fold_rows<std::int64_t>(last));
  }
}

DeviceTree::DeviceTree(const Queue& queue, NumberType type, std::size_t item_size, bool ignore_nan)
    : queue_(queue),
      wide_(is_wide(type)),
      item_size_(item_size),
      width_((wide_ ? tree_row_items<double>(item_size) : tree_row_items<float>(item_size)) * item_size),
      rows_(std::min(kTreeRows, tree_block_rows(width_))),
      ignore_nan_(ignore_nan) {
  if (!queue.device().double_precision()) {
    throw EngineFailure(queue.device().info().name + ": no double precision, which sums of real numbers need",
                        CL_INVALID_DEVICE);
  }
}

cl::Buffer DeviceTree::add_blocks(const cl::Buffer& stack, std::size_t items, cl::Event* kernel) {
  return add(wide_ ? "double" : "float", ignore_nan_, stack, items * item_size_, kernel);
}

cl::Buffer DeviceTree::add(const char* number, bool ignore_nan, const cl::Buffer& stack, std::size_t elements,
                           cl::Event* done) {
  const std::size_t sums_size = ceiling(elements, rows_ * width_) * width_;
  const OpenDevice& device = queue_.device();
  const std::size_t group = std::min(kGroup, device.info().max_work_group);
  cl::Buffer sums = device.buffer<cl_double>(sums_size);
  const cl::Kernel kernel = device.kernel(
      {"reduce_tree.cl"}, "add_blocks",
      std::string("-DNUMBER=") + number + " -DGROUP=" + std::to_string(group) +
          " -DEIGHTS=" + std::to_string(rows_ / 8) + " -DIGNORE_NAN=" + std::to_string(ignore_nan));
  const cl::Event summed =
      queue_.launch(kernel, {ceiling(sums_size, group) * group, group}, stack, cl_ulong{elements},
                    static_cast<cl_int>(width_), cl_ulong{sums_size}, sums);
  if (done != nullptr) *done = summed;
  return sums;
}

std::vector<double> DeviceTree::total(const cl::Buffer& stack, std::size_t items, cl::Event& first,
                                      cl::Event& last) {
  cl::Buffer sums = add_blocks(stack, items, &first);
  last = first;
  std::size_t left = ceiling(items * item_size_, rows_ * width_);
  for (; left > 1; left = ceiling(left, rows_)) sums = add("double", false, sums, left * width_, &last);
  std::vector<double> result = queue_.read<double>(sums, width_);
  fold_rows(result.data(), width_ / item_size_, item_size_);
  result.resize(item_size_);
  return result;
}

}  // namespace gpuhmm
