// All k-mers of a sequence file, sorted and counted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "companion/sorting/kmer_writer.hpp"
#include "companion/strings/sorter.hpp"
#include "formats/sequence/letter_reader.hpp"
#include "gpuhmm/progress.hpp"

namespace gpuhmm {

struct KmerOptions {
  unsigned k = 0;  ///< letters of a word, at least 1
  std::optional<KmerAlphabet>
      alphabet;            ///< without: nucleic if 9 in 10 of the first letters are A C G T U or N
  bool canonical = false;  ///< the smaller of a word and its reverse complement; nucleic only
  unsigned threads = 1;
  /// Bytes of memory to use, about; what does not fit goes through temporary files.
  std::uint64_t memory = std::uint64_t{4} << 30;
  WorkMeter* meter = nullptr;  ///< counts letters read and words handed out; may be null
};

struct KmerStatistics {
  KmerKind kind;
  std::uint64_t records = 0;
  std::uint64_t letters = 0;
  std::uint64_t words = 0;    ///< found
  std::uint64_t skipped = 0;  ///< windows of k letters that hold another letter
  std::uint64_t runs = 0;     ///< in temporary files
  double collect_seconds = 0, hand_out_seconds = 0;
};

/// Gives the words of the letters, in ascending order, to `writer`. No word spans two records; upper and
/// lower case are the same, U counts as T, and T is written U if the input has no T. Throws FileError;
/// std::invalid_argument for canonical protein words.
KmerStatistics count_kmers(LetterSource& reader, const KmerOptions& options, Sorter& sorter,
                           KmerWriter& writer);

}  // namespace gpuhmm
