// Records of parts whose members all differ and have extreme values.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "formats/parts/part_fields.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm::parts::test {

/// Gives every member of a structure another value, in turn of a list of extreme ones. `number`: where to
/// begin.
class Filler {
 public:
  explicit Filler(std::size_t number) : number_(number) {}

  template <class T>
  void fill(T& value) {
    ++number_;
    if constexpr (std::same_as<T, std::string>) {
      const std::string all[] = {"",
                                 "name",
                                 std::string("\xff\xfe\x80 no UTF-8"),
                                 std::string("a\0b", 3),
                                 "\n\t\x1b[0m",
                                 std::string(70'000, 'x')};
      value = all[number_ % std::size(all)];
    } else if constexpr (std::same_as<T, bool>) {
      value = number_ % 2 == 0;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(number_ % 2);
    } else if constexpr (std::is_floating_point_v<T>) {
      using Limits = std::numeric_limits<T>;
      const T all[] = {Limits::quiet_NaN(),
                       -Limits::quiet_NaN(),
                       -Limits::infinity(),
                       Limits::infinity(),
                       Limits::lowest(),
                       Limits::max(),
                       Limits::denorm_min(),
                       -Limits::min(),
                       T{-0.0},
                       T{0},
                       T{1} / T{3},
                       static_cast<T>(-FLT_MAX),
                       static_cast<T>(16777217.0)};
      value = all[number_ % std::size(all)];
    } else if constexpr (std::is_arithmetic_v<T>) {
      using Limits = std::numeric_limits<T>;
      const T all[] = {Limits::min(),      Limits::max(), T{0}, static_cast<T>(Limits::max() / 2 + 1),
                       static_cast<T>(-1), T{23},         T{24}};
      value = all[number_ % std::size(all)];
    } else if constexpr (std::same_as<T, ScoreHistogram>) {
      const std::int64_t huge = std::numeric_limits<std::int64_t>::max() / 4;
      for (const int bin : {std::numeric_limits<int>::min(), -1, 0, std::numeric_limits<int>::max()})
        value.add(bin, huge - bin);
    } else if constexpr (requires { value.has_value(); }) {
      if (number_ % 3 != 0) fill(value.emplace());
    } else if constexpr (requires { value.emplace_back(); }) {
      for (std::size_t i = number_ % 4; i > 0; --i) fill(value.emplace_back());
    } else {
      fields(*this, value);
    }
  }

  template <class... T>
  void operator()(T&... members) {
    (fill(members), ...);
  }

 private:
  std::size_t number_;
};

template <class T>
T filled(std::size_t number) {
  T value;
  Filler(number).fill(value);
  return value;
}

/// All that a structure holds, exactly; two values are the same if their texts are.
class Describer {
 public:
  template <class T>
  void add(const T& value) {
    if constexpr (std::same_as<T, std::string>) {
      text_ += std::to_string(value.size()) + ":" + value;
    } else if constexpr (std::is_floating_point_v<T>) {
      const double number = value;
      text_ += std::string(reinterpret_cast<const char*>(&number), std::isnan(number) ? 0 : sizeof number);
      text_ += std::isnan(number) ? "nan" : "";
      text_ += std::signbit(value) ? "-" : "+";
    } else if constexpr (std::is_enum_v<T>) {
      add(static_cast<int>(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
      text_ += std::to_string(value);
    } else if constexpr (std::same_as<T, ScoreHistogram>) {
      for (const auto& [bin, count] : value.bins())
        text_ += std::to_string(bin) + "=" + std::to_string(count) + " ";
      add(value.total());
    } else if constexpr (requires { value.has_value(); }) {
      text_ += value ? "there" : "absent";
      if (value) add(*value);
    } else if constexpr (
        requires { value.emplace_back(); } || requires { value.begin(); }) {
      text_ += "[" + std::to_string(value.size());
      for (const auto& item : value) add(item);
    } else {
      fields(*this, value);
    }
    text_ += ";";
  }

  template <class... T>
  void operator()(const T&... members) {
    (add(members), ...);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

template <class T>
std::string described(const T& value) {
  Describer describer;
  describer.add(value);
  return describer.text();
}

inline std::string described(const PartContent& content) {
  return std::to_string(content.index()) +
         std::visit([](const auto& record) { return described(record); }, content);
}

}  // namespace gpuhmm::parts::test
