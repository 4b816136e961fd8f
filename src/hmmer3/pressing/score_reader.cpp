// Records of .h3p: all of a profile but the costs of SSV and MSV.
#include <optional>
#include <utility>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "hmmer3/pressing/pressed_library.hpp"
#include "hmmer3/pressing/score_cursor.hpp"
#include "hmmer3/pressing/score_layout.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::string_view kDamaged = "bad format of the .h3p file";

std::int16_t word_at(const char* bytes) {
  const auto low = static_cast<unsigned char>(bytes[0]), high = static_cast<unsigned char>(bytes[1]);
  return static_cast<std::int16_t>(high << 8 | low);
}

/// Calls put(node, score) for a row of words.
template <class Put>
void read_words(ScoreCursor& cursor, const Stripes& stripes, int nodes, const Put& put) {
  const char* const row = cursor.take(stripes.cells() * 2, "words");
  for (int k = 1; k <= nodes; ++k) put(k, word_at(row + 2 * stripes.place_of(k)));
}

WordModel read_word_model(ScoreCursor& cursor, int nodes, std::size_t codes) {
  WordModel words(nodes, codes, 0);
  const Stripes stripes = pressed_stripes(nodes, 2);
  constexpr std::size_t kTogether = kDeleteToDelete;  // steps that follow one another for each vector
  const char* const steps = cursor.take(kTogether * stripes.cells() * 2, "words");
  for (int k = 1; k <= nodes; ++k) {
    const std::size_t lane = stripes.place_of(k) % stripes.lanes;
    const char* const vectors = steps + (stripes.place_of(k) - lane) * kTogether * 2;
    for (std::size_t step = 0; step < kTogether; ++step) {
      words.steps[step][k] = word_at(vectors + (step * stripes.lanes + lane) * 2);
    }
  }
  read_words(cursor, stripes, nodes,
             [&](int k, std::int16_t score) { words.steps[kDeleteToDelete][k] = score; });
  for (std::size_t code = 0; code < codes; ++code) {
    std::int16_t* const row = &words.match[code * static_cast<std::size_t>(nodes + 1)];
    read_words(cursor, stripes, nodes, [&](int k, std::int16_t score) { row[k] = score; });
  }
  words.end_score = word_at(cursor.take(16, "specials"));
  const float scale = cursor.real("scale");
  const std::int16_t base = word_at(cursor.take(2, "base"));
  if (scale != WordModel::scale() || base != WordModel::kBase) {
    cursor.fail("the 16-bit scores have another scale or base", kDamaged);
  }
  cursor.take(6, "bounds");
  return words;
}

void read_reals(ScoreCursor& cursor, float* values, std::size_t count) {
  const char* const bytes = cursor.take(count * sizeof(float), "floats");
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = std::bit_cast<float>(decode_word(bytes + i * sizeof(float), ByteOrder::Little));
  }
}

FloatModel read_float_model(ScoreCursor& cursor, int nodes, std::size_t codes) {
  FloatModel floats(nodes, codes);
  for (std::size_t q = 0; q < floats.steps(); ++q) {
    read_reals(cursor, floats.transitions() + q * kSteps * kStripes, kDeleteToDelete * kStripes);
  }
  for (std::size_t q = 0; q < floats.steps(); ++q) {
    read_reals(cursor, floats.transitions() + (q * kSteps + kDeleteToDelete) * kStripes, kStripes);
  }
  for (std::size_t code = 0; code < codes; ++code) {
    read_reals(cursor, floats.emissions(code), floats.steps() * kStripes);
  }
  cursor.take(8 * sizeof(float), "specials");
  return floats;
}

std::optional<Cutoff> read_cutoff(ScoreCursor& cursor) {
  const float sequence = cursor.real("cutoffs"), domain = cursor.real("cutoffs");
  if (sequence == kUnset) return std::nullopt;
  return Cutoff{sequence, domain};
}

/// Empty if the profile has none.
std::string read_annotation(ScoreCursor& cursor, int nodes) {
  const auto size = static_cast<std::size_t>(nodes) + 2;
  const std::string_view line(cursor.take(size, "annotation"), size);
  if (line.front() == '\0') return {};
  return " " + std::string(line.substr(1, size - 2));
}

}  // namespace

SearchProfile PressedGroup::whole(const FilterRecord& record) const {
  Profile profile = record.profile;
  const int nodes = profile.nodes;
  ScoreCursor cursor(files_.scores, library_, scores_.bytes(), 0, 0, record.number);
  cursor.move_to(record.scores_from);
  const bool begins = cursor.word("magic") == kScoresMagic && cursor.integer("size") == nodes &&
                      cursor.integer("alphabet") == hmmer3_alphabet_number(profile.alphabet);
  if (!begins || cursor.text("name", false) != profile.name) {
    cursor.fail("expected the profile '" + profile.name + "', as in " + files_.filters, kDamaged);
  }
  if (std::string text = cursor.text("accession", true); !text.empty()) profile.accession = std::move(text);
  if (std::string text = cursor.text("description", true); !text.empty())
    profile.description = std::move(text);
  profile.rf = read_annotation(cursor, nodes);
  profile.mm = read_annotation(cursor, nodes);
  profile.cs = read_annotation(cursor, nodes);
  profile.consensus = read_annotation(cursor, nodes);
  if (profile.consensus.empty()) cursor.fail("the profile has no consensus", kDamaged);
  const std::size_t codes = record.costs.codes;
  WordModel words = read_word_model(cursor, nodes, codes);
  FloatModel floats = read_float_model(cursor, nodes, codes);
  profile.gathering = read_cutoff(cursor);
  profile.trusted = read_cutoff(cursor);
  profile.noise = read_cutoff(cursor);
  cursor.take(12, "mode");
  if (cursor.word("magic") != kScoresMagic) {
    cursor.fail("the profile does not end where it should", kDamaged);
  }
  BiasModel bias(profile);
  return {std::move(profile),
          FilterProfile(record.costs.by_node(), std::move(words), std::move(bias), codes), std::move(floats)};
}

}  // namespace gpuhmm::hmmer3
