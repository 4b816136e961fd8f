// Reads profile files in blocks: cuts text files into pieces and parses these in parallel.
#include <algorithm>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>

#include "formats/profile/profile_kind.hpp"
#include "formats/profile/text_lines.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

// Bytes of text in a piece: a profile of a hundred nodes or more, which is worth starting a thread.
constexpr std::size_t kPieceSize = std::size_t{64} << 10;
// Bytes of text of a node, approximately.
constexpr double kNodeSize = 380;

// Whole records of a text file.
struct Piece {
  ByteQueue text;
  std::uint64_t lines_before = 0;
};

// Cuts a text file into pieces.
class Cutter {
 public:
  explicit Cutter(Input& input) : input_(input), lines_(input.lines_before()) {}

  // The next piece; an empty one at the end of the file.
  Piece next() {
    std::size_t end = 0;
    for (std::size_t searched = 0; (end = end_of_records(searched)) == 0; searched = buffer_.size()) {
      const std::size_t got = input_.read(buffer_.room(kPieceSize), kPieceSize);
      buffer_.added(got);
      if (buffer_.size() > TextLines::kLongestRecord) {
        throw FileError(input_.name() + ", line " + std::to_string(lines_ + 1) + ": no line // in the " +
                        std::to_string(TextLines::kLongestRecord) +
                        " bytes from here; expected the end of a profile");
      }
      if (got > 0) continue;
      end = buffer_.size();
      break;
    }
    Piece piece{{}, lines_};
    if (end == buffer_.size()) {  // as of a small file: no copy
      piece.text = std::exchange(buffer_, {});
    } else {
      buffer_.view().copy(piece.text.room(end), end);
      piece.text.added(end);
      buffer_.consume(end);
    }
    lines_ += static_cast<std::uint64_t>(std::ranges::count(piece.text.view(), '\n'));
    return piece;
  }

 private:
  // End of the first line `//` after half a piece; 0 if the buffer has less than a piece or no such line. The
  // first `searched` bytes of the buffer were searched before.
  std::size_t end_of_records(std::size_t searched) const {
    constexpr std::string_view kEnd = "\n//";
    const std::string_view text = buffer_.view();
    if (text.size() < kPieceSize) return 0;
    const std::size_t back = std::max(searched, kPieceSize) - kPieceSize / 2;  // longer than such a line
    const std::size_t at = text.find(kEnd, back);
    const std::size_t newline = at == std::string_view::npos ? at : text.find('\n', at + kEnd.size());
    return newline == std::string_view::npos ? 0 : newline + 1;
  }

  Input& input_;
  ByteQueue buffer_;
  std::uint64_t lines_;  // before the buffer
};

// The profiles of a piece up to its first error, and the error.
struct Parsed {
  std::vector<Profile> profiles;
  std::exception_ptr error;
};

Parsed parse(ProfileFileKind kind, OtherVersion other, const std::string& name, const Piece& piece) {
  Parsed parsed;
  try {
    Input input(name, piece.text.view(), piece.lines_before);
    const std::unique_ptr<RecordReader> reader =
        other == OtherVersion::Read ? make_either_text_reader(kind, input) : make_record_reader(kind, input);
    while (std::optional<Profile> profile = reader->next()) parsed.profiles.push_back(std::move(*profile));
  } catch (const FileError&) {
    parsed.error = std::current_exception();
  }
  return parsed;
}

}  // namespace

struct ProfileBlocks::State {
  virtual ~State() = default;
  virtual std::vector<Profile> next(double nodes) = 0;
  virtual std::optional<double> fraction_read() const = 0;
};

namespace {

struct FileBlocks : ProfileBlocks::State {
  FileBlocks(std::unique_ptr<Input> opened, unsigned thread_count, OtherVersion other_version)
      : owned(std::move(opened)),
        input(*owned),
        kind(find_kind(input)),
        threads(thread_count),
        other(other_version),
        cutter(input) {
    if (kind == ProfileFileKind::Hmmer2Binary) records = make_record_reader(kind, input);
  }

  std::vector<Profile> next(double nodes) override { return records ? next_binary(nodes) : next_text(nodes); }
  std::optional<double> fraction_read() const override { return input.fraction_read(); }

  std::vector<Profile> next_text(double nodes);
  std::vector<Profile> next_binary(double nodes);

  std::unique_ptr<Input> owned;
  Input& input;
  ProfileFileKind kind;
  unsigned threads;
  OtherVersion other;
  Cutter cutter;
  std::unique_ptr<RecordReader> records;  // of a binary file
  OneAlphabet alphabet;
};

std::vector<Profile> FileBlocks::next_text(double nodes) {
  std::vector<Piece> pieces;
  for (double missing = nodes * kNodeSize; pieces.empty() || missing > 0;) {
    Piece piece = cutter.next();
    if (piece.text.empty()) break;
    missing -= static_cast<double>(piece.text.size());
    pieces.push_back(std::move(piece));
  }
  std::vector<Parsed> parsed(pieces.size());
  parallel_for(threads, pieces.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) parsed[p] = parse(kind, other, input.name(), pieces[p]);
  });
  std::vector<Profile> profiles;
  for (Parsed& part : parsed) {
    for (const Profile& profile : part.profiles) alphabet.check(profile, input.name());
    if (part.error) std::rethrow_exception(part.error);
    std::ranges::move(part.profiles, std::back_inserter(profiles));
  }
  return profiles;
}

std::vector<Profile> FileBlocks::next_binary(double nodes) {
  std::vector<Profile> profiles;
  for (double missing = nodes; profiles.empty() || missing > 0;) {
    std::optional<Profile> profile = records->next();
    if (!profile) break;
    alphabet.check(*profile, input.name());
    missing -= profile->nodes;
    profiles.push_back(std::move(*profile));
  }
  return profiles;
}

struct KnownBlocks : ProfileBlocks::State {
  explicit KnownBlocks(std::shared_ptr<const std::vector<Profile>> all) : profiles(std::move(all)) {}

  std::vector<Profile> next(double nodes) override {
    std::vector<Profile> some;
    for (double missing = nodes; at < profiles->size() && (some.empty() || missing > 0); ++at) {
      some.push_back((*profiles)[at]);
      missing -= some.back().nodes;
    }
    return some;
  }
  std::optional<double> fraction_read() const override {
    return static_cast<double>(at) / static_cast<double>(std::max<std::size_t>(profiles->size(), 1));
  }

  std::shared_ptr<const std::vector<Profile>> profiles;
  std::size_t at = 0;
};

}  // namespace

ProfileBlocks::ProfileBlocks(const std::string& path, unsigned threads)
    : ProfileBlocks(std::make_unique<Input>(path), threads) {}
ProfileBlocks::ProfileBlocks(std::unique_ptr<Input> input, unsigned threads, OtherVersion other)
    : state_(std::make_unique<FileBlocks>(std::move(input), threads, other)) {}
ProfileBlocks::ProfileBlocks(std::shared_ptr<const std::vector<Profile>> profiles)
    : state_(std::make_unique<KnownBlocks>(std::move(profiles))) {}
ProfileBlocks::~ProfileBlocks() = default;
ProfileBlocks::ProfileBlocks(ProfileBlocks&&) noexcept = default;
ProfileBlocks& ProfileBlocks::operator=(ProfileBlocks&&) noexcept = default;

std::vector<Profile> ProfileBlocks::next(double nodes) { return state_->next(nodes); }

std::optional<double> ProfileBlocks::fraction_read() const { return state_->fraction_read(); }

}  // namespace gpuhmm
