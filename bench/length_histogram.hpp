// Random lengths like those of a database, out of a file with a line "length count" for each length.
#pragma once

#include <cstddef>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpuhmm::bench {

class LengthHistogram {
 public:
  /// Lines that begin with '#' are skipped. Throws std::runtime_error.
  explicit LengthHistogram(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot open " + path);
    std::vector<double> weights;
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#') continue;
      std::istringstream fields(line);
      std::size_t length = 0;
      double weight = 0;
      if (!(fields >> length >> weight)) throw std::runtime_error(path + ": bad line " + line);
      lengths_.push_back(length);
      weights.push_back(weight);
    }
    choose_ = std::discrete_distribution<std::size_t>(weights.begin(), weights.end());
  }

  std::size_t draw(std::mt19937_64& rng) { return lengths_[choose_(rng)]; }

 private:
  std::vector<std::size_t> lengths_;
  std::discrete_distribution<std::size_t> choose_;
};

}  // namespace gpuhmm::bench
