// Implements rows and columns of alignments to a profile.
#include <algorithm>
#include <cctype>
#include <numeric>
#include <stdexcept>

#include "gpuhmm/align.hpp"

namespace gpuhmm {

void ProfileRow::add_insert(int node, char letter) {
  if (runs_.empty() || runs_.back().node != node) runs_.push_back({node, inserts_.size(), 0});
  ++runs_.back().size;
  inserts_ += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

ProfileRow profile_row(const Alphabet& alphabet, int nodes, std::span<const std::uint8_t> residues,
                       const Trace& trace) {
  ProfileRow row(nodes);
  for (const TraceStep& step : trace) {
    if (step.position == 0) continue;
    const char letter = alphabet.letter(residues[static_cast<std::size_t>(step.position) - 1]);
    if (step.state == State::M) {
      row.set_match(step.node, letter);
    } else {
      row.add_insert(step.state == State::C ? nodes : step.node, letter);
    }
  }
  return row;
}

ProfileRow profile_row(const Alphabet& alphabet, std::span<const int> map, std::string_view aligned) {
  constexpr std::string_view kGaps = " ._-~";
  const int nodes = static_cast<int>(map.size()) - 1;
  std::vector<int> node_of(aligned.size(), 0);  // by column
  int last_node = 0;
  for (int k = 1; k <= nodes; ++k) {
    const int column = map[static_cast<std::size_t>(k)];
    if (column == 0) continue;
    if (static_cast<std::size_t>(column) > aligned.size()) {
      throw std::invalid_argument("match state " + std::to_string(k) + " of the profile is column " +
                                  std::to_string(column) + ", but the alignment has " +
                                  std::to_string(aligned.size()) + " columns");
    }
    node_of[static_cast<std::size_t>(column) - 1] = k;
    last_node = k;
  }
  ProfileRow row(nodes);
  int node = 0;  // of inserts
  for (std::size_t at = 0; at < aligned.size(); ++at) {
    if (node_of[at] > 0) node = node_of[at] == last_node ? nodes : node_of[at];
    if (kGaps.find(aligned[at]) != std::string_view::npos) continue;
    const char letter = alphabet.letter(alphabet.code(aligned[at]));
    if (node_of[at] > 0) {
      row.set_match(node_of[at], letter);
    } else {
      row.add_insert(node, letter);
    }
  }
  return row;
}

void ProfileColumns::widen(const ProfileRow& row) {
  for (const ProfileRow::Run& run : row.runs()) {
    std::size_t& width = widths_[static_cast<std::size_t>(run.node)];
    width = std::max(width, style_ == InsertStyle::Marks ? 1 : run.size);
  }
}

std::string ProfileColumns::spread(const ProfileRow& row) const {
  const std::size_t nodes = row.matches().size();
  std::string text;
  text.reserve(std::accumulate(widths_.begin(), widths_.end(), nodes));
  auto run = row.runs().begin();
  for (std::size_t k = 0; k <= nodes; ++k) {
    if (k > 0) text += row.matches()[k - 1];
    const std::size_t width = widths_[k];
    const bool inserts = run != row.runs().end() && static_cast<std::size_t>(run->node) == k;
    if (inserts && style_ == InsertStyle::Marks) {
      text += '*';
    } else if (inserts) {
      const std::string_view letters = std::string_view(row.inserts()).substr(run->begin, run->size);
      const std::size_t left = k == 0 ? 0 : k == nodes ? letters.size() : letters.size() / 2;
      text.append(letters.substr(0, left)).append(width - letters.size(), '.').append(letters.substr(left));
    } else {
      text.append(width, '.');
    }
    if (inserts) ++run;
  }
  return text;
}

std::string ProfileColumns::reference() const {
  std::string text(widths_.front(), '.');
  for (std::size_t k = 1; k < widths_.size(); ++k) text.append(1, 'x').append(widths_[k], '.');
  return text;
}

}  // namespace gpuhmm
