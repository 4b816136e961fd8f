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
constexpr std::uint32_t kVersion = 2;
/// The version without the sections from kHmmer3Residues on.
constexpr std::uint32_t kVersionWithoutHmmer3 = 1;
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
  kResidues,           ///< the code of each residue, one byte
  kText,               ///< name, accession and description of each sequence, one after the other
  kTextEnds,           ///< 3 numbers a sequence: ends of its name, accession and description in kText
  kResidueEnds,        ///< 1 number a sequence: its end in kResidues
  kLongestFirst,       ///< indices of all sequences, the longest first; of equal length, in input order
  kHmmer3Residues,     ///< numbers: a residue's index, and in the highest byte the letter that HMMER3 reads
  kHmmer3Text,         ///< names, accessions and descriptions that HMMER3 reads otherwise
  kHmmer3TextEntries,  ///< 2 numbers each: field (3 * sequence + 0, 1 or 2), end in kHmmer3Text
  kHmmer3End,  ///< empty, or where HMMER3 fails: sequences before (8 bytes), message, 0, HMMER3's line
  kSectionCount
};

/// Sections of a file of this version.
constexpr std::size_t sections_of(std::uint32_t version) {
  return version == kVersionWithoutHmmer3 ? kHmmer3Residues : kSectionCount;
}

/// The bits of a number in kHmmer3Residues that are the residue's index.
constexpr unsigned kIndexBits = 56;

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
/// Bytes of the trailer in a file of this version: without the entries of sections that it does not have.
constexpr std::size_t trailer_size(std::uint32_t version) {
  return sizeof(Trailer) - (kSectionCount - sections_of(version)) * sizeof(SectionEntry);
}

static_assert(trailer_size(kVersionWithoutHmmer3) == 168);
static_assert(sizeof(Trailer) == 264 && std::has_unique_object_representations_v<Trailer>);

}  // namespace gpuhmm::database_layout
