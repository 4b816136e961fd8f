// Decides which of several members of unequal speed takes a piece of work, by speeds that it measures.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <span>
#include <vector>

namespace gpuhmm {

/// A member gets a piece if it will have done it before the others would have done it and all that is left,
/// otherwise nothing; so the last piece never waits for a slow member. A member does its pieces part by part,
/// and gives a piece back if that turns out to be wrong. Has no clock and no threads: callers say what time
/// it is, in seconds, and call one at a time.
class WorkSharing {
 public:
  struct Traits {
    double expected_speed;  ///< cells a second, roughly
    unsigned concurrency;   ///< pieces that it does at a time, all of them together at its speed
  };
  /// A piece that a member has taken.
  struct Piece {
    std::size_t member;
    double cells;
    double rest;            ///< cells of the parts that are not done
    double part = 0;        ///< cells of the part that it is doing
    double begun = 0;       ///< when it began that part, by the member's shared clock
    std::size_t moves = 0;  ///< how often it has been given back before
  };
  /// Numbers of members.
  using Members = std::span<const std::size_t>;

  /// A member below this part of the speed of the fastest gets no whole models: it costs the host more, in
  /// preparation and threads, than it helps.
  static constexpr double kLeastSpeed = 1.0 / 16;

  explicit WorkSharing(const std::vector<Traits>& members);

  /// Whether it can take another piece.
  bool is_free(std::size_t member) const { return load(member) < 1; }
  /// The member of `able` that should take a piece of so many cells; nothing: all that should are busy.
  /// `left`: cells of the pieces that nobody has taken yet, without this one.
  std::optional<std::size_t> choose(Members able, double cells, double left, double now) const;

  /// A member takes a piece, and ends it. The reference is valid until then.
  Piece& begin(std::size_t member, double cells, double now);
  void end(Piece& piece, double now);
  /// It begins and ends a part of the piece.
  void begin_part(Piece& piece, double cells, double now);
  void end_part(Piece& piece, double now);
  /// Whether it should go on with the piece; if not, another does all of it. A piece that was given back as
  /// often as there are members stays.
  bool should_go_on(const Piece& piece, Members able, double left, double now) const;

  /// Cells a second: as expected until it has done a part, then as measured of late.
  double speed(std::size_t member, double now) const;
  /// Seconds for which it has done the parts that it has ended.
  double measured_seconds(std::size_t member) const { return members_[member].all_seconds; }

 private:
  struct Member {
    Traits traits;
    std::list<Piece> pieces;
    std::size_t taken = 0;  // pieces so far
    // The clock of a member goes n times slower while it does n pieces, so that each piece has its share of
    // the time.
    double shared = 0, read = 0;    // the clock, and when it was read
    double cells = 0, seconds = 0;  // of the parts that are done, the latest above all
    double all_seconds = 0;

    double shared_at(double now) const;
  };

  double unfinished(std::size_t member, double now) const;
  bool is_in_time(std::size_t member, double own, double cells, Members able, double left, double now) const;
  double load(std::size_t member) const;

  std::vector<Member> members_;
};

}  // namespace gpuhmm
