// Reducers of the host, one for each kind of accumulator.
#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "reduce/lanes.hpp"
#include "reduce/order_keys.hpp"
#include "reduce/real_summer.hpp"

namespace gpuhmm {

namespace {

constexpr std::array<std::string_view, 4> kNames = {"min", "max", "sum", "mean"};

constexpr std::size_t kRowBytes = 16384;   // of the accumulators of a row
constexpr std::size_t kBlocksOfPart = 16;  // blocks of the tree that a thread takes at a time
constexpr std::size_t kRowUnit = 16;       // matrices: rows begin as vectors are aligned

// Matrices of `item_size` elements that make one row, with accumulators of `bytes` an element.
std::size_t items_of_row(std::size_t item_size, std::size_t bytes) {
  const std::size_t most = kRowBytes / (item_size * bytes);
  return most < kRowUnit ? std::max<std::size_t>(1, most) : most / kRowUnit * kRowUnit;
}

template <class T>
class ExtremeReducer : public TypedReducer<T> {
 public:
  using Key = OrderKey<T>;

  ExtremeReducer(std::size_t item_size, const ReduceOptions& options)
      : TypedReducer<T>(item_size, options),
        rule_{options.operation == ReduceOperation::kMaximum, options.nan == NanPolicy::kIgnore},
        best_(item_size, losing_key<Key>(rule_.maximum)) {}

  NumberValues result() override {
    this->require_items();
    std::vector<T> numbers;
    for (const Key key : best_) numbers.push_back(number_of_key<T>(key));
    return numbers;
  }

 protected:
  void add_items(const T* values, std::size_t items) override {
    const std::size_t size = this->size_, group = items_of_row(size, sizeof(Key));
    this->in_parts(items, group, [&](std::size_t first, std::size_t count) {
      std::vector<Key> best(group * size, losing_key<Key>(rule_.maximum));
      const T* const at = values + first * size;
      const std::size_t rows = count / group;
      take_extremes(rule_, at, rows, group * size, best.data());
      take_extremes(rule_, at + rows * group * size, 1, count % group * size, best.data());
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < group; ++i) {
        for (std::size_t e = 0; e < size; ++e) {
          const Key key = best[i * size + e];
          best_[e] = rule_.maximum ? std::max(best_[e], key) : std::min(best_[e], key);
        }
      }
    });
  }

 private:
  ExtremeRule rule_;
  std::vector<Key> best_;
  std::mutex mutex_;
};

template <class T>
class IntegerSummer : public TypedReducer<T> {
 public:
  IntegerSummer(std::size_t item_size, const ReduceOptions& options)
      : TypedReducer<T>(item_size, options), sums_(item_size, 0) {}

  NumberValues result() override {
    this->require_items();
    return finish_integers(sums_, this->options_.operation == ReduceOperation::kMean,
                           std::max<std::uint64_t>(1, this->items_));
  }

 protected:
  void add_items(const T* values, std::size_t items) override {
    const std::size_t size = this->size_, group = items_of_row(size, 2 * sizeof(T));
    this->in_parts(items, group, [&](std::size_t first, std::size_t count) {
      std::vector<std::int64_t> low(group * size), high(group * size);
      const auto add = [&](const T* at, std::size_t rows, std::size_t width) {
        if constexpr (sizeof(T) == 4) {
          add_rows(at, rows, width, low.data());
        } else {
          add_rows(at, rows, width, low.data(), high.data());
        }
      };
      const T* const at = values + first * size;
      const std::size_t rows = count / group;
      add(at, rows, group * size);
      add(at + rows * group * size, 1, count % group * size);
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < group * size; ++i) {
        sums_[i % size] += low[i] + Int128{high[i]} * (Int128{1} << 32);
      }
    });
  }

 private:
  std::vector<Int128> sums_;
  std::mutex mutex_;
};

template <class T>
std::unique_ptr<StackReducer> make_reducer(std::size_t item_size, const ReduceOptions& options) {
  if (options.operation < ReduceOperation::kSum) {
    return std::make_unique<ExtremeReducer<T>>(item_size, options);
  }
  if constexpr (std::is_integral_v<T>) {
    return std::make_unique<IntegerSummer<T>>(item_size, options);
  } else {
    return std::make_unique<RealSummer<T>>(
        item_size, options, [=](const T* values, std::size_t blocks, double* sums) {
          const bool ignore_nan = options.nan == NanPolicy::kIgnore;
          parallel_for(options.threads, blocks, kBlocksOfPart, [&](std::size_t first, std::size_t last) {
            for (std::size_t block = first; block < last; ++block) {
              add_block(values + block * kTreeBlock * item_size, kTreeBlock, item_size, ignore_nan,
                        sums + block * item_size);
            }
          });
        });
  }
}

}  // namespace

const char* operation_name(ReduceOperation operation) {
  return kNames[static_cast<std::size_t>(operation)].data();
}

std::optional<ReduceOperation> operation_of(const std::string& name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<ReduceOperation>(found - kNames.begin());
}

std::unique_ptr<StackReducer> make_host_reducer(NumberType type, std::size_t item_size,
                                                const ReduceOptions& options) {
  return std::visit([&]<class T>(const std::vector<T>&) { return make_reducer<T>(item_size, options); },
                    no_numbers(type));
}

}  // namespace gpuhmm
