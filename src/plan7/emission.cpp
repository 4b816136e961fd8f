// Drawing of sequences; see the header.
#include "plan7/emission.hpp"

#include <array>
#include <span>

#include "plan7/arithmetic.hpp"
#include "plan7/consensus.hpp"

namespace gpuhmm {

namespace {

template <std::size_t N>
std::array<float, N> normalised(std::array<float, N> probabilities) {
  normalise(probabilities);
  return probabilities;
}

std::array<float, 3> from_match(const Transitions& t) { return normalised(std::array{t.mm, t.mi, t.md}); }
std::array<float, 2> from_insert(const Transitions& t) { return normalised(std::array{t.im, t.ii}); }
std::array<float, 2> from_delete(const Transitions& t) { return normalised(std::array{t.dm, t.dd}); }

}  // namespace

SequenceEmitter::SequenceEmitter(const Profile& profile)
    : begin_(std::array{profile.begin_delete, 1.0F - profile.begin_delete}) {
  const auto residues = static_cast<std::size_t>(profile.residues());
  for (int k = 0; k <= profile.nodes; ++k) {
    const std::size_t row = static_cast<std::size_t>(k) * residues;
    match_.emplace_back(std::span(profile.match).subspan(row, residues));
    insert_.emplace_back(std::span(profile.insert).subspan(row, residues));
    from_match_.emplace_back(from_match(profile.transition[k]));
    from_insert_.emplace_back(from_insert(profile.transition[k]));
    from_delete_.emplace_back(from_delete(profile.transition[k]));
  }
}

Emission SequenceEmitter::draw(RandomStream& stream) const {
  constexpr std::array kAfterMatch = {State::M, State::I, State::D};
  constexpr std::array kAfterInsert = {State::M, State::I};
  constexpr std::array kAfterDelete = {State::M, State::D};
  const int nodes = static_cast<int>(match_.size()) - 1;
  Emission steps;
  stream.next();  // N
  State state = begin_.draw(stream) == 0 ? State::D : State::M;
  for (int k = 1;;) {
    std::uint8_t code = 0;
    if (state == State::M) code = match_[k].draw(stream);
    if (state == State::I) code = insert_[k].draw(stream);
    steps.push_back({state, k, code});
    if (k == nodes) break;
    if (state == State::M) {
      state = kAfterMatch[from_match_[k].draw(stream)];
    } else if (state == State::I) {
      state = kAfterInsert[from_insert_[k].draw(stream)];
    } else {
      state = kAfterDelete[from_delete_[k].draw(stream)];
    }
    if (state != State::I) ++k;
  }
  stream.next();  // E
  stream.next();  // C
  return steps;
}

std::string majority_consensus(const Profile& profile) {
  constexpr float kMajority = 0.5F;
  const Consensus consensus(profile);
  std::string letters;
  float match = 1.0F - profile.begin_delete;
  float deletion = profile.begin_delete;
  for (int k = 1; k <= profile.nodes; ++k) {
    if (match >= kMajority) letters += consensus.letter(k);
    if (k == profile.nodes) break;
    const auto [mm, mi, md] = from_match(profile.transition[k]);
    const auto [im, ii] = from_insert(profile.transition[k]);
    const auto [dm, dd] = from_delete(profile.transition[k]);
    const float insertion = match * mi;
    if (insertion >= kMajority) letters.append(static_cast<std::size_t>(1.0 / (1.0 - ii)), 'x');
    const float next_match = match * mm + insertion + deletion * dm;
    deletion = match * md + deletion * dd;
    match = next_match;
  }
  return letters;
}

}  // namespace gpuhmm
