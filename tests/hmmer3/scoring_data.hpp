// Reads the profiles, sequences and expected values of testdata/hmmer3/scoring.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_profile.hpp"
#include "gpuhmm/hmmer3_profile_file.hpp"

namespace gpuhmm::hmmer3::test {

inline std::string data_path(const std::string& name) {
  return std::string(GPUHMM_TESTDATA) + "/hmmer3/scoring/" + name;
}

inline std::ifstream open_data(const std::string& name) {
  std::ifstream in(data_path(name));
  if (!in) throw std::runtime_error("cannot open " + data_path(name));
  return in;
}

inline Profile read_profile(const std::string& path) { return ProfileReader(path).next().value(); }

using Sequence = std::vector<std::uint8_t>;

/// Sequences of a FASTA file by name.
inline std::map<std::string, Sequence> read_sequences(const std::string& name, AlphabetKind alphabet) {
  std::map<std::string, Sequence> sequences;
  Sequence* current = nullptr;
  std::ifstream in = open_data(name);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('>')) {
      current = &sequences[line.substr(1, line.find(' ') - 1)];
    } else {
      for (const char c : line) current->push_back(Alphabet::get(alphabet).code(c));
    }
  }
  return sequences;
}

inline std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
  return fields;
}

/// A line of a table by column.
using Row = std::map<std::string, std::string>;

/// The expected values of one profile.
struct ExpectedScores {
  Row model;
  std::vector<Row> sequences;
};

inline ExpectedScores read_expected(const std::string& name) {
  ExpectedScores expected;
  std::vector<std::string> columns;
  std::ifstream in = open_data(name);
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> fields = split(line);
    if (line.starts_with("#model")) {
      for (const std::string& field : fields) {
        const std::size_t equals = field.find('=');
        if (equals != std::string::npos) expected.model[field.substr(0, equals)] = field.substr(equals + 1);
      }
    } else if (line.starts_with("#seq")) {
      columns = fields;
      columns[0] = "seq";
    } else {
      Row& row = expected.sequences.emplace_back();
      for (std::size_t i = 0; i < fields.size(); ++i) row[columns.at(i)] = fields[i];
    }
  }
  return expected;
}

}  // namespace gpuhmm::hmmer3::test
