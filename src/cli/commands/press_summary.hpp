// What pressing reports.
#pragma once

#include <string>

#include "gpuhmm/hmmer3_press.hpp"

namespace gpuhmm::cli {

/// The lines that hmmpress prints after `Working...`, for the profile file `path`.
inline std::string press_summary(const hmmer3::PressReport& report, const std::string& path) {
  const hmmer3::PressedFiles files(path);
  const std::string accessions =
      report.accessions > 0 ? " and " + std::to_string(report.accessions) + " accessions" : "";
  return "Pressed and indexed " + std::to_string(report.profiles) + " HMMs (" + std::to_string(report.names) +
         " names" + accessions + ").\nModels pressed into binary file:   " + files.profiles +
         "\nSSI index for binary model file:   " + files.index +
         "\nProfiles (MSV part) pressed into:  " + files.filters +
         "\nProfiles (remainder) pressed into: " + files.scores + "\n";
}

}  // namespace gpuhmm::cli
