// Axes of pictures: at which numbers their ticks are, and how they are drawn.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "formats/drawing/canvas.hpp"

namespace gpuhmm {

/// What an axis shows: the numbers from `low` to `high`.
struct Axis {
  std::string title;  ///< with the unit
  double low = 0, high = 1;
  bool whole = false;        ///< numbers are counted: ticks only at whole ones
  bool first = false;        ///< a tick at the first whole number, too, if there is room for it
  bool logarithmic = false;  ///< both ends are above 0; ticks at 1, 2 and 5 times powers of ten, or at powers
};

struct Tick {
  double value = 0;
  std::string text;  ///< as it is written below or beside the tick; the minus sign is U+2212
};

/// The distance of ticks, 1, 2 or 5 times a power of ten, that gives at most `most` of them (at least 2) to a
/// range; at least 1 if `whole`.
double tick_distance(double range, std::size_t most, bool whole);

/// Ticks at the multiples of that distance within the axis, ascending.
std::vector<Tick> axis_ticks(const Axis& axis, std::size_t most);

/// As many ticks, at most `most`, as fit beside each other on an axis `length` long: `extent` is how much
/// room a text takes along it.
std::vector<Tick> fitting_ticks(const Axis& axis, double length, std::size_t most,
                                const std::function<double(const std::string&)>& extent);

/// Where a number lies, on an axis drawn from `from` (its low end) to `to`; the only one of an axis without
/// extent lies in the middle.
inline double place_on(const Axis& axis, double value, double from, double to) {
  if (axis.low == axis.high) return (from + to) / 2;
  if (axis.logarithmic)
    return from + std::log(value / axis.low) / std::log(axis.high / axis.low) * (to - from);
  return from + (value - axis.low) / (axis.high - axis.low) * (to - from);
}

/// Room that an axis below a picture's area takes.
inline constexpr double kLevelAxisHeight = 40;
/// Room that an axis of this length beside the area takes.
double upright_axis_width(const Canvas& canvas, const Axis& axis, double length);
/// Half the width of the widest number of an axis below, which may stand out to either side.
double level_axis_overhang(const Canvas& canvas, const Axis& axis, double length);

/// Draws the axis below the area, from left (low) to right.
void draw_level_axis(Canvas& canvas, const Axis& axis, const Box& area);
/// Draws the axis beside the area, low below (above if `downward`), to its left or right.
void draw_upright_axis(Canvas& canvas, const Axis& axis, const Box& area, bool downward, bool right = false);

}  // namespace gpuhmm
