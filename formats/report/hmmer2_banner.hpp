// What the text outputs of HMMER 2.3.2's programs begin with.
#pragma once

#include <string>
#include <string_view>

#include "formats/report/text_sink.hpp"

namespace gpuhmm {

/// Dashes in the line below the settings of a run.
inline constexpr int kSettingsDashes = 32;

/// `count` dashes with spaces between them, and a newline.
std::string dashed_line(int count);

/// The five banner lines: the program's title, HMMER's version with gpuhmm's, and gpuhmm's licence.
void write_hmmer2_banner(const TextSink& out, std::string_view title, std::string_view version);

/// The same for help pages, with HMMER's version and date as clients look for them in the second line.
void write_hmmer2_help_banner(const TextSink& out, std::string_view title, std::string_view version);

}  // namespace gpuhmm
