// HMMER3's filters in vectors: the same results as those of filters.hpp, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "hmmer3/filter_model.hpp"
#include "hmmer3/filters.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::hmmer3 {

/// A model's nodes dealt to the lanes of vectors: node k lies in vector (k - 1) % vectors, lane
/// (k - 1) / vectors.
struct Stripes {
  /// `fewest`: vectors that there are at least.
  Stripes(int nodes, std::size_t lanes_of_a_vector, std::size_t fewest = 0);

  /// Place of a node in an array of vectors.
  std::size_t place_of(int k) const {
    const auto node = static_cast<std::size_t>(k - 1);
    return node % vectors * lanes + node / vectors;
  }
  /// Node at a place, which may lie behind the last one.
  int node_at(std::size_t vector, std::size_t lane) const {
    return static_cast<int>(lane * vectors + vector + 1);
  }
  std::size_t cells() const { return vectors * lanes; }

  std::size_t lanes, vectors;
};

/// SSV's bands of adjacent vectors.
struct SsvBands {
  /// Bands of at most `widest` vectors.
  SsvBands(std::size_t vectors, std::size_t widest);

  std::size_t count, widest;  ///< bands that cover all vectors, and the vectors of the widest
};

/// Costs of SSV node by node, for small models.
class DiagonalCosts {
 public:
  static constexpr std::size_t kMostNodes = 48, kCodes = 32, kHalf = kCodes / 2;
  static constexpr std::uint8_t kFree = kCodes - 1;  ///< a code that costs nothing

  /// Empty if there are more nodes than `most`.
  DiagonalCosts(const ByteModel& model, std::size_t codes, std::size_t most);

  bool empty() const { return nodes_ == 0; }
  std::size_t nodes() const { return nodes_; }
  /// kCodes costs of node 1, of node 2, ...
  const std::int8_t* data() const { return costs_.data(); }

 private:
  std::size_t nodes_;
  simd::AlignedBuffer<std::int8_t> costs_;
};

/// Costs of SSV and MSV for vectors, somewhere in memory; rows by residue code, lanes behind the last node
/// are forbidden. Behind the last vector of a row of SSV its first ones follow once more, so that a band lies
/// in one piece wherever it begins.
struct ByteRows {
  std::size_t vectors, bands;
  std::size_t ssv_stride;   ///< bytes from row to row of `ssv`
  const std::int8_t* ssv;   ///< signed
  const std::uint8_t* msv;  ///< biased
};

/// The same in memory of its own, for the instruction set in use.
struct ByteTables {
  ByteTables(const ByteModel& model, std::size_t vector_bytes);

  ByteRows rows() const { return {stripes.vectors, bands.count, ssv_stride, ssv.data(), msv.data()}; }

  Stripes stripes;
  SsvBands bands;
  std::size_t ssv_stride;
  simd::AlignedBuffer<std::int8_t> ssv;
  simd::AlignedBuffer<std::uint8_t> msv;
  DiagonalCosts diagonals;
};

/// The parameters of SSV and MSV as HMMER3 lays them out: vectors of 16 bytes, two at least in a row, and of
/// SSV kRepeated more (docs/spec/hmmer3/hmmscan.md, 3). The costs lie elsewhere and need no alignment.
struct StripedBytes : ByteParameters {
  static constexpr std::size_t kLanes = 16, kRepeated = 17;

  /// `ssv` and `msv`: the costs of `codes` residue codes, which must live as long as this.
  StripedBytes(const ByteParameters& parameters, std::size_t codes, const std::int8_t* ssv,
               const std::uint8_t* msv);
  /// The same parameters in the order of nodes.
  ByteModel by_node() const;

  Stripes stripes;
  std::size_t codes;
  ByteRows rows;
};

/// Steps of the Viterbi filter out of a node, in the order of WordTables::steps.
enum WordStep : std::size_t {
  kOutMatchMatch,
  kOutInsertMatch,
  kOutDeleteMatch,
  kOutMatchInsert,
  kOutInsertInsert,
  kOutMatchDelete,
  kOutDeleteDelete,
  kWordSteps
};

/// Scores of the Viterbi filter for vectors; lanes behind the last node are impossible.
struct WordTables {
  WordTables(const WordModel& model, std::size_t codes, std::size_t vector_bytes);

  Stripes stripes;
  simd::AlignedBuffer<std::int16_t> match;  ///< rows by residue code
  simd::AlignedBuffer<std::int16_t> begin;  ///< B -> M
  simd::AlignedBuffer<std::int16_t> steps;  ///< [vector][WordStep][lane]
  /// The most by which a path through the deletion of a node and of later ones can be better than one from
  /// B, if B's score is that of the deletion.
  simd::AlignedBuffer<std::int16_t> delete_gains;
  bool gains_hold;  ///< false if they have no bound that can be computed with: odd models
};

/// The filters' parameters of one profile with tables for the instruction set in use, which must not change
/// while the object lives. Threads may share it.
struct FilterProfile {
  explicit FilterProfile(const Profile& profile);
  /// The same; `scores` are those of the profile.
  FilterProfile(const Profile& profile, const LogOdds& scores);
  /// The same from the parameters of each filter; `codes` residue codes.
  FilterProfile(ByteModel&& for_bytes, WordModel&& for_words, BiasModel&& for_bias, std::size_t codes);

  ByteModel bytes;
  WordModel words;
  BiasModel bias;
  std::size_t vector_bytes;  ///< 0: no vectors, no tables
  ByteTables byte_tables;
  WordTables word_tables;
};

/// What ssv_maximum() gives. Only for models whose bias is below 127: ssv_result() asks for MSV with others.
SsvMaximum fast_ssv_maximum(const FilterProfile& model, Residues sequence);
SsvMaximum fast_ssv_maximum(const StripedBytes& model, Residues sequence);
/// What msv_result() gives.
FirstStage fast_msv_result(const FilterProfile& model, Residues sequence);
FirstStage fast_msv_result(const StripedBytes& model, Residues sequence);
/// What msv_score() gives: the first stage, nats; infinity if it overflows.
float fast_msv_score(const FilterProfile& model, Residues sequence);
float fast_msv_score(const StripedBytes& model, Residues sequence);

/// What viterbi_score() gives, for at most 100000 residues: nats; infinity if it overflows.
float fast_viterbi_score(const FilterProfile& model, Residues sequence);

/// What bias_score() gives for each of the sequences, whose null models follow from their lengths. Several
/// at once are quicker. Needs flush to zero (FlushToZero). `scores` has a place for each sequence.
void fast_bias_scores(const BiasModel& model, std::span<const Residues> sequences, std::span<float> scores);

}  // namespace gpuhmm::hmmer3
