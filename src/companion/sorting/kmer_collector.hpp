// Collectors take k-mers in any order and return them sorted, with their counts.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "companion/sorting/kmer_writer.hpp"
#include "companion/strings/sorter.hpp"
#include "gpuhmm/progress.hpp"

namespace gpuhmm {

struct CollectorOptions {
  unsigned threads = 1;
  std::uint64_t memory = 0;    ///< bytes, about
  WorkMeter* meter = nullptr;  ///< counts words handed out
};

/// Takes words first, then hands them out once. Not thread-safe.
class KmerCollector {
 public:
  virtual ~KmerCollector() = default;
  /// Takes all words in `letters`, where kStringEnd ends records.
  virtual void add(std::string_view letters) = 0;
  /// Gives all words to the writer, in ascending order with their counts.
  virtual void hand_out(KmerWriter& writer) = 0;
  /// Words taken so far.
  virtual std::uint64_t words() const = 0;
  /// Sorted runs that went to temporary files.
  virtual std::uint64_t runs() const { return 0; }
};

/// Counts in a table of all words; for keys of a few bits.
std::unique_ptr<KmerCollector> make_table_collector(const KmerKind& kind, const CollectorOptions& options);
/// The most bits of a key for which the table is faster than sorting.
constexpr unsigned kTableBits = 20;
/// Sorts keys.
std::unique_ptr<KmerCollector> make_key_collector(const KmerKind& kind, const CollectorOptions& options,
                                                  Sorter& sorter);
/// Sorts strings: words of any length.
std::unique_ptr<KmerCollector> make_word_collector(const KmerKind& kind, const CollectorOptions& options,
                                                   Sorter& sorter);

}  // namespace gpuhmm
