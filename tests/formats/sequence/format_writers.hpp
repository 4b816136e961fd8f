// Writes records in every format for tests that read them back.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "formats/sequence/records.hpp"

namespace gpuhmm::test {

/// A format and its properties.
struct FormatCase {
  SequenceFormat format;
  /// Text of the records; residues in lines of `width` (formats that have no choice ignore it).
  std::string (*write)(const Records& records, std::size_t width);
  bool detected = true;      // A2M is never recognized by content
  bool accession = false;    // keeps accessions
  bool description = false;  // keeps descriptions
  bool aligned = false;      // rows of the same length, gaps removed
  bool ended = false;        // a file truncated within a record is refused
  bool single = false;       // one sequence a file
};

inline void PrintTo(const FormatCase& c, std::ostream* out) { *out << name_of(c.format); }

namespace detail {

/// Calls `line(piece, offset)` for pieces of at most `width` characters.
inline void in_lines(const std::string& residues, std::size_t width,
                     const std::function<void(const std::string&, std::size_t)>& line) {
  for (std::size_t at = 0; at < residues.size(); at += width) line(residues.substr(at, width), at);
}

inline std::size_t longest(const Records& records) {
  std::size_t length = 1;  // an empty row is a gap
  for (const Record& r : records) length = std::max(length, r.residues.size());
  return length;
}

/// Blocks of rows, padded with `gap` to the same length.
inline std::string interleaved(const Records& records, std::size_t width, char gap,
                               const std::function<std::string(std::size_t row, bool first)>& name) {
  std::string out;
  const std::size_t length = longest(records);
  for (std::size_t at = 0; at < length; at += width) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      std::string row = records[i].residues;
      row.resize(length, gap);
      out += name(i, at == 0) + row.substr(at, width) + "\n";
    }
    out += "\n";
  }
  return out;
}

inline std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

inline std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

}  // namespace detail

inline std::string write_fasta(const Records& records, std::size_t width) {
  std::string out;
  for (const Record& r : records) {
    out += ">" + r.name + (r.description.empty() ? "" : " " + r.description) + "\n";
    detail::in_lines(r.residues, width, [&](const std::string& piece, std::size_t) { out += piece + "\n"; });
  }
  return out;
}

inline std::string write_a2m(const Records& records, std::size_t width) {
  std::string out;
  for (const Record& r : records) {
    out += ">" + r.name + (r.description.empty() ? "" : " " + r.description) + "\n";
    detail::in_lines(r.residues, width,
                     [&](const std::string& piece, std::size_t) { out += piece + ".-\n"; });
  }
  return out;
}

inline std::string write_embl(const Records& records, std::size_t width) {
  std::string out;
  for (const Record& r : records) {
    out += "ID   " + r.name + " STANDARD;  " + std::to_string(r.residues.size()) + " AA.\nAC   " +
           r.accession + ";\nXX\n";
    const std::size_t half = r.description.find(' ');
    out += "DE   " + r.description.substr(0, half) + "\n";
    if (half != std::string::npos) out += "DE   " + r.description.substr(half + 1) + "\n";
    out += "FT   SITE 1 2\nSQ   SEQUENCE\n";
    detail::in_lines(r.residues, width, [&](const std::string& piece, std::size_t at) {
      out += "     " + piece + "     " + std::to_string(at + piece.size()) + "\n";
    });
    out += "//\n";
  }
  return out;
}

inline std::string write_genbank(const Records& records, std::size_t width) {
  std::string out;
  for (const Record& r : records) {
    out += "LOCUS       " + r.name + "  10 bp\nDEFINITION  ";
    const std::size_t half = r.description.find(' ');
    out += r.description.substr(0, half) + "\n";
    if (half != std::string::npos) out += "            " + r.description.substr(half + 1) + "\n";
    out += "ACCESSION   " + r.accession + "\nFEATURES\nORIGIN      \n";
    detail::in_lines(r.residues, width, [&](const std::string& piece, std::size_t at) {
      out += "   " + std::to_string(at + 1) + " " + piece + "\n";
    });
    out += "//\n";
  }
  return out;
}

inline std::string write_pir(const Records& records, std::size_t width) {
  std::string out;
  for (const Record& r : records) {
    out += "ENTRY          " + r.name;
    if (!r.description.empty()) out += "\nTITLE          " + r.description;
    out +=
        "\nACCESSION      " + r.accession + "\nSUMMARY  #Length 5\nSEQUENCE\n                5        10\n";
    detail::in_lines(r.residues, width, [&](const std::string& piece, std::size_t at) {
      out += "   " + std::to_string(at + 1) + " ";
      for (const char c : piece) (out += c) += ' ';
      out += "\n";
    });
    out += "///\n";
  }
  return out;
}

inline std::string write_gcg(const Records& records, std::size_t width) {
  const Record& r = records.front();
  std::string out = "!!AA_SEQUENCE 1.0\nsome text\n\n " + r.name + "  Length: 5  Check: 123  ..\n\n";
  detail::in_lines(r.residues, width, [&](const std::string& piece, std::size_t at) {
    out += "  " + std::to_string(at + 1) + "  " + piece + "\n";
  });
  return out;
}

inline std::string write_gcgdata(const Records& records, std::size_t width) {
  std::string out;
  for (const Record& r : records) {
    out += ">>>>" + r.name + "  9/95  ASCII  Len: " + std::to_string(r.residues.size()) + "\n" +
           detail::or_dash(r.description) + "\n";
    detail::in_lines(r.residues, width, [&](const std::string& piece, std::size_t) { out += piece + "\n"; });
  }
  return out;
}

inline std::string write_stockholm(const Records& records, std::size_t width) {
  std::string out = "# STOCKHOLM 1.0\n#=GF ID x\n\n";
  for (const Record& r : records) {
    if (!r.accession.empty()) out += "#=GS " + r.name + " AC " + r.accession + "\n";
    if (!r.description.empty()) out += "#=GS " + r.name + " DE " + r.description + "\n";
    out += "#=GS " + r.name + " WT 1.0\n";  // keeps the order
  }
  return out +
         detail::interleaved(records, width, '.',
                             [&](std::size_t i, bool) { return records[i].name + "  "; }) +
         "//\n";
}

inline std::string write_clustal(const Records& records, std::size_t width) {
  return "CLUSTAL W (1.83) multiple sequence alignment\n\n\n" +
         detail::interleaved(records, width, '-', [&](std::size_t i, bool) {
           return i > 0 ? records[i].name + "   " : "   *:.  \n" + records[i].name + "  ";
         });
}

inline std::string write_msf(const Records& records, std::size_t width) {
  std::string out = "!!AA_MULTIPLE_ALIGNMENT 1.0\n x  MSF: 12  Type: P  today  Check: 9816  ..\n\n";
  for (const Record& r : records) out += " Name: " + r.name + "  Len:  12  Check: 1 Weight: 1.00\n";
  return out + "\n//\n\n   1          50\n" +
         detail::interleaved(records, width, '~', [&](std::size_t i, bool) { return records[i].name + " "; });
}

inline std::string write_selex(const Records& records, std::size_t width) {
  std::string out = "#=ID x\n";
  for (const Record& r : records) {
    out += "#=SQ " + r.name + " 1.0 - " + detail::or_dash(r.accession) + " 0..0:0 " +
           detail::or_dash(r.description) + "\n";
  }
  return out + "\n% a comment\n" +
         detail::interleaved(records, width, ' ', [&](std::size_t i, bool) { return records[i].name + " "; });
}

inline std::string write_phylip(const Records& records, std::size_t width) {
  return " " + std::to_string(records.size()) + " " + std::to_string(detail::longest(records)) + "\n" +
         detail::interleaved(records, width, '-', [&](std::size_t i, bool first) {
           return first ? detail::padded(records[i].name, 10).substr(0, 10) : std::string();
         });
}

inline std::vector<FormatCase> all_formats() {
  using enum SequenceFormat;
  return {
      {.format = Fasta, .write = write_fasta, .description = true},
      {.format = A2m, .write = write_a2m, .detected = false, .description = true},
      {.format = Embl, .write = write_embl, .accession = true, .description = true, .ended = true},
      {.format = Genbank, .write = write_genbank, .accession = true, .description = true, .ended = true},
      {.format = Pir, .write = write_pir, .accession = true, .description = true, .ended = true},
      {.format = Gcg, .write = write_gcg, .single = true},
      {.format = GcgData, .write = write_gcgdata, .description = true, .ended = true},
      {.format = Stockholm,
       .write = write_stockholm,
       .accession = true,
       .description = true,
       .aligned = true,
       .ended = true},
      {.format = Clustal, .write = write_clustal, .aligned = true},
      {.format = Msf, .write = write_msf, .aligned = true},
      {.format = Selex, .write = write_selex, .accession = true, .description = true, .aligned = true},
      {.format = Phylip, .write = write_phylip, .aligned = true, .ended = true},
  };
}

}  // namespace gpuhmm::test
