// Connects alignments read from files with the profiles built from them: alphabet, rows, annotation.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>

#include "formats/sequence/letters_guess.hpp"
#include "formats/sequence/text.hpp"
#include "gpuhmm/alignment.hpp"
#include "gpuhmm/build.hpp"

namespace gpuhmm {

namespace {

/// Parses two numbers, each optionally followed by a semicolon. Ignores a single word, as in alignments of
/// Rfam.
std::optional<ScoreCutoff> cutoff_from(std::string_view text, const char* tag) {
  std::string_view words = text;
  text::take_word(words);
  if (text::blank(words)) return std::nullopt;
  ScoreCutoff cutoff;
  for (float* value : {&cutoff.sequence, &cutoff.domain}) {
    std::string_view word = text::take_word(text);
    if (word.ends_with(';')) word.remove_suffix(1);
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
    if (error != std::errc() || stop != word.data() + word.size()) {
      throw std::invalid_argument(std::string(tag) + " line: expected two numbers");
    }
  }
  return cutoff;
}

/// The characters of match columns after a blank, which is node 0.
std::string at_nodes(const std::string& line, const MatchColumns& columns) {
  if (line.empty()) return {};
  std::string characters = " ";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i]) characters += line[i];
  }
  return characters;
}

}  // namespace

std::optional<AlphabetKind> guess_alphabet(const Alignment& alignment) {
  int protein = 0, nucleic = 0, unknown = 0;
  for (const AlignmentRow& row : alignment.rows()) {
    const Letters letters = guess_letters(row.text);
    ++(letters == Letters::Protein ? protein : letters == Letters::Unknown ? unknown : nucleic);
  }
  if (protein > std::max(nucleic, unknown)) return AlphabetKind::Amino;
  if (nucleic > std::max(protein, unknown)) return AlphabetKind::Nucleic;
  return std::nullopt;
}

TrainingAlignment training_alignment(const Alignment& alignment, AlphabetKind alphabet) {
  TrainingAlignment training;
  training.alphabet = alphabet;
  const bool weighted = alignment.rows().front().weight.has_value();
  for (const AlignmentRow& row : alignment.rows()) {
    if (row.weight.has_value() != weighted) {
      throw std::invalid_argument("row " + row.name + (weighted ? " has no weight" : " has a weight") +
                                  ", unlike those before it; expected weights of all rows or none");
    }
    std::string text = row.text;
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    training.rows.push_back(std::move(text));
    training.weights.push_back(row.weight.value_or(1.0F));
  }
  return training;
}

void annotate(Profile& profile, const Alignment& alignment, const MatchColumns& columns) {
  const AlignmentAnnotation& annotation = alignment.annotation;
  if (!annotation.accession.empty()) profile.accession = annotation.accession;
  if (!annotation.description.empty()) profile.description = annotation.description;
  profile.gathering = cutoff_from(annotation.gathering, "GA");
  profile.trusted = cutoff_from(annotation.trusted, "TC");
  profile.noise = cutoff_from(annotation.noise, "NC");
  profile.rf = at_nodes(annotation.reference, columns);
  profile.cs = at_nodes(annotation.structure, columns);
  profile.accessibility = !annotation.accessibility.empty();
  profile.map.assign(1, 0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i]) profile.map.push_back(static_cast<int>(i) + 1);
  }
  profile.sequence_count = static_cast<int>(alignment.rows().size());
  profile.checksum = gcg_checksum(alignment.rows());
}

}  // namespace gpuhmm
