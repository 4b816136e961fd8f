// The least that reads the test's profiles.
#pragma once

#include <zlib.h>

#include <cmath>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpuhmm/hmmer3_profile.hpp"

namespace gpuhmm::hmmer3::test {

inline Profile read_profile(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string text;
  char buffer[65536];
  for (int got = 0; (got = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  gzclose(file);
  std::istringstream in(text);
  const auto words = [&] {
    std::string line;
    std::getline(in, line);
    std::istringstream fields(line);
    std::vector<std::string> found;
    for (std::string word; fields >> word;) found.push_back(word);
    return found;
  };
  const auto probability = [](const std::string& token) {
    return token[0] == '*' ? 0.0F : std::exp(static_cast<float>(-1.0 * std::atof(token.c_str())));
  };
  Profile profile;
  for (;;) {
    const auto line = words();
    if (line[0] == "NAME") profile.name = line[1];
    if (line[0] == "LENG") profile.nodes = std::stoi(line[1]);
    if (line[0] == "ALPH") {
      profile.alphabet = line[1] == "amino" ? AlphabetKind::Hmmer3Amino
                         : line[1] == "DNA" ? AlphabetKind::Hmmer3Dna
                                            : AlphabetKind::Hmmer3Rna;
    }
    if (line[0] == "STATS") {
      const auto a = static_cast<float>(std::atof(line[3].c_str()));
      const auto b = static_cast<float>(std::atof(line[4].c_str()));
      Statistics& s = profile.statistics;
      if (line[2] == "MSV") s.msv_mu = a, s.msv_lambda = b;
      if (line[2] == "VITERBI") s.viterbi_mu = a, s.viterbi_lambda = b;
      if (line[2] == "FORWARD") s.forward_tau = a, s.forward_lambda = b;
    }
    if (line[0] == "HMM") break;
  }
  words();
  const auto size = static_cast<std::size_t>(profile.residues());
  profile.match.assign(size, 0);
  profile.consensus = " ";
  auto line = words();
  if (line[0] == "COMPO") {
    for (std::size_t x = 0; x < size; ++x) {
      if (!profile.composition) profile.composition.emplace();
      profile.composition->push_back(probability(line[1 + x]));
    }
    line = words();
  }
  for (int k = 0;; ++k) {
    for (std::size_t x = 0; x < size; ++x) profile.insert.push_back(probability(line[x]));
    line = words();
    auto& transition = profile.transition.emplace_back();
    for (std::size_t t = 0; t < kTransitions; ++t) transition[t] = probability(line[t]);
    if (k == profile.nodes) break;
    line = words();
    for (std::size_t x = 0; x < size; ++x) profile.match.push_back(probability(line[1 + x]));
    profile.consensus += 'x';
    line = words();
  }
  return profile;
}

}  // namespace gpuhmm::hmmer3::test
