// Collectors of words that are 64-bit keys: a table of counts, and sorted runs.
#include <algorithm>
#include <memory>
#include <vector>

#include "companion/sorting/count_runs.hpp"
#include "companion/sorting/kmer_collector.hpp"
#include "companion/strings/kmer_code.hpp"
#include "util/ordered_blocks.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 14;  // keys formatted by a thread at a time

// Calls take(part, key) for every word of the letters, with the parts in threads of their own.
template <class Take>
void for_each_key(const KmerCode& code, bool canonical, std::string_view letters, unsigned parts,
                  const Take& take) {
  parallel_for(parts, parts, 1, [&](std::size_t part, std::size_t) {
    const std::size_t first = letters.size() * part / parts, last = letters.size() * (part + 1) / parts;
    if (canonical) {
      code.for_each_key(letters, first, last, [&](std::uint64_t key) { take(part, code.canonical(key)); });
    } else {
      code.for_each_key(letters, first, last, [&](std::uint64_t key) { take(part, key); });
    }
  });
}

class TableCollector : public KmerCollector {
 public:
  TableCollector(const KmerKind& kind, const CollectorOptions& options)
      : code_(kind.alphabet, kind.k),
        canonical_(kind.canonical),
        threads_(std::max(options.threads, 1U)),
        tables_(threads_, std::vector<std::uint64_t>(std::size_t{1} << code_.key_bits())) {}

  void add(std::string_view letters) override {
    for_each_key(code_, canonical_, letters, threads_,
                 [this](std::size_t part, std::uint64_t key) { ++tables_[part][key]; });
  }
  void hand_out(KmerWriter& writer) override {
    ordered_blocks(
        threads_, tables_[0].size(), kBlock,
        [&](std::size_t first, std::size_t last, std::string& to) {
          for (std::size_t key = first; key < last; ++key) {
            if (const std::uint64_t count = count_of(key); count > 0) writer.append(key, count, to);
          }
        },
        [&writer](std::string_view text) { writer.write(text); });
  }
  std::uint64_t words() const override {
    std::uint64_t words = 0;
    for (std::size_t key = 0; key < tables_[0].size(); ++key) words += count_of(key);
    return words;
  }

 private:
  std::uint64_t count_of(std::size_t key) const {
    std::uint64_t count = 0;
    for (const auto& table : tables_) count += table[key];
    return count;
  }

  KmerCode code_;
  bool canonical_;
  unsigned threads_;
  std::vector<std::vector<std::uint64_t>> tables_;  // one a thread
};

class KeyCollector : public KmerCollector {
 public:
  KeyCollector(const KmerKind& kind, const CollectorOptions& options, Sorter& sorter)
      : code_(kind.alphabet, kind.k),
        canonical_(kind.canonical),
        threads_(std::max(options.threads, 1U)),
        meter_(options.meter),
        most_(options.memory / (2 * sizeof(std::uint64_t))),
        sorter_(sorter) {}

  void add(std::string_view letters) override {
    if (size_ > 0 && size_ + letters.size() > most_) spill();
    reserve(size_ + letters.size());
    // a part has at most as many words as letters; the gaps between parts are closed afterwards
    std::vector<std::uint64_t*> ends(threads_);
    const auto begin = [&](std::size_t part) {
      return keys_.get() + size_ + letters.size() * part / threads_;
    };
    for (std::size_t part = 0; part < threads_; ++part) ends[part] = begin(part);
    for_each_key(code_, canonical_, letters, threads_,
                 [&](std::size_t part, std::uint64_t key) { *ends[part]++ = key; });
    const std::size_t before = size_;
    std::uint64_t* end = ends[0];
    for (std::size_t part = 1; part < threads_; ++part) end = std::copy(begin(part), ends[part], end);
    size_ = static_cast<std::size_t>(end - keys_.get());
    words_ += size_ - before;
  }

  void hand_out(KmerWriter& writer) override {
    const auto write = [&writer](std::string_view text) { writer.write(text); };
    if (runs_.runs() == 0) {
      meter_->begin(kReadingPart, 1.0, {0, static_cast<double>(size_)});
      hand_out_sorted([&writer](std::uint64_t key, std::uint64_t count,
                                std::string& to) { writer.append(key, count, to); },
                      write);
      return;
    }
    spill();
    keys_.reset();
    merge_counts(
        runs_,
        [&writer](std::string_view key, std::uint64_t count, std::string& to) {
          writer.append(key_from(key), count, to);
        },
        write, *meter_);
  }
  std::uint64_t words() const override { return words_; }
  std::uint64_t runs() const override { return runs_.runs(); }

 private:
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    capacity_ = std::max(size, std::min(2 * capacity_, most_));
    auto larger = std::make_unique_for_overwrite<std::uint64_t[]>(capacity_);
    std::copy_n(keys_.get(), size_, larger.get());
    keys_ = std::move(larger);
  }

  // Calls `append` for every different key in memory, with its count.
  template <class Append, class Take>
  void hand_out_sorted(const Append& append, const Take& take) {
    const auto scratch = std::make_unique_for_overwrite<std::uint64_t[]>(size_);
    const std::span<const std::uint64_t> keys =
        sorter_.sort_keys({keys_.get(), size_}, {scratch.get(), size_});
    ordered_blocks(
        threads_, keys.size(), kBlock,
        [&](std::size_t first, std::size_t last, std::string& to) {
          meter_->add_other(static_cast<std::int64_t>(last - first));
          while (first > 0 && first < last && keys[first] == keys[first - 1]) ++first;
          while (first < last) {
            std::size_t next = first + 1;
            while (next < keys.size() && keys[next] == keys[first]) ++next;
            append(keys[first], next - first, to);
            first = next;
          }
        },
        take);
    size_ = 0;
  }

  void spill() {
    Run& run = runs_.add();
    hand_out_sorted(
        [](std::uint64_t key, std::uint64_t count, std::string& to) {
          // highest byte first: the order of the bytes is that of the keys
          key = __builtin_bswap64(key);
          append_counted({reinterpret_cast<const char*>(&key), sizeof key}, count, to);
        },
        [&run](std::string_view records) { run.append(records); });
  }

  static std::uint64_t key_from(std::string_view bytes) {
    std::uint64_t key = 0;
    for (const char byte : bytes) key = (key << 8) | static_cast<unsigned char>(byte);
    return key;
  }

  KmerCode code_;
  bool canonical_;
  unsigned threads_;
  WorkMeter* meter_;
  std::size_t most_;  // keys in memory
  Sorter& sorter_;
  std::unique_ptr<std::uint64_t[]> keys_;
  std::size_t size_ = 0, capacity_ = 0;
  std::uint64_t words_ = 0;
  RunMerger runs_{false};
};

}  // namespace

std::unique_ptr<KmerCollector> make_table_collector(const KmerKind& kind, const CollectorOptions& options) {
  return std::make_unique<TableCollector>(kind, options);
}

std::unique_ptr<KmerCollector> make_key_collector(const KmerKind& kind, const CollectorOptions& options,
                                                  Sorter& sorter) {
  return std::make_unique<KeyCollector>(kind, options, sorter);
}

}  // namespace gpuhmm
