// Chooses the ticks of axes and draws axes.
#include "formats/drawing/axis.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace gpuhmm {

namespace {

constexpr TextStyle kNumbers{11, Anchor::Middle, false, false};
constexpr TextStyle kTitle{12, Anchor::Middle, false, false};
constexpr double kTickLength = 5, kGap = 4, kTitleHeight = 17, kLetters = 12;
constexpr std::size_t kMostLevel = 10, kMostUpright = 8;
constexpr Stroke kLine{kBlack, 1, false};

// Text of `value`, a multiple of `distance`: with the decimals of the distance, or with an exponent where
// that is shorter.
std::string tick_text(double value, double distance) {
  constexpr double kLarge = 1e7;
  const int power = static_cast<int>(std::floor(std::log10(distance) + 1e-9));
  std::array<char, 64> buffer;
  if (std::fabs(value) >= kLarge && distance >= kLarge / 1000) {
    const int digits = static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-9)) - power;
    std::snprintf(buffer.data(), buffer.size(), "%.*e", std::max(0, digits), value);
  } else if (power < -5) {
    std::snprintf(buffer.data(), buffer.size(), "%.*g",
                  value == 0 ? 1 : static_cast<int>(std::log10(std::fabs(value / distance)) + 1e-9) + 1,
                  value);
  } else {
    std::snprintf(buffer.data(), buffer.size(), "%.*f", std::max(0, -power), value);
  }
  std::string text = buffer.data();
  for (std::size_t at = 0; (at = text.find('-', at)) != std::string::npos; at += 3) {
    text.replace(at, 1, "\xE2\x88\x92");
  }
  return text;
}

// At 1, 2 and 5 times powers of ten, or at powers of ten, or at every second, third, ... of these: the first
// of these choices with at most `most` ticks.
std::vector<Tick> logarithmic_ticks(const Axis& axis, std::size_t most) {
  constexpr double kSlack = 1 + 1e-9;
  const int lowest = static_cast<int>(std::floor(std::log10(axis.low) - 1e-9));
  const int highest = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
  for (int step = 0;; ++step) {  // 0: three ticks a power of ten
    std::vector<Tick> ticks;
    for (int power = lowest; power <= highest; power += std::max(step, 1)) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10.0, power);
        if ((step > 0 && factor > 1) || value * kSlack < axis.low || value > axis.high * kSlack) continue;
        ticks.push_back({value, tick_text(value, std::pow(10.0, power))});
      }
    }
    if (ticks.size() <= most || step > highest - lowest) return ticks;
  }
}

std::vector<Tick> upright_ticks(const Axis& axis, double length) {
  return fitting_ticks(axis, length, kMostUpright, [](const std::string&) { return 2 * kLetters; });
}

std::vector<Tick> level_ticks(const Canvas& canvas, const Axis& axis, double length) {
  return fitting_ticks(axis, length, kMostLevel,
                       [&](const std::string& text) { return canvas.width_of(text, kNumbers) + 2 * kGap; });
}

double widest(const Canvas& canvas, const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, canvas.width_of(tick.text, kNumbers));
  return width;
}

}  // namespace

double tick_distance(double range, std::size_t most, bool whole) {
  const double intervals = static_cast<double>(std::max<std::size_t>(most, 2) - 1);
  const double power = std::pow(10.0, std::floor(std::log10(range / intervals) + 1e-9));
  double distance = power * 10;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (range / (power * factor) <= intervals * (1 + 1e-9)) distance = power * factor;
  }
  return whole ? std::max(distance, 1.0) : distance;
}

std::vector<Tick> axis_ticks(const Axis& axis, std::size_t most) {
  if (axis.logarithmic) return logarithmic_ticks(axis, most);
  std::vector<Tick> ticks;
  const double range = axis.high - axis.low;
  if (!(range > 0)) return {{axis.low, tick_text(axis.low, std::max(1.0, std::fabs(axis.low)))}};
  const double distance = tick_distance(range, most, axis.whole);
  const double slack = range * 1e-13;
  const double first = std::ceil((axis.low - slack) / distance);
  for (double i = first; i * distance <= axis.high + slack; ++i) {
    ticks.push_back({i * distance, tick_text(i * distance + 0.0, distance)});
  }
  return ticks;
}

std::vector<Tick> fitting_ticks(const Axis& axis, double length, std::size_t most,
                                const std::function<double(const std::string&)>& extent) {
  const auto apart = [&](const Tick& a, const Tick& b) {
    const double distance = place_on(axis, b.value, 0, length) - place_on(axis, a.value, 0, length);
    return distance >= (extent(a.text) + extent(b.text)) / 2;
  };
  std::vector<Tick> ticks;
  for (; most >= 2; --most) {
    ticks = axis_ticks(axis, most);
    bool fit = true;
    for (std::size_t i = 1; i < ticks.size(); ++i) fit = fit && apart(ticks[i - 1], ticks[i]);
    if (fit) break;
  }
  if (most < 2 && ticks.size() > 1) ticks.resize(1);
  const double whole = std::ceil(axis.low);
  if (axis.first && whole <= axis.high) {
    const Tick first{whole, tick_text(whole, 1)};
    if (ticks.empty() || (ticks.front().value > whole && apart(first, ticks.front()))) {
      ticks.insert(ticks.begin(), first);
    }
  }
  return ticks;
}

double upright_axis_width(const Canvas& canvas, const Axis& axis, double length) {
  return kTickLength + kGap + widest(canvas, upright_ticks(axis, length)) + kTitleHeight + kGap;
}

double level_axis_overhang(const Canvas& canvas, const Axis& axis, double length) {
  return widest(canvas, level_ticks(canvas, axis, length)) / 2;
}

void draw_level_axis(Canvas& canvas, const Axis& axis, const Box& area) {
  canvas.begin_group("axis", "");
  for (const Tick& tick : level_ticks(canvas, axis, area.width())) {
    const double x = place_on(axis, tick.value, area.left, area.right);
    canvas.line(x, area.bottom, x, area.bottom + kTickLength, kLine);
    canvas.text(x, area.bottom + kTickLength + kLetters, tick.text, kNumbers);
  }
  canvas.text((area.left + area.right) / 2, area.bottom + kLevelAxisHeight - kGap,
              canvas.fitted(axis.title, kTitle, area.width()), kTitle);
  canvas.end_group();
}

void draw_upright_axis(Canvas& canvas, const Axis& axis, const Box& area, bool downward, bool right) {
  const double from = downward ? area.top : area.bottom, to = downward ? area.bottom : area.top;
  const double edge = right ? area.right : area.left, outward = right ? 1 : -1;
  canvas.begin_group("axis", "");
  const std::vector<Tick> ticks = upright_ticks(axis, area.height());
  TextStyle numbers = kNumbers;
  numbers.anchor = right ? Anchor::Start : Anchor::End;
  for (const Tick& tick : ticks) {
    const double y = place_on(axis, tick.value, from, to);
    canvas.line(edge, y, edge + outward * kTickLength, y, kLine);
    canvas.text(edge + outward * (kTickLength + kGap), y + 4, tick.text, numbers);
  }
  TextStyle title = kTitle;
  title.upward = true;
  // The letters of upward text lie to the left of its base line.
  const double before = kTickLength + kGap + widest(canvas, ticks) + kGap;
  canvas.text(edge + outward * (before + (right ? kLetters : 2)), (area.top + area.bottom) / 2,
              canvas.fitted(axis.title, title, area.height()), title);
  canvas.end_group();
}

}  // namespace gpuhmm
