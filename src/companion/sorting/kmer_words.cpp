// The collector of words that are too long for a key.
#include <algorithm>
#include <array>
#include <string>

#include "companion/sorting/count_runs.hpp"
#include "companion/sorting/kmer_collector.hpp"
#include "companion/strings/kmer_code.hpp"
#include "util/ordered_blocks.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 12;  // words formatted by a thread at a time
// Bytes of memory for each letter: the letter and its complement, and the sort's records of the word that
// begins there.
constexpr std::uint64_t kMemoryPerLetter = 64;

// All letters of the alphabet in upper case, U as T, and kStringEnd for any other.
std::array<char, 256> upper_case_table(const KmerCode& code) {
  std::array<char, 256> table;
  for (std::size_t c = 0; c < table.size(); ++c) {
    const std::uint8_t letter = code.letter_code(static_cast<char>(c));
    table[c] = letter == KmerCode::kNone ? kStringEnd : code.letter(letter);
  }
  return table;
}

char complement(char letter) {
  return letter == 'A' ? 'T' : letter == 'C' ? 'G' : letter == 'G' ? 'C' : letter == 'T' ? 'A' : letter;
}

class WordCollector : public KmerCollector {
 public:
  WordCollector(const KmerKind& kind, const CollectorOptions& options, Sorter& sorter)
      : canonical_(kind.canonical),
        k_(kind.k),
        threads_(std::max(options.threads, 1U)),
        meter_(options.meter),
        most_(options.memory / kMemoryPerLetter),
        sorter_(sorter),
        upper_case_(upper_case_table(KmerCode(kind.alphabet, 1))) {
    CharacterPacking::Seen seen{};
    for (const char letter : upper_case_) seen[static_cast<unsigned char>(letter)] = true;
    packing_ = CharacterPacking(seen);
  }

  void add(std::string_view letters) override {
    if (!text_.empty() && text_.size() + letters.size() > most_) spill();
    const auto before = static_cast<std::ptrdiff_t>(text_.size());
    text_.resize(text_.size() + letters.size() + 1, kStringEnd);
    std::transform(letters.begin(), letters.end(), text_.begin() + before,
                   [this](char c) { return upper_case_[static_cast<unsigned char>(c)]; });
    count_words(letters.size() + 1);
  }

  void hand_out(KmerWriter& writer) override {
    const auto append = [&writer](std::string_view word, std::uint64_t count, std::string& to) {
      writer.append(word, count, to);
    };
    const auto write = [&writer](std::string_view text) { writer.write(text); };
    if (runs_.runs() == 0) {
      meter_->begin(kReadingPart, 1.0, {0, static_cast<double>(words_)});
      hand_out_sorted(append, write);
      return;
    }
    spill();
    merge_counts(runs_, append, write, *meter_);
  }
  std::uint64_t words() const override { return words_; }
  std::uint64_t runs() const override { return runs_.runs(); }

 private:
  // Calls body(start) for every word in the last `size` letters of the text.
  template <class Body>
  void for_each_start(std::size_t size, const Body& body) const {
    for (std::size_t at = text_.size() - size; at < text_.size();) {
      const std::size_t end = text_.find(kStringEnd, at);
      for (; at + k_ <= end; ++at) body(at);
      at = end + 1;
    }
  }
  void count_words(std::size_t size) {
    for_each_start(size, [this](std::size_t) { ++words_; });
  }

  // Calls `append` for every different word of the text, with its count.
  template <class Append, class Take>
  void hand_out_sorted(const Append& append, const Take& take) {
    StringSet set;
    set.packing = packing_;
    set.limit = k_;
    for_each_start(text_.size(), [&set](std::size_t start) { set.starts.push_back(start); });
    if (canonical_) choose_strands(set.starts);
    set.text = text_;
    const SortedStrings sorted = sorter_.sort_strings(set);
    ordered_blocks(
        threads_, sorted.size(), kBlock,
        [&](std::size_t first, std::size_t last, std::string& to) {
          meter_->add_other(static_cast<std::int64_t>(last - first));
          while (first < last && sorted[first].repeated()) ++first;
          while (first < last) {
            std::size_t next = first + 1;
            while (next < sorted.size() && sorted[next].repeated()) ++next;
            append(set.text.substr(sorted[first].start(), k_), next - first, to);
            first = next;
          }
        },
        take);
    text_.clear();
  }

  // Appends the reverse complement of the text; a word whose reverse complement is smaller then starts there.
  void choose_strands(std::vector<std::uint64_t>& starts) {
    const std::size_t size = text_.size();
    text_.resize(2 * size);
    std::transform(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(size), text_.rbegin(),
                   complement);
    const std::string_view text = text_;
    parallel_for(threads_, starts.size(), kBlock, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const std::uint64_t other = 2 * size - starts[i] - k_;
        if (text.substr(other, k_) < text.substr(starts[i], k_)) starts[i] = other;
      }
    });
    // the text must end with kStringEnd
    text_ += kStringEnd;
  }

  void spill() {
    Run& run = runs_.add();
    hand_out_sorted(append_counted, [&run](std::string_view records) { run.append(records); });
  }

  bool canonical_;
  unsigned k_;
  unsigned threads_;
  WorkMeter* meter_;
  std::uint64_t most_;  // letters in memory
  Sorter& sorter_;
  std::array<char, 256> upper_case_;
  CharacterPacking packing_;
  std::string text_;
  std::uint64_t words_ = 0;
  RunMerger runs_{false};
};

}  // namespace

std::unique_ptr<KmerCollector> make_word_collector(const KmerKind& kind, const CollectorOptions& options,
                                                   Sorter& sorter) {
  return std::make_unique<WordCollector>(kind, options, sorter);
}

}  // namespace gpuhmm
