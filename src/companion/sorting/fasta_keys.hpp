// The keys of FASTA records: names, or sequences without line ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "companion/sorting/run.hpp"
#include "companion/strings/string_set.hpp"

namespace gpuhmm {

/// The records of a text and the strings they are sorted by.
class FastaKeys {
 public:
  /// `text`: whole records, up to a newline; must outlive this. `name`: the file's, for messages. Throws
  /// FileError if the text does not begin with a record; blank lines may come before the first.
  FastaKeys(std::string_view text, bool by_name, const std::string& name);

  const StringSet& set() const { return set_; }
  /// The record whose key starts at `start` of the set's text.
  SortRecord record(std::uint64_t start) const;

 private:
  std::string_view text_;
  std::string keys_;  // before each key: where its record lies
  StringSet set_;
};

}  // namespace gpuhmm
