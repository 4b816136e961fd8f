// Reads plain files with read(2) and gzip files, which may have several members, with zlib.
#include "gpuhmm/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "util/large_bytes.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kRawBlock = std::size_t{256} << 10;
/// What is read at first: of a small file everything, of a file whose start alone is of interest not much.
constexpr std::size_t kFirstBlock = std::size_t{4} << 10;
constexpr std::size_t kLineBlock = std::size_t{64} << 10;
constexpr unsigned char kGzipMagic[] = {0x1f, 0x8b};

std::string system_message(int error) { return std::generic_category().message(error); }

/// Moves up to `size` bytes from the front of `queue` to `buffer`; returns their number.
std::size_t take(ByteQueue& queue, char* buffer, std::size_t size) {
  const std::size_t n = std::min(size, queue.size());
  std::memcpy(buffer, queue.view().data(), n);
  queue.consume(n);
  return n;
}

}  // namespace

void ByteQueue::grow(std::size_t capacity) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (capacity >= kLarge) prefer_huge_pages(larger.get(), capacity);
  if (end_ > 0) std::memcpy(larger.get(), bytes_.get(), end_);
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

/// What the inputs of open_twice read: a file, and for each of them bytes that only the other one has read.
struct Input::Shared {
  explicit Shared(const std::string& path) : source(path) {}

  Input source;
  std::array<ByteQueue, 2> waiting;
  std::array<bool, 2> in_use{true, true};

  std::size_t read(std::size_t side, char* buffer, std::size_t size) {
    if (!waiting[side].empty()) return take(waiting[side], buffer, size);
    const std::size_t got = source.read(buffer, size), other = 1 - side;
    if (got > 0 && in_use[other]) {
      std::memcpy(waiting[other].room(got), buffer, got);
      waiting[other].added(got);
    }
    return got;
  }
};

struct Input::State {
  std::string name;
  int fd = -1;
  bool owned = false;           // fd is closed at the end (standard input is not)
  std::uint64_t file_size = 0;  // of a regular file opened by its path, in bytes; 0 for others
  bool compressed = false;
  std::string_view memory;         // unread bytes, if there is no file
  std::shared_ptr<Shared> shared;  // what is read instead of a file, if this is one of two
  std::size_t side = 0;
  std::unique_ptr<Input> source;  // what is filtered, if this does not read a file itself
  Filter filter;
  std::uint64_t lines_before = 0;

  ByteQueue raw;                // bytes as in the file
  std::uint64_t raw_total = 0;  // bytes read from the file so far

  ByteQueue peeked;  // decompressed bytes handed out by peek and not yet consumed

  z_stream stream{};
  bool stream_ready = false;
  bool in_member = false;
  gz_header header{};
  std::array<unsigned char, 64> extra{};  // the member's extra field, which marks BGZF
  bool bgzf = false;                      // the last member read is a BGZF block
  bool member_empty = true;               // the current member has no data, as BGZF's end-of-file block

  ~State() {
    if (stream_ready) inflateEnd(&stream);
    if (owned) ::close(fd);
    if (shared) {
      shared->in_use[side] = false;
      shared->waiting[side] = {};
    }
  }

  [[noreturn]] void fail(const std::string& message) const { throw FileError(name + ": " + message); }

  void open(const std::string& path, std::uint64_t offset);
  std::size_t read_file(char* buffer, std::size_t size);
  bool fill_raw();
  bool at_gzip_magic();
  bool begin_member();
  void end_member();
  std::size_t read_gzip(char* buffer, std::size_t size);
  std::size_t read_plain(char* buffer, std::size_t size);
};

void Input::State::open(const std::string& path, std::uint64_t offset) {
  const bool standard_input = path == "-";
  name = standard_input ? "standard input" : path;
  if (standard_input) {
    fd = STDIN_FILENO;
  } else {
    do {
      fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) fail("cannot be opened: " + system_message(errno));
    owned = true;
  }
  struct stat status {};
  if (::fstat(fd, &status) != 0) fail("cannot be read: " + system_message(errno));
  if (S_ISDIR(status.st_mode)) fail("is a directory; expected a file");
  if (S_ISREG(status.st_mode) && !standard_input) {
    file_size = static_cast<std::uint64_t>(status.st_size);
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  if (offset > 0) {
    if (file_size == 0 || ::lseek(fd, static_cast<off_t>(offset), SEEK_SET) < 0) {
      fail("cannot be read from byte " + std::to_string(offset) + " on: expected a regular file");
    }
    raw_total = offset;
  }
  compressed = at_gzip_magic();
  if (compressed) {
    // 16: accept only gzip headers.
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) fail("cannot be decompressed: zlib does not start");
    stream_ready = true;
  }
}

/// One read(2), repeated if a signal interrupts it.
std::size_t Input::State::read_file(char* buffer, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(fd, buffer, size);
    if (got >= 0) {
      raw_total += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) fail("cannot be read: " + system_message(errno));
  }
}

/// Appends bytes of the file to `raw`; false at the end of the file.
bool Input::State::fill_raw() {
  const std::size_t block = raw_total == 0 ? kFirstBlock : kRawBlock;
  const std::size_t got = read_file(raw.room(block), block);
  raw.added(got);
  return got > 0;
}

bool Input::State::at_gzip_magic() {
  while (raw.size() < sizeof kGzipMagic) {
    if (!fill_raw()) return false;
  }
  return std::memcmp(raw.view().data(), kGzipMagic, sizeof kGzipMagic) == 0;
}

/// Begins the next gzip member; false at the end of the file.
bool Input::State::begin_member() {
  if (!at_gzip_magic()) {
    if (!raw.empty()) fail("has other bytes after its gzip data (damaged file?)");
    if (bgzf && !member_empty) fail("truncated: BGZF data without the empty block that ends it");
    return false;
  }
  inflateReset(&stream);
  header = {};
  header.extra = extra.data();
  header.extra_max = static_cast<uInt>(extra.size());
  inflateGetHeader(&stream, &header);
  in_member = true;
  member_empty = true;
  return true;
}

void Input::State::end_member() {
  in_member = false;
  bgzf = header.extra != nullptr && header.extra_len >= 6 && extra[0] == 'B' && extra[1] == 'C';
}

std::size_t Input::State::read_gzip(char* buffer, std::size_t size) {
  const std::size_t wanted = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
  stream.next_out = reinterpret_cast<Bytef*>(buffer);
  stream.avail_out = static_cast<uInt>(wanted);
  while (stream.avail_out == wanted) {
    if (!in_member && !begin_member()) return 0;
    if (raw.empty() && !fill_raw()) fail("truncated: the gzip data stop in the middle");
    const std::string_view compressed_bytes = raw.view();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed_bytes.data()));
    stream.avail_in = static_cast<uInt>(compressed_bytes.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    raw.consume(compressed_bytes.size() - stream.avail_in);
    if (stream.total_out > 0) member_empty = false;
    if (status == Z_STREAM_END) {
      end_member();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      const std::string reason = stream.msg != nullptr ? stream.msg : "zlib error " + std::to_string(status);
      fail("damaged gzip data near byte " + std::to_string(raw_total - stream.avail_in) + ": " + reason);
    }
  }
  return wanted - stream.avail_out;
}

std::size_t Input::State::read_plain(char* buffer, std::size_t size) {
  if (shared) return shared->read(side, buffer, size);
  if (source) return filter(*source, buffer, size);
  if (fd < 0) {
    const std::size_t n = memory.copy(buffer, size);
    memory.remove_prefix(n);
    return n;
  }
  return raw.empty() ? read_file(buffer, size) : take(raw, buffer, size);
}

Input::Input(const std::string& path, std::uint64_t offset) : state_(std::make_unique<State>()) {
  state_->open(path, offset);
}
Input::Input(std::string name, std::string_view part, std::uint64_t lines_before)
    : state_(std::make_unique<State>()) {
  state_->name = std::move(name);
  state_->memory = part;
  state_->lines_before = lines_before;
}
Input::Input(std::unique_ptr<Input> source, Filter filter) : state_(std::make_unique<State>()) {
  state_->name = source->name();
  state_->lines_before = source->lines_before();
  state_->source = std::move(source);
  state_->filter = std::move(filter);
}
Input::Input(std::shared_ptr<Shared> shared, std::size_t side) : state_(std::make_unique<State>()) {
  state_->name = shared->source.name();
  state_->shared = std::move(shared);
  state_->side = side;
}
Input::~Input() = default;

std::pair<std::unique_ptr<Input>, std::unique_ptr<Input>> open_twice(const std::string& path) {
  const auto shared = std::make_shared<Input::Shared>(path);
  return {std::unique_ptr<Input>(new Input(shared, 0)), std::unique_ptr<Input>(new Input(shared, 1))};
}

const std::string& Input::name() const { return state_->name; }

std::optional<double> Input::fraction_read() const {
  if (state_->source) return state_->source->fraction_read();
  if (state_->file_size == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(state_->raw_total) / static_cast<double>(state_->file_size));
}

std::optional<std::uint64_t> Input::bytes_left() const {
  const State& s = *state_;
  if (!seekable()) return std::nullopt;
  return s.file_size - std::min(s.file_size, s.raw_total) + s.raw.size() + s.peeked.size();
}

std::uint64_t Input::lines_before() const { return state_->lines_before; }

std::uint64_t Input::file_size() const { return state_->file_size; }
bool Input::seekable() const { return state_->file_size > 0 && !state_->compressed; }
bool Input::compressed() const { return state_->compressed; }

std::size_t Input::read(char* buffer, std::size_t size) {
  State& s = *state_;
  if (size == 0) return 0;
  if (!s.peeked.empty()) return take(s.peeked, buffer, size);
  return s.compressed ? s.read_gzip(buffer, size) : s.read_plain(buffer, size);
}

std::string_view Input::peek(std::size_t size) {
  State& s = *state_;
  while (s.peeked.size() < size) {
    const std::size_t missing = size - s.peeked.size();
    char* const space = s.peeked.room(missing);
    const std::size_t got = s.compressed ? s.read_gzip(space, missing) : s.read_plain(space, missing);
    if (got == 0) break;
    s.peeked.added(got);
  }
  return s.peeked.view().substr(0, size);
}

void Input::put_back(std::string_view bytes, std::uint64_t lines_before) {
  ByteQueue all;
  for (const std::string_view part : {bytes, state_->peeked.view()}) {
    part.copy(all.room(part.size()), part.size());
    all.added(part.size());
  }
  state_->peeked = std::move(all);
  state_->lines_before = lines_before;
}

std::string read_whole(const std::string& path, std::size_t most) {
  Input input(path);
  std::string content;
  std::array<char, std::size_t{64} << 10> buffer;
  while (const std::size_t got = input.read(buffer.data(), buffer.size())) {
    if (got > most - content.size()) {
      throw FileError(input.name() + ": longer than " + std::to_string(most) +
                      " bytes; expected a smaller file");
    }
    content.append(buffer.data(), got);
  }
  return content;
}

void LineReader::leave_last() {
  before_ += taken_;
  buffer_.consume(std::exchange(taken_, 0));
}

void LineReader::fail_too_long() const {
  throw FileError(name() + ": line " + std::to_string(number_ + 1) + ": longer than " +
                  std::to_string(longest_) + " bytes, the most allowed");
}

bool LineReader::next(std::string_view& line) {
  leave_last();
  std::size_t searched = 0;
  for (;;) {
    const std::string_view rest = buffer_.view();
    const std::size_t newline = rest.find('\n', searched);
    if (newline != std::string_view::npos) {
      line = rest.substr(0, newline);
      taken_ = newline + 1;
      break;
    }
    searched = rest.size();
    if (searched > longest_) fail_too_long();
    if (!fill()) {
      if (buffer_.empty()) return false;
      line = buffer_.view();
      taken_ = line.size();
      break;
    }
  }
  if (line.size() > longest_) fail_too_long();
  line_start_ = line_ended_ = true;
  ++number_;
  return true;
}

void LineReader::put_back_line() {
  if (taken_ == 0) return;
  input_.put_back(buffer_.view(), number_ - 1);
  buffer_.consume(buffer_.size());
  taken_ = 0;
}

bool LineReader::next_piece(std::string_view& piece, std::size_t most) {
  leave_last();
  if (buffer_.empty() && !fill()) return false;
  piece = buffer_.view().substr(0, most);
  const std::size_t newline = piece.find('\n');
  line_start_ = std::exchange(line_ended_, newline != std::string_view::npos);
  if (line_start_) ++number_;
  piece = piece.substr(0, newline);
  taken_ = piece.size() + (line_ended_ ? 1 : 0);
  return true;
}

/// Appends bytes to the unfinished line, at least as many as it has, so that a long line is copied only a few
/// times.
bool LineReader::fill() {
  const std::size_t wanted = std::max(kLineBlock, buffer_.size());
  const std::size_t got = input_.read(buffer_.room(wanted), wanted);
  buffer_.added(got);
  return got > 0;
}

}  // namespace gpuhmm
