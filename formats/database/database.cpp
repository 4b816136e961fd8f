// Maps and checks a prepared database.
#include "gpuhmm/database.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/iostreams/device/mapped_file.hpp>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "formats/database/database_layout.hpp"
#include "formats/database/hmmer3_recorder.hpp"
#include "formats/io/checksum.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

using namespace database_layout;

namespace {

constexpr std::size_t kCheckedPiece = std::size_t{4} << 20;
constexpr std::array<const char*, kSectionCount> kSectionNames = {
    "residues",        "names and descriptions", "name offsets",        "residue offsets", "length order",
    "HMMER3 residues", "HMMER3 names",           "HMMER3 name offsets", "HMMER3 end"};

/// True if the numbers never decrease and the last one is `total`; without numbers, `total` must be 0.
bool are_ends(std::span<const std::uint64_t> ends, std::uint64_t total) {
  return std::is_sorted(ends.begin(), ends.end()) && (ends.empty() ? 0 : ends.back()) == total;
}

}  // namespace

struct Database::File {
  std::string name;
  boost::iostreams::mapped_file_source bytes;
};

/// The steps of opening; each throws FileError.
class Database::Opening {
 public:
  explicit Opening(Database& database) : database_(database) {}

  void map();
  void read_header();
  void read_trailer();
  void check_sections(unsigned threads) const;
  void place_sections();
  void check_offsets() const;
  void place_hmmer3();

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(database_.file_->name + ": " + message);
  }
  [[noreturn]] void fail_damaged(const std::string& what) const {
    fail("damaged prepared database: " + what + "; make it again with makedb");
  }
  std::string_view bytes() const {
    const auto& mapped = database_.file_->bytes;
    return {mapped.data(), mapped.size()};
  }
  std::string_view section(Section which) const {
    return bytes().substr(trailer_.sections[which].offset, trailer_.sections[which].size);
  }
  template <class T>
  std::span<const T> items(Section which) const {
    const std::string_view found = section(which);
    return {reinterpret_cast<const T*>(found.data()), found.size() / sizeof(T)};
  }

  Database& database_;
  Header header_{};
  Trailer trailer_{};
};

void Database::Opening::map() {
  const std::string& name = database_.file_->name;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(name, error);
  if (error) fail("cannot be opened: " + error.message());
  if (size < sizeof(Header)) fail("not a prepared database: too short");
  try {
    database_.file_->bytes.open(name);
  } catch (const std::ios_base::failure& failure) {
    fail(std::string("cannot be mapped into memory: ") + failure.what());
  }
}

void Database::Opening::read_header() {
  std::memcpy(&header_, bytes().data(), sizeof header_);
  if (!std::equal(kMagic.begin(), kMagic.begin() + kKindBytes, header_.magic.begin())) {
    fail("not a prepared database");
  }
  if (header_.magic != kMagic) fail_damaged("its line ends were changed by a transfer as text");
  if (header_.byte_order == __builtin_bswap32(kByteOrderMark)) {
    fail("a prepared database made on a machine of the other byte order; make it again with makedb");
  }
  if (header_.byte_order != kByteOrderMark) fail_damaged("its header is wrong");
  if (header_.version != kVersion && header_.version != kVersionWithoutHmmer3) {
    fail("a prepared database of version " + std::to_string(header_.version) + "; expected version " +
         std::to_string(kVersion) + "; make it again with makedb");
  }
}

void Database::Opening::read_trailer() {
  const std::uint64_t size = bytes().size();
  const std::size_t stored = trailer_size(header_.version),
                    last_numbers = sizeof(Trailer) - offsetof(Trailer, zero_too);
  if (size < kAlignment + stored) fail_damaged("truncated");
  const std::uint64_t begin = size - stored;
  const std::string_view found = bytes().substr(begin),
                         checked = found.substr(0, stored - sizeof trailer_.checksum);
  std::memcpy(&trailer_, found.data(), stored - last_numbers);
  std::memcpy(&trailer_.zero_too, found.data() + stored - last_numbers, last_numbers);
  if (trailer_.checksum != extend_checksum(extend_checksum(0, bytes_of(header_)), checked)) {
    fail_damaged("truncated, or its section table is wrong");
  }
  const std::uint64_t n = trailer_.sequences;
  bool valid =
      trailer_.file_size == size && begin % kAlignment == 0 && trailer_.alphabet <= 1 && n > 0 && n <= size;
  for (const SectionEntry& entry : trailer_.sections) {  // those that the file lacks are 0
    valid = valid && entry.offset % kAlignment == 0 && entry.offset <= begin &&
            entry.size <= begin - entry.offset;
  }
  valid = valid && trailer_.sections[kResidues].size == trailer_.residues &&
          trailer_.sections[kTextEnds].size == 3 * n * sizeof(std::uint64_t) &&
          trailer_.sections[kResidueEnds].size == n * sizeof(std::uint64_t) &&
          trailer_.sections[kLongestFirst].size == n * sizeof(std::uint64_t) &&
          trailer_.sections[kHmmer3Residues].size % sizeof(std::uint64_t) == 0 &&
          trailer_.sections[kHmmer3TextEntries].size % (2 * sizeof(std::uint64_t)) == 0;
  if (!valid) fail_damaged("its section table is wrong");
}

/// Checks the bytes of all sections in pieces, so that several threads can share a long section.
void Database::Opening::check_sections(unsigned threads) const {
  struct Piece {
    Section section;
    std::string_view bytes;
    std::uint32_t checksum;
  };
  std::vector<Piece> pieces;
  for (std::size_t s = 0; s < kSectionCount; ++s) {
    const auto which = static_cast<Section>(s);
    for (std::string_view rest = section(which); !rest.empty();) {
      pieces.push_back({which, rest.substr(0, kCheckedPiece), 0});
      rest.remove_prefix(pieces.back().bytes.size());
    }
  }
  const int codes = Alphabet::get(static_cast<AlphabetKind>(trailer_.alphabet)).code_count();
  parallel_for(threads, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) {
      Piece& piece = pieces[p];
      piece.checksum = extend_checksum(0, piece.bytes);
      if (piece.section != kResidues) continue;
      std::uint8_t highest = 0;
      for (const char code : piece.bytes) highest = std::max(highest, static_cast<std::uint8_t>(code));
      if (highest >= codes) fail_damaged("a residue code that is not in its alphabet");
    }
  });
  std::array<std::uint32_t, kSectionCount> found{};
  for (const Piece& piece : pieces) {
    found[piece.section] = join_checksums(found[piece.section], piece.checksum, piece.bytes.size());
  }
  for (std::size_t s = 0; s < kSectionCount; ++s) {
    if (found[s] != trailer_.sections[s].checksum) {
      fail_damaged(std::string("the checksum of its ") + kSectionNames[s] + " is wrong");
    }
  }
}

void Database::Opening::place_sections() {
  database_.alphabet_ = static_cast<AlphabetKind>(trailer_.alphabet);
  database_.residues_ = items<std::uint8_t>(kResidues);
  database_.text_ = items<char>(kText);
  database_.text_ends_ = items<std::uint64_t>(kTextEnds);
  database_.residue_ends_ = items<std::uint64_t>(kResidueEnds);
  database_.longest_first_ = items<std::uint64_t>(kLongestFirst);
}

void Database::Opening::check_offsets() const {
  const Database& d = database_;
  if (!are_ends(d.residue_ends_, d.residues_.size())) fail_damaged("its residue offsets are wrong");
  if (!are_ends(d.text_ends_, d.text_.size())) fail_damaged("its name offsets are wrong");
  // Strictly ordered indices are distinct, so d.size() of them in range are all indices.
  const auto& order = d.longest_first_;
  const auto in_range = [&](std::uint64_t i) { return i < d.size(); };
  const auto out_of_order = [&](std::uint64_t a, std::uint64_t b) {
    return d.length(a) != d.length(b) ? d.length(a) < d.length(b) : a >= b;
  };
  if (!std::all_of(order.begin(), order.end(), in_range) ||
      std::adjacent_find(order.begin(), order.end(), out_of_order) != order.end() ||
      d.longest() != trailer_.longest) {
    fail_damaged("its length order is wrong");
  }
}

/// Checks and places what HMMER3 reads otherwise.
void Database::Opening::place_hmmer3() {
  if (header_.version == kVersionWithoutHmmer3) return;
  Hmmer3Differences found{items<std::uint64_t>(kHmmer3Residues),
                          section(kHmmer3Text),
                          items<std::uint64_t>(kHmmer3TextEntries),
                          trailer_.sequences,
                          {},
                          {}};
  const Alphabet& alphabet = recorded_alphabet(database_.alphabet_);
  std::uint64_t next = 0;
  for (const std::uint64_t entry : found.residues) {
    const std::uint64_t index = entry & ((std::uint64_t{1} << kIndexBits) - 1);
    if (index < next || index >= trailer_.residues ||
        alphabet.code(static_cast<char>(entry >> kIndexBits)) == Alphabet::kIllegal) {
      fail_damaged("its residues for HMMER3 are wrong");
    }
    next = index + 1;
  }
  next = 0;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < found.text_entries.size(); i += 2) {
    const std::uint64_t field = found.text_entries[i], text_end = found.text_entries[i + 1];
    if (field < next || field >= 3 * trailer_.sequences || text_end < end)
      fail_damaged("its names for HMMER3 are wrong");
    next = field + 1;
    end = text_end;
  }
  if (end != found.text.size()) fail_damaged("its names for HMMER3 are wrong");
  if (const std::string_view failure = section(kHmmer3End); !failure.empty()) {
    const std::string_view message = failure.substr(std::min(failure.size(), sizeof found.sequences));
    const std::size_t length = message.find('\0');
    if (length == std::string_view::npos || length == 0) fail_damaged("its end for HMMER3 is wrong");
    std::memcpy(&found.sequences, failure.data(), sizeof found.sequences);
    if (found.sequences > trailer_.sequences) fail_damaged("its end for HMMER3 is wrong");
    found.failure = message.substr(0, length);
    found.hmmer3_line = message.substr(length + 1);
  }
  database_.hmmer3_ = found;
}

bool is_database(const std::string& path) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, kKindBytes> head{};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // a stream would take a small job more time
  if (file < 0) return false;
  const bool whole = ::read(file, head.data(), head.size()) == static_cast<ssize_t>(head.size());
  ::close(file);
  return whole && std::equal(head.begin(), head.end(), kMagic.begin());
}

Database::Database(const std::string& path, unsigned threads) : file_(std::make_unique<File>()) {
  file_->name = path;
  Opening opening(*this);
  opening.map();
  opening.read_header();
  opening.read_trailer();
  opening.check_sections(threads);
  opening.place_sections();
  opening.check_offsets();
  opening.place_hmmer3();
}

Database::~Database() = default;

const std::string& Database::name() const { return file_->name; }

SequenceView Database::operator[](std::size_t i) const {
  const std::string_view text(text_.data(), text_.size());
  const auto field = [&](std::size_t number) {
    const std::uint64_t begin = number == 0 ? 0 : text_ends_[number - 1];
    return text.substr(begin, text_ends_[number] - begin);
  };
  return {field(3 * i), field(3 * i + 1), field(3 * i + 2), residues_.subspan(residues_before(i), length(i))};
}

}  // namespace gpuhmm
