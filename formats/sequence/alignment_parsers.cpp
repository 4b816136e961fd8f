// Parses the alignment formats. Rows keep their gaps until the alignment is complete, to check that all have
// the same length.
#include "formats/sequence/alignment_parsers.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>

namespace gpuhmm {

namespace {

bool consists_of(std::string_view line, std::string_view characters) {
  return line.find_first_not_of(characters) == std::string_view::npos;
}

/// Appends the characters of `line` that are not in `skipped`.
void append_without(std::string& text, std::string_view line, std::string_view skipped) {
  for (const char c : line) {
    if (skipped.find(c) == std::string_view::npos) text += c;
  }
}

/// Row number `row` of a block. The first block adds rows, others have the same ones in the same order.
AlignmentRow& row_of_block(Alignment& alignment, std::size_t row, bool first_block, std::string_view name,
                           LineSource& lines) {
  if (first_block) alignment.add(name, lines);
  if (row == alignment.rows().size()) lines.fail("more rows than in the first block");
  if (alignment[row].name != name) {
    lines.fail("row " + std::string(name) + "; expected " + alignment[row].name + " as in the first block");
  }
  return alignment[row];
}

/// Converts all of `word` to a number.
std::size_t number(std::string_view word, const LineSource& lines) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || stop != word.data() + word.size()) {
    lines.fail("expected the numbers of rows and of columns");
  }
  return value;
}

float weight_of(std::string_view word, const LineSource& lines) {
  float value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || stop != word.data() + word.size() || !(value >= 0)) {
    lines.fail("'" + std::string(word) + "' is no weight of a row");
  }
  return value;
}

/// The field for annotation `tag` of the whole alignment; null if it is not kept.
std::string* annotated(AlignmentAnnotation& annotation, std::string_view tag) {
  if (tag == "ID") return &annotation.id;
  if (tag == "AC") return &annotation.accession;
  if (tag == "DE") return &annotation.description;
  if (tag == "GA") return &annotation.gathering;
  if (tag == "TC") return &annotation.trusted;
  if (tag == "NC") return &annotation.noise;
  return nullptr;
}

/// #=GF TAG VALUE; the last of several values counts.
void take_alignment_annotation(std::string_view line, Alignment& alignment) {
  text::take_word(line);
  if (std::string* field = annotated(alignment.annotation, text::take_word(line))) *field = text::trim(line);
}

/// #=GC TAG COLUMNS or #=GR ROW TAG COLUMNS, in blocks like the rows.
void take_column_annotation(std::string_view line, Alignment& alignment, LineSource& lines) {
  const bool of_row = text::take_word(line) == "#=GR";
  const std::string_view row = of_row ? text::take_word(line) : "", tag = text::take_word(line),
                         columns = text::take_word(line);
  if (columns.empty() || !text::blank(line)) {
    lines.fail(std::string(of_row ? "expected #=GR, a row's name, a tag" : "expected #=GC, a tag") +
               " and a character a column without blanks");
  }
  if (of_row) alignment.row(row, lines);
  std::string label = of_row ? "#=GR " + std::string(row) + " " : "#=GC ";
  alignment.count_annotated(label += tag, columns.size(), lines);
  if (of_row) return;
  if (tag == "RF") alignment.annotation.reference += columns;
  if (tag == "SS_cons") alignment.annotation.structure += columns;
  if (tag == "SA_cons") alignment.annotation.accessibility += columns;
}

/// #=GS NAME TAG VALUE; the last of several values counts. The order of rows is that in which their names
/// first appear, here or in a row.
void take_stockholm_annotation(std::string_view line, Alignment& alignment, LineSource& lines) {
  text::take_word(line);
  const std::string_view name = text::take_word(line), tag = text::take_word(line);
  if (tag.empty()) lines.fail("expected #=GS, a row's name, a tag and a text");
  AlignmentRow& row = alignment.row(name, lines);
  // The text begins at the second character after the tag.
  if (tag == "AC") row.accession = line.size() > 1 ? lines.field(line) : std::string();
  if (tag == "DE") row.description = line.size() > 1 ? lines.field(line) : std::string();
  if (tag == "WT") row.weight = weight_of(text::first_word(line), lines);
}

}  // namespace

Alignment read_stockholm(LineSource& lines) {
  Alignment alignment;
  if (!lines.next_text()) return alignment;
  if (!lines.starts_with("# STOCKHOLM 1.")) lines.fail("expected # STOCKHOLM 1.0");
  std::set<std::string, std::less<>> in_block;  // HMMER3 refuses names that come twice
  for (;;) {
    if (!lines.next()) lines.fail("the file ends within an alignment (truncated?); expected //");
    std::string_view line = text::trim_left(lines.line());
    if (line.empty()) {
      in_block.clear();
      continue;
    }
    if (line.starts_with("//")) break;
    if (line.starts_with("#=GS")) {
      take_stockholm_annotation(line, alignment, lines);
    } else if (line.starts_with("#=GF")) {
      take_alignment_annotation(line, alignment);
    } else if (line.starts_with("#=GC") || line.starts_with("#=GR")) {
      take_column_annotation(line, alignment, lines);
    } else if (!line.starts_with('#')) {
      const std::string_view name = text::take_word(line), residues = text::take_word(line);
      if (residues.empty() || !text::blank(line))
        lines.fail("expected a row's name and its residues without blanks");
      if (lines.plain_fields() && !in_block.emplace(name).second) {
        lines.fail("row " + std::string(name) + " comes twice in a block; expected it once");
      }
      alignment.row(name, lines).text += residues;
    }
  }
  alignment.check(lines);
  return alignment;
}

/// Rows may end with the number of residues so far; lines without a name show conservation. HMMER2 finds rows
/// by their names, HMMER3 by their places in a block, so that names may come twice.
Alignment read_clustal(LineSource& lines) {
  Alignment alignment;
  if (!lines.next_text()) return alignment;
  if (!lines.starts_with("CLUSTAL") &&
      lines.line().find("multiple sequence alignment") == std::string_view::npos) {
    lines.fail("expected CLUSTAL, or ... multiple sequence alignment");
  }
  bool first_block = true;
  std::size_t row = 0;  // in this block
  while (lines.next()) {
    std::string_view line = lines.line();
    if (text::blank(line) || consists_of(line, " \t.:*")) {
      first_block = first_block && row == 0;
      row = 0;
      continue;
    }
    const std::string_view name = text::take_word(line), residues = text::take_word(line);
    if (residues.empty() || !consists_of(text::trim(line), text::kDigits)) {
      lines.fail("expected a row's name, its residues without blanks, and at most a number after them");
    }
    (lines.plain_fields() ? row_of_block(alignment, row++, first_block, name, lines)
                          : alignment.row(name, lines))
        .text += residues;
  }
  alignment.check(lines);
  return alignment;
}

/// Names are declared by "Name:" lines before the line "//"; a line of numbers counts the columns.
Alignment read_msf(LineSource& lines) {
  Alignment alignment;
  if (!lines.next_text()) return alignment;
  for (; !text::trim_left(lines.line()).starts_with("//");) {
    std::string_view line = lines.line();
    if (text::take_word(line) == "Name:") {
      const std::string_view name = text::take_word(line);
      if (alignment.has(name)) lines.fail("row " + std::string(name) + " is declared twice");
      AlignmentRow& row = alignment.add(name, lines);
      while (!text::blank(line)) {
        if (text::take_word(line) == "Weight:") row.weight = weight_of(text::take_word(line), lines);
      }
    }
    if (!lines.next()) lines.fail("the file ends before the alignment; expected //");
  }
  while (lines.next_text()) {
    std::string_view line = lines.line();
    if (consists_of(line, " \t0123456789")) continue;
    const std::string_view name = text::take_word(line);
    if (!alignment.has(name)) lines.fail("row " + std::string(name) + " is not declared by a Name: line");
    append_without(alignment.row(name, lines).text, line, text::kWhiteSpace);
  }
  alignment.check(lines);
  return alignment;
}

/// A block of a SELEX alignment: whole lines, their names replaced by blanks. Missing annotation is empty.
struct SelexBlock {
  std::vector<std::string> rows, of_rows;  // of_rows: annotation that is not kept
  std::string reference, structure;

  bool annotated() const { return !reference.empty() || !structure.empty(); }
};

/// HMMER2 counts a TAB as one column, and refuses it among those of the block.
void refuse_tabs(const SelexBlock& block, std::size_t first, std::size_t end, const LineSource& lines) {
  const auto check = [&](std::string_view line, const std::string& what) {
    const std::size_t at = line.find_first_of("\t\v\f\r", first);
    if (at < end) {
      lines.fail("the block that ends here has a TAB within its columns, in " + what + "; expected blanks");
    }
  };
  for (std::size_t row = 0; row < block.rows.size(); ++row) {
    check(block.rows[row], "row " + std::to_string(row + 1));
  }
  for (const std::string& line : block.of_rows) check(line, "#=SS or #=SA");
  check(block.reference, "#=RF");
  check(block.structure, "#=CS");
}

/// Appends the columns of a SELEX block from the first to the last in which any row has a residue, with their
/// annotation. Blanks become '.'.
void append_selex_block(Alignment& alignment, SelexBlock& block, LineSource& lines) {
  std::size_t first = std::string::npos, end = 0;
  for (const std::string& line : block.rows) {
    first = std::min(first, line.find_first_not_of(text::kWhiteSpace));
    end = std::max(end, text::trim_right(line).size());
  }
  if (first >= end) return;
  if (!lines.plain_fields()) refuse_tabs(block, first, end, lines);
  const auto append = [&](std::string& line, std::string& into) {
    line.resize(end, ' ');
    std::ranges::replace(line, ' ', '.');
    into += std::string_view(line).substr(first);
  };
  for (std::size_t row = 0; row < block.rows.size(); ++row) append(block.rows[row], alignment[row].text);
  const auto annotate = [&](std::string& line, const char* label, std::string& into) {
    if (line.empty()) return;
    append(line, into);
    alignment.count_annotated(label, end - first, lines);
  };
  annotate(block.reference, "#=RF", alignment.annotation.reference);
  annotate(block.structure, "#=CS", alignment.annotation.structure);
}

/// Blocks of rows, separated by blank lines, each with the same names in the same order; blanks are gaps.
/// #=SQ NAME WEIGHT ID ACCESSION COORDINATES DESCRIPTION describes a row.
Alignment read_selex(LineSource& lines) {
  struct Annotation {
    std::string accession, description;
  };
  std::map<std::string, Annotation, std::less<>> annotations;
  Alignment alignment;
  SelexBlock block;
  bool first_block = true;
  // the line with its name replaced by blanks; only between residues do TABs matter to HMMER3
  const auto behind_name = [&lines](std::string_view rest) {
    if (lines.plain_fields()) rest = text::trim_left(rest);
    const std::size_t begin = lines.line().size() - rest.size();
    return std::string(begin, ' ').append(lines.plain_fields() ? text::trim_right(rest) : rest);
  };
  const auto end_block = [&] {
    if (block.rows.empty()) {
      if (block.annotated()) lines.fail("the block before this line has #=RF or #=CS, but no row");
      return;
    }
    if (block.rows.size() < alignment.rows().size()) {
      lines.fail("the block of rows before this line has too few of them");
    }
    first_block = false;
    append_selex_block(alignment, block, lines);
    block = {};
  };
  while (lines.next()) {
    std::string_view line = lines.line();
    if (text::blank(line)) {
      end_block();
    } else if (line.starts_with("#=SQ")) {
      text::take_word(line);
      std::string_view fields[5];
      for (std::string_view& field : fields) field = text::take_word(line);
      if (fields[4].empty())
        lines.fail("expected #=SQ, name, weight, id, accession, coordinates and description");
      lines.charge(LineSource::kNameCost);
      annotations[std::string(fields[0])] = {lines.field(fields[3]),
                                             line.size() > 1 ? lines.field(line) : std::string()};
    } else if (line.starts_with("#=RF") || line.starts_with("#=CS")) {
      const bool reference = line.starts_with("#=RF");
      text::take_word(line);
      (reference ? block.reference : block.structure) = behind_name(line);
    } else if (line.starts_with("#=SS") || line.starts_with("#=SA")) {
      if (block.rows.empty()) lines.fail("annotates a row; expected the row before it in its block");
      text::take_word(line);
      block.of_rows.push_back(behind_name(line));
    } else if (line.starts_with("#=")) {
      const std::string_view value = text::trim_right(text::from_column(line, 5));
      if (std::string* field = annotated(alignment.annotation, line.substr(2, 2))) *field = value;
    } else if (!line.starts_with('#') && !line.starts_with('%')) {
      const std::string_view name = text::take_word(line);
      row_of_block(alignment, block.rows.size(), first_block, name, lines);
      block.rows.push_back(behind_name(line));
    }
  }
  end_block();
  for (std::size_t i = 0; i < alignment.rows().size(); ++i) {
    const auto found = annotations.find(alignment[i].name);
    if (found == annotations.end()) continue;
    alignment[i].accession = found->second.accession;
    alignment[i].description = found->second.description;
  }
  if (!alignment.rows().empty()) alignment.check(lines);
  return alignment;
}

namespace {

/// Records as in FASTA, without `blanks`; the alignment ends with the file.
Alignment read_records(LineSource& lines, std::string_view blanks) {
  Alignment alignment;
  while (lines.next_text()) {
    std::string_view line = lines.line();
    if (lines.plain_fields() && text::trim_left(line).starts_with('>')) line = text::trim_left(line);
    if (line.starts_with('>')) {
      line.remove_prefix(1);
      const std::string_view name = text::take_word(line);
      alignment.add(name, lines).description = line.size() > 1 ? lines.field(line) : std::string();
    } else if (alignment.rows().empty()) {
      lines.fail("expected a row that begins with >");
    } else {
      append_without(alignment[alignment.rows().size() - 1].text, line, blanks);
    }
  }
  return alignment;
}

}  // namespace

Alignment read_a2m(LineSource& lines) {
  Alignment alignment = read_records(lines, text::kWhiteSpace);
  if (!alignment.rows().empty()) alignment.check(lines);
  return alignment;
}

Alignment read_fasta_rows(LineSource& lines) { return read_records(lines, " "); }

/// The numbers of rows and columns, then blocks of rows; those of the first block begin with a name of ten
/// characters.
Alignment read_phylip(LineSource& lines) {
  constexpr std::size_t kNameWidth = 10;
  Alignment alignment;
  if (!lines.next_text()) return alignment;
  std::string_view head = lines.line();
  const std::size_t rows = number(text::take_word(head), lines),
                    columns = number(text::take_word(head), lines);
  if (rows == 0 || columns == 0) lines.fail("expected an alignment of at least one row and one column");
  std::size_t row = 0;  // in this block
  while (lines.next_text()) {
    std::string_view line = lines.line();
    if (alignment.rows().size() < rows) {
      alignment.add(lines.column_name(line.substr(0, kNameWidth)), lines);
      line = text::from_column(line, kNameWidth);
    }
    std::string& residues = alignment[row].text;
    append_without(residues, line, " \t\v\f\r0123456789");
    if (residues.size() > columns) {
      lines.fail("row " + alignment[row].name + " has more than " + std::to_string(columns) + " columns");
    }
    row = row + 1 < rows ? row + 1 : 0;
  }
  if (alignment.rows().size() != rows) {
    lines.fail("the alignment has " + std::to_string(alignment.rows().size()) +
               " rows; its first line says " + std::to_string(rows));
  }
  alignment.check(lines);
  if (alignment[0].text.size() != columns) {
    lines.fail("the rows have " + std::to_string(alignment[0].text.size()) +
               " columns; the first line says " + std::to_string(columns));
  }
  return alignment;
}

}  // namespace gpuhmm
