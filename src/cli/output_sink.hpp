// Output files as the place where report writers put their text.
#pragma once

#include "formats/io/output.hpp"
#include "formats/report/text_sink.hpp"

namespace gpuhmm::cli {

/// Writes to `file`, which must outlive the sink.
inline TextSink sink_of(OutputFile& file) {
  return [&file](std::string_view text) { file.write(text); };
}

}  // namespace gpuhmm::cli
