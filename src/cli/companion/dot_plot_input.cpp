// Reads the sequences of a dot plot and chooses its scores.
#include "cli/companion/dot_plot_input.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "cli/companion/sequence_letters.hpp"
#include "gpuhmm/database.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/sequence_file.hpp"

namespace gpuhmm::cli {

namespace {

struct BuiltIn {
  const char* name;
  AlphabetKind alphabet;
  SubstitutionMatrix (*make)();
};

// The first of an alphabet is its default.
constexpr BuiltIn kBuiltIn[] = {{"BLOSUM62", AlphabetKind::Amino, SubstitutionMatrix::blosum62},
                                {"NUC.4.4", AlphabetKind::Nucleic, SubstitutionMatrix::nuc44}};

const BuiltIn* find_built_in(const std::string& name) {
  const auto* const found = std::find_if(std::begin(kBuiltIn), std::end(kBuiltIn),
                                         [&](const BuiltIn& entry) { return entry.name == name; });
  return found == std::end(kBuiltIn) ? nullptr : found;
}

const BuiltIn& default_of(AlphabetKind alphabet) {
  return *std::find_if(std::begin(kBuiltIn), std::end(kBuiltIn),
                       [&](const BuiltIn& entry) { return entry.alphabet == alphabet; });
}

std::pair<DotPlotInput::Sequence, SequenceKind> read_sequence(const std::string& path,
                                                              std::optional<AlphabetKind> given) {
  const SequenceSource source(path, std::nullopt, 1);
  const Alphabet& alphabet = letters_of(source);
  const std::unique_ptr<SequenceReader> reader = source.open(alphabet);
  SequenceBatch batch;
  reader->read(batch);
  if (reader->read(batch)) {
    throw FileError(reader->name() + ": more than one sequence; expected one for a dot plot");
  }
  DotPlotInput::Sequence sequence{std::string(batch[0].name), {}};
  for (const std::uint8_t code : batch.residues(0)) sequence.letters += alphabet.letter(code);
  return {std::move(sequence), sequence_kind(source, reader->name(), given, batch)};
}

}  // namespace

std::vector<std::string> matrix_names() {
  std::vector<std::string> names;
  for (const BuiltIn& entry : kBuiltIn) names.emplace_back(entry.name);
  return names;
}

bool is_built_in_matrix(const std::string& name) { return find_built_in(name) != nullptr; }

DotPlotInput read_dot_plot_input(const std::string& path_a, const std::string& path_b,
                                 std::optional<AlphabetKind> alphabet,
                                 const std::optional<std::string>& matrix) {
  auto [a, kind_a] = read_sequence(path_a, alphabet);
  auto [b, kind_b] = read_sequence(path_b, alphabet);
  const SequenceKind kind = common_kind(kind_a, kind_b);
  if (matrix && !is_built_in_matrix(*matrix)) {
    return {std::move(a), std::move(b), SubstitutionMatrix::read(*matrix, kind.alphabet), *matrix};
  }
  const BuiltIn& scores = matrix ? *find_built_in(*matrix) : default_of(kind.alphabet);
  kind.require(scores.alphabet, std::string("matrix ") + scores.name);
  return {std::move(a), std::move(b), scores.make(), scores.name};
}

}  // namespace gpuhmm::cli
