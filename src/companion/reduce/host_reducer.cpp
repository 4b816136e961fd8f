// The host's reducers, one for each kind of accumulator.
#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <numeric>
#include <string_view>
#include <type_traits>

#include "companion/reduce/order_keys.hpp"
#include "companion/reduce/real_summer.hpp"
#include "companion/reduce/row_loops.hpp"

namespace gpuhmm {

namespace {

constexpr std::array<std::string_view, 4> kNames = {"min", "max", "sum", "mean"};

constexpr std::size_t kLongRowBytes = 16384;
constexpr std::size_t kChunkBytes = 128;       // short rows are multiples of this, if possible
constexpr std::size_t kTileColumns = 1 << 14;  // columns of a block of the tree that a thread takes at a time
constexpr std::size_t kPartNumbers = 1 << 18;  // numbers that a thread takes at a time

// The number of matrices, of `item_size` numbers of `bytes` bytes each, that form one row: as many as fit a
// short row (row_loops.hpp). Matrices larger than that form rows of up to kLongRowBytes, or of one matrix.
std::size_t items_of_row(std::size_t item_size, std::size_t bytes) {
  const std::size_t most = kShortRowBytes / (item_size * bytes);
  if (most == 0) return std::max<std::size_t>(1, kLongRowBytes / (item_size * bytes));
  const std::size_t unit = kChunkBytes / std::gcd(kChunkBytes, item_size * bytes);
  return most < unit ? std::bit_floor(most) : most / unit * unit;
}

template <class T>
class ExtremeReducer : public TypedReducer<T> {
 public:
  using Key = OrderKey<T>;

  ExtremeReducer(std::size_t item_size, const ReduceOptions& options)
      : TypedReducer<T>(item_size, options),
        rule_{options.operation == ReduceOperation::Maximum, options.nan == NanPolicy::Ignore},
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
    return finish_integers(sums_, this->options_.operation == ReduceOperation::Mean,
                           std::max<std::uint64_t>(1, this->items_));
  }

 protected:
  void add_items(const T* values, std::size_t items) override {
    const std::size_t size = this->size_, group = items_of_row(size, sizeof(T));
    this->in_parts(items, group, [&](std::size_t first, std::size_t count) {
      std::vector<std::make_unsigned_t<T>> sums(group * size), uppers(group * size);
      const T* const at = values + first * size;
      const std::size_t rows = count / group, rest = count % group * size;
      add_rows(at, rows, group * size, sums.data(), uppers.data());
      add_rows(at + rows * group * size, 1, rest, sums.data(), uppers.data());
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < group * size; ++i) {
        sums_[i % size] += total_of(sums[i], uppers[i], rows + (i < rest ? 1 : 0));
      }
    });
  }

 private:
  std::vector<Int128> sums_;
  std::mutex mutex_;
};

template <class T>
std::unique_ptr<StackReducer> make_reducer(std::size_t item_size, const ReduceOptions& options) {
  if (options.operation < ReduceOperation::Sum) {
    return std::make_unique<ExtremeReducer<T>>(item_size, options);
  }
  if constexpr (std::is_integral_v<T>) {
    return std::make_unique<IntegerSummer<T>>(item_size, options);
  } else {
    const std::size_t width = item_size == 0 ? 1 : tree_row_items<T>(item_size) * item_size,
                      rows = tree_block_rows(width);
    const std::size_t tile = std::min(width, kTileColumns), tiles = (width + tile - 1) / tile;
    const std::size_t some = std::max<std::size_t>(1, kPartNumbers / (rows * tile));
    return std::make_unique<RealSummer<T>>(
        item_size, options, rows, [=](const T* values, std::size_t blocks, double* sums) {
          const bool ignore_nan = options.nan == NanPolicy::Ignore;
          parallel_for(options.threads, blocks * tiles, some, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
              const std::size_t block = i / tiles, column = i % tiles * tile;
              add_block(values + block * rows * width + column, rows, width, std::min(tile, width - column),
                        ignore_nan, sums + block * width + column);
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
