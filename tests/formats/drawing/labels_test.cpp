// Labels never overlap, stay in the picture, and are left out only where they do not fit.
#include <gtest/gtest.h>

#include <random>

#include "formats/drawing/free_labels.hpp"
#include "formats/drawing/row_labels.hpp"

namespace gpuhmm {
namespace {

TEST(RowLabels, StandAboveTheirObjectsIfTheyFit) {
  const std::vector<LevelLabel> labels = {{20, 30}, {60, 30}, {80, 30}, {200, 30}};
  const auto places = place_labels(labels, 0, 210, 3);
  ASSERT_TRUE(places[0] && places[1] && places[2] && places[3]);
  EXPECT_EQ(places[0]->row, 0U);
  EXPECT_EQ(places[0]->middle, 20);
  EXPECT_EQ(places[1]->row, 0U);
  EXPECT_EQ(places[3]->middle, 195);  // moved in from the edge
  EXPECT_EQ(places[3]->row, 0U);
  // The third stands higher only if its line down misses the second.
  EXPECT_FALSE(place_labels(std::vector<LevelLabel>{{60, 30}, {70, 30}}, 0, 210, 3)[1]);
  EXPECT_EQ(place_labels(std::vector<LevelLabel>{{60, 30}, {80, 30}}, 0, 210, 3)[1]->row, 1U);
}

TEST(RowLabels, NeverOverlapNorCrossALine) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<LevelLabel> labels(1 + random() % 60);
    double middle = 0;
    for (LevelLabel& label : labels) {
      middle += static_cast<double>(random() % 40);
      label = {middle, 4 + static_cast<double>(random() % 40)};
    }
    const double right = middle + 5;
    const auto places = place_labels(labels, 0, right, 3);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (!places[i]) continue;
      const double left_i = places[i]->middle - labels[i].width / 2, right_i = left_i + labels[i].width;
      EXPECT_GE(left_i, -1e-9);
      EXPECT_LE(right_i, right + 1e-9);
      for (std::size_t k = 0; k < i; ++k) {
        if (!places[k]) continue;
        const double left_k = places[k]->middle - labels[k].width / 2, right_k = left_k + labels[k].width;
        if (places[k]->row == places[i]->row) {
          EXPECT_TRUE(right_k < left_i || right_i < left_k);
        }
        // The line of the higher label must not cross the text of the lower one.
        if (places[k]->row > places[i]->row) {
          EXPECT_TRUE(labels[k].middle < left_i || labels[k].middle > right_i);
        }
        if (places[i]->row > places[k]->row) {
          EXPECT_TRUE(labels[i].middle < left_k || labels[i].middle > right_k);
        }
      }
    }
  }
}

TEST(FreeLabels, LieBesideTheirBoxAndOverNoOther) {
  const Box area{0, 0, 100, 100};
  const std::vector<Box> boxes = {{20, 30, 50, 60}, {20, 10, 50, 28}, {0, 0, 100, 100}};
  const std::vector<LabelSize> sizes(3, {10, 8});
  const auto places = place_labels_beside(std::span(boxes).first(2), std::span(sizes).first(2), area);
  ASSERT_TRUE(places[0] && places[1]);
  EXPECT_EQ(places[0]->top, 60);  // above is the second box
  EXPECT_EQ(places[1]->bottom, 10);
  // A box that is the whole area has its label inside.
  const auto inside = place_labels_beside(std::span(boxes).last(1), std::span(sizes).first(1), area);
  ASSERT_TRUE(inside[0]);
  EXPECT_EQ(inside[0]->left, 0);
  EXPECT_EQ(inside[0]->top, 0);
}

TEST(FreeLabels, NeverOverlap) {
  std::mt19937 random(2);
  const auto below = [&](unsigned most) { return static_cast<double>(random() % most); };
  for (int round = 0; round < 100; ++round) {
    const Box area{0, 0, 200, 150};
    std::vector<Box> boxes;
    for (unsigned i = 0; i < 1 + random() % 120; ++i) {
      const double left = below(190), top = below(140);
      boxes.push_back({left, top, left + 1 + below(static_cast<unsigned>(200 - left)),
                       top + 1 + below(static_cast<unsigned>(150 - top))});
    }
    const std::vector<LabelSize> sizes(boxes.size(), {14, 12});
    const auto places = place_labels_beside(boxes, sizes, area);
    EXPECT_TRUE(places[0]);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i]) continue;
      EXPECT_TRUE(area.holds(*places[i]));
      for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(places[k] && places[k]->meets(*places[i]));
    }
  }
}

}  // namespace
}  // namespace gpuhmm
