// Reads and writes SSI files, the indexes of hmmindex (docs/spec/profile-format.md, 1.8). All numbers are
// big-endian:
//
//   head     magic, flags (4 bytes each), number of files (2), of primary and of secondary keys (4 each),
//            sizes of a file name, a primary and a secondary key, of a file, a primary and a secondary
//            record (4 each), and where the three tables begin (4 each)
//   files    name without its folder, format (4; 0 text, 1 binary), and three numbers that are 0 (4 each)
//   primary  key, number of the file (2), where the record and its data begin (4 each), length (4)
//   secondary  key, primary key
//
// Names and keys end with a zero byte; after it hmmindex leaves bytes of longer earlier ones. Names are
// primary keys, accessions secondary keys.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "formats/profile/index_fields.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile_index.hpp"

namespace gpuhmm {

namespace {

constexpr std::uint32_t kMagic = 0xf3f3e9b1;

// Bytes of an index, read field by field.
class Bytes {
 public:
  Bytes(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  std::uint32_t number(std::size_t size) {
    std::uint32_t value = 0;
    for (const char byte : take(size)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  std::string text(std::size_t size) {
    const std::string_view field = take(size);
    return std::string(field.substr(0, field.find('\0')));
  }
  // The next `size` bytes, to be read on their own.
  Bytes part(std::size_t size) { return {take(size), path_}; }
  void skip(std::size_t size) { take(size); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) fail();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  [[noreturn]] void fail() const {
    throw FileError(path_ + ": the index is truncated or damaged; make it again with hmmindex, or remove it");
  }

  std::string_view bytes_;
  const std::string& path_;
};

struct Table {
  std::uint32_t count = 0, key_size = 0, record_size = 0, start = 0;
};

// The numbers of the head after the flags.
struct Head {
  Table primary, secondary;

  explicit Head(Bytes& bytes) {
    bytes.skip(2);
    for (Table* table : {&primary, &secondary}) table->count = bytes.number(4);
    bytes.skip(4);
    for (Table* table : {&primary, &secondary}) table->key_size = bytes.number(4);
    bytes.skip(4);
    for (Table* table : {&primary, &secondary}) table->record_size = bytes.number(4);
    bytes.skip(4);
    for (Table* table : {&primary, &secondary}) table->start = bytes.number(4);
  }
};

std::vector<IndexedProfile> profiles_of(const Bytes& whole, const Head& head) {
  std::vector<IndexedProfile> profiles;
  std::unordered_map<std::string, std::size_t> by_name;
  Bytes primary = whole;
  primary.skip(head.primary.start);
  for (std::uint32_t i = 0; i < head.primary.count; ++i) {
    Bytes record = primary.part(head.primary.record_size);
    IndexedProfile profile;
    profile.name = record.text(head.primary.key_size);
    record.skip(2);
    profile.offset = record.number(4);
    by_name.emplace(profile.name, profiles.size());
    profiles.push_back(std::move(profile));
  }
  Bytes secondary = whole;
  secondary.skip(head.secondary.start);
  for (std::uint32_t i = 0; i < head.secondary.count; ++i) {
    Bytes record = secondary.part(head.secondary.record_size);
    std::string accession = record.text(head.secondary.key_size);
    const auto found = by_name.find(record.text(head.primary.key_size));
    if (found != by_name.end()) profiles[found->second].accession = std::move(accession);
  }
  std::ranges::stable_sort(profiles, {}, &IndexedProfile::offset);
  return profiles;
}

// A field of one record after another. Bytes of a longer earlier text stay after the zero byte, as hmmindex
// leaves them.
class Field {
 public:
  explicit Field(std::size_t size) : bytes_(size, '\0') {}
  const std::string& with(std::string_view text) {
    bytes_.replace(0, text.size(), text);
    if (text.size() < bytes_.size()) bytes_[text.size()] = '\0';
    return bytes_;
  }

 private:
  std::string bytes_;
};

std::string ssi_bytes(const ProfileIndex& index) {
  const auto names = sorted_by(index.profiles(), &IndexedProfile::name);
  const auto accessions = sorted_by(index.profiles(), &IndexedProfile::accession);
  const std::size_t name_size = field_size(names, &IndexedProfile::name);
  const std::size_t accession_size = field_size(accessions, &IndexedProfile::accession);
  const std::size_t path_size = index.profile_path().size() + 1;
  const std::string file_name = std::filesystem::path(index.profile_path()).filename().string();
  std::string files = Field(path_size).with(file_name);
  files += big_endian(index.kind() == ProfileFileKind::Hmmer2Binary ? 1 : 0, 4) + std::string(12, '\0');

  std::string primary, secondary;
  Field name(name_size), accession(accession_size), name_of_accession(name_size);
  for (const IndexedProfile* p : names) {
    const std::string offset = big_endian(p->offset, 4);
    primary += name.with(p->name) + big_endian(0, 2) + offset + offset + big_endian(0, 4);
  }
  for (const IndexedProfile* p : accessions) {
    secondary += accession.with(p->accession) + name_of_accession.with(p->name);
  }
  constexpr std::size_t kHead = 54, kPrimaryNumbers = 14;
  std::string all = big_endian(kMagic, 4) + big_endian(0, 4) + big_endian(1, 2);
  for (const std::size_t value : {names.size(), accessions.size(), path_size, name_size, accession_size,
                                  files.size(), name_size + kPrimaryNumbers, name_size + accession_size,
                                  kHead, kHead + files.size(), kHead + files.size() + primary.size()}) {
    all += big_endian(value, 4);
  }
  return all + files + primary + secondary;
}

}  // namespace

std::string ssi_index_path(const std::string& profile_path) { return profile_path + ".ssi"; }

std::optional<std::vector<IndexedProfile>> read_ssi_index(const std::string& profile_path) {
  const std::string path = ssi_index_path(profile_path);
  std::error_code error;
  const auto made = std::filesystem::last_write_time(path, error);
  if (error) return std::nullopt;
  if (made < std::filesystem::last_write_time(profile_path, error) || error) return std::nullopt;
  const std::string content = read_whole(path);
  Bytes bytes(content, path);
  const std::uint32_t magic = bytes.number(4);
  const std::uint32_t flags = bytes.number(4);
  if (magic != kMagic) {
    throw FileError(path + ": is not an SSI index; expected one made by hmmindex of HMMER 2.3.2");
  }
  if (flags != 0) return std::nullopt;
  const Head head(bytes);
  return profiles_of(Bytes(content, path), head);
}

void write_ssi_index(const ProfileIndex& index) {
  constexpr std::uint64_t kMostOffset = 0x7fffffff;
  const std::string& path = index.profile_path();
  const std::string ssi_path = ssi_index_path(path);
  if (index.kind() == ProfileFileKind::Hmmer3Text) {
    throw FileError(path + ": HMMER3 profiles; expected HMMER2 profiles for an index of hmmindex");
  }
  if (index.profiles().back().offset > kMostOffset) {
    throw FileError(path + ": too long for an index of hmmindex; expected at most 2 GB");
  }
  OutputFile out(ssi_path);
  out.write(ssi_bytes(index));
  out.commit();
}

}  // namespace gpuhmm
