// HMMER3's filters in vectors: the same results as filters.hpp, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hmmer3/filter_model.hpp"
#include "hmmer3/filters.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::hmmer3 {

/// A model's nodes dealt to the lanes of vectors: node k lies at vector (k - 1) % vectors, lane
/// (k - 1) / vectors.
struct Stripes {
  Stripes(int nodes, std::size_t lanes_of_a_vector);

  std::size_t vector_of(int k) const { return static_cast<std::size_t>(k - 1) % vectors; }
  std::size_t lane_of(int k) const { return static_cast<std::size_t>(k - 1) / vectors; }
  /// Place of a node in an array of vectors.
  std::size_t place_of(int k) const { return vector_of(k) * lanes + lane_of(k); }

  std::size_t lanes, vectors;
};

/// The filters' parameters of one profile with their tables for the instruction set in use, which must not
/// change while the object is used. Building takes some 100 logarithms a node; copies of no part are shared,
/// so threads may read one object together.
class FilterProfile {
 public:
  explicit FilterProfile(const Profile& profile);
  FilterProfile(const Profile& profile, const LogOdds& scores);

  const ByteModel& bytes() const { return bytes_; }
  const WordModel& words() const { return words_; }
  const BiasModel& bias() const { return bias_; }

  /// False if the instruction set in use has no vectors: then there are no tables.
  bool has_tables() const { return has_tables_; }

  /// Tables of SSV: signed costs, rows by code. The first vectors follow once more behind the last, so that
  /// a band of vectors can be read in one piece wherever it begins.
  const Stripes& byte_stripes() const { return byte_stripes_; }
  std::size_t ssv_band() const { return ssv_band_; }  ///< most vectors of a band
  const std::int8_t* ssv_costs() const { return ssv_costs_.data(); }
  std::size_t ssv_row() const { return ssv_row_; }  ///< bytes from one code's row to the next
  /// Table of MSV: biased costs, rows by code.
  const std::uint8_t* msv_costs(std::size_t code) const {
    return msv_costs_.data() + code * byte_stripes_.vectors * byte_stripes_.lanes;
  }

  /// Tables of the Viterbi filter.
  const Stripes& word_stripes() const { return word_stripes_; }
  const std::int16_t* word_scores(std::size_t code) const {
    return word_scores_.data() + code * word_stripes_.vectors * word_stripes_.lanes;
  }
  /// [vector][step][lane]. All steps lead out of a node; of the begin state's, into it.
  const std::int16_t* word_steps() const { return word_steps_.data(); }
  /// For each lane: a deletion that enters the lane's first node with more than B's score less this may
  /// be better than B at some node; with no more it never is.
  const std::int16_t* delete_gains() const { return delete_gains_.data(); }

 private:
  void deal_bytes();
  void deal_words();
  void find_delete_gains();

  ByteModel bytes_;
  WordModel words_;
  BiasModel bias_;
  bool has_tables_;
  Stripes byte_stripes_, word_stripes_;
  std::size_t ssv_band_ = 0, ssv_row_ = 0;
  simd::AlignedBuffer<std::int8_t> ssv_costs_;
  simd::AlignedBuffer<std::uint8_t> msv_costs_;
  simd::AlignedBuffer<std::int16_t> word_scores_, word_steps_, delete_gains_;
};

/// What ssv_maximum() gives; only where ssv_result() does not ask for MSV anyway (bias below 127).
SsvMaximum fast_ssv_maximum(const FilterProfile& model, Residues sequence);
/// What msv_result() gives.
FirstStage fast_msv_result(const FilterProfile& model, Residues sequence);
/// What msv_score() gives: the first stage, nats; infinity if it overflows.
float fast_msv_score(const FilterProfile& model, Residues sequence);

/// What viterbi_score() gives, for at most 100000 residues: nats; infinity if it overflows.
float fast_viterbi_score(const FilterProfile& model, Residues sequence);

/// What bias_score() gives for each of the sequences, whose null models follow from their lengths. Several
/// at once are quicker. Needs flush to zero (FlushToZero). `scores` has a place for each sequence.
void fast_bias_scores(const BiasModel& model, std::span<const Residues> sequences, std::span<float> scores);

}  // namespace gpuhmm::hmmer3
