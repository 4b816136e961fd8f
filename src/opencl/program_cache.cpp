// Builds OpenCL programs from the embedded sources.
#include "opencl/program_cache.hpp"

#include <exception>
#include <sstream>
#include <utility>

#include "gpuhmm/device.hpp"

namespace gpuhmm {

namespace {

// The line of a build log that names the error: the first with "error", otherwise the first line.
std::string complaint(const std::string& log) {
  std::istringstream lines(log);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("error") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "the compiler gives no reason" : first;
}

}  // namespace

ProgramCache::ProgramCache(cl::Context context, cl::Device device, std::string device_name,
                           const KernelSources& sources)
    : context_(std::move(context)),
      device_(std::move(device)),
      device_name_(std::move(device_name)),
      sources_(sources) {}

cl::Program ProgramCache::program(const std::vector<std::string>& files, const std::string& options) {
  Key key(files, options);
  std::promise<cl::Program> built;
  std::shared_future<cl::Program> program;
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    std::shared_future<cl::Program>& known = programs_[key];
    first = !known.valid();
    if (first) known = built.get_future().share();
    program = known;
  }
  if (first) {  // without the lock: others may build other programs meanwhile
    const StageClock::Running watch(building_);
    try {
      built.set_value(build(key));
    } catch (...) {
      built.set_exception(std::current_exception());
    }
  }
  return program.get();
}

void ProgramCache::begin(const std::vector<std::string>& files, const std::string& options) {
  const std::lock_guard lock(mutex_);
  if (programs_.contains(Key(files, options))) return;
  begun_.push_back(std::async(std::launch::async, [this, files, options] { program(files, options); }));
}

cl::Program ProgramCache::build(const Key& key) const {
  const auto& [files, options] = key;
  std::string text;
  for (const std::string& file : files) {
    const auto source = sources_.find(file);
    if (source == sources_.end()) {
      throw EngineFailure(device_name_ + ": there is no kernel file " + file, CL_INVALID_VALUE);
    }
    text += source->second;
  }
  cl::Program program(context_, text);
  try {
    program.build({device_}, options.c_str());
  } catch (const cl::Error& error) {
    throw EngineFailure(device_name_ + ": " + files.back() + " does not build with " + options + " (" +
                            status_name(error.err()) +
                            "): " + complaint(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_)),
                        error.err());
  }
  return program;
}

}  // namespace gpuhmm
