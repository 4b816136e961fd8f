// Profiles and sequences at the limit of memory at which HMMER2 aligns in another way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::testing {

/// A profile of `copies` times the nodes, as HMMER2 text. If `period` is not 0, only the first `period` nodes
/// are repeated, so that many paths have the same score.
inline std::string lengthened(const Profile& from, int copies, int period = 0) {
  Profile to = from;
  to.name = from.name + "_long";
  to.map.clear();
  to.rf.clear();
  to.cs.clear();
  to.resize(copies * from.nodes);
  const auto residues = static_cast<std::size_t>(from.residues());
  const auto copy_row = [residues](const std::vector<float>& source, int k, std::vector<float>& target,
                                   int place) {
    std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(residues) * k, residues,
                target.begin() + static_cast<std::ptrdiff_t>(residues) * place);
  };
  for (int k = 1; k <= to.nodes; ++k) {
    const int source = (k - 1) % (period > 0 ? period : from.nodes) + 1;
    const int inner = source == from.nodes ? 1 : source;  // the last node has no transitions
    copy_row(from.match, source, to.match, k);
    if (k == to.nodes) break;
    copy_row(from.insert, inner, to.insert, k);
    to.transition[k] = from.transition[inner];
  }
  to.begin[1] = from.begin[1];
  to.end[to.nodes] = from.end[from.nodes];
  std::ostringstream text;
  write_hmmer2_text(text, to);
  return text.str();
}

/// FASTA of pieces of the proteins of testdata/, joined, with these lengths. Those of `period` residues, if
/// that is not 0, repeat themselves, so that many paths through a profile have the same score.
inline std::string proteins_of_lengths(const std::vector<std::size_t>& lengths, std::size_t period = 0) {
  const Alphabet& letters = Alphabet::get(AlphabetKind::Amino);
  SequenceBatch batch;
  const auto reader = open_sequences(std::string(GPUHMM_TESTDATA) + "/seq/uniprot.fasta", letters);
  read_block(*reader, batch, 1'000'000, 1'000'000'000);
  std::string all, text;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (const std::uint8_t code : batch.residues(i)) all += letters.letter(code);
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::string residues = all.substr(2500 * i, period > 0 ? period : lengths[i]);
    while (residues.size() < lengths[i]) residues += residues;
    text += ">long" + std::to_string(i) + "\n" + residues.substr(0, lengths[i]) + "\n";
  }
  return text;
}

}  // namespace gpuhmm::testing
