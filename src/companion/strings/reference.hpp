// The plain references of sorted strings and of k-mers, for tests and benchmarks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "companion/strings/kmer_code.hpp"
#include "companion/strings/string_set.hpp"

namespace gpuhmm {

/// Sorts by comparing whole strings.
SortedStrings reference_sort(const StringSet& set);

/// Every k-mer of the alphabet in the records, in upper case (U as T), and how often it occurs; `letters` are
/// records that kStringEnd ends. `canonical`: the smaller of the word and its reverse complement instead of
/// the word.
std::map<std::string, std::uint64_t> reference_kmers(std::string_view letters, KmerAlphabet alphabet,
                                                     unsigned k, bool canonical);

}  // namespace gpuhmm
