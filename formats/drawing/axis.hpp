// Axes of pictures: choosing their ticks and drawing them. Lengths are in the units of the canvas.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "formats/drawing/canvas.hpp"

namespace gpuhmm {

/// An axis for the numbers from `low` to `high`.
struct Axis {
  std::string title;  ///< with the unit
  double low = 0, high = 1;
  bool whole = false;        ///< ticks only at whole numbers
  bool first = false;        ///< also a tick at the first whole number, if its text fits
  bool logarithmic = false;  ///< both ends are above 0; ticks at 1, 2 and 5 times powers of ten, or at powers
};

/// A labelled position on an axis.
struct Tick {
  double value = 0;
  std::string text;  ///< the label of the tick; the minus sign is U+2212
};

/// The smallest distance of ticks, 1, 2 or 5 times a power of ten, that puts at most `most` ticks (at least
/// 2) on a range; at least 1 if `whole`.
double tick_distance(double range, std::size_t most, bool whole);

/// Ticks at the multiples of tick_distance() on the axis, ascending.
std::vector<Tick> axis_ticks(const Axis& axis, std::size_t most);

/// As many ticks, at most `most`, as fit on an axis of this length without overlap; `extent` returns the
/// length of a text along the axis.
std::vector<Tick> fitting_ticks(const Axis& axis, double length, std::size_t most,
                                const std::function<double(const std::string&)>& extent);

/// The position of a number on an axis drawn from `from` (its low end) to `to`; the middle if low equals
/// high.
inline double place_on(const Axis& axis, double value, double from, double to) {
  if (axis.low == axis.high) return (from + to) / 2;
  if (axis.logarithmic)
    return from + std::log(value / axis.low) / std::log(axis.high / axis.low) * (to - from);
  return from + (value - axis.low) / (axis.high - axis.low) * (to - from);
}

/// Height of an axis below the area of a picture.
inline constexpr double kLevelAxisHeight = 40;
/// Width of an axis of this length beside the area.
double upright_axis_width(const Canvas& canvas, const Axis& axis, double length);
/// How far texts of an axis below the area may reach beyond its ends: half the width of the widest.
double level_axis_overhang(const Canvas& canvas, const Axis& axis, double length);

/// Draws the axis below the area, with the low end on the left.
void draw_level_axis(Canvas& canvas, const Axis& axis, const Box& area);
/// Draws the axis to the left of the area (`right`: to the right), with the low end at the bottom
/// (`downward`: at the top).
void draw_upright_axis(Canvas& canvas, const Axis& axis, const Box& area, bool downward, bool right = false);

}  // namespace gpuhmm
