// Keeps pieces in files named by their first sequence.
#include "cli/commands/checkpoint.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gpuhmm/output.hpp"
#include "util/format.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kLockFile = "lock";
constexpr std::string_view kPieceBegin = "piece-", kPieceEnd = ".part";

bool is_piece(const std::string& name) { return name.starts_with(kPieceBegin) && name.ends_with(kPieceEnd); }

// Whether a killed process has left this file (OutputFile).
bool is_left_over(const std::string& name) { return name.starts_with(".gpuhmm-") && name.ends_with(".tmp"); }

}  // namespace

Checkpoint::Checkpoint(std::string folder, PartHeader header)
    : folder_(std::move(folder)), header_(std::move(header)) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error || !fs::is_directory(folder_, error)) {
    throw FileError(folder_ + ": is not a folder and cannot be made one; expected a folder for --checkpoint");
  }
  std::vector<std::string> pieces, left_over;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (is_piece(name)) {
      pieces.push_back(entry.path().string());
    } else if (is_left_over(name)) {
      left_over.push_back(entry.path().string());
    } else if (name != kLockFile) {
      throw FileError(folder_ + ": holds " + name +
                      "; expected an empty folder or one that --checkpoint made");
    }
  }
  lock_.take(folder_);
  for (const std::string& file : left_over) fs::remove(file, error);
  for (const std::string& piece : pieces) take_up(piece);
}

void Checkpoint::Lock::take(const std::string& folder) {
  const std::string path = (std::filesystem::path(folder) / kLockFile).string();
  file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (file_ < 0) throw FileError(path + ": cannot be written");
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
  throw FileError(folder + ": another run is using it as its checkpoint");
}

Checkpoint::Lock::~Lock() {
  if (file_ >= 0) ::close(file_);
}

// A piece without a whole header holds nothing.
void Checkpoint::take_up(const std::string& path) {
  const std::optional<PartState> state = part_state(path);
  if (!state) {
    std::filesystem::remove(path);
    return;
  }
  const std::string other = difference(header_.run, state->header.run);
  if (!other.empty()) {
    throw FileError(folder_ + ": is the checkpoint of another run: here " + other +
                    "; give the command that made it, or another folder");
  }
  if (state->complete) {
    done_.push_back(state->header.records);
    return;
  }
  if (unfinished_) {  // a run is in one piece at a time, so that one of the two was damaged: it is done anew
    std::filesystem::remove(path);
    return;
  }
  std::filesystem::resize_file(path, state->bytes);
  QueryPlace next;
  if (state->last) next = {state->last->section, state->last->index + 1};
  unfinished_ = {state->header.records, next, path};
}

void Checkpoint::drop_unfinished() {
  if (unfinished_) std::filesystem::remove(unfinished_->path);
  unfinished_.reset();
}

PartHeader Checkpoint::header_of(const RecordRange& sequences) const {
  PartHeader header = header_;
  header.records = sequences;
  return header;
}

std::string Checkpoint::path_of(const RecordRange& sequences) const {
  const std::string name =
      format("%s%020llu%s", std::string(kPieceBegin).c_str(),
             static_cast<unsigned long long>(sequences.first), std::string(kPieceEnd).c_str());
  return (std::filesystem::path(folder_) / name).string();
}

void Checkpoint::store(const RecordRange& sequences, std::string_view records) {
  OutputFile file(path_of(sequences));
  const PartWriter header([&](std::string_view bytes) { file.write(bytes); }, header_of(sequences));
  file.write(records);
  file.commit();
}

std::vector<std::string> Checkpoint::parts() const {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (is_piece(entry.path().filename().string())) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

void Checkpoint::remove() {
  namespace fs = std::filesystem;
  std::error_code error;  // what cannot be removed does no harm
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (is_piece(name) || name == kLockFile) fs::remove(entry.path(), error);
  }
  fs::remove(folder_, error);
}

}  // namespace gpuhmm::cli
