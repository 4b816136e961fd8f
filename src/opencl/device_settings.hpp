// Kernel settings as named numbers, the form in which a table of devices keeps them.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace gpuhmm {

/// Values by the name of the setting; those absent keep what is built in.
using DeviceSettings = std::map<std::string, std::int64_t>;

/// What a setting may be: from `least` to `most` in steps of `step`.
struct SettingRange {
  std::int64_t least, most, step = 1;

  bool holds(std::int64_t value) const {
    return value >= least && value <= most && (value - least) % step == 0;
  }
};

/// All settings of a variant, for which visit_settings(variant, visit) must be declared: it calls
/// visit(name, field, range) for every field that may be tuned.
template <class Variant>
DeviceSettings settings_of(Variant variant) {
  DeviceSettings settings;
  visit_settings(variant, [&](const char* name, auto& field, const SettingRange&) {
    settings[name] = static_cast<std::int64_t>(field);
  });
  return settings;
}

/// `variant` with the fields that `settings` names replaced. Throws std::invalid_argument, in one line, for a
/// name that the variant does not have and a value out of its range.
template <class Variant>
Variant with_settings(Variant variant, DeviceSettings settings) {
  visit_settings(variant, [&]<class Field>(const char* name, Field& field, const SettingRange& range) {
    const auto found = settings.find(name);
    if (found == settings.end()) return;
    if (!range.holds(found->second)) {
      throw std::invalid_argument(
          std::string(name) + " is " + std::to_string(found->second) + "; expected " +
          std::to_string(range.least) + " to " + std::to_string(range.most) +
          (range.step > 1 ? " in steps of " + std::to_string(range.step) : std::string()));
    }
    field = static_cast<Field>(found->second);
    settings.erase(found);
  });
  if (!settings.empty()) throw std::invalid_argument("there is no setting " + settings.begin()->first);
  return variant;
}

}  // namespace gpuhmm
