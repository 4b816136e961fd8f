// Parts read back are what was written, to the last bit; damage is noticed wherever it is.
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "formats/io/temporary_folder.hpp"
#include "formats/parts/extreme_records.hpp"
#include "formats/parts/frame.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm {
namespace {

using parts::test::described;
using parts::test::filled;
using test::TemporaryFolder;

constexpr std::size_t kKinds = 40;  // starting points of the extreme values

PartHeader small_header() {
  PartHeader header;
  header.run = {"0.2.0", ReportKind::Scan, {"--evalue=1"}, {"p.hmm", 1, 2}, {"s.fasta", 3, 4}};
  header.number = 2;
  header.count = 3;
  header.records = {5, 9};
  return header;
}

struct WrittenPart {
  std::string bytes;
  std::vector<std::size_t> ends;  // of header, records and end
};

WrittenPart small_part() {
  WrittenPart part;
  PartWriter writer(
      [&](std::string_view piece) {
        part.bytes += piece;
        part.ends.push_back(part.bytes.size());
      },
      small_header());
  Hmmer3Record record;
  record.query.name = "query";
  record.result.hits.resize(2);
  writer.add({0, 0}, packed(record));
  writer.add({0, 1}, packed(ScanRecord{"name", "", "of nothing", 10, {}, {}, 3, 3}));
  writer.add({1, 0}, packed(record));
  writer.end(2);
  return part;
}

// What a reader gives, or the text of its error.
struct ReadPart {
  std::vector<std::string> records;
  std::optional<std::string> error;
};

ReadPart read_part(const std::string& bytes) {
  ReadPart found;
  try {
    PartReader reader("part", bytes);
    found.records.push_back(described(reader.header()));
    while (const std::optional<PartRecord> record = reader.next()) {
      found.records.push_back(described(record->content) + std::to_string(record->place.section) + "/" +
                              std::to_string(record->place.index));
    }
  } catch (const FileError& error) {
    found.error = error.what();
  }
  return found;
}

// Becomes any member of a structure.
struct Anything {
  template <class T>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return T();
  }
};

// The number of members of an aggregate.
template <class T, class... Members>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return member_count<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

struct Counter {
  std::size_t count = 0;
  void operator()(const auto&... members) { count += sizeof...(members); }
};

template <class... T>
void expect_all_members_stored() {
  const auto expect = []<class One>(const One& one) {
    Counter counter;
    parts::fields(counter, one);
    EXPECT_EQ(counter.count, member_count<One>()) << typeid(One).name();
  };
  (expect(T{}), ...);
}

TEST(Part, StoresEveryMember) {
  expect_all_members_stored<DomainAlignment, DomainHit, SequenceHit, RegisteredHits, Thresholds, ExtremeValue,
                            ScanRecord, SearchRecord, hmmer3::AlignmentRows, hmmer3::Domain, hmmer3::Hit,
                            hmmer3::Counters, hmmer3::QueryResult, hmmer3::Query, hmmer3::QueryTimes,
                            Hmmer3Record, RecordRange, InputIdentity, RunIdentity, PartHeader>();
}

TEST(Part, GivesBackEveryMember) {
  for (std::size_t number = 0; number < kKinds; ++number) {
    const PartContent contents[] = {filled<SearchRecord>(number), filled<ScanRecord>(number),
                                    filled<Hmmer3Record>(number)};
    const auto header = filled<PartHeader>(number);
    std::string bytes;
    PartWriter writer([&](std::string_view piece) { bytes += piece; }, header);
    std::uint64_t index = std::uint64_t{1} << 60;
    for (const PartContent& content : contents) writer.add({number, index++}, packed(content));
    writer.end(number + 1);

    PartReader reader("part", bytes);
    EXPECT_EQ(described(reader.header()), described(header));
    for (const PartContent& content : contents) {
      const std::optional<PartRecord> record = reader.next();
      ASSERT_TRUE(record);
      EXPECT_EQ(record->place.section, number);
      EXPECT_EQ(described(record->content), described(content)) << "from " << number;
    }
    EXPECT_FALSE(reader.next());
    EXPECT_EQ(reader.sections(), number + 1);
    EXPECT_FALSE(reader.next());
  }
}

TEST(Part, ContinuesWhereAnotherWriterEnded) {
  const WrittenPart whole = small_part();
  std::string bytes = whole.bytes.substr(0, whole.ends[1]);
  PartWriter writer([&](std::string_view piece) { bytes += piece; });
  PartReader reader("part", whole.bytes);
  reader.next();
  while (const std::optional<PartRecord> record = reader.next())
    writer.add(record->place, packed(record->content));
  writer.end(reader.sections());
  EXPECT_EQ(bytes, whole.bytes);
}

TEST(Part, EachDamagedByteIsNoticed) {
  const std::string whole = small_part().bytes;
  ASSERT_FALSE(read_part(whole).error);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      const ReadPart found = read_part(bytes);
      ASSERT_TRUE(found.error) << "byte " << at << " changed by " << change;
      EXPECT_EQ(found.error->rfind("part: ", 0), 0U) << *found.error;
    }
  }
}

TEST(Part, EachCutAndAnyMoreBytesAreNoticed) {
  const std::string whole = small_part().bytes;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(read_part(whole.substr(0, size)).error) << size << " bytes";
  }
  EXPECT_TRUE(read_part(whole + '\0').error);
  EXPECT_TRUE(read_part(whole + whole).error);
}

TEST(Part, ContentThatIsNoRecordIsNoticed) {
  const auto header = [](std::string_view content) {
    return std::string(parts::kMagic) +
           parts::frame_bytes(parts::FrameKind::Header, {}, parts::deflated(content));
  };
  EXPECT_TRUE(read_part(header("no CBOR")).error);
  EXPECT_TRUE(read_part(header("\x80")).error);  // an empty array
  std::string bytes;
  PartWriter writer([&](std::string_view piece) { bytes += piece; }, small_header());
  writer.add({}, parts::deflated("\x82\x02\x80"));
  EXPECT_TRUE(read_part(bytes).error);
  EXPECT_TRUE(read_part(bytes.substr(0, small_part().ends[0]) + bytes.substr(parts::kMagic.size())).error);
}

TEST(PartState, TellsHowFarEachBeginningGoes) {
  const TemporaryFolder folder;
  const WrittenPart part = small_part();
  const QueryPlace places[] = {{0, 0}, {0, 1}, {1, 0}};
  for (std::size_t size = 0; size <= part.bytes.size(); ++size) {
    SCOPED_TRACE(size);
    const std::optional<PartState> state = part_state(folder.write("part", part.bytes.substr(0, size)));
    ASSERT_EQ(state.has_value(), size >= part.ends[0]);
    if (!state) continue;
    std::size_t frames = 0;
    while (frames < part.ends.size() && part.ends[frames] <= size) ++frames;
    EXPECT_EQ(described(state->header), described(small_header()));
    EXPECT_EQ(state->bytes, part.ends[frames - 1]);
    EXPECT_EQ(state->records, std::min<std::size_t>(frames - 1, 3));
    EXPECT_EQ(state->complete, frames == part.ends.size());
    ASSERT_EQ(state->last.has_value(), state->records > 0);
    EXPECT_TRUE(!state->last || *state->last == places[state->records - 1]);
  }
}

TEST(PartState, EndsBeforeDamage) {
  const TemporaryFolder folder;
  const WrittenPart part = small_part();
  for (std::size_t at = part.ends[0]; at < part.bytes.size(); ++at) {
    std::string bytes = part.bytes;
    bytes[at] = static_cast<char>(~bytes[at]);
    const std::optional<PartState> state = part_state(folder.write("part", bytes));
    ASSERT_TRUE(state) << at;
    EXPECT_FALSE(state->complete) << at;
    EXPECT_LE(state->bytes, at);
  }
  EXPECT_THROW(part_state(folder.write("other", ">a\nACDEFGHIKLMNPQ\n")), FileError);
  EXPECT_THROW(part_state("/nonexistent/part"), FileError);
}

TEST(RunIdentity, SaysWhatDiffers) {
  const RunIdentity one = small_header().run;
  EXPECT_EQ(difference(one, one), "");
  const auto changed = [&](const auto& change) {
    RunIdentity other = one;
    change(other);
    return difference(one, other);
  };
  EXPECT_EQ(changed([](RunIdentity& r) { r.version = "9"; }), "gpuhmm is of version 9, not 0.2.0");
  EXPECT_EQ(changed([](RunIdentity& r) { r.kind = ReportKind::Search; }),
            "one is of a search, the other of a scan");
  EXPECT_EQ(changed([](RunIdentity& r) { r.words = {}; }), "the options are none, not --evalue=1");
  EXPECT_EQ(changed([](RunIdentity& r) { r.profiles.name = "q"; }), "the profiles are q, not p.hmm");
  EXPECT_EQ(changed([](RunIdentity& r) { r.profiles.size = 7; }),
            "the profiles in p.hmm have another content");
  EXPECT_EQ(changed([](RunIdentity& r) { r.sequences.checksum = 7; }),
            "the sequences in s.fasta have another content");
}

TEST(InputIdentity, IsThatOfAllBytes) {
  const TemporaryFolder folder;
  const std::string one = folder.write("one", "ab"), two = folder.write("two", "c"),
                    both = folder.write("both", "abc");
  EXPECT_EQ(identity_of("x", {one, two}), identity_of("x", {both}));
  EXPECT_NE(identity_of("x", {one, two}).checksum, identity_of("x", {two, one}).checksum);
  EXPECT_NE(identity_of("x", {one}), identity_of("y", {one}));
  EXPECT_EQ(identity_of("x", {both}).checksum, 0x352441c2U);  // CRC-32 of "abc"
  EXPECT_THROW(identity_of("x", {"/nonexistent/file"}), FileError);
}

}  // namespace
}  // namespace gpuhmm
