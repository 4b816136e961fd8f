// Draws sequences from a profile, and makes its majority-rule consensus.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "gpuhmm/emit.hpp"
#include "plan7/consensus.hpp"

namespace gpuhmm {

namespace {

// Prepares a profile as HMMER does before drawing: global, single-hit, and normalised twice more, which
// changes the last bit of some probabilities.
Profile made_global(Profile profile) {
  std::fill(profile.begin.begin(), profile.begin.end(), 0.0F);
  std::fill(profile.end.begin(), profile.end.end(), 0.0F);
  profile.begin[1] = 1.0F - profile.begin_delete;
  profile.end[profile.nodes] = 1.0F;
  for (int k = 1; k < profile.nodes; ++k) {
    Transitions& t = profile.transition[k];
    const float factor = 1.0F / (t.mm + t.mi + t.md);
    for (float* const p : {&t.mm, &t.mi, &t.md}) *p *= factor;
  }
  profile.renormalise();
  return profile;
}

// The choices of N, E and C: they always move on.
void move_on(RandomStream& stream) {
  static const RandomChoice move(std::array{1.0F, 0.0F});
  move.draw(stream);
}

}  // namespace

SequenceEmitter::SequenceEmitter(const Profile& profile) : SequenceEmitter(made_global(profile), Ready()) {}

SequenceEmitter::SequenceEmitter(const Profile& profile, Ready) : begin_delete_(profile.begin_delete) {
  const auto residues = static_cast<std::size_t>(profile.residues());
  for (int k = 0; k <= profile.nodes; ++k) {
    const std::size_t row = static_cast<std::size_t>(k) * residues;
    const Transitions& t = profile.transition[k];
    match_.emplace_back(std::span(profile.match).subspan(row, residues));
    insert_.emplace_back(std::span(profile.insert).subspan(row, residues));
    from_match_.emplace_back(std::array{t.mm, t.mi, t.md, 0.0F});  // no transition to E before the last node
    from_insert_.emplace_back(std::array{t.im, t.ii});
    from_delete_.emplace_back(std::array{t.dm, t.dd});
  }
}

// Chooses the first state: the delete state of node 1 or a match state, of which only that of node 1 is
// possible.
State SequenceEmitter::begin(RandomStream& stream) const {
  const auto roll = static_cast<float>(stream.uniform());
  if (roll < begin_delete_) return State::D;
  if (roll < begin_delete_ + (1.0F - begin_delete_)) return State::M;
  for (;;) {
    const auto x = static_cast<std::size_t>(stream.uniform() * static_cast<double>(match_.size()));
    if (x == 0 && begin_delete_ != 0.0F) return State::D;
    if (x == 1) return State::M;
  }
}

Emission SequenceEmitter::draw(RandomStream& stream) const {
  constexpr std::array kAfterMatch = {State::M, State::I, State::D};
  constexpr std::array kAfterInsert = {State::M, State::I};
  constexpr std::array kAfterDelete = {State::M, State::D};
  const int nodes = static_cast<int>(match_.size()) - 1;
  Emission steps;
  move_on(stream);  // N
  State state = begin(stream);
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
  move_on(stream);  // E
  move_on(stream);  // C
  return steps;
}

std::string majority_consensus(const Profile& given) {
  constexpr float kMajority = 0.5F;
  const Profile profile = made_global(given);
  const Consensus consensus(profile);
  std::string letters;
  float match = 1.0F - profile.begin_delete;
  float deletion = profile.begin_delete;
  for (int k = 1; k <= profile.nodes; ++k) {
    if (match >= kMajority) letters += consensus.letter(k);
    if (k == profile.nodes) break;
    const Transitions& t = profile.transition[k];
    const float insertion = match * t.mi;
    if (insertion >= kMajority) letters.append(static_cast<std::size_t>(1.0 / (1.0 - t.ii)), 'x');
    const float next_match = match * t.mm + insertion + deletion * t.dm;
    deletion = match * t.md + deletion * t.dd;
    match = next_match;
  }
  return letters;
}

}  // namespace gpuhmm
