// What a client of `gpuhmm serve` sends for a search or a scan, and what it gets back: CBOR (RFC 8949), as
// the contents of files are bytes of any kind. Runs and answers are sequences of byte strings: the first
// holds an encoded item, the others contents that it tells of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/run_context.hpp"
#include "gpuhmm/hits.hpp"

namespace gpuhmm::cli {

inline constexpr const char* kCbor = "application/cbor";

/// One of two inputs of a run.
struct SentInput {
  std::string path;     ///< where the client found it, for messages; "-" is standard input
  std::string held;     ///< if not empty: the file that the server holds under this name
  std::string bytes;    ///< otherwise: its content, decompressed
  std::string failure;  ///< or why the client could not read it
};

/// A run that a client asks for.
struct SentRun {
  ReportKind kind = ReportKind::Search;
  std::vector<std::string> words;  ///< of the command line, behind the command
  SentInput profiles, sequences;
  std::map<std::string, std::string> unwritable;  ///< outputs that the client cannot write, and why
  std::string conflict;                           ///< as RunContext::conflict
  Surroundings surroundings;
};

/// The end of a run.
struct RunAnswer {
  int code = 0;                                            ///< exit code
  std::string errors;                                      ///< for standard error
  std::vector<std::pair<std::string, std::string>> files;  ///< outputs: path and content
};

/// State of a file by which changes are noticed.
struct FileState {
  std::uint64_t size = 0, inode = 0;
  std::int64_t changed = 0;  ///< nanoseconds since 1970

  bool operator==(const FileState&) const = default;
};
/// Nothing if there is no such regular file.
std::optional<FileState> state_of(const std::string& path);

/// The path that names a profile file, a pressed library or a sequence file in whatever folder a process is;
/// empty if there is no such file.
std::string full_path(const std::string& path);

/// A file that a server holds.
struct HeldFile {
  std::string path;                ///< full_path()
  std::optional<FileState> state;  ///< nothing: the server reads a pressed library as it is at the time
};
/// What a client has to know of a server.
struct ServerFiles {
  std::vector<HeldFile> files;
  std::uint64_t most_bytes = 0;  ///< that the server takes with a request
};

std::string encoded(const SentRun& run);
std::string encoded(const RunAnswer& answer);
std::string encoded(const ServerFiles& files);
/// Throw std::runtime_error for other bytes than those of encoded().
SentRun decoded_run(std::string_view bytes);
RunAnswer decoded_answer(std::string_view bytes);
ServerFiles decoded_files(std::string_view bytes);

/// What the body of an error response says.
std::string error_text(std::string_view json);

}  // namespace gpuhmm::cli
