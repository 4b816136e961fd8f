// Hits of HMMER 3.3.2's reports in testdata/hmmer3/reports, taken from them by hand.
#pragma once

#include <string>
#include <vector>

#include "gpuhmm/hmmer3_report.hpp"

namespace gpuhmm::hmmer3::testing {

/// A query with what was found for it.
struct Answer {
  Query query;
  QueryResult result;
};

/// fn3 and Pkinase against 7LESS_DROME. In a search the target is the sequence and Z is 1, in the scan of
/// six profiles the target is the profile.
Answer fn3_search();
Answer pkinase_search();
Answer sevenless_scan();

/// fn3 against ten random sequences, none of which is like it.
Answer fruitless_search();

/// 20aa against four sequences, with insertions, deletions and a reference line.
Answer twenty_search();

/// A file of testdata/hmmer3/reports.
std::string golden(const std::string& name);

/// The bytes that a writer writes.
template <class Write>
std::string text_of(Write&& write) {
  std::string text;
  write(TextSink([&](std::string_view piece) { text += piece; }));
  return text;
}

}  // namespace gpuhmm::hmmer3::testing
