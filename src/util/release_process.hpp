// The end of a program that has used devices: those who wait for it need not wait for their release.
#pragma once

namespace gpuhmm {

/// The name of the process that start_release_process() starts, as ps shows it.
inline constexpr const char* kReleaseProcess = "gpuhmm-release";
/// As many of these processes may have ended without anybody waiting for them.
inline constexpr int kMostUnwaitedFor = 8;

/// Notes the files that are open: those of the caller of the program among them, none of a driver's. Call it
/// before drivers are loaded, by one thread.
void note_open_files() noexcept;

/// To be called directly before the program ends. Closes the files that note_open_files() has noted, and
/// starts a process that shares the program's memory and all other open files, and ends when the program has
/// ended. What the system does to take back memory and devices (with a GPU 0.1 to 0.5 s) it then does at the
/// end of that process: those who wait for the program, or for the end of its output, go on.
///
/// Does nothing where that is not possible (other systems than Linux, process 1), without a call of
/// note_open_files(), if the environment has GPUHMM_RELEASE=wait, if process 1 or an ancestor of the program
/// has not waited for kMostUnwaitedFor earlier ones that have ended, or if /proc does not show the children
/// of these.
void start_release_process() noexcept;

}  // namespace gpuhmm
