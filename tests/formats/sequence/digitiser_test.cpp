// Characters become codes one by one, wherever those that are left out or illegal stand.
#include "formats/sequence/digitiser.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gpuhmm {
namespace {

struct Appended {
  std::vector<std::uint8_t> codes = {7};  // what is there already
  bool legal = true;
};

Appended one_by_one(const Alphabet& alphabet, std::string_view text) {
  Appended expected;
  for (const char c : text) {
    if (c == '\n' || c == ' ' || c == '5') continue;
    const std::uint8_t code = alphabet.codes()[static_cast<unsigned char>(c)];
    const bool legal = c != '\0' && code != Alphabet::kIllegal;
    if (legal) expected.codes.push_back(code);
    expected.legal = expected.legal && legal;
  }
  return expected;
}

TEST(Digitiser, AppendsLinesOfAnyLength) {
  const Alphabet& alphabet = Alphabet::get(AlphabetKind::Amino);
  const Digitiser digitiser(alphabet, "5");
  const std::string others = std::string("\n 5!\x80", 5) + '\0';
  std::mt19937 random(1);
  int illegal = 0, shorter = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 200, 'A');
    const auto rare = 1 + random() % 100;
    for (char& c : text)
      c = random() % rare == 0 ? others[random() % others.size()]
                               : "ACDEFGHIKLMNPQRSTVWYacdxXBZ"[random() % 27];
    const Appended expected = one_by_one(alphabet, text);
    Appended found;
    found.legal = digitiser.append(text, found.codes);
    ASSERT_EQ(found.legal, expected.legal) << text;
    ASSERT_EQ(found.codes, expected.codes) << text;
    illegal += !found.legal;
    shorter += found.legal && found.codes.size() < text.size() + 1;
  }
  EXPECT_GT(illegal, 1000);
  EXPECT_GT(shorter, 1000);
}

TEST(Digitiser, KnowsEachCharacterAtEachPlace) {
  for (const AlphabetKind kind : {AlphabetKind::Amino, AlphabetKind::Nucleic}) {
    const Alphabet& alphabet = Alphabet::get(kind);
    Digitiser digitiser(alphabet, "5");
    digitiser.map('z', 'A');
    digitiser.refuse('q');
    for (int c = 0; c < 256; ++c) {
      for (std::size_t place = 0; place < 70; ++place) {
        std::string text(70, 'C');
        text[place] = static_cast<char>(c);
        std::string read = text;
        if (c == 'z') read[place] = 'A';
        Appended expected = one_by_one(alphabet, read), found;
        if (std::string_view("\t\v\f\r").find(text[place]) != std::string_view::npos)
          expected = one_by_one(alphabet, read.erase(place, 1));
        if (c == 'q') expected = {one_by_one(alphabet, read.erase(place, 1)).codes, false};
        found.legal = digitiser.append(text, found.codes);
        ASSERT_EQ(found.legal, expected.legal) << c << " at " << place;
        ASSERT_EQ(found.codes, expected.codes) << c << " at " << place;
      }
    }
  }
}

}  // namespace
}  // namespace gpuhmm
