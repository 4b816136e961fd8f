// k-mers as text, tables or binary files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "companion/strings/kmer_code.hpp"

namespace gpuhmm {

enum class KmerFormat : std::uint8_t {
  Text,       ///< a word a line, its count after a space as `jellyfish dump -c` does
  Tsv,        ///< a word a line, its count after a tab
  Fasta,      ///< the count as name, the word as sequence, as `jellyfish dump` does
  Binary,     ///< little-endian keys and counts, see docs/kmers.md
  Histogram,  ///< how many words occur how often
};

struct KmerOutputOptions {
  KmerFormat format = KmerFormat::Text;
  bool counts = false;          ///< each word once with its count instead of every occurrence
  std::uint64_t min_count = 1;  ///< words that occur less often are left out
};

/// What the words are.
struct KmerKind {
  KmerAlphabet alphabet = KmerAlphabet::Nucleic;
  unsigned k = 0;
  bool canonical = false;
  bool uracil = false;  ///< T is written U
};

/// Gets the words in order.
class KmerWriter {
 public:
  using Take = std::function<void(std::string_view)>;

  /// `take` gets the bytes of the file.
  KmerWriter(const KmerOutputOptions& options, Take take) : options_(options), take_(std::move(take)) {}

  /// Before any word. Throws std::invalid_argument for words that are too long for the format.
  void begin(const KmerKind& kind);
  /// Appends a word, as a key or as text if it is too long for a key, to `to`. Several threads may call.
  void append(std::uint64_t key, std::uint64_t count, std::string& to) const;
  void append(std::string_view word, std::uint64_t count, std::string& to) const;
  /// Writes what append() made, in the order of the words.
  void write(std::string_view text);
  /// After all words.
  void end();

 private:
  void append_text(std::string_view word, std::uint64_t count, std::string& to) const;

  KmerOutputOptions options_;
  Take take_;
  bool uracil_ = false;
  std::optional<KmerCode> code_;  // of words that are keys
  std::uint64_t bytes_ = 0;       // written, of words
  std::map<std::uint64_t, std::uint64_t> histogram_;
};

}  // namespace gpuhmm
