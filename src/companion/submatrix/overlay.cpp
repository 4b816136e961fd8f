// Layout and drawing of pictures of matrices.
#include "companion/submatrix/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "formats/drawing/axis.hpp"
#include "formats/drawing/free_labels.hpp"
#include "formats/drawing/raster_canvas.hpp"
#include "formats/drawing/svg_canvas.hpp"

namespace gpuhmm {

namespace {

// Sizes in units of the picture.
constexpr double kLongSide = 480, kLeastShort = 120, kMargin = 12, kLeastWidth = 520;
constexpr double kHeading = 50, kScaleGap = 26, kScaleWidth = 14, kLineHeight = 17, kLeastFrame = 6;
constexpr std::size_t kMostFrames = 1000;  // of the best rectangles, at most
constexpr std::size_t kMostLabels = 200;   // ranks that are drawn at most
constexpr Colour kFrameColour{165, 25, 0};
constexpr Stroke kCasing{kWhite, 4.5, false}, kFrame{kFrameColour, 2, false};
constexpr TextStyle kTitle{14, Anchor::Start, true, false}, kPlain{11, Anchor::Start, false, false};
constexpr TextStyle kRank{11, Anchor::Middle, true, false};

struct Range {
  double low = 0, high = 0;  // extremes of the cells that are not barred
  bool any = false;

  // The place in the range, 0 to 1, of a value that exceeds the lowest by `above`; 0.5 if all values are
  // equal.
  double share(double above) const { return high > low ? std::min(1.0, above / (high - low)) : 0.5; }
};

Range range_of(const Matrix& matrix) {
  Range range;
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    if (matrix.is_barred(i)) continue;
    const auto value = static_cast<double>(matrix.values[i]);
    range.low = range.any ? std::min(range.low, value) : value;
    range.high = range.any ? std::max(range.high, value) : value;
    range.any = true;
  }
  return range;
}

ColourImage::Pixel grey_of(double share, bool high_is_dark) {
  const auto grey = static_cast<std::uint8_t>(std::lround(255 * (high_is_dark ? 1 - share : share)));
  return {grey, grey, grey, 255};
}

// Draws the cells as pixels, at most `most_rows` x `most_columns`; a pixel has the mean of the cells in it.
ColourImage pixels_of(const Overlay& overlay, const Range& range, double most_rows, double most_columns) {
  const Matrix& matrix = overlay.matrix;
  const auto pixels = [](std::size_t cells, double most) {
    return std::min(cells, static_cast<std::size_t>(std::max(1.0, most)));
  };
  const std::size_t rows = pixels(matrix.rows, most_rows), columns = pixels(matrix.columns, most_columns);
  std::vector<double> sums(rows * columns);
  std::vector<std::size_t> cells(rows * columns);
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    for (std::size_t column = 0; column < matrix.columns; ++column) {
      const std::size_t index = matrix.cell(row, column);
      if (matrix.is_barred(index)) continue;
      const std::size_t pixel = row * rows / matrix.rows * columns + column * columns / matrix.columns;
      sums[pixel] += static_cast<double>(matrix.values[index]) - range.low;
      ++cells[pixel];
    }
  }
  ColourImage image(rows, columns, {255, 255, 255, 0});
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (cells[i] == 0) continue;
    const double mean = sums[i] / static_cast<double>(cells[i]);
    image.pixels[i] = grey_of(range.share(mean), overlay.high_is_dark);
  }
  return image;
}

// Enlarges each pixel to a square, so that it stays visible in viewers that smooth pictures.
ColourImage enlarged(const ColourImage& image) {
  constexpr std::size_t kSide = 720;
  const std::size_t factor = kSide / std::max({image.rows, image.columns, std::size_t{1}});
  if (factor < 2) return image;
  ColourImage large(image.rows * factor, image.columns * factor, {});
  for (std::size_t row = 0; row < large.rows; ++row) {
    for (std::size_t column = 0; column < large.columns; ++column) {
      large.at(row, column) = image.pixels[row / factor * image.columns + column / factor];
    }
  }
  return large;
}

Axis axis_of(const OverlayAxis& axis, std::size_t cells) {
  const auto first = static_cast<double>(axis.first);
  return {axis.title, first - 0.5, first + static_cast<double>(std::max<std::size_t>(cells, 1)) - 0.5, true,
          axis.first == 1};
}

// Positions and sizes of all parts of a picture.
struct Layout {
  Axis rows, columns, values;
  Range range;
  std::vector<std::string> notes;  // lines of text below the legend
  Box area, scale;
  double width, height;
};

// `measure`: a canvas of any size that measures the widths of texts.
Layout layout_of(const Overlay& overlay, const Canvas& measure) {
  const auto rows = static_cast<double>(std::max<std::size_t>(overlay.matrix.rows, 1));
  const auto columns = static_cast<double>(std::max<std::size_t>(overlay.matrix.columns, 1));
  Layout layout;
  layout.rows = axis_of(overlay.rows, overlay.matrix.rows);
  layout.columns = axis_of(overlay.columns, overlay.matrix.columns);
  layout.range = range_of(overlay.matrix);
  layout.values = {overlay.value_title, layout.range.low * overlay.unit, layout.range.high * overlay.unit};
  const double side = kLongSide / std::max(rows, columns);
  const double width = std::max(kLeastShort, columns * side), height = std::max(kLeastShort, rows * side);
  const double left = kMargin + upright_axis_width(measure, layout.rows, height);
  layout.area = {left, kHeading, left + width, kHeading + height};
  const double scale_left = layout.area.right + kScaleGap;
  layout.scale = {scale_left, kHeading, scale_left + kScaleWidth, kHeading + height};
  layout.width = std::max(kLeastWidth,
                          layout.scale.right + upright_axis_width(measure, layout.values, height) + kMargin);
  constexpr std::size_t kMostKeys = 10;
  for (std::size_t i = 0; i < std::min(kMostKeys, overlay.keys.size()); ++i) {
    layout.notes.push_back(std::to_string(i + 1) + ": " + overlay.keys[i]);
  }
  if (overlay.keys.size() > kMostKeys) {
    layout.notes.push_back("and " + std::to_string(overlay.keys.size() - kMostKeys) + " more");
  }
  layout.height = layout.area.bottom + kLevelAxisHeight + kMargin +
                  kLineHeight * (1.5 + static_cast<double>(layout.notes.size()));
  return layout;
}

void draw_frame(Canvas& canvas, const Box& box) {
  canvas.outline(box, kCasing);
  canvas.outline(box, kFrame);
}

void draw_matrix(Canvas& canvas, const Overlay& overlay, const Layout& layout) {
  const Box& area = layout.area;
  if (!layout.range.any || !overlay.matrix.barred.empty()) canvas.hatch(area);
  if (layout.range.any) {
    const double resolution = canvas.resolution();
    canvas.image(area, enlarged(pixels_of(overlay, layout.range, area.height() * resolution,
                                          area.width() * resolution)));
  }
  canvas.outline(area, {});
  if (overlay.matrix.rows > 0) draw_upright_axis(canvas, layout.rows, area, true);
  if (overlay.matrix.columns > 0) draw_level_axis(canvas, layout.columns, area);
}

void draw_scale(Canvas& canvas, const Overlay& overlay, const Layout& layout) {
  if (!layout.range.any) return;
  canvas.begin_group("scale", "");
  constexpr std::size_t kSteps = 256;
  ColourImage greys(kSteps, 1, {});
  for (std::size_t i = 0; i < kSteps; ++i) {
    const double above =
        (layout.range.high - layout.range.low) * static_cast<double>(kSteps - 1 - i) / (kSteps - 1);
    greys.at(i, 0) = grey_of(layout.range.share(above), overlay.high_is_dark);
  }
  canvas.image(layout.scale, greys);
  canvas.outline(layout.scale, {});
  draw_upright_axis(canvas, layout.values, layout.scale, false, true);
  canvas.end_group();
}

// The frames of the rectangles that are drawn; those too small to be seen are enlarged about their centre.
std::vector<Box> frames_of(const Overlay& overlay, const Layout& layout) {
  const auto sides = [](double from, double to, std::size_t cells, std::size_t first, std::size_t last) {
    const double cell = (to - from) / static_cast<double>(std::max<std::size_t>(cells, 1));
    const double low = from + cell * static_cast<double>(first);
    const double high = from + cell * (static_cast<double>(last) + 1);
    const double missing = std::max(0.0, kLeastFrame - (high - low)) / 2;
    return std::pair(low - missing, high + missing);
  };
  std::vector<Box> frames;
  for (std::size_t rank = 0; rank < std::min(kMostFrames, overlay.patterns.size()); ++rank) {
    const Rectangle& where = overlay.patterns[rank].where;
    const Box& area = layout.area;
    const auto [left, right] = sides(area.left, area.right, overlay.matrix.columns, where.left, where.right);
    const auto [top, bottom] = sides(area.top, area.bottom, overlay.matrix.rows, where.top, where.bottom);
    frames.push_back({left, top, right, bottom});
  }
  return frames;
}

// Draws frames and ranks. Returns the number of ranks that fit.
std::size_t draw_patterns(Canvas& canvas, const Overlay& overlay, const Layout& layout) {
  constexpr double kPadding = 3, kRankHeight = 14;
  const std::vector<Box> frames = frames_of(overlay, layout);
  std::vector<Box> outer;
  std::vector<LabelSize> sizes;
  for (std::size_t rank = 0; rank < frames.size(); ++rank) {
    outer.push_back(frames[rank].grown(kCasing.width / 2));
    if (rank >= kMostLabels) continue;
    sizes.push_back({canvas.width_of(std::to_string(rank + 1), kRank) + 2 * kPadding, kRankHeight});
  }
  const auto places = place_labels_beside(outer, sizes, layout.area.grown(kCasing.width / 2));
  std::size_t placed = 0;
  // The best rectangle comes last, so that no other covers its frame.
  for (std::size_t rank = frames.size(); rank-- > 0;) {
    canvas.begin_group("rectangle", rank < overlay.labels.size() ? overlay.labels[rank] : "");
    draw_frame(canvas, frames[rank]);
    canvas.end_group();
  }
  for (std::size_t rank = 0; rank < places.size(); ++rank) {
    if (!places[rank]) continue;
    ++placed;
    canvas.begin_group("rank", "");
    canvas.face(*places[rank], kWhite);
    canvas.outline(*places[rank], {kBlack, 0.8, false});
    canvas.text((places[rank]->left + places[rank]->right) / 2, places[rank]->bottom - 3,
                std::to_string(rank + 1), kRank);
    canvas.end_group();
  }
  return placed;
}

void draw_legend(Canvas& canvas, const Overlay& overlay, const Layout& layout, std::size_t placed) {
  constexpr double kSample = 22, kGap = 6, kApart = 24;
  canvas.begin_group("legend", "");
  double x = layout.area.left, y = layout.area.bottom + kLevelAxisHeight + kLineHeight;
  const auto label = [&](const std::string& text) {
    canvas.text(x + kSample + kGap, y, text, kPlain);
    x += kSample + kGap + canvas.width_of(text, kPlain) + kApart;
  };
  const std::size_t count = overlay.patterns.size();
  if (count == 0) {
    const std::string none = "no rectangle: " + overlay.reason_for_none;
    canvas.text(x, y, none, kPlain);
    x += canvas.width_of(none, kPlain) + kApart;
  } else {
    draw_frame(canvas, {x, y - 11, x + kSample, y + 2});
    std::string sign = "rectangle and its rank";
    if (placed < count) {
      sign += " (shown for " + std::to_string(placed) + " of " + std::to_string(count);
      if (count > kMostFrames) sign += "; frames of the best " + std::to_string(kMostFrames);
      sign += ")";
    }
    label(sign);
  }
  if (!overlay.matrix.barred.empty() || !layout.range.any) {
    const Box sample{x, y - 11, x + kSample, y + 2};
    canvas.hatch(sample);
    canvas.outline(sample, {kBlack, 0.8, false});
    label("no cells");
  }
  y += kLineHeight / 4;
  for (const std::string& note : layout.notes) {
    y += kLineHeight;
    canvas.text(layout.area.left, y, canvas.fitted(note, kPlain, layout.width - kMargin - layout.area.left),
                kPlain);
  }
  canvas.end_group();
}

void draw(Canvas& canvas, const Overlay& overlay, const Layout& layout) {
  const double width = layout.width - kMargin - layout.area.left;
  canvas.text(layout.area.left, 18, canvas.fitted(overlay.title, kTitle, width), kTitle);
  canvas.text(layout.area.left, 36, canvas.fitted(overlay.subtitle, kPlain, width), kPlain);
  draw_matrix(canvas, overlay, layout);
  draw_scale(canvas, overlay, layout);
  draw_legend(canvas, overlay, layout, draw_patterns(canvas, overlay, layout));
}

}  // namespace

std::string overlay_png(const Overlay& overlay) {
  const Layout layout = layout_of(overlay, RasterCanvas(0, 0));
  RasterCanvas canvas(layout.width, layout.height);
  draw(canvas, overlay, layout);
  return canvas.png();
}

std::string overlay_svg(const Overlay& overlay) {
  const Layout layout = layout_of(overlay, SvgCanvas(0, 0, "", ""));
  SvgCanvas canvas(layout.width, layout.height, overlay.title, overlay.subtitle);
  draw(canvas, overlay, layout);
  return canvas.svg();
}

}  // namespace gpuhmm
