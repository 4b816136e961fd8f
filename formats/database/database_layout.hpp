// The bytes of a prepared database: what the writer puts down and the reader maps (docs/database.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gpuhmm::database_layout {

/// First bytes of the file. The first is no text, the line ends are spoilt by transfers that change them.
constexpr std::array<char, 8> kMagic = {'\x89', 'G', 'H', 'D', 'B', '\r', '\n', '\x1a'};
/// The bytes of the magic that identify the file's kind; the rest reveals damage.
constexpr std::size_t kKindBytes = 5;
/// Reads as this number where the byte order is the writer's.
constexpr std::uint32_t kByteOrderMark = 0x01020304;
constexpr std::uint32_t kVersion = 1;
/// Sections and the trailer begin at multiples of this: a page.
constexpr std::uint64_t kAlignment = 4096;

/// The least multiple of kAlignment that is not below `offset`.
constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

struct Header {
  std::array<char, 8> magic;
  std::uint32_t byte_order;
  std::uint32_t version;
};

/// Sections in file order.
enum Section : std::size_t {
  kResidues,      ///< one byte a residue: its code
  kText,          ///< name, accession and description of each sequence, one after the other
  kTextEnds,      ///< 3 numbers a sequence: where its name, accession and description end in kText
  kResidueEnds,   ///< 1 number a sequence: where it ends in kResidues
  kLongestFirst,  ///< 1 number a sequence: indices by falling length, equal ones in input order
  kSectionCount
};

struct SectionEntry {
  std::uint64_t offset;    ///< from the start of the file
  std::uint64_t size;      ///< bytes
  std::uint32_t checksum;  ///< CRC-32 of these bytes
  std::uint32_t zero;
};

/// The last bytes of the file; it begins at the first multiple of kAlignment after the last section.
struct Trailer {
  std::uint64_t file_size;
  std::uint64_t sequences;
  std::uint64_t residues;
  std::uint64_t longest;   ///< residues of the longest sequence
  std::uint32_t alphabet;  ///< 0 amino, 1 nucleic
  std::uint32_t zero;
  std::array<SectionEntry, kSectionCount> sections;
  std::uint32_t zero_too;
  std::uint32_t checksum;  ///< CRC-32 of the header and of the trailer up to here
};

static_assert(sizeof(Header) == 16 && std::has_unique_object_representations_v<Header>);
static_assert(sizeof(Trailer) == 168 && std::has_unique_object_representations_v<Trailer>);

}  // namespace gpuhmm::database_layout
