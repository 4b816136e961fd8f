// Tests the output formats of regions, and the means in plots.
#include "companion/segments/region_writer.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "companion/segments/region_plot.hpp"

namespace gpuhmm {
namespace {

std::string written(RegionFormat format, std::string_view name, const std::vector<Region>& regions,
                    bool list_empty = false) {
  std::string text;
  RegionWriter writer([&](std::string_view piece) { text += piece; }, format,
                      {"ges", "1.20", "9", 10, 2, list_empty});
  writer.add(name, 50, regions);
  return text;
}

TEST(FixedText, KeepsAllDecimals) {
  EXPECT_EQ(fixed_text(1234, 2), "12.34");
  EXPECT_EQ(fixed_text(-5, 2), "-0.05");
  EXPECT_EQ(fixed_text(0, 1), "0.0");
  EXPECT_EQ(fixed_text(-70, 0), "-70");
  EXPECT_EQ(fixed_text(INT64_MIN, 3), "-9223372036854775.808");
}

TEST(RegionWriter, Tsv) {
  EXPECT_EQ(written(RegionFormat::Tsv, "a", {{0, 4, 1000}, {9, 12, 100}}),
            "a\t1\t4\t4\t10.00\t2.500\na\t10\t12\t3\t1.00\t0.333\n");
  EXPECT_EQ(written(RegionFormat::Tsv, "a", {}), "");
  EXPECT_EQ(written(RegionFormat::Tsv, "a", {}, true), "a\t-\t-\t0\t0.00\t-\n");
}

TEST(RegionWriter, Gff3EscapesNames) {
  EXPECT_EQ(
      written(RegionFormat::Gff3, "sp|P1;x=%\xc3", {{0, 4, 1000}}),
      "##sequence-region sp|P1%3Bx%3D%25%C3 1 50\n"
      "sp|P1%3Bx%3D%25%C3\tgpuhmm\thydrophobic_region_of_peptide\t1\t4\t10.00\t.\t.\tlength=4;mean=2.500\n");
}

TEST(RegionWriter, HasNoRowsThatAreCommentsOrWithoutAName) {
  const std::vector<Region> regions = {{0, 4, 1000}};
  for (const RegionFormat format : {RegionFormat::Tsv, RegionFormat::Bed, RegionFormat::TmhmmShort}) {
    EXPECT_TRUE(written(format, "#a", regions).starts_with("_a\t"));
    EXPECT_TRUE(written(format, "", regions).starts_with("-\t"));
  }
  EXPECT_TRUE(written(RegionFormat::Gff3, "#a", regions).starts_with("##sequence-region %23a 1 50\n%23a\t"));
  EXPECT_TRUE(written(RegionFormat::Gff3, "", regions).starts_with("##sequence-region - 1 50\n-\t"));
}

TEST(RegionWriter, BedClipsTheScore) {
  EXPECT_EQ(written(RegionFormat::Bed, "a", {{2, 4, 1'000'000}, {5, 6, 149}, {7, 8, -20}}),
            "a\t2\t4\thydrophobic\t1000\t.\t10000.00\n"
            "a\t5\t6\thydrophobic\t1\t.\t1.49\n"
            "a\t7\t8\thydrophobic\t0\t.\t-0.20\n");
}

TEST(RegionWriter, NamesWhatTheRegionsAre) {
  const RegionStyle style{"g\nc", "0", "20", 1, 0, false, "regions", "region", "gc"};
  const std::vector<Region> regions = {{0, 4, 3}};
  std::string text;
  for (const RegionFormat format : {RegionFormat::Tsv, RegionFormat::Gff3, RegionFormat::Bed}) {
    RegionWriter writer([&](std::string_view piece) { text += piece; }, format, style);
    writer.begin();
    writer.add("a", 0, regions);
  }
  EXPECT_EQ(text,
            "# regions: scale g\\nc, shift 0, least score 20, least length 1; residues counted from 1, end "
            "inclusive\n# sequence\tstart\tend\tlength\tscore\tmean\na\t1\t4\t4\t3\t0.750\n"
            "##gff-version 3\n# scale g\\nc, shift 0, least score 20, least length 1\n"
            "a\tgpuhmm\tregion\t1\t4\t3\t.\t.\tlength=4;mean=0.750\n"
            "a\t0\t4\tgc\t3\t.\t3\n");
}

TEST(RegionWriter, JsonOfBytesThatAreNoText) {
  EXPECT_EQ(
      written(RegionFormat::Json, "a\xff\"", {{0, 4, 1000}}),
      "{\"sequence\":\"a\xef\xbf\xbd\\\"\",\"length\":50,\"scale\":\"ges\",\"shift\":1.2,\"min_score\":9.0,"
      "\"min_length\":10,\"regions\":[{\"start\":1,\"end\":4,\"length\":4,\"score\":10.0,\"mean\":2.5}]}\n");
}

TEST(RegionWriter, Tmhmm) {
  EXPECT_EQ(written(RegionFormat::Tmhmm, "a", {{0, 4, 1000}}),
            "# a Length: 50\n# a Number of predicted TMHs:  1\na\tgpuhmm\tTMhelix\t     1     4\n");
  EXPECT_EQ(written(RegionFormat::TmhmmShort, "a", {}), "a\tlen=50\tPredHel=0\n");
}

TEST(RegionFormats, HaveNames) {
  EXPECT_EQ(region_format_of("bed"), RegionFormat::Bed);
  EXPECT_FALSE(region_format_of("BED"));
}

TEST(WindowMeans, AreOfWholeWindows) {
  const std::vector<std::int32_t> values = {1, 2, 3, 4};
  EXPECT_EQ(window_means(values, 2), (std::vector<double>{1.5, 2.5, 3.5}));
  EXPECT_EQ(window_means(values, 9), (std::vector<double>{2.5}));
  EXPECT_TRUE(window_means({}, 3).empty());
}

TEST(RegionPlot, RefusesTooManyPanels) {
  RegionPlot plot({"ges", 1.2, 19, 1, "kcal/mol"});
  for (std::size_t i = 0; i < RegionPlot::kMostPanels; ++i) plot.add("a", {}, {});
  EXPECT_THROW(plot.add("b", {}, {}), std::length_error);
}

}  // namespace
}  // namespace gpuhmm
