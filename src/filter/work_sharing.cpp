// Measures the speeds of members and compares when they would be done.
#include "filter/work_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace gpuhmm {

namespace {

// What was measured is forgotten while so many further seconds are measured, all but a third.
constexpr double kRemembered = 1;

// Members that have this part of the speed of the fastest are as fast.
constexpr double kEqual = 0.9;

}  // namespace

WorkSharing::WorkSharing(const std::vector<Traits>& members) : members_(members.size()) {
  for (std::size_t m = 0; m < members.size(); ++m) members_[m].traits = members[m];
}

double WorkSharing::Member::shared_at(double now) const {
  return pieces.empty() ? shared : shared + (now - read) / static_cast<double>(pieces.size());
}

// Parts in progress lower the speed once they take longer than they should.
double WorkSharing::speed(std::size_t m, double now) const {
  const Member& member = members_[m];
  const double known = member.seconds > 0 ? member.cells / member.seconds : member.traits.expected_speed;
  double cells = member.cells, seconds = member.seconds;
  for (const Piece& piece : member.pieces) {
    if (piece.part == 0) continue;
    cells += piece.part;
    seconds += member.shared_at(now) - piece.begun;
  }
  return seconds > 0 ? std::min(known, cells / seconds) : known;
}

// Cells that it has taken and not yet done, parts in progress by the time that has passed.
double WorkSharing::unfinished(std::size_t m, double now) const {
  const Member& member = members_[m];
  const double fast = speed(m, now);
  double cells = 0;
  for (const Piece& piece : member.pieces) {
    const double begun = piece.part == 0 ? 0 : fast * (member.shared_at(now) - piece.begun);
    cells += piece.rest - std::min(piece.part, begun);
  }
  return cells;
}

// Whether it does `own` cells, of a piece of `cells`, before the others would do that piece and all the rest.
bool WorkSharing::is_in_time(std::size_t m, double own, double cells, Members able, double left,
                             double now) const {
  double others = 0, fastest = 0, work = left + cells;
  for (const std::size_t other : able) {
    fastest = std::max(fastest, speed(other, now));
    if (other == m) continue;
    others += speed(other, now);
    work += unfinished(other, now);
  }
  const double fast = speed(m, now);
  return fast >= kEqual * fastest || own * others <= work * fast;
}

double WorkSharing::load(std::size_t m) const {
  return static_cast<double>(members_[m].pieces.size()) / members_[m].traits.concurrency;
}

std::optional<std::size_t> WorkSharing::choose(Members able, double cells, double left, double now) const {
  double fastest = 0;
  for (const std::size_t m : able) fastest = std::max(fastest, speed(m, now));
  std::optional<std::size_t> chosen;
  const auto order = [&](std::size_t m) { return std::pair(load(m), members_[m].taken); };
  for (const std::size_t m : able) {
    if (!is_free(m) || speed(m, now) < kLeastSpeed * fastest) continue;
    if (!is_in_time(m, cells + unfinished(m, now), cells, able, left, now)) continue;
    if (!chosen || order(m) < order(*chosen)) chosen = m;
  }
  return chosen;
}

WorkSharing::Piece& WorkSharing::begin(std::size_t m, double cells, double now) {
  Member& member = members_[m];
  member.shared = member.shared_at(now);
  member.read = now;
  ++member.taken;
  return member.pieces.emplace_back(m, cells, cells);
}

void WorkSharing::end(Piece& piece, double now) {
  Member& member = members_[piece.member];
  member.shared = member.shared_at(now);
  member.read = now;
  member.pieces.remove_if([&](const Piece& other) { return &other == &piece; });
}

void WorkSharing::begin_part(Piece& piece, double cells, double now) {
  piece.part = cells;
  piece.begun = members_[piece.member].shared_at(now);
}

void WorkSharing::end_part(Piece& piece, double now) {
  Member& member = members_[piece.member];
  const double seconds = member.shared_at(now) - piece.begun;
  const double kept = std::exp(-seconds / kRemembered);
  member.cells = member.cells * kept + piece.part;
  member.seconds = member.seconds * kept + seconds;
  member.all_seconds += seconds;
  piece.rest -= piece.part;
  piece.part = 0;
}

bool WorkSharing::should_go_on(const Piece& piece, Members able, double left, double now) const {
  return piece.moves >= able.size() ||
         is_in_time(piece.member, unfinished(piece.member, now), piece.cells, able, left, now);
}

}  // namespace gpuhmm
