// Writes output files: into a temporary file that takes their name at the end, or straight to a descriptor.
#include "gpuhmm/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "formats/io/spool.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBufferSize = std::size_t{64} << 10;

/// The descriptor if `path` names one of this process. The caller duplicates it instead of opening the path,
/// which keeps the position and append mode set by the shell.
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

/// The path that symbolic links lead to; no file need exist there.
std::filesystem::path followed(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as in Linux
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code no_link;
    const std::filesystem::path target = std::filesystem::read_symlink(path, no_link);
    if (no_link) break;
    path = path.parent_path() / target;
  }
  return path;
}

/// Whether another file can take the place of an existing one: its folder may forbid it (read-only, or
/// others' files in one with the sticky bit), and a file that is mounted by itself (in a container) stays in
/// its place.
bool can_be_replaced(const std::filesystem::path& file, const struct stat& status) {
  const std::filesystem::path folder = file.parent_path();
  struct stat holder {};
  if (::access(folder.c_str(), W_OK | X_OK) != 0 || ::stat(folder.c_str(), &holder) != 0) return false;
  const uid_t user = ::geteuid();
  if ((holder.st_mode & S_ISVTX) != 0 && user != 0 && user != holder.st_uid && user != status.st_uid)
    return false;
  struct statx more {};
  return ::statx(AT_FDCWD, file.c_str(), 0, 0, &more) != 0 ||
         (more.stx_attributes & STATX_ATTR_MOUNT_ROOT) == 0;
}

}  // namespace

std::string written_file(const std::string& path, std::error_code& error) {
  const std::filesystem::path given(path);
  if (std::filesystem::exists(given, error)) return std::filesystem::canonical(given, error);
  const std::filesystem::path file = followed(given);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  return std::filesystem::canonical(folder, error) / file.filename();
}

OutputFile::OutputFile(const std::string& path, Unreplaceable unreplaceable)
    : name_(path == "-" ? "standard output" : path) {
  buffer_.reserve(kBufferSize);
  if (path.empty())
    throw FileError("the name of an output file is empty; expected a file, or - for standard output");
  if (const std::optional<int> descriptor = descriptor_of(path)) {
    if (was_closed_at_start(*descriptor)) fail("cannot be opened for writing", EBADF);
    fd_ = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
    if (fd_ < 0) fail("cannot be opened for writing", errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail("cannot be opened for writing", errno);
  if (exists && S_ISDIR(status.st_mode)) throw FileError(name_ + ": is a directory; expected a file");
  if (exists && !S_ISREG(status.st_mode)) {
    do {
      fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) fail("cannot be opened for writing", errno);
    return;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) fail("cannot be opened for writing", errno);
  if (!exists && path.back() == '/') fail("cannot be opened for writing", ENOENT);
  std::error_code error;
  target_ = written_file(path, error);
  if (error) fail("cannot be opened for writing", error.value());
  if (exists && unreplaceable == Unreplaceable::Overwritten && !can_be_replaced(target_, status)) {
    spool_ = std::make_unique<Spool>();
    return;
  }
  open_temporary();
  if (exists) {
    const bool owner_kept = ::fchown(fd_, status.st_uid, status.st_gid) == 0;
    ::fchmod(fd_, status.st_mode & (owner_kept ? 07777U : 0777U));
  }
}

OutputFile::OutputFile(std::string name, std::string& memory) : name_(std::move(name)), memory_(&memory) {}

void OutputFile::open_temporary() {
  temporary_ = std::filesystem::path(target_).replace_filename(temporary_name());
  unfinished_ = UnfinishedFile(temporary_);
  fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    const int error = errno;
    unfinished_.forget();
    fail("cannot be written beside (temporary file in its folder)", error);
  }
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (unfinished_) ::unlink(temporary_.c_str());
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
  if (memory_ != nullptr) {
    memory_->append(bytes);
    return;
  }
  if (spool_) {
    spool_->append(bytes);
    return;
  }
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // a full non-blocking pipe: wait
      pollfd ready{fd_, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fail("cannot be written", errno);
    }
  }
}

void OutputFile::finish() {
  if (memory_ != nullptr || spool_) flush();
  if (fd_ < 0) return;
  flush();
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) != 0 && errno != EINTR) fail("cannot be written", errno);
}

void OutputFile::commit() {
  finish();
  if (spool_) overwrite();
  if (!unfinished_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place", errno);
  unfinished_.forget();
}

void OutputFile::overwrite() {
  const std::unique_ptr<Spool> spool = std::exchange(spool_, nullptr);
  fd_ = ::open(target_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (fd_ < 0) fail("cannot be opened for writing", errno);
  spool->replay([this](std::string_view bytes) { write_now(bytes); });
  finish();
}

}  // namespace gpuhmm
