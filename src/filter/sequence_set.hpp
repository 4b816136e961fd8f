// The sequences that an engine scores: a whole batch or some of its sequences, without copying residues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gpuhmm/sequence.hpp"

namespace gpuhmm {

/// Consecutive residues of a sequence of a batch.
struct SequencePart {
  std::size_t sequence, first, length;

  friend bool operator==(const SequencePart&, const SequencePart&) = default;
};

struct LengthOrder;

/// A view of sequences of a batch, or of parts of them. The batch must outlive the view and not change. Cheap
/// to copy.
class SequenceSet {
 public:
  /// All sequences of the batch, in its order.
  SequenceSet(const SequenceBatch& batch)  // NOLINT(google-explicit-constructor): a batch is a set
      : batch_(&batch), residue_count_(batch.residue_count()) {}

  /// The same; `by_length`: their order, if somebody has sorted them, or null.
  SequenceSet(const SequenceBatch& batch, std::shared_ptr<const LengthOrder> by_length) : SequenceSet(batch) {
    by_length_ = std::move(by_length);
  }

  /// These parts of sequences of the batch, in that order.
  static SequenceSet of_parts(const SequenceBatch& batch, std::vector<SequencePart> parts) {
    SequenceSet result(batch);
    result.residue_count_ = 0;
    for (const SequencePart& part : parts) result.residue_count_ += part.length;
    result.parts_ = std::make_shared<const std::vector<SequencePart>>(std::move(parts));
    return result;
  }

  /// The sequences with the indices `places` in this set, in that order.
  SequenceSet subset(std::span<const std::size_t> places) const {
    auto chosen = std::make_shared<std::vector<std::size_t>>();
    chosen->reserve(places.size());
    SequenceSet result(*batch_);
    result.residue_count_ = 0;
    for (const std::size_t i : places) {
      chosen->push_back(place(i));
      result.residue_count_ += length(i);
    }
    result.places_ = std::move(chosen);
    result.parts_ = parts_;
    return result;
  }

  /// The order of the set's sequences: the one that it was given, or else a new one.
  std::shared_ptr<const LengthOrder> by_length() const;

  /// Whether both are the same sequences or parts of the same batch, in the same order, and were given the
  /// same LengthOrder or none. As sets keep that, it tells a batch from a later one at the same address.
  friend bool operator==(const SequenceSet& a, const SequenceSet& b) {
    const auto same = [](const auto& x, const auto& y) { return x == y || (x && y && *x == *y); };
    return a.batch_ == b.batch_ && a.by_length_ == b.by_length_ && same(a.places_, b.places_) &&
           same(a.parts_, b.parts_);
  }

  std::size_t size() const { return places_ ? places_->size() : parts_ ? parts_->size() : batch_->size(); }
  bool empty() const { return size() == 0; }
  /// Total number of residues.
  std::size_t residue_count() const { return residue_count_; }
  /// The index in the batch of the sequence that i is, or is a part of.
  std::size_t batch_index(std::size_t i) const { return parts_ ? (*parts_)[place(i)].sequence : place(i); }
  /// Length of sequence i in residues.
  std::size_t length(std::size_t i) const {
    return parts_ ? (*parts_)[place(i)].length : batch_->length(place(i));
  }
  /// Residue codes of sequence i.
  std::span<const std::uint8_t> residues(std::size_t i) const {
    if (!parts_) return batch_->residues(place(i));
    const SequencePart& part = (*parts_)[place(i)];
    return batch_->residues(part.sequence).subspan(part.first, part.length);
  }

 private:
  std::size_t place(std::size_t i) const { return places_ ? (*places_)[i] : i; }

  const SequenceBatch* batch_;
  std::size_t residue_count_;
  std::shared_ptr<const LengthOrder> by_length_;            // null: not known
  std::shared_ptr<const std::vector<std::size_t>> places_;  // indices into parts_ or the batch
  std::shared_ptr<const std::vector<SequencePart>> parts_;  // null: the batch's whole sequences
};

/// The lengths of a set's sequences, of which there are fewer than 2^32 - 1, and their order by length.
struct LengthOrder {
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  explicit LengthOrder(const SequenceSet& sequences);

  std::vector<std::uint32_t> lengths;        ///< of all sequences
  std::vector<std::uint32_t> longest_first;  ///< all that have residues; of equal length: in the set's order
  std::vector<std::uint32_t> ranks;          ///< sequence -> its place there, or kNowhere
};

/// LengthOrder::longest_first.
std::vector<std::size_t> longest_first(const SequenceSet& sequences);

}  // namespace gpuhmm
