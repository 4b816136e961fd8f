// Digitised sequences: a view of one, and the batch that holds many in a few contiguous buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuhmm {

/// One sequence of a batch. Name, accession and description are as in the file; the writers of HMMER2 reports
/// cut them. Residues are alphabet codes, all below 32.
struct SequenceView {
  std::string_view name;
  /// Empty if absent. One that is present but blank holds its blanks and one more.
  std::string_view accession, description;
  std::span<const std::uint8_t> residues;
};

/// Where residues come from: they are those of `source` from number `first` on, of `all`. They never change
/// as long as the source lives, so that a copy of them can be used again.
struct ResidueOrigin {
  std::shared_ptr<const void> source;
  std::uint64_t first = 0, all = 0;

  /// Whether `other` is the same source: both its address and its owner.
  bool is_from(const std::shared_ptr<const void>& other) const {
    return source == other && !source.owner_before(other) && !other.owner_before(source);
  }
};

/// Sequences in input order. Growing it invalidates the views.
class SequenceBatch {
 public:
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  /// Residues of all sequences together.
  std::size_t residue_count() const { return all_residues().size(); }
  /// Length of sequence i in residues.
  std::size_t length(std::size_t i) const { return end(i) - entries_[i].residues; }
  /// The residues of all sequences, one after the other.
  std::span<const std::uint8_t> all_residues() const {
    return borrows() ? std::span(borrowed_.residues, borrowed_.residue_count) : std::span(residues_);
  }
  std::span<const std::uint8_t> residues(std::size_t i) const {
    return all_residues().subspan(entries_[i].residues, length(i));
  }
  SequenceView operator[](std::size_t i) const {
    const Entry& e = entries_[i];
    const std::string_view text = text_view();
    return {text.substr(e.text, e.name), text.substr(e.text + e.name, e.accession),
            text.substr(e.text + e.name + e.accession, e.description), residues(i)};
  }
  /// Residues of sequence i, which may be changed in place (masking).
  std::span<std::uint8_t> mutable_residues(std::size_t i) {
    own();
    origin_ = {};
    return {residues_.data() + entries_[i].residues, length(i)};
  }
  /// Reserves memory for this many more sequences, residues, and characters of names, accessions and
  /// descriptions.
  void reserve_more(std::size_t sequences, std::size_t residues, std::size_t characters) {
    entries_.reserve(entries_.size() + sequences);
    residues_.reserve(residues_.size() + residues);
    text_.reserve(text_.size() + characters);
  }
  void clear() {
    entries_.clear();
    residues_.clear();
    text_.clear();
    borrowed_ = {};
    origin_ = {};
    residues_with_origin_ = 0;
  }

  /// Begins a new sequence; append_residues adds its residues.
  void begin_sequence(std::string_view name, std::string_view accession, std::string_view description) {
    own();
    entries_.push_back({residues_.size(), text_.size(), name.size(), accession.size(), description.size()});
    text_.append(name).append(accession).append(description);
  }
  /// Appends residue codes to the sequence begun last.
  void append_residues(std::span<const std::uint8_t> codes) {
    residues_.insert(residues_.end(), codes.begin(), codes.end());
  }
  /// Direct access for readers that digitise in bulk: codes appended here belong to the sequence begun last.
  std::vector<std::uint8_t>& residue_buffer() { return residues_; }

  /// Says where the residues of the sequence come from that was added last.
  void add_origin(const ResidueOrigin& origin) {
    const std::size_t count = length(size() - 1), before = residue_count() - count;
    if (before == 0) {
      origin_ = origin;
    } else if (before != residues_with_origin_ || !origin_.is_from(origin.source) ||
               origin_.first + before != origin.first) {
      return;  // from now on some residues are without origin
    }
    residues_with_origin_ = before + count;
  }
  /// Where the residues come from, if all come from one place, one after the other; otherwise null. The
  /// pointer is valid until the batch is changed.
  const ResidueOrigin* origin() const {
    return origin_.source && residues_with_origin_ == residue_count() ? &origin_ : nullptr;
  }

  /// Clears the batch and prepares it to hold sequences stored consecutively in memory that `owner` keeps
  /// alive, with their names, accessions and descriptions consecutively in `text`; extend() adds one after
  /// another. Nothing is copied until the batch is changed in another way.
  void borrow(std::shared_ptr<const void> owner, const std::uint8_t* residues, const char* text) {
    clear();
    borrowed_ = {std::move(owner), residues, text, 0, 0};
  }
  /// Adds a sequence if it is the next one in borrowed storage; returns false if it is not.
  bool extend(const SequenceView& next) {
    const bool follows = borrows() && next.residues.data() == borrowed_.residues + borrowed_.residue_count &&
                         next.name.data() == borrowed_.text + borrowed_.text_size;
    if (!follows) return false;
    const Entry entry{borrowed_.residue_count, borrowed_.text_size, next.name.size(), next.accession.size(),
                      next.description.size()};
    entries_.push_back(entry);
    borrowed_.residue_count += next.residues.size();
    borrowed_.text_size += entry.name + entry.accession + entry.description;
    return true;
  }

 private:
  struct Entry {
    std::size_t residues, text, name, accession, description;
  };
  std::size_t end(std::size_t i) const {
    return i + 1 < entries_.size() ? entries_[i + 1].residues : residue_count();
  }
  bool borrows() const { return borrowed_.owner != nullptr; }
  std::string_view text_view() const {
    return borrows() ? std::string_view(borrowed_.text, borrowed_.text_size) : std::string_view(text_);
  }
  // Copies borrowed sequences.
  void own() {
    if (!borrows()) return;
    residues_.assign(all_residues().begin(), all_residues().end());
    text_ = text_view();
    borrowed_ = {};
  }

  struct Borrowed {
    std::shared_ptr<const void> owner;
    const std::uint8_t* residues = nullptr;
    const char* text = nullptr;
    std::size_t residue_count = 0, text_size = 0;
  };

  std::vector<Entry> entries_;
  std::vector<std::uint8_t> residues_;
  std::string text_;
  Borrowed borrowed_;
  ResidueOrigin origin_;  // of the first residue
  std::size_t residues_with_origin_ = 0;
};

}  // namespace gpuhmm
