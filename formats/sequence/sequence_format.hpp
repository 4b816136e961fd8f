// The sequence file formats: their names and how a file's first lines show its format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuhmm {

enum class SequenceFormat : std::uint8_t {
  Fasta,
  Embl,  ///< EMBL and UniProt flat files
  Genbank,
  Pir,      ///< the CODATA form of PIR (ENTRY ... ///)
  Gcg,      ///< one sequence a file
  GcgData,  ///< GCG data library (>>>>)
  Stockholm,
  Clustal,
  Msf,
  Selex,
  A2m,
  Phylip,  ///< strict names, interleaved
};

/// The name of a format as in HMMER's --informat: "fasta", "embl", ...
std::string_view name_of(SequenceFormat format);
/// The format of that name, in upper or lower case; none if unknown.
std::optional<SequenceFormat> sequence_format_from_name(std::string_view name);
/// All names, "fasta, embl, ...", for messages.
std::string sequence_format_names();

/// The format detected from the beginning of a file (`head`, some 64 KiB or the whole file); none if it is
/// none of them. A2M looks like FASTA and is never found.
std::optional<SequenceFormat> detect_sequence_format(std::string_view head);

}  // namespace gpuhmm
