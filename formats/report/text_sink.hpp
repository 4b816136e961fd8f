// Where report writers put their text.
#pragma once

#include <functional>
#include <string_view>

namespace gpuhmm {

/// Takes the pieces of a report in order. An exception it throws (a full disk) passes through the writers.
using TextSink = std::function<void(std::string_view)>;

}  // namespace gpuhmm
