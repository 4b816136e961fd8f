// The rows of an alignment, and the reader that hands them out one by one; see the header.
#include "formats/sequence/alignment.hpp"

#include "formats/sequence/digitiser.hpp"

namespace gpuhmm {

namespace {

class AlignmentReader : public SequenceReader {
 public:
  using Parser = Alignment (*)(LineSource&);

  AlignmentReader(std::unique_ptr<Input> input, const Alphabet& alphabet, Parser parse)
      : lines_(std::move(input)), digitiser_(alphabet, text::kGaps), parse_(parse) {}

  const std::string& name() const override { return lines_.name(); }
  std::optional<double> fraction_read() const override { return lines_.fraction_read(); }

 private:
  bool read_record(SequenceBatch& into) override {
    if (next_row_ == alignment_.rows().size()) {
      alignment_ = Alignment();
      next_row_ = 0;
      alignment_ = parse_(lines_);
      if (alignment_.rows().empty()) return false;
    }
    const AlignmentRow& row = alignment_.rows()[next_row_++];
    into.begin_sequence(row.name, text::unless_dash(row.accession), text::unless_dash(row.description));
    digitiser_.append(row.text, into.residue_buffer());
    return true;
  }

  LineSource lines_;
  Digitiser digitiser_;
  Parser parse_;
  Alignment alignment_;
  std::size_t next_row_ = 0;
};

}  // namespace

AlignmentRow& Alignment::row(std::string_view name) {
  const auto found = index_.find(std::string(name));
  return found != index_.end() ? rows_[found->second] : add(name);
}

AlignmentRow& Alignment::add(std::string_view name) {
  index_.try_emplace(std::string(name), rows_.size());
  rows_.push_back({std::string(name), {}, {}, {}});
  return rows_.back();
}

void Alignment::check(const LineSource& lines) const {
  if (rows_.empty()) lines.fail("the alignment has no rows");
  const std::size_t length = rows_.front().text.size();
  for (const AlignmentRow& row : rows_) {
    if (row.text.empty()) lines.fail("no residues for row " + row.name + " of the alignment that ends here");
    if (row.text.size() != length) {
      lines.fail("row " + row.name + " of the alignment that ends here has " +
                 std::to_string(row.text.size()) + " columns; expected " + std::to_string(length));
    }
  }
}

std::unique_ptr<SequenceReader> make_alignment_reader(std::unique_ptr<Input> input, const Alphabet& alphabet,
                                                      SequenceFormat format) {
  const AlignmentReader::Parser parse = format == SequenceFormat::Stockholm ? read_stockholm
                                        : format == SequenceFormat::Clustal ? read_clustal
                                        : format == SequenceFormat::Msf     ? read_msf
                                        : format == SequenceFormat::Selex   ? read_selex
                                                                            : read_phylip;
  return std::make_unique<AlignmentReader>(std::move(input), alphabet, parse);
}

}  // namespace gpuhmm
