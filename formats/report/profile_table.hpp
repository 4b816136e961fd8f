// Descriptions of profiles: a table with one line a profile, and the same as JSON. Columns are described in
// docs/tables.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "formats/report/tables.hpp"
#include "formats/report/text_sink.hpp"
#include "plan7/profile.hpp"

namespace gpuhmm {

/// Collects the lines of a table, since the padded layout is as wide as its longest names.
class ProfileTable {
 public:
  explicit ProfileTable(TableLayout layout);
  ~ProfileTable();

  void add(const Profile& profile);
  /// Writes head and lines.
  void write(const TextSink& out) const;

 private:
  struct Rows;

  TableLayout layout_;
  std::unique_ptr<Rows> rows_;
};

/// One object on one line; `number` is the profile's place in its file, from 1. What a profile does not have
/// is null.
void write_profile_json(const TextSink& out, std::int64_t number, const Profile& profile);

}  // namespace gpuhmm
