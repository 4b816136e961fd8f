// Builds the profile of each alignment.
#include "cli/commands/profile_builder.hpp"

#include <filesystem>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "cli/local_time.hpp"
#include "gpuhmm/alignment.hpp"
#include "gpuhmm/build.hpp"

namespace gpuhmm::cli {

ProfileBuilder::ProfileBuilder(const BuildRequest& request, std::function<void(const std::string&)> warn)
    : request_(request), warn_(std::move(warn)), alignments_(request.alignments, request.format) {
  random_.start_unseeded();
}

std::string ProfileBuilder::format_name() const {
  return std::string(alignment_format_label(alignments_.format()));
}

bool ProfileBuilder::next() {
  std::optional<Alignment> read = alignments_.next();
  if (!read) return false;
  alignment = *std::move(read);
  ++number;
  try {
    build();
  } catch (const std::invalid_argument& error) {
    fail(error.what());
  }
  return true;
}

void ProfileBuilder::fail(const std::string& message) const { throw FileError(where() + message); }

std::string ProfileBuilder::where() const {
  const std::string& id = alignment.annotation.id;
  return alignments_.name() + ": alignment " + (id.empty() ? std::to_string(number) : id) + ": ";
}

void ProfileBuilder::build() {
  const std::optional<AlphabetKind> alphabet = alphabet_           ? alphabet_
                                               : request_.alphabet ? request_.alphabet
                                                                   : guess_alphabet(alignment);
  if (!alphabet) fail("may be protein or nucleic; give --amino or --nucleic");
  read_parameters(*alphabet);
  training = training_alignment(alignment, *alphabet);
  if (request_.options.construction == Construction::Hand && alignment.annotation.reference.empty()) {
    fail("has no reference line (#=GC RF); --hand needs one");
  }
  result = build_profile(training, alignment.annotation.reference, prior_, null_, request_.options, random_);
  if (!result.entropy_converged) {
    warn_(where() + "maximum entropy weights did not converge");
  }
  annotate(result.profile, alignment, result.columns);
  result.profile.name = profile_name();
  // HMMER begins the log of a binary profile with an empty line.
  result.profile.command_log = {"", request_.command_line};
  // the format of C's ctime
  result.profile.date = local_time_text("%a %b %e %H:%M:%S %Y");
}

/// All alignments have the alphabet of the first one.
void ProfileBuilder::read_parameters(AlphabetKind alphabet) {
  if (alphabet_) return;
  alphabet_ = alphabet;
  null_ =
      request_.null_model ? read_null_model(*request_.null_model, alphabet) : NullModel::standard(alphabet);
  prior_ = request_.prior ? read_prior(*request_.prior, alphabet) : ProfilePrior::standard(alphabet);
  if (request_.matrix) read_matrix(*request_.matrix, alphabet);
}

void ProfileBuilder::read_matrix(const std::string& path, AlphabetKind alphabet) {
  if (alphabet != AlphabetKind::Amino) fail("is nucleic; --pam is for protein");
  const SubstitutionMatrix matrix = SubstitutionMatrix::read(path);
  if (!matrix.scale()) {
    warn_(path + ": does not give its scale; scores are read as half bits");
  }
  const Alphabet& amino = Alphabet::get(alphabet);
  SubstitutionScores scores{};
  for (std::size_t seen = 0; seen < scores.size(); ++seen) {
    for (std::size_t x = 0; x < scores.size(); ++x) {
      scores[seen][x] = matrix.score(amino.letters()[seen], amino.letters()[x]);
    }
  }
  prior_.by_residue = true;
  prior_.match =
      substitution_prior(scores, static_cast<float>(matrix.scale().value_or(std::numbers::ln2 / 2)),
                         NullModel::standard(alphabet).emission, request_.matrix_weight);
}

std::string ProfileBuilder::profile_name() const {
  if (request_.name) {
    if (number > 1) fail("a name (-n) can be given for one alignment only");
    return *request_.name;
  }
  if (!alignment.annotation.id.empty()) return alignment.annotation.id;
  if (number > 1) fail("has no name (#=GF ID), which every alignment but the first needs");
  return std::filesystem::path(request_.alignments).stem().string();
}

}  // namespace gpuhmm::cli
