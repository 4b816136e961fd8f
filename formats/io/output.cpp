// Output by write(2) with every error checked, and the table of unfinished files; see the header.
#include "formats/io/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>

namespace gpuhmm {

namespace {

constexpr std::size_t kBufferSize = std::size_t{64} << 10;

/// Names of temporary files that a signal handler can read: a slot's text is fixed while it is `Named`.
struct UnfinishedFile {
  enum State : int { Free, Reserved, Named };
  std::atomic<int> state{Free};
  char path[PATH_MAX] = {};
};
static_assert(std::atomic<int>::is_always_lock_free);

constexpr int kMaxUnfinished = 64;
constinit UnfinishedFile unfinished[kMaxUnfinished];  // all zero: costs nothing at the start of the program

/// The slot that now holds `path`, or -1 if there is none left or the path does not fit.
int add_unfinished(const std::string& path) {
  if (path.size() >= sizeof unfinished->path) return -1;
  for (int slot = 0; slot < kMaxUnfinished; ++slot) {
    int expected = UnfinishedFile::Free;
    if (!unfinished[slot].state.compare_exchange_strong(expected, UnfinishedFile::Reserved)) continue;
    std::memcpy(unfinished[slot].path, path.c_str(), path.size() + 1);
    unfinished[slot].state = UnfinishedFile::Named;
    return slot;
  }
  return -1;
}

/// N for the names of the process's own descriptors. They are duplicated, not opened anew, so that the
/// position and append mode given by the shell hold.
std::optional<int> descriptor_of(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int fd = -1;
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + folder.size(), end, fd);
    if (error == std::errc() && stop == end && fd >= 0) return fd;
  }
  return std::nullopt;
}

std::string temporary_name() {
  std::random_device random;
  char name[64];
  std::snprintf(name, sizeof name, ".gpuhmm-%ld-%08x%08x.tmp", static_cast<long>(::getpid()), random(),
                random());
  return name;
}

}  // namespace

void remove_unfinished_outputs() noexcept {
  for (UnfinishedFile& file : unfinished) {
    if (file.state == UnfinishedFile::Named) ::unlink(file.path);
  }
}

OutputFile::OutputFile(const std::string& path) : name_(path == "-" ? "standard output" : path) {
  buffer_.reserve(kBufferSize);
  if (const std::optional<int> descriptor = descriptor_of(path)) {
    fd_ = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    if (fd_ < 0) fail("cannot be opened for writing", errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw FileError(name_ + ": is a directory; expected a file");
  if (exists && !S_ISREG(status.st_mode)) {
    do {
      fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) fail("cannot be opened for writing", errno);
    return;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) fail("cannot be opened for writing", errno);
  if (!exists && (path.empty() || path.back() == '/')) fail("cannot be opened for writing", ENOENT);

  const std::filesystem::path given(path);
  const std::filesystem::path folder = given.has_parent_path() ? given.parent_path() : ".";
  std::error_code error;
  target_ = exists ? std::filesystem::canonical(given, error)
                   : std::filesystem::canonical(folder, error) / given.filename();
  if (error) fail("cannot be opened for writing", error.value());
  open_temporary();
  if (exists) {
    const bool owner_kept = ::fchown(fd_, status.st_uid, status.st_gid) == 0;
    ::fchmod(fd_, status.st_mode & (owner_kept ? 07777U : 0777U));
  }
}

void OutputFile::open_temporary() {
  temporary_ = std::filesystem::path(target_).replace_filename(temporary_name());
  slot_ = add_unfinished(temporary_);
  if (slot_ < 0) throw FileError(name_ + ": too many unfinished output files, or too long a path");
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    const int error = errno;
    unfinished[slot_].state = UnfinishedFile::Free;
    fail("cannot be written beside (temporary file in its folder)", error);
  }
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (slot_ >= 0) {
    ::unlink(temporary_.c_str());
    unfinished[slot_].state = UnfinishedFile::Free;
  }
}

void OutputFile::fail(const std::string& what, int error) const {
  const std::string message = name_ + ": " + what + ": " + std::generic_category().message(error);
  if (error == EPIPE) throw ClosedPipe(message);
  throw FileError(message);
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferSize) flush();
  if (bytes.size() >= kBufferSize) {
    write_now(bytes);
  } else {
    buffer_.append(bytes);
  }
}

void OutputFile::flush() {
  write_now(buffer_);
  buffer_.clear();
}

void OutputFile::write_now(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // a pipe that does not block: wait until it takes more
      pollfd ready{fd_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fail("cannot be written", errno);
    }
  }
}

void OutputFile::finish() {
  if (fd_ < 0) return;
  flush();
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0 && errno != EINTR) fail("cannot be written", errno);
}

void OutputFile::commit() {
  finish();
  if (slot_ < 0) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place", errno);
  unfinished[slot_].state = UnfinishedFile::Free;
  slot_ = -1;
}

}  // namespace gpuhmm
