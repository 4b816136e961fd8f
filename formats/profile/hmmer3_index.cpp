// Layout of SSI 3.0 indices. All numbers are big-endian.
//
//   head       magic, flags, size of an offset (4 bytes each), number of files (2), of primary and of
//   secondary
//              keys (8 each), sizes of a file name, a primary and a secondary key, of a file, a primary and a
//              secondary record (4 each), and where the three tables begin (8 each)
//   files      name without its folder, four numbers that are 0 (4 each)
//   primary    key, number of the file (2), where the record begins (8), two numbers that are 0 (8 each)
//   secondary  key, primary key
#include "formats/profile/hmmer3_index.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "formats/profile/hmmer3_opening.hpp"
#include "formats/profile/index_fields.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kFileNumbers = 16, kPrimaryNumbers = 26;

void add_text(std::string& out, const std::string& text, std::size_t size) {
  out += text;
  out.append(size - text.size(), '\0');
}

template <class Key>
std::optional<std::string> repeated(const std::vector<IndexedProfile>& profiles, Key key) {
  const auto sorted = sorted_by(profiles, key);
  const auto same =
      std::ranges::adjacent_find(sorted, {}, [key](const IndexedProfile* p) { return std::invoke(key, *p); });
  return same == sorted.end() ? std::nullopt : std::optional(std::invoke(key, **same));
}

}  // namespace

std::optional<RepeatedKey> repeated_key(const std::vector<IndexedProfile>& profiles) {
  if (auto name = repeated(profiles, &IndexedProfile::name)) return RepeatedKey{false, *name};
  if (auto accession = repeated(profiles, &IndexedProfile::accession)) return RepeatedKey{true, *accession};
  return std::nullopt;
}

std::string hmmer3_index(const std::string& profile_path, const std::vector<IndexedProfile>& profiles) {
  const auto names = sorted_by(profiles, &IndexedProfile::name);
  const auto accessions = sorted_by(profiles, &IndexedProfile::accession);
  const std::size_t path_size = profile_path.size() + 1;
  const std::size_t name_size = field_size(names, &IndexedProfile::name);
  const std::size_t accession_size = field_size(accessions, &IndexedProfile::accession);
  const std::size_t primary_start = hmmer3::kIndexHead + path_size + kFileNumbers;

  std::string out;
  out += big_endian(hmmer3::kIndexMagic, 4);
  out += big_endian(0, 4);
  out += big_endian(8, 4);
  out += big_endian(1, 2);
  out += big_endian(names.size(), 8);
  out += big_endian(accessions.size(), 8);
  for (const std::size_t size : {path_size, name_size, accession_size, path_size + kFileNumbers,
                                 name_size + kPrimaryNumbers, accession_size + name_size}) {
    out += big_endian(size, 4);
  }
  for (const std::size_t start :
       {hmmer3::kIndexHead, primary_start, primary_start + names.size() * (name_size + kPrimaryNumbers)}) {
    out += big_endian(start, 8);
  }
  add_text(out, std::filesystem::path(profile_path).filename().string(), path_size);
  out.append(kFileNumbers, '\0');
  for (const IndexedProfile* p : names) {
    add_text(out, p->name, name_size);
    out += big_endian(0, 2);
    out += big_endian(p->offset, 8);
    out.append(16, '\0');
  }
  for (const IndexedProfile* p : accessions) {
    add_text(out, p->accession, accession_size);
    add_text(out, p->name, name_size);
  }
  return out;
}

}  // namespace gpuhmm
