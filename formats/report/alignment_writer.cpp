// Writes multiple alignments in all formats.
#include <algorithm>
#include <array>
#include <cctype>

#include "formats/sequence/text.hpp"
#include "gpuhmm/alignment.hpp"
#include "util/format.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlock = 50;    // columns
constexpr std::size_t kA2mLine = 60;  // columns

constexpr std::array kFormats = {SequenceFormat::Stockholm, SequenceFormat::Selex,  SequenceFormat::Msf,
                                 SequenceFormat::Clustal,   SequenceFormat::Phylip, SequenceFormat::A2m};

std::size_t longest_name(const MultipleAlignment& alignment) {
  std::size_t longest = 0;
  for (const AlignmentRow& row : alignment.rows) longest = std::max(longest, row.name.size());
  return longest;
}

/// The names of all rows, padded to `width` by `pad`.
std::vector<std::string> labels_of(const MultipleAlignment& alignment, std::size_t width,
                                   std::string (*pad)(std::string_view, std::size_t)) {
  std::vector<std::string> labels;
  for (const AlignmentRow& row : alignment.rows) labels.push_back(pad(row.name, width));
  return labels;
}

/// Calls write(first column, number of columns) for each block of columns.
template <class Write>
void for_blocks(const MultipleAlignment& alignment, std::size_t size, const Write& write) {
  for (std::size_t at = 0; at < alignment.reference.size(); at += size) write(at, size);
}

// Writes part by part: joining the parts of these lines, most of an alignment, would take time.
void write_line(const TextSink& out, std::string_view label, std::string_view text, std::size_t at,
                std::size_t size) {
  out(label);
  out(text.substr(at, size));
  out("\n");
}

void write_rows(const TextSink& out, const MultipleAlignment& alignment,
                const std::vector<std::string>& labels, std::size_t at, std::size_t size) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    write_line(out, labels[i], alignment.rows[i].text, at, size);
  }
}

// Accessions are padded on the right and descriptions on the left.
void write_stockholm_names(const TextSink& out, const std::vector<AlignmentRow>& rows, std::size_t longest) {
  bool any = false;
  for (const AlignmentRow& row : rows) {
    const std::optional<std::string_view> text = text::text_of(row.accession);
    if (!text) continue;
    out((any ? "#=GS " : "\n#=GS ") + pad_right(row.name, longest) + " AC    " + std::string(*text) + "\n");
    any = true;
  }
  any = false;
  for (const AlignmentRow& row : rows) {
    const std::optional<std::string_view> text = text::text_of(row.description);
    if (!text) continue;
    out((any ? "#=GS " : "\n#=GS ") + pad_left(row.name, longest) + " DE    " + std::string(*text) + "\n");
    any = true;
  }
}

void write_stockholm(const TextSink& out, const MultipleAlignment& alignment, std::size_t block) {
  constexpr std::string_view kReference = "#=GC RF ";
  const std::size_t longest = longest_name(alignment);
  const std::size_t width = longest + kReference.size();
  const std::vector<std::string> labels = labels_of(alignment, width, pad_right);
  const std::string reference = pad_right(kReference, width);
  out("# STOCKHOLM 1.0\n");
  if (!alignment.id.empty()) out("#=GF ID    " + alignment.id + "\n");
  if (!alignment.description.empty()) out("#=GF DE    " + alignment.description + "\n");
  if (!alignment.author.empty()) out("#=GF AU    " + alignment.author + "\n");
  write_stockholm_names(out, alignment.rows, longest);
  for_blocks(alignment, block, [&](std::size_t at, std::size_t size) {
    out("\n");
    write_rows(out, alignment, labels, at, size);
    write_line(out, reference, alignment.reference, at, size);
  });
  out("//\n");
}

void write_selex(const TextSink& out, const MultipleAlignment& alignment) {
  constexpr std::size_t kNarrowest = 6;
  const std::size_t width = std::max(longest_name(alignment), kNarrowest) + 1;
  const std::vector<std::string> labels = labels_of(alignment, width, pad_right);
  const auto or_dash = [](const std::string& kept) { return std::string(text::text_of(kept).value_or("-")); };
  out("#=AU " + alignment.author + "\n");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const AlignmentRow& row = alignment.rows[i];
    out("#=SQ " + labels[i] + "1.0000 - " + or_dash(row.accession) + " 0..0::0 " + or_dash(row.description) +
        "\n");
  }
  const std::string reference = pad_right("#=RF", width);
  for_blocks(alignment, kBlock, [&](std::size_t at, std::size_t size) {
    out("\n");
    write_line(out, reference, alignment.reference, at, size);
    write_rows(out, alignment, labels, at, size);
  });
}

void write_clustal(const TextSink& out, const MultipleAlignment& alignment) {
  std::vector<std::string> labels = labels_of(alignment, longest_name(alignment), pad_left);
  for (std::string& label : labels) label += ' ';
  out("CLUSTAL W(1.5) multiple sequence alignment\n");
  for_blocks(alignment, kBlock, [&](std::size_t at, std::size_t size) {
    out("\n");
    write_rows(out, alignment, labels, at, size);
  });
}

// Residues are in upper case and all gaps alike.
void write_phylip(const TextSink& out, const MultipleAlignment& alignment) {
  constexpr std::size_t kNameWidth = 10;
  out(format(" %zu  %zu\n", alignment.rows.size(), alignment.reference.size()));
  for_blocks(alignment, kBlock, [&](std::size_t at, std::size_t size) {
    if (at > 0) out("\n");
    for (const AlignmentRow& row : alignment.rows) {
      std::string line;
      if (at == 0) line = pad_right(std::string_view(row.name).substr(0, kNameWidth), kNameWidth);
      for (const char c : std::string_view(row.text).substr(at, size)) {
        line += c == '.' ? '-' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      }
      out(line + "\n");
    }
  });
}

void write_a2m(const TextSink& out, const MultipleAlignment& alignment) {
  for (const AlignmentRow& row : alignment.rows) {
    out(">" + row.name + " " + std::string(text::text_of(row.description).value_or("")) + "\n");
    for_blocks(alignment, kA2mLine,
               [&](std::size_t at, std::size_t size) { write_line(out, "", row.text, at, size); });
  }
}

}  // namespace

std::optional<SequenceFormat> alignment_format_from_name(std::string_view name) {
  const std::optional<SequenceFormat> format = sequence_format_from_name(name);
  if (!format || std::ranges::find(kFormats, *format) == kFormats.end()) return std::nullopt;
  return format;
}

std::string alignment_format_names() {
  std::string names;
  for (const SequenceFormat format : kFormats) {
    if (!names.empty()) names += ", ";
    names += name_of(format);
  }
  return names;
}

std::string_view alignment_format_label(SequenceFormat format) {
  switch (format) {
    case SequenceFormat::Stockholm:
      return "Stockholm";
    case SequenceFormat::Selex:
      return "SELEX";
    case SequenceFormat::Msf:
      return "MSF";
    case SequenceFormat::Clustal:
      return "Clustal";
    case SequenceFormat::Phylip:
      return "Phylip";
    default:
      return name_of(format);
  }
}

void write_alignment(const TextSink& out, const MultipleAlignment& alignment, const AlignmentStyle& style) {
  switch (style.format) {
    case SequenceFormat::Selex:
      return write_selex(out, alignment);
    case SequenceFormat::Msf:
      return write_msf(out, alignment, style.date);
    case SequenceFormat::Clustal:
      return write_clustal(out, alignment);
    case SequenceFormat::Phylip:
      return write_phylip(out, alignment);
    case SequenceFormat::A2m:
      return write_a2m(out, alignment);
    default:
      return write_stockholm(out, alignment,
                             style.one_line ? std::max<std::size_t>(alignment.reference.size(), 1) : kBlock);
  }
}

}  // namespace gpuhmm
