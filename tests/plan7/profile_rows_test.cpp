// Rows and columns of alignments to a profile.
#include <gtest/gtest.h>

#include <stdexcept>

#include "gpuhmm/align.hpp"

namespace gpuhmm {
namespace {

const Alphabet& amino() { return Alphabet::get(AlphabetKind::Amino); }

std::vector<std::uint8_t> codes(std::string_view letters) {
  std::vector<std::uint8_t> result;
  for (const char c : letters) result.push_back(amino().code(c));
  return result;
}

ProfileRow row(std::string_view matches, const std::vector<std::pair<int, std::string>>& inserts) {
  ProfileRow result(static_cast<int>(matches.size()));
  for (std::size_t k = 0; k < matches.size(); ++k) {
    if (matches[k] != '-') result.set_match(static_cast<int>(k) + 1, matches[k]);
  }
  for (const auto& [node, letters] : inserts) {
    for (const char c : letters) result.add_insert(node, c);
  }
  return result;
}

std::vector<std::string> spread(const std::vector<ProfileRow>& rows, InsertStyle style) {
  ProfileColumns columns(rows.front().nodes(), style);
  for (const ProfileRow& one : rows) columns.widen(one);
  std::vector<std::string> texts;
  for (const ProfileRow& one : rows) texts.push_back(columns.spread(one));
  texts.push_back(columns.reference());
  return texts;
}

TEST(ProfileColumns, InsertsMoveToTheOuterAndInnerEnds) {
  const std::vector<ProfileRow> rows = {row("ACD", {{0, "GHI"}, {1, "KLMNP"}, {3, "QRS"}}),
                                        row("A-D", {{0, "G"}, {1, "KLM"}, {3, "Q"}}), row("---", {{1, "K"}}),
                                        row("-C-", {})};
  EXPECT_EQ(spread(rows, InsertStyle::Letters),
            (std::vector<std::string>{"ghiAklmnpCDqrs", "..gAk..lm-Dq..", "...-....k--...", "...-.....C-...",
                                      "...x.....xx..."}));
  EXPECT_EQ(spread(rows, InsertStyle::Marks),
            (std::vector<std::string>{"*A*CD*", "*A*-D*", ".-*--.", ".-.C-.", ".x.xx."}));
}

TEST(ProfileRow, FollowsAPath) {
  const Trace path = {{State::S},       {State::N},       {State::N, 0, 1}, {State::N, 0, 2}, {State::B},
                      {State::M, 2, 3}, {State::I, 2, 4}, {State::D, 3},    {State::M, 4, 5}, {State::E},
                      {State::C},       {State::C, 0, 6}, {State::T}};
  const ProfileRow made = profile_row(amino(), 5, codes("acdeJg"), path);
  EXPECT_EQ(made.matches(), "-D-X-");
  EXPECT_EQ(spread({made}, InsertStyle::Letters).front(), "ac-De-X-g");
}

TEST(ProfileRow, FollowsAMap) {
  const std::vector<int> map = {0, 2, 3, 6};
  EXPECT_EQ(spread({profile_row(amino(), map, "acdE.-FGj"), profile_row(amino(), map, "~_. A*-")},
                   InsertStyle::Letters),
            (std::vector<std::string>{"aCDe-fgx", ".--aX...", ".xx.x..."}));
  // A node without a column, and inserts after the last match.
  EXPECT_EQ(
      spread({profile_row(amino(), std::vector<int>{0, 0, 2, 3, 0}, "acdEf")}, InsertStyle::Letters).front(),
      "a-CD-ef");
  EXPECT_THROW(profile_row(amino(), map, "ACDEF"), std::invalid_argument);
  EXPECT_NO_THROW(profile_row(amino(), map, "ACDEFG"));
}

}  // namespace
}  // namespace gpuhmm
