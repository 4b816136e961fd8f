// Computes every operation directly by its definition (reduce.hpp).
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <type_traits>

#include "companion/reduce/order_keys.hpp"
#include "companion/reduce/reduce.hpp"
#include "companion/reduce/totals.hpp"

namespace gpuhmm {

namespace {

// The pairwise sum of a column: halves are added recursively, of which the first has a power of two of
// values.
double pairwise_sum(std::span<const double> values) {
  if (values.empty()) return -0.0;
  if (values.size() == 1) return values[0];
  const std::size_t half = std::bit_ceil(values.size()) / 2;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

// The sum of one element of all matrices in the order of reduce.hpp. Rows have at least `row_numbers`
// numbers.
double tree_sum(const std::vector<double>& values, std::size_t item_size, std::size_t row_numbers) {
  std::vector<std::vector<double>> columns(std::bit_ceil((row_numbers + item_size - 1) / item_size));
  for (std::size_t i = 0; i < values.size(); ++i) columns[i % columns.size()].push_back(values[i]);
  std::vector<double> sums;
  for (const std::vector<double>& column : columns) sums.push_back(pairwise_sum(column));
  for (std::size_t half = sums.size() / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0];
}

template <class T>
std::vector<T> column_of(const std::vector<T>& stack, std::size_t item_size, std::size_t element) {
  std::vector<T> column;
  for (std::size_t i = element; i < stack.size(); i += item_size) column.push_back(stack[i]);
  return column;
}

template <class T>
T plain_extreme(const std::vector<T>& column, const ReduceOptions& options) {
  const bool maximum = options.operation == ReduceOperation::Maximum;
  const auto nan = nan_key<OrderKey<T>>(maximum, options.nan == NanPolicy::Ignore);
  OrderKey<T> best = order_key(column[0], nan);
  for (const T value : column) {
    const OrderKey<T> key = order_key(value, nan);
    best = maximum ? std::max(best, key) : std::min(best, key);
  }
  return number_of_key<T>(best);
}

template <class T>
NumberValues reduce_stack(const std::vector<T>& stack, std::size_t item_size, const ReduceOptions& options) {
  const bool mean = options.operation == ReduceOperation::Mean;
  if (options.operation < ReduceOperation::Sum) {
    std::vector<T> result;
    for (std::size_t e = 0; e < item_size; ++e) {
      result.push_back(plain_extreme(column_of(stack, item_size, e), options));
    }
    return result;
  }
  if constexpr (std::is_integral_v<T>) {
    std::vector<Int128> sums(item_size, 0);
    for (std::size_t i = 0; i < stack.size(); ++i) sums[i % item_size] += stack[i];
    return finish_integers(sums, mean, item_size == 0 ? 1 : stack.size() / item_size);
  } else {
    std::vector<double> sums;
    std::vector<std::uint64_t> counts;
    for (std::size_t e = 0; e < item_size; ++e) {
      const std::vector<T> column = column_of(stack, item_size, e);
      std::vector<double> terms(column.begin(), column.end());
      counts.push_back(terms.size());
      if (options.nan == NanPolicy::Ignore) {
        for (double& term : terms) {
          if (!std::isnan(term)) continue;
          term = -0.0;
          --counts.back();
        }
      }
      sums.push_back(tree_sum(terms, item_size, sizeof(T) == 4 ? 64 : 2048));
    }
    return finish_reals(sums, mean, counts);
  }
}

}  // namespace

NumberValues reduce_plainly(const NumberValues& stack, std::size_t item_size, const ReduceOptions& options) {
  if (item_size > 0 && number_count(stack) == 0) throw std::invalid_argument("a stack of no matrices");
  return std::visit([&](const auto& values) { return reduce_stack(values, item_size, options); }, stack);
}

}  // namespace gpuhmm
