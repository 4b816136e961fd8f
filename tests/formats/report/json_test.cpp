// Hits as JSON lines.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "gpuhmm/tables.hpp"
#include "made_hits.hpp"

namespace gpuhmm {
namespace {

using testing::MadeHits;

const JsonQuery kQuery{"fam", "PF00001", "", 40};

std::string written(const MadeHits& made, ReportKind kind = ReportKind::Search,
                    const JsonQuery& query = kQuery) {
  std::string text;
  write_json_hits([&](std::string_view piece) { text += piece; }, kind, query, made.reported,
                  made.database_size);
  return text;
}

std::vector<nlohmann::json> objects(const std::string& text) {
  std::vector<nlohmann::json> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(nlohmann::json::parse(line));
  return result;
}

TEST(Json, HasThisExactText) {
  MadeHits made;
  made.reported.sequences.erase(made.reported.sequences.begin());
  std::erase_if(made.reported.domains, [](const DomainHit* hit) { return hit->name != "low"; });
  made.sequences[0].score = made.domains[0].score = 2.4f;
  EXPECT_EQ(written(made),
            R"({"profile":{"name":"fam","accession":"PF00001","description":null,"length":40},)"
            R"("sequence":{"name":"low","accession":null,"description":null,"length":300},)"
            R"("score":2.4,"evalue":0.01,"pvalue":0.0001,"domain_count":1,)"
            R"("domains":[{"number":1,"count":1,"score":2.4,"evalue":0.1,"pvalue":0.001,"bias":0.25,)"
            R"("sequence_from":1,"sequence_to":42,"profile_from":2,"profile_to":39,"alignment":null}]})"
            "\n");
}

TEST(Json, HasAnObjectForEachTargetInListOrderWithReportedDomains) {
  const auto hits = objects(written(MadeHits()));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0]["sequence"]["name"], "high");
  EXPECT_EQ(hits[0]["domain_count"], 3);
  ASSERT_EQ(hits[0]["domains"].size(), 2u);
  EXPECT_EQ(hits[0]["domains"][1]["number"], 2);
  EXPECT_EQ(hits[0]["domains"][1]["sequence_from"], 101);
}

TEST(Json, SwapsProfileAndSequenceForScans) {
  const MadeHits made(ReportKind::Scan);
  const auto hits = objects(written(made, ReportKind::Scan, {"seq", "", "a query", 300}));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[0]["profile"]["name"], "high");
  EXPECT_EQ(hits[0]["profile"]["length"], 40);
  EXPECT_EQ(hits[0]["sequence"]["description"], "a query");
  EXPECT_EQ(hits[0]["sequence"]["length"], 300);
}

TEST(Json, HasTheRowsOfAlignments) {
  MadeHits made;
  made.domains[0].alignment.cs = "   HH   ";
  made.domains[0].alignment.model = "*->ac<-*";
  made.domains[0].alignment.middle = "   a+   ";
  made.domains[0].alignment.sequence = "   AD   ";
  const auto alignment = objects(written(made))[1]["domains"][0]["alignment"];
  EXPECT_EQ(alignment["cs"], "   HH   ");
  EXPECT_TRUE(alignment["rf"].is_null());
  EXPECT_EQ(alignment["profile"], "*->ac<-*");
  EXPECT_EQ(alignment["match"], "   a+   ");
  EXPECT_EQ(alignment["sequence"], "   AD   ");
}

TEST(Json, HasDomainsWithoutAListedTarget) {
  MadeHits made;
  made.reported.sequences.pop_back();
  const auto hits = objects(written(made));
  ASSERT_EQ(hits.size(), 2u);
  EXPECT_EQ(hits[1]["sequence"]["name"], "low");
  EXPECT_EQ(hits[1]["score"], 12.5);
  EXPECT_EQ(hits[1]["evalue"], 0.01);
}

TEST(Json, ReplacesInvalidUtf8AndEscapesControlCharacters) {
  MadeHits made;
  made.sequences[1].name = "a\xff\xfe\"b\n\x01";
  const std::string text = written(made);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(objects(text)[0]["sequence"]["name"], "a\xEF\xBF\xBD\xEF\xBF\xBD\"b\n\x01");
}

TEST(Json, HasNullForNumbersThatAreNotFinite) {
  MadeHits made;
  made.sequences[1].p_value = std::numeric_limits<double>::quiet_NaN();
  made.sequences[1].score = std::numeric_limits<float>::infinity();
  const auto hit = objects(written(made))[0];
  EXPECT_TRUE(hit["evalue"].is_null());
  EXPECT_TRUE(hit["score"].is_null());
}

}  // namespace
}  // namespace gpuhmm
