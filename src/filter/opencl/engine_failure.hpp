// What engines on OpenCL devices do with errors of OpenCL.
#pragma once

#include "filter/engine.hpp"
#include "opencl/error.hpp"

namespace gpuhmm {

/// Runs `body`; whatever OpenCL reports becomes an EngineFailure.
template <class Body>
auto failing_as_engine(const Body& body) {
  try {
    return body();
  } catch (const OpenClError& error) {
    throw EngineFailure(error.what());
  }
}

}  // namespace gpuhmm
