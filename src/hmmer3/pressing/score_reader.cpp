// Records of .h3p: all of a profile but the costs of SSV and MSV.
#include <algorithm>
#include <bit>
#include <cstring>
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

/// Takes every `distance`-th vector of words, a row in stripes, into `row`, in the order of nodes from 1 on.
void unstripe(const char* vectors, std::size_t distance, const Stripes& stripes, int nodes,
              std::int16_t* row) {
  for (std::size_t lane = 0; lane < stripes.lanes; ++lane) {
    const int first = stripes.node_at(0, lane);
    const int end = std::min(stripes.node_at(0, lane + 1), nodes + 1);
    for (int k = first; k < end; ++k) {
      row[k] = word_at(vectors + static_cast<std::size_t>(k - first) * distance * kVectorBytes + 2 * lane);
    }
  }
}

WordModel read_word_model(ScoreCursor& cursor, int nodes, std::size_t codes) {
  WordModel words(nodes, codes, 0);
  const Stripes stripes = pressed_stripes(nodes, 2);
  const std::size_t row_size = stripes.cells() * 2;
  constexpr std::size_t kTogether = kDeleteToDelete;  // steps that follow one another for each vector
  const char* const steps = cursor.take(kTogether * row_size, "words");
  for (std::size_t step = 0; step < kTogether; ++step) {
    unstripe(steps + step * kVectorBytes, kTogether, stripes, nodes, words.steps[step].data());
  }
  unstripe(cursor.take(row_size, "words"), 1, stripes, nodes, words.steps[kDeleteToDelete].data());
  for (std::size_t code = 0; code < codes; ++code) {
    unstripe(cursor.take(row_size, "words"), 1, stripes, nodes,
             words.match.data() + code * static_cast<std::size_t>(nodes + 1));
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

void decode_reals(const char* bytes, float* values, std::size_t count) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(values, bytes, count * sizeof(float));
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = std::bit_cast<float>(decode_word(bytes + i * sizeof(float), ByteOrder::Little));
    }
  }
}

void read_reals(ScoreCursor& cursor, float* values, std::size_t count) {
  decode_reals(cursor.take(count * sizeof(float), "floats"), values, count);
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

SearchProfile PressedGroup::whole(const FilterRecord& record, bool first_filter) const {
  Profile profile;
  profile.name = record.name;
  profile.alphabet = record.alphabet;
  profile.max_length = record.max_length;
  profile.statistics = record.statistics;
  const int nodes = profile.nodes = record.costs.nodes;
  profile.composition.emplace(static_cast<std::size_t>(profile.residues()));
  decode_reals(record.composition, profile.composition->data(), profile.composition->size());

  ScoreCursor cursor(files_.scores, library_, scores_.bytes(), 0, 0, record.number);
  cursor.move_to(record.scores_from);
  const bool begins = cursor.word("magic") == kScoresMagic && cursor.integer("size") == nodes &&
                      cursor.integer("alphabet") == hmmer3_alphabet_number(profile.alphabet);
  if (!begins || cursor.text("name", false, kDamaged) != record.name) {
    cursor.fail("expected the profile '" + profile.name + "', as in " + files_.filters, kDamaged);
  }
  const std::string_view accession = cursor.text("accession", true, kDamaged);
  if (!accession.empty()) profile.accession = accession;
  const std::string_view description = cursor.text("description", true, kDamaged);
  if (!description.empty()) profile.description = description;
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
  ByteModel bytes = first_filter ? record.costs.by_node() : ByteModel(record.costs, {});
  FilterProfile filters(std::move(bytes), std::move(words), BiasModel(profile), codes);
  return {std::move(profile), std::move(filters), std::move(floats)};
}

}  // namespace gpuhmm::hmmer3
