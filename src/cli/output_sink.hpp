// Sinks that let report writers write to output files and strings.
#pragma once

#include <string>

#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

/// Writes to `file`, which must outlive the sink.
inline TextSink sink_of(OutputFile& file) {
  return [&file](std::string_view text) { file.write(text); };
}

/// Appends to `text`, which must outlive the sink.
inline TextSink sink_of(std::string& text) {
  return [&text](std::string_view more) { text += more; };
}

}  // namespace gpuhmm::cli
