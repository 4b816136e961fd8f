// Finds and loads the component for MPI.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cli/mpi/messenger.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kLibrary = "libgpuhmm_mpi.so";

// In the place where it is installed, seen from the program; in a build folder beside the program.
std::vector<std::string> candidates() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  return {(folder / GPUHMM_MPI_FROM_PROGRAM / kLibrary).string(), (folder / kLibrary).string()};
}

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error("--mpi: " + why +
                           "; expected the component that is built where MPI is found (docs/clusters.md)");
}

}  // namespace

std::unique_ptr<Messenger> join_mpi() {
  std::string tried;
  for (const std::string& path : candidates()) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
      tried += (tried.empty() ? "" : " or ") + path;
      continue;
    }
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) fail(std::string("cannot load ") + dlerror());
    const auto version = reinterpret_cast<MessengerVersion>(dlsym(library, "gpuhmm_messenger_version"));
    const auto make = reinterpret_cast<MakeMessenger>(dlsym(library, "gpuhmm_make_messenger"));
    if (version == nullptr || make == nullptr || version() != kMessengerVersion) {
      fail(path + " is of another version of gpuhmm");
    }
    return std::unique_ptr<Messenger>(make());
  }
  fail("there is no " + tried);
}

}  // namespace gpuhmm::cli
