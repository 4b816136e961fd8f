// Reducers of the host, one for each kind of accumulator.
#include <algorithm>
#include <array>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "reduce/lanes.hpp"
#include "reduce/order_keys.hpp"
#include "reduce/pairwise.hpp"
#include "reduce/reduce.hpp"
#include "reduce/totals.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::array<std::string_view, 4> kNames = {"min", "max", "sum", "mean"};

constexpr std::size_t kRowBytes = 16384;                     // of the accumulators of a row
constexpr std::size_t kRowUnit = 16;                         // matrices: rows begin as vectors are aligned
constexpr std::size_t kPartElements = std::size_t{1} << 18;  // that a thread takes at a time
constexpr std::size_t kPartItems = 64;                       // matrices of a part at least

// Matrices of `item_size` elements that make one row, with accumulators of `bytes` an element.
std::size_t items_of_row(std::size_t item_size, std::size_t bytes) {
  const std::size_t most = kRowBytes / (item_size * bytes);
  return most < kRowUnit ? std::max<std::size_t>(1, most) : most / kRowUnit * kRowUnit;
}

// What the reducers share: type, NaN that is refused, parts of the work for threads.
template <class T>
class HostReducer : public StackReducer {
 public:
  HostReducer(std::size_t item_size, const ReduceOptions& options) : size_(item_size), options_(options) {}

  void add(const NumberValues& matrices) override {
    const auto& values = std::get<std::vector<T>>(matrices);
    if (size_ == 0) return;
    const std::size_t items = values.size() / size_;
    if (options_.nan == NanPolicy::kRefuse) refuse_nan(values);
    if (items > 0) add_items(values.data(), items);
    items_ += items;
  }

 protected:
  virtual void add_items(const T* values, std::size_t items) = 0;

  void require_items() const {
    if (size_ > 0 && items_ == 0) throw std::invalid_argument("a stack of no matrices");
  }

  /// Calls body(first, count) for parts of `items`, on all threads; each part but the last a multiple of
  /// `unit` items.
  template <class Body>
  void in_parts(std::size_t items, std::size_t unit, const Body& body) const {
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

template <class T>
class ExtremeReducer : public HostReducer<T> {
 public:
  using Key = OrderKey<T>;

  ExtremeReducer(std::size_t item_size, const ReduceOptions& options)
      : HostReducer<T>(item_size, options),
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
class IntegerSummer : public HostReducer<T> {
 public:
  IntegerSummer(std::size_t item_size, const ReduceOptions& options)
      : HostReducer<T>(item_size, options), sums_(item_size, 0) {}

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
class RealSummer : public HostReducer<T> {
 public:
  RealSummer(std::size_t item_size, const ReduceOptions& options)
      : HostReducer<T>(item_size, options), tree_(item_size), counts_(item_size, 0) {}

  NumberValues result() override {
    this->require_items();
    const std::size_t size = this->size_;
    if (size == 0) return std::vector<double>();
    if (!waiting_.empty()) {
      std::vector<double> sums(size);
      add_block(waiting_.data(), waiting_.size() / size, size, ignore(), sums.data());
      tree_.push(sums.data());
    }
    if (!ignore()) counts_.assign(size, this->items_);
    return finish_reals(tree_.total(), mean(), counts_);
  }

 protected:
  void add_items(const T* values, std::size_t items) override {
    const std::size_t size = this->size_;
    if (ignore() && mean()) count(values, items);
    // Blocks of the tree begin at multiples of kTreeBlock of the whole stack.
    if (!waiting_.empty()) {
      const std::size_t lacking = std::min(items, kTreeBlock - waiting_.size() / size);
      wait_for_more(values, lacking);
      values += lacking * size;
      items -= lacking;
      if (waiting_.size() < kTreeBlock * size) return;
      add_blocks(waiting_.data(), 1);
      waiting_.clear();
    }
    add_blocks(values, items / kTreeBlock);
    wait_for_more(values + items / kTreeBlock * kTreeBlock * size, items % kTreeBlock);
  }

 private:
  bool ignore() const { return this->options_.nan == NanPolicy::kIgnore; }
  bool mean() const { return this->options_.operation == ReduceOperation::kMean; }

  void wait_for_more(const T* values, std::size_t items) {
    waiting_.insert(waiting_.end(), values, values + items * this->size_);
  }

  void add_blocks(const T* values, std::size_t blocks) {
    const std::size_t size = this->size_;
    std::vector<double> sums(blocks * size);
    this->in_parts(blocks * kTreeBlock, kTreeBlock, [&](std::size_t first, std::size_t count) {
      for (std::size_t i = first; i < first + count; i += kTreeBlock) {
        add_block(values + i * size, kTreeBlock, size, ignore(), sums.data() + i / kTreeBlock * size);
      }
    });
    for (std::size_t block = 0; block < blocks; ++block) tree_.push(sums.data() + block * size);
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

  BlockSums tree_;
  std::vector<T> waiting_;  // less than a block
  std::vector<std::uint64_t> counts_;
};

template <class T>
std::unique_ptr<StackReducer> make_reducer(std::size_t item_size, const ReduceOptions& options) {
  if (options.operation < ReduceOperation::kSum) {
    return std::make_unique<ExtremeReducer<T>>(item_size, options);
  }
  if constexpr (std::is_integral_v<T>) {
    return std::make_unique<IntegerSummer<T>>(item_size, options);
  } else {
    return std::make_unique<RealSummer<T>>(item_size, options);
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
