// Reads the parameter files of `build`: null models and priors.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>

#include "gpuhmm/build.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The words of a file without its comments.
class Words {
 public:
  explicit Words(const std::string& path) : input_(path), lines_(input_) {}

  /// The next word. Throws FileError that names what was `expected` at the end of the file.
  std::string next(std::string_view expected) {
    constexpr std::string_view kBlanks = " \t\r\v\f";
    for (;;) {
      rest_.erase(0, std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
      if (!rest_.empty()) break;
      std::string_view line;
      if (!lines_.next(line)) fail("the file ends; expected " + std::string(expected));
      rest_ = line.substr(0, line.find('#'));
    }
    const std::size_t size = std::min(rest_.find_first_of(kBlanks), rest_.size());
    std::string word = rest_.substr(0, size);
    rest_.erase(0, size);
    return word;
  }

  float number(std::string_view expected) {
    const std::string word = next(expected);
    float value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || !std::isfinite(value) || value < 0) {
      fail("'" + word + "'; expected " + std::string(expected));
    }
    return value;
  }

  void numbers(std::span<float> values, std::string_view expected) {
    for (float& value : values) value = number(expected);
  }

  void alphabet(AlphabetKind wanted) {
    const std::string_view name = Alphabet::get(wanted).name();
    const std::string word = next("the alphabet, Amino or Nucleic");
    if (!same_word(word, name))
      fail("'" + word + "'; expected " + std::string(name) + ", the alphabet of the alignment");
  }

  /// Number of components, 1 to 200.
  std::size_t components() {
    constexpr float kMost = 200;
    const float count = number("a number of components");
    if (count < 1 || count > kMost || count != std::floor(count)) fail("expected 1 to 200 components");
    return static_cast<std::size_t>(count);
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(input_.name() + ": line " + std::to_string(lines_.number()) + ": " + message);
  }

 private:
  Input input_;
  LineReader lines_;
  std::string rest_;
};

DirichletMixture read_mixture(Words& words, std::size_t residues) {
  DirichletMixture mixture(words.components());
  for (DirichletComponent& component : mixture) {
    component.probability = words.number("the probability of a component");
    component.alpha.resize(residues);
    words.numbers(component.alpha, "a pseudocount for each residue");
    if (std::ranges::find(component.alpha, 0.0F) != component.alpha.end()) {
      words.fail("a pseudocount of 0; expected positive numbers");
    }
  }
  return mixture;
}

}  // namespace

NullModel read_null_model(const std::string& path, AlphabetKind alphabet) {
  Words words(path);
  words.alphabet(alphabet);
  NullModel null;
  null.emission.resize(static_cast<std::size_t>(Alphabet::get(alphabet).size()));
  words.numbers(null.emission, "a frequency for each residue");
  null.loop = words.number("the probability of a residue after a residue");
  if (!(null.loop > 0) || null.loop >= 1) words.fail("expected a probability between 0 and 1");
  if (std::ranges::find(null.emission, 0.0F) != null.emission.end()) {
    words.fail("a frequency of 0; expected positive numbers");
  }
  return null;
}

ProfilePrior read_prior(const std::string& path, AlphabetKind alphabet) {
  Words words(path);
  const std::string strategy = words.next("Dirichlet");
  if (!same_word(strategy, "Dirichlet")) words.fail("'" + strategy + "'; expected Dirichlet");
  words.alphabet(alphabet);
  ProfilePrior prior;
  prior.alphabet = alphabet;
  if (words.components() != 1) words.fail("expected one component of transition priors");
  words.number("the probability of a component");
  TransitionPrior& transitions = prior.transitions;
  constexpr std::string_view kTransitions = "seven pseudocounts of transitions";
  words.numbers(transitions.match, kTransitions);
  words.numbers(transitions.insert, kTransitions);
  words.numbers(transitions.deletion, kTransitions);
  const auto residues = static_cast<std::size_t>(Alphabet::get(alphabet).size());
  prior.match = read_mixture(words, residues);
  prior.insert = read_mixture(words, residues);
  return prior;
}

}  // namespace gpuhmm
