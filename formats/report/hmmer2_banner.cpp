// Banner lines; see the header.
#include "formats/report/hmmer2_banner.hpp"

namespace gpuhmm {

std::string dashed_line(int count) {
  std::string line = "-";
  for (int i = 1; i < count; ++i) line += " -";
  return line + "\n";
}

void write_hmmer2_banner(const TextSink& out, std::string_view title, std::string_view version) {
  out(std::string(title) + "\n");
  out("HMMER 2.3.2 (gpuhmm " + std::string(version) + ")\n");
  out("gpuhmm is an independent program; Copyright (C) 2026 the gpuhmm authors\n");
  out("Freely distributed under the BSD 3-Clause License\n");
  out(dashed_line(36));
}

}  // namespace gpuhmm
