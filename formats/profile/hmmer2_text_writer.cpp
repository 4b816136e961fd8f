// Writes HMMER2.0 text profiles (docs/spec/profile-format.md, 1.4).
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "formats/profile/score_field.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

namespace {

/// Collects the text of one profile.
class Text {
 public:
  Text& add(std::string_view text) {
    text_ += text;
    return *this;
  }
  /// Right-aligned in `width` characters, or more if it is longer.
  Text& right(std::string_view text, std::size_t width) {
    if (text.size() < width) text_.append(width - text.size(), ' ');
    return add(text);
  }
  Text& integer(int value, std::size_t width = 0) { return right(std::to_string(value), width); }
  Text& decimal(float value, int digits, std::size_t width = 0) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<double>(value),
                                   std::chars_format::fixed, digits);
    return right({buffer.data(), end.ptr}, width);
  }
  Text& field(ScoreField score) { return right(score ? std::to_string(*score) : "*", 6); }
  Text& field(float p, float reference) { return field(encode(p, reference)); }

  /// A header line with a text, and one with yes or no.
  void line(std::string_view tag, std::string_view value) { add(tag).add(value).add("\n"); }
  void flag(std::string_view tag, bool value) { line(tag, value ? "yes" : "no"); }

  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

void write_cutoff(Text& text, std::string_view tag, const std::optional<ScoreCutoff>& cutoff) {
  if (!cutoff) return;
  text.add(tag).decimal(cutoff->sequence, 1).add(" ").decimal(cutoff->domain, 1).add("\n");
}

void write_header(Text& text, const Profile& profile) {
  text.add("HMMER2.0  [2.3.2]\n");
  text.line("NAME  ", profile.name);
  if (profile.accession) text.line("ACC   ", *profile.accession);
  if (profile.description) text.line("DESC  ", *profile.description);
  text.line("LENG  ", std::to_string(profile.nodes));
  text.line("ALPH  ", Alphabet::get(profile.alphabet).name());
  text.flag("RF    ", !profile.rf.empty());
  text.flag("CS    ", !profile.cs.empty());
  text.flag("MAP   ", !profile.map.empty());
  for (const std::string& entry : profile.command_log) {
    if (!entry.empty()) text.line("COM   ", entry);
  }
  text.line("NSEQ  ", std::to_string(profile.sequence_count));
  text.line("DATE  ", profile.date ? std::string_view(*profile.date) : "(null)");
  text.line("CKSUM ", std::to_string(profile.checksum));
  write_cutoff(text, "GA    ", profile.gathering);
  write_cutoff(text, "TC    ", profile.trusted);
  write_cutoff(text, "NC    ", profile.noise);
}

void write_null_model(Text& text, const Profile& profile) {
  const SpecialTransitions& s = profile.special;
  text.add("XT     ");
  for (const float p : {s.n_move, s.n_loop, s.e_move, s.e_loop, s.c_move, s.c_loop, s.j_move, s.j_loop}) {
    text.field(p, 1.0F).add(" ");
  }
  text.add("\nNULT  ").field(profile.null_loop, 1.0F).add(" ");
  text.field(static_cast<float>(1.0 - profile.null_loop), 1.0F).add("\nNULE  ");
  const auto uniform = static_cast<float>(1.0 / static_cast<double>(profile.residues()));
  for (const float f : profile.null_emission) text.field(f, uniform).add(" ");
  text.add("\n");
  if (profile.evd) {
    text.add("EVD   ").decimal(profile.evd->mu, 6, 10).add(" ").decimal(profile.evd->lambda, 6, 10).add("\n");
  }
}

void write_node(Text& text, const Profile& profile, int k) {
  const bool last = k == profile.nodes;
  const auto label = [&text](const std::string& annotation, int node) {
    const char c = annotation.empty() ? '-' : annotation[node];
    text.add(" ").right({&c, 1}, 5).add(" ");
  };
  text.add(" ").integer(k, 5).add(" ");
  for (int x = 0; x < profile.residues(); ++x) {
    text.field(profile.match_emission(k, x), profile.null_emission[x]).add(" ");
  }
  if (!profile.map.empty()) text.integer(profile.map[k], 5);
  text.add("\n");

  label(profile.rf, k);
  for (int x = 0; x < profile.residues(); ++x) {
    text.field(last ? ScoreField{} : encode(profile.insert_emission(k, x), profile.null_emission[x]))
        .add(" ");
  }
  text.add("\n");

  label(profile.cs, k);
  const Transitions& t = profile.transition[k];
  for (const float p : {t.mm, t.mi, t.md, t.im, t.ii, t.dm, t.dd}) {
    text.field(last ? ScoreField{} : encode(p, 1.0F)).add(" ");
  }
  text.field(profile.begin[k], 1.0F).add(" ").field(profile.end[k], 1.0F).add(" \n");
}

}  // namespace

void write_hmmer2_text(std::ostream& out, const Profile& profile) {
  Text text;
  write_header(text, profile);
  write_null_model(text, profile);
  text.add("HMM      ");
  for (const char letter : Alphabet::get(profile.alphabet).letters().substr(0, profile.residues())) {
    text.add("  ").add({&letter, 1}).add("    ");
  }
  text.add("\n      ");
  for (const char* const title : {"m->m", "m->i", "m->d", "i->m", "i->i", "d->m", "d->d", "b->m", "m->e"}) {
    text.add(" ").right(title, 6);
  }
  text.add("\n       ").field(static_cast<float>(1.0 - profile.begin_delete), 1.0F).add(" ");
  text.field(std::nullopt).add(" ").field(profile.begin_delete, 1.0F).add("\n");
  for (int k = 1; k <= profile.nodes; ++k) write_node(text, profile, k);
  text.add("//\n");
  out << text.str();
}

}  // namespace gpuhmm
