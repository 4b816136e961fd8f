// The layout of a prepared database file, shared by its writer and its reader (docs/database.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gpuhmm::database_layout {

/// First bytes of the file. The first byte is not text; a transfer that converts line ends damages the \r\n.
constexpr std::array<char, 8> kMagic = {'\x89', 'G', 'H', 'D', 'B', '\r', '\n', '\x1a'};
/// Bytes of the magic that identify a prepared database; the others reveal damage.
constexpr std::size_t kKindBytes = 5;
/// The value in Header::byte_order; a file of the other byte order has its bytes in reverse.
constexpr std::uint32_t kByteOrderMark = 0x01020304;
constexpr std::uint32_t kVersion = 1;
/// Sections and the trailer begin at multiples of this many bytes, a page.
constexpr std::uint64_t kAlignment = 4096;

/// `offset` rounded up to a multiple of kAlignment.
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
  kResidues,      ///< the code of each residue, one byte
  kText,          ///< name, accession and description of each sequence, one after the other
  kTextEnds,      ///< 3 numbers a sequence: ends of its name, accession and description in kText
  kResidueEnds,   ///< 1 number a sequence: its end in kResidues
  kLongestFirst,  ///< indices of all sequences, the longest first; of equal length, in input order
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
