// Writes HMMER3 profiles as HMMER2 text.
#include "formats/profile/hmmer3_conversion.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace gpuhmm {

namespace {

std::string right(std::string_view text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ').append(text);
}

/// Fields of six characters, a blank before each.
std::string fields(std::span<const ScoreField> scores) {
  std::string text;
  for (const ScoreField& score : scores) text += " " + right(score ? std::to_string(*score) : "*", 6);
  return text;
}

/// The first column of a node's lines.
std::string label(std::string_view text) { return " " + right(text, 5) + " "; }
std::string annotation(const std::string& texts, int node) {
  return label(texts.empty() ? "-" : std::string_view(texts).substr(node - 1, 1));
}

void write_header(std::ostream& out, const Hmmer3Record& record) {
  const auto line = [&out](const char* tag, const std::optional<std::string>& value) {
    if (value) out << tag << *value << "\n";
  };
  const auto flag = [&out](const char* tag, bool present) { out << tag << (present ? "yes\n" : "no\n"); };
  const auto cutoff = [&out](const char* tag, const std::optional<ScoreCutoff>& bits) {
    if (bits) out << tag << hmmer3_cutoff(bits->sequence) << " " << hmmer3_cutoff(bits->domain) << "\n";
  };
  out << "HMMER2.0  [converted from 3.3.2]\n";
  line("NAME  ", record.name);
  line("ACC   ", record.accession);
  line("DESC  ", record.description);
  out << "LENG  " << record.nodes << "\nALPH  " << Alphabet::get(record.alphabet).name() << "\n";
  flag("RF    ", !record.rf.empty());
  flag("CS    ", !record.cs.empty());
  flag("MAP   ", !record.map.empty());
  for (const std::string& command : record.commands) out << "COM    " << command << "\n";
  if (record.sequence_count) out << "NSEQ  " << *record.sequence_count << "\n";
  line("DATE  ", record.date);
  cutoff("GA    ", record.gathering);
  cutoff("TC    ", record.trusted);
  cutoff("NC    ", record.noise);
}

void write_null_model(std::ostream& out, const Hmmer3Record& record) {
  const auto [move, loop, end] = hmmer3_special_scores(record.alphabet);
  out << "XT     " << fields(std::array<ScoreField, 8>{move, loop, end, end, move, loop, move, loop})
      << "\nNULT   " << fields(std::array<ScoreField, 2>{loop, move}) << "\nNULE   ";
  const auto uniform = static_cast<float>(1.0 / static_cast<double>(record.background().size()));
  for (const float g : record.background()) out << fields({{hmmer3_field(g, uniform)}});
  out << "\n";
}

void write_node(std::ostream& out, const Hmmer3Record& record, int k) {
  const std::size_t residues = record.background().size();
  const bool last = k == record.nodes;
  const auto row = [k](const std::vector<ScoreField>& table, std::size_t width) {
    return fields(std::span(table).subspan((k - 1) * width, width));
  };
  out << label(std::to_string(k)) << row(record.match, residues);
  if (!record.map.empty()) out << " " << right(std::to_string(record.map[k - 1]), 5);
  out << "\n" << annotation(record.rf, k);
  out << (last ? fields(std::vector<ScoreField>(residues)) : row(record.insert, residues)) << "\n";
  out << annotation(record.cs, k) << row(record.transition, Hmmer3Record::kTransitions);
  const ScoreField begin = k == 1 ? record.begin_match : std::nullopt;
  const ScoreField end = last ? ScoreField{0} : std::nullopt;
  out << fields(std::array{begin, end}) << "\n";
}

}  // namespace

Hmmer3SpecialScores hmmer3_special_scores(AlphabetKind alphabet) {
  if (alphabet == AlphabetKind::Amino) return {-8455, -4, -1000};
  return {-9967, -1, -1000};
}

std::string hmmer3_cutoff(float bits) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(bits),
                                 std::chars_format::fixed, 1);
  return {text.data(), end.ptr};
}

void write_converted_hmmer3(std::ostream& out, const Hmmer3Record& record) {
  write_header(out, record);
  write_null_model(out, record);
  out << "HMM      ";
  for (const char letter : record.alphabet == AlphabetKind::Amino ? std::string_view("ACDEFGHIKLMNPQRSTVWY")
                           : record.rna                           ? std::string_view("ACGU")
                                                                  : std::string_view("ACGT")) {
    out << "  " << letter << "    ";
  }
  out << "\n      ";
  for (const char* const title : {"m->m", "m->i", "m->d", "i->m", "i->i", "d->m", "d->d", "b->m", "m->e"}) {
    out << " " << right(title, 6);
  }
  out << "\n      " << fields(std::array<ScoreField, 3>{record.begin_main, std::nullopt, record.begin_delete})
      << "\n";
  for (int k = 1; k <= record.nodes; ++k) write_node(out, record, k);
  out << "//\n";
}

}  // namespace gpuhmm
