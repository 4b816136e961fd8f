// Writes the banner of HMMER 2.3.2's reports and help texts.
#include "gpuhmm/report.hpp"

namespace gpuhmm {

std::string dashed_line(int count) {
  std::string line = "-";
  for (int i = 1; i < count; ++i) line += " -";
  return line + "\n";
}

namespace {

void write_banner(const TextSink& out, std::string_view title, const std::string& version,
                  const std::string& program) {
  out(std::string(title) + "\n");
  out("HMMER 2.3.2 (" + version + ")\n");
  out(program + " is an independent program; Copyright (C) 2026 the gpuhmm authors\n");
  out("Freely distributed under the BSD 3-Clause License\n");
  out(dashed_line(36));
}

}  // namespace

void write_hmmer2_banner(const TextSink& out, std::string_view title, std::string_view version) {
  write_banner(out, title, "gpuhmm " + std::string(version), "gpuhmm");
}

void write_hmmer2_help_banner(const TextSink& out, std::string_view title, std::string_view version) {
  write_banner(out, title, "Oct 2003", "gpuhmm " + std::string(version));
}

}  // namespace gpuhmm
