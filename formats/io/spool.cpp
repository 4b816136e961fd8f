// A temporary file without a name, read and written through a C stream.
#include "formats/io/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "gpuhmm/output.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;

std::filesystem::path folder() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : path;
}

[[noreturn]] void fail(const char* what, int error) {
  throw FileError("temporary file in " + folder().string() + " " + what + ": " +
                  std::generic_category().message(error));
}

/// Opens a file without a name; -1 and errno on failure. On file systems without O_TMPFILE it opens a named
/// file and unlinks it.
int open_nameless(const std::filesystem::path& folder) {
  constexpr int kHow = O_RDWR | O_CLOEXEC | O_EXCL;
  const int nameless = ::open(folder.c_str(), O_TMPFILE | kHow, 0600);
  if (nameless >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return nameless;
  const std::string path = folder / temporary_name();
  const UnfinishedFile unfinished(path);
  const int fd = ::open(path.c_str(), O_CREAT | kHow, 0600);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}

}  // namespace

Spool::Spool() {
  const int fd = open_nameless(folder());
  if (fd < 0) fail("cannot be made", errno);
  file_.reset(::fdopen(fd, "w+b"));
  if (!file_) {
    const int error = errno;
    ::close(fd);
    fail("cannot be made", error);
  }
  std::setvbuf(file_.get(), nullptr, _IOFBF, kPiece);
}

void Spool::append(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    fail("cannot be written", errno);
  size_ += bytes.size();
}

void Spool::rewind() {
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail("cannot be written", errno);
}

std::size_t Spool::read(char* buffer, std::size_t size) {
  const std::size_t got = std::fread(buffer, 1, size, file_.get());
  if (got < size && std::ferror(file_.get()) != 0) fail("cannot be read", errno);
  return got;
}

void Spool::replay(const std::function<void(std::string_view)>& take) {
  rewind();
  std::vector<char> piece(kPiece);
  std::uint64_t left = size_;
  while (left > 0) {
    const std::size_t got = read(piece.data(), piece.size());
    if (got == 0) fail("cannot be read", EIO);
    take({piece.data(), got});
    left -= got;
  }
}

}  // namespace gpuhmm
