// The filters' parameters dealt to the lanes of vectors.
#include <algorithm>
#include <limits>
#include <utility>

#include "hmmer3/fast_filters.hpp"
#include "hmmer3/ssv_bands.hpp"
#include "simd/instruction_set.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::int8_t kForbiddenSigned = 127;
constexpr std::uint8_t kForbidden = 255;

std::size_t ceiling(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

std::size_t codes_of(const ByteModel& model) {
  return model.costs.size() / static_cast<std::size_t>(model.nodes + 1);
}

}  // namespace

Stripes::Stripes(int nodes, std::size_t lanes_of_a_vector, std::size_t fewest)
    : lanes(lanes_of_a_vector),
      vectors(lanes == 0 ? 0 : std::max(fewest, ceiling(static_cast<std::size_t>(nodes), lanes))) {}

SsvBands::SsvBands(std::size_t vectors, std::size_t widest_possible)
    : count(ceiling(vectors, widest_possible)), widest(count == 0 ? 0 : ceiling(vectors, count)) {}

StripedBytes::StripedBytes(const ByteParameters& parameters, std::size_t code_count, const std::int8_t* ssv,
                           const std::uint8_t* msv)
    : ByteParameters(parameters),
      stripes(nodes, kLanes, 2),
      codes(code_count),
      rows{stripes.vectors, SsvBands(stripes.vectors, std::min(widest_ssv_band(), kRepeated + 1)).count,
           (stripes.vectors + kRepeated) * kLanes, ssv, msv} {}

ByteModel StripedBytes::by_node() const {
  const auto places = static_cast<std::size_t>(nodes) + 1;
  std::vector<std::uint8_t> costs(codes * places, kForbidden);
  for (int k = 1; k <= nodes; ++k) {
    const std::size_t place = stripes.place_of(k);
    for (std::size_t code = 0; code < codes; ++code) {
      costs[code * places + k] = rows.msv[code * stripes.cells() + place];
    }
  }
  return {*this, std::move(costs)};
}

DiagonalCosts::DiagonalCosts(const ByteModel& model, std::size_t codes, std::size_t most)
    : nodes_(model.nodes <= static_cast<int>(most) && codes <= kFree ? model.nodes : 0),
      costs_(nodes_ * kCodes, 0) {
  for (std::size_t k = 0; k < nodes_; ++k) {
    for (std::size_t code = 0; code < codes; ++code)
      costs_[k * kCodes + code] = model.ssv_cost(code, static_cast<int>(k + 1));
  }
}

ByteTables::ByteTables(const ByteModel& model, std::size_t vector_bytes)
    : stripes(model.nodes, vector_bytes),
      bands(stripes.vectors, widest_ssv_band()),
      ssv_stride(bands.count == 0 ? 0 : (stripes.vectors + bands.widest - 1) * stripes.lanes),
      diagonals(model, codes_of(model), most_diagonal_nodes()) {
  if (vector_bytes == 0) return;
  const std::size_t codes = codes_of(model);
  ssv = {codes * ssv_stride, kForbiddenSigned};
  msv = {codes * stripes.cells(), kForbidden};
  for (int k = 1; k <= model.nodes; ++k) {
    const std::size_t place = stripes.place_of(k);
    for (std::size_t code = 0; code < codes; ++code) {
      ssv[code * ssv_stride + place] = model.ssv_cost(code, k);
      msv[code * stripes.cells() + place] = model.cost(code, k);
    }
  }
  for (std::size_t code = 0; code < codes; ++code) {
    std::int8_t* const row = ssv.data() + code * ssv_stride;
    std::copy_n(row, ssv_stride - stripes.cells(), row + stripes.cells());
  }
}

WordTables::WordTables(const WordModel& model, std::size_t codes, std::size_t vector_bytes)
    : stripes(model.nodes, vector_bytes / sizeof(std::int16_t)), gains_hold(true) {
  if (vector_bytes == 0) return;
  constexpr std::int16_t kImpossible = WordModel::kImpossible;
  constexpr int kHighest = std::numeric_limits<std::int16_t>::max();
  const std::size_t cells = stripes.cells(), lanes = stripes.lanes;
  match = {codes * cells, kImpossible};
  begin = {cells, kImpossible};
  steps = {kWordSteps * cells, kImpossible};
  delete_gains = {cells, kImpossible};
  int gain = kImpossible;
  for (int k = model.nodes; k > 0; --k) {
    const std::size_t place = stripes.place_of(k);
    for (std::size_t code = 0; code < codes; ++code) match[code * cells + place] = model.match_score(code, k);
    begin[place] = model.step(kIntoFromBegin, k);
    std::int16_t* const out = steps.data() + place / lanes * lanes * kWordSteps + place % lanes;
    out[kOutMatchInsert * lanes] = model.step(kMatchToInsert, k);
    out[kOutInsertInsert * lanes] = model.step(kInsertToInsert, k);
    out[kOutMatchDelete * lanes] = model.step(kMatchToDelete, k);
    out[kOutDeleteDelete * lanes] = model.step(kDeleteToDelete, k);
    if (k == model.nodes) continue;
    out[kOutMatchMatch * lanes] = model.step(kIntoFromMatch, k + 1);
    out[kOutInsertMatch * lanes] = model.step(kIntoFromInsert, k + 1);
    out[kOutDeleteMatch * lanes] = model.step(kIntoFromDelete, k + 1);
    // With 100000 residues or fewer B's way into any node stays above the lowest score: a deletion that has
    // fallen to it, and cannot rise again, is never better.
    gain = std::max(model.step(kIntoFromDelete, k + 1) - model.step(kIntoFromBegin, k + 1),
                    gain + model.step(kDeleteToDelete, k));
    gains_hold = gains_hold && gain <= kHighest && model.step(kDeleteToDelete, k) <= 0;
    delete_gains[place] = static_cast<std::int16_t>(std::clamp<int>(gain, kImpossible, kHighest));
  }
}

FilterProfile::FilterProfile(const Profile& profile) : FilterProfile(profile, LogOdds(profile)) {}

FilterProfile::FilterProfile(const Profile& profile, const LogOdds& scores)
    : FilterProfile(ByteModel(scores), WordModel(scores), BiasModel(profile), scores.codes) {}

FilterProfile::FilterProfile(ByteModel&& for_bytes, WordModel&& for_words, BiasModel&& for_bias,
                             std::size_t codes)
    : bytes(std::move(for_bytes)),
      words(std::move(for_words)),
      bias(std::move(for_bias)),
      vector_bytes(simd::usual_vector_bytes()),
      byte_tables(bytes, vector_bytes),
      word_tables(words, codes, vector_bytes) {}

}  // namespace gpuhmm::hmmer3
