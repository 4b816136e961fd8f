// Writes GCG profiles.
#include <cstdint>
#include <string>

#include "gpuhmm/profile_file.hpp"
#include "plan7/consensus.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

namespace {

/// A number in five columns.
std::string cell(std::int64_t number) {
  const std::string text = std::to_string(number);
  return std::string(text.size() < 5 ? 5 - text.size() : 0, ' ') + text;
}

/// Converts 1/1000 bit to 1/100 bit, truncated towards zero.
std::int64_t hundredths(std::int64_t score) { return score / 10; }

/// Penalties of opening and lengthening a gap after node k: the scores of the transitions into, out of and
/// within the gap, less that of the match transition that the gap replaces.
struct GapPenalty {
  std::int64_t open, length;
};

GapPenalty penalty(std::int64_t into, std::int64_t out_of, std::int64_t stay, std::int64_t matched) {
  return {-(into + out_of - matched - stay) / 100, -hundredths(stay)};
}

std::string penalties(const ScoreModel& model, int node, GcgKind kind) {
  constexpr GapPenalty kBeforeFirst = {100, 100};
  const int k = node - 1;
  const auto text = [](const GapPenalty& gap) { return cell(gap.open) + " " + cell(gap.length); };
  const bool first = k == 0;
  std::string row = text(first ? kBeforeFirst : penalty(model.mi[k], model.im[k], model.ii[k], model.mm[k]));
  if (kind == GcgKind::Extended) {
    row += " " + text(first ? kBeforeFirst : penalty(model.md[k], model.dm[k], model.dd[k], model.mm[k]));
  }
  return row;
}

void write_head(std::ostream& out, const Profile& profile, GcgKind kind) {
  const bool amino = profile.alphabet == AlphabetKind::Amino;
  out << (amino ? "!!AA_PROFILE 1.0\n(Peptide)" : "!!NA_PROFILE 1.0\n(Nucleotide)")
      << " HMMCONVERT v2.3.2 Length: " << profile.nodes << " " << profile.name << "|"
      << profile.accession.value_or("") << "|" << profile.description.value_or("")
      << "\n   Profile converted from a profile HMM using HMMER v2.3.2 emulation.\n";
  if (kind == GcgKind::Plain) {
    out << "   Use -nonor -noave -gap=10 -len=1 with profilesearch and friends\n";
  } else {
    out << "   Compugen XSW extended profile format.\n"
           "   Use -model=xsw.model -nonor -noave -gapop=10 -gapext=1 -qgapop=10 -qgapext=1\n";
  }
  out << "      " << (kind == GcgKind::Plain ? "" : "with om on the Compugen BIC ")
      << "to get the closest approximation to HMMER bit scores.\n"
         "   WARNING: There is a loss of information in this conversion.\n"
         "      Neither the scores nor even the rank order of hits will be precisely\n"
         "      preserved in a comparison of HMMER hmmsearch to GCG profilesearch.\n"
         "      The profile score is an approximation of the (single-hit) HMMER score.\n\nCons";
  for (const char letter : Alphabet::get(profile.alphabet).letters()) out << "    " << letter << " ";
  out << "  Gap   Len" << (kind == GcgKind::Plain ? "" : "  QGap  Qlen") << " ..\n";
}

}  // namespace

void write_gcg_profile(std::ostream& out, const Profile& profile, GcgKind kind) {
  const Alphabet& alphabet = Alphabet::get(profile.alphabet);
  const ScoreModel model(profile);
  const Consensus consensus(profile);
  write_head(out, profile, kind);
  constexpr int kNodesBetweenMarks = 10;
  for (int k = 1; k <= profile.nodes; ++k) {
    if (k > 1 && k % kNodesBetweenMarks == 1) out << "! " << k << "\n";
    out << " " << alphabet.letter(consensus.code(k)) << "  ";
    for (int x = 0; x < alphabet.code_count(); ++x) {
      const std::int64_t onward = k < profile.nodes ? model.mm[k] : 0;
      out << cell(hundredths(model.match_row(x)[k] + onward)) << " ";
    }
    out << penalties(model, k, kind) << "\n";
  }
  out << " *  ";  // how often each residue is expected in the alignment
  for (int x = 0; x < alphabet.code_count(); ++x) {
    float sum = 0;
    for (int k = 1; k <= profile.nodes && x < profile.residues(); ++k) sum += profile.match_emission(k, x);
    out << cell(static_cast<std::int64_t>(sum * static_cast<float>(profile.sequence_count))) << " ";
  }
  out << "\n";
}

}  // namespace gpuhmm
