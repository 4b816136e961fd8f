// An unlinked file behind a C stream; see the header.
#include "formats/database/spool.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

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

}  // namespace

Spool::Spool() {
  std::string path = (folder() / "gpuhmm-XXXXXX").string();
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) fail("cannot be made", errno);
  ::unlink(path.c_str());
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

void Spool::replay(const std::function<void(std::string_view)>& take) {
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail("cannot be written", errno);
  std::vector<char> piece(kPiece);
  for (std::uint64_t left = size_; left > 0;) {
    const std::size_t wanted = left < piece.size() ? static_cast<std::size_t>(left) : piece.size();
    if (std::fread(piece.data(), 1, wanted, file_.get()) != wanted) fail("cannot be read", errno);
    take({piece.data(), wanted});
    left -= wanted;
  }
}

}  // namespace gpuhmm
