// Reading letters in pieces and handing them to a collector.
#include "companion/sorting/kmer_count.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "companion/sorting/kmer_collector.hpp"
#include "companion/sorting/run.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

// Letters read at a time, at most and at least.
constexpr std::uint64_t kMostLetters = std::uint64_t{16} << 20, kLeastLetters = 1024;

KmerAlphabet guess_alphabet(std::string_view letters) {
  constexpr std::size_t kLetters = 1000000;
  constexpr std::string_view kNucleic = "ACGTUNacgtun";
  std::size_t all = 0, nucleic = 0;
  for (const char c : letters.substr(0, kLetters)) {
    if (c == kStringEnd) continue;
    ++all;
    if (kNucleic.find(c) != std::string_view::npos) ++nucleic;
  }
  return 10 * nucleic >= 9 * all ? KmerAlphabet::Nucleic : KmerAlphabet::Amino;
}

std::unique_ptr<KmerCollector> make_collector(const KmerKind& kind, const KmerOptions& options,
                                              Sorter& sorter, WorkMeter& meter) {
  const CollectorOptions how{options.threads, options.memory, &meter};
  if (kind.k > KmerCode::longest(kind.alphabet)) return make_word_collector(kind, how, sorter);
  if (KmerCode(kind.alphabet, kind.k).key_bits() <= kTableBits) return make_table_collector(kind, how);
  return make_key_collector(kind, how, sorter);
}

std::uint64_t count_windows(std::string_view letters, unsigned k) {
  std::uint64_t windows = 0;
  while (!letters.empty()) {
    const std::size_t length = std::min(letters.find(kStringEnd), letters.size());
    if (length >= k) windows += length - k + 1;
    letters.remove_prefix(std::min(length + 1, letters.size()));
  }
  return windows;
}

bool holds(std::string_view letters, char letter) { return letters.find(letter) != std::string_view::npos; }

// Moves to the front the letters with which a word may begin that ends in the next piece. Returns their
// number.
std::size_t keep_open_word(std::string& letters, unsigned k) {
  const std::size_t after_end = letters.rfind(kStringEnd) + 1;  // 0 if there is none
  const std::size_t kept = std::min<std::size_t>(letters.size() - after_end, k - 1);
  letters.erase(0, letters.size() - kept);
  return kept;
}

}  // namespace

KmerStatistics count_kmers(LetterSource& reader, const KmerOptions& options, Sorter& sorter,
                           KmerWriter& writer) {
  KmerStatistics statistics;
  WorkMeter own_meter;
  WorkMeter& meter = options.meter != nullptr ? *options.meter : own_meter;
  const std::size_t piece = std::clamp(options.memory / 64, kLeastLetters, kMostLetters);
  std::string letters;
  reader.read(letters, piece, kStringEnd);
  const KmerAlphabet alphabet = options.alphabet.value_or(guess_alphabet(letters));
  if (options.canonical && alphabet == KmerAlphabet::Amino) {
    throw std::invalid_argument(
        "protein has no canonical k-mers: only nucleic words have a reverse complement");
  }
  KmerKind kind{alphabet, options.k, options.canonical, false};
  const std::unique_ptr<KmerCollector> collector = make_collector(kind, options, sorter, meter);
  bool thymine = false, uracil = false;
  std::uint64_t windows = 0;
  {
    const Stopwatch stopwatch(statistics.collect_seconds);
    std::size_t kept = 0;
    do {
      windows += count_windows(letters, options.k);
      thymine = thymine || holds(letters, 'T') || holds(letters, 't');
      uracil = uracil || holds(letters, 'U') || holds(letters, 'u');
      statistics.letters += letters.size() - kept -
                            static_cast<std::size_t>(std::count(letters.begin(), letters.end(), kStringEnd));
      collector->add(letters);
      meter.reach(reading_part(reader.fraction_read()), static_cast<double>(letters.size() - kept));
      kept = keep_open_word(letters, options.k);
    } while (reader.read(letters, kept + piece, kStringEnd));
  }
  kind.uracil = kind.alphabet == KmerAlphabet::Nucleic && uracil && !thymine;
  statistics.kind = kind;
  statistics.records = reader.records();
  statistics.words = collector->words();
  statistics.skipped = windows - statistics.words;
  {
    const Stopwatch stopwatch(statistics.hand_out_seconds);
    writer.begin(kind);
    collector->hand_out(writer);
    writer.end();
  }
  statistics.runs = collector->runs();
  return statistics;
}

}  // namespace gpuhmm
