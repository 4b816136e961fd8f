// Members of any speeds together take no longer than the fastest alone. A simulation with a clock of its own
// does the members' work, which is only to wait.
#include "filter/work_sharing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <vector>

#include "filter/random_models.hpp"

namespace gpuhmm {
namespace {

using namespace gpuhmm::testing;
using testing::detail::between;
using testing::detail::chance;

constexpr double kNever = std::numeric_limits<double>::infinity();

struct SimulatedMember {
  double speed = 1;     // cells a second, in truth
  double expected = 1;  // as the pool is told
  unsigned concurrency = 1;
  double part = kNever;              // cells; an eighth of it at first
  double slow_from = kNever;         // seconds, from when on it is a hundred times slower
  std::size_t fails_at = 1'000'000;  // piece
};

// Has the members do pieces of these cells, in this order.
class Simulation {
 public:
  Simulation(std::vector<SimulatedMember> members, const std::vector<double>& pieces)
      : members_(std::move(members)),
        sharing_(traits(members_)),
        done_by_(pieces.size()),
        shares_(members_.size()) {
    for (std::size_t p = 0; p < pieces.size(); ++p) waiting_.push_back({p, pieces[p], 0});
    for (std::size_t m = 0; m < members_.size(); ++m) able_.push_back(m);
    std::size_t steps = 0;
    do {
      while (take()) continue;
      if (++steps > 1'000'000) break;
    } while (step());
  }

  double seconds() const { return now_; }
  // Who did each piece, in the order in which they were done: one each.
  const std::vector<std::vector<std::size_t>>& done_by() const { return done_by_; }
  // Cells that each member did to the end.
  const std::vector<double>& shares() const { return shares_; }

 private:
  struct Waiting {
    std::size_t number;
    double cells;
    std::size_t moves;
  };
  struct Running {
    Waiting work;
    WorkSharing::Piece* piece;
    double left;  // of the part
  };

  static std::vector<WorkSharing::Traits> traits(const std::vector<SimulatedMember>& members) {
    std::vector<WorkSharing::Traits> traits;
    for (const SimulatedMember& member : members) traits.push_back({member.expected, member.concurrency});
    return traits;
  }

  double left() const {
    double cells = 0;
    for (const Waiting& work : waiting_) cells += work.cells;
    return cells;
  }

  bool take() {
    if (waiting_.empty()) return false;
    const Waiting work = waiting_.front();
    const auto member = sharing_.choose(able_, work.cells, left() - work.cells, now_);
    if (!member) return false;
    waiting_.pop_front();
    WorkSharing::Piece& piece = sharing_.begin(*member, work.cells, now_);
    piece.moves = work.moves;
    running_.push_back({work, &piece, 0});
    begin_part(running_.back(), true);
    return true;
  }

  void begin_part(Running& running, bool first) {
    const SimulatedMember& member = members_[running.piece->member];
    running.left = std::min(running.piece->rest, first ? member.part / 8 : member.part);
    sharing_.begin_part(*running.piece, running.left, now_);
  }

  double rate(const Running& running) const {
    const SimulatedMember& member = members_[running.piece->member];
    const auto together = std::ranges::count_if(
        running_, [&](const Running& other) { return other.piece->member == running.piece->member; });
    return (now_ >= member.slow_from ? member.speed / 100 : member.speed) / static_cast<double>(together);
  }

  // Goes on until a part ends, a member becomes slow, or it is time to ask again. False if nothing runs.
  bool step() {
    if (running_.empty()) return false;
    double seconds = waiting_.empty() ? kNever : 0.05;
    for (const SimulatedMember& member : members_) {
      if (member.slow_from > now_) seconds = std::min(seconds, member.slow_from - now_);
    }
    std::size_t first = running_.size();
    for (std::size_t r = 0; r < running_.size(); ++r) {
      const double own = running_[r].left / rate(running_[r]);
      if (own <= seconds) {
        seconds = own;
        first = r;
      }
    }
    std::vector<double> rates;
    for (const Running& running : running_) rates.push_back(rate(running));
    now_ += seconds;
    for (std::size_t r = 0; r < running_.size(); ++r) running_[r].left -= rates[r] * seconds;
    if (first < running_.size()) end_part(first);
    return true;
  }

  void end_part(std::size_t number) {
    Running& running = running_[number];
    SimulatedMember& member = members_[running.piece->member];
    if (--member.fails_at == 0) {
      std::erase(able_, running.piece->member);
      waiting_.push_front(running.work);
      return end(number);
    }
    sharing_.end_part(*running.piece, now_);
    if (running.piece->rest <= 0) {
      done_by_[running.work.number].push_back(running.piece->member);
      shares_[running.piece->member] += running.work.cells;
      return end(number);
    }
    if (sharing_.should_go_on(*running.piece, able_, left(), now_)) return begin_part(running, false);
    waiting_.push_front({running.work.number, running.work.cells, running.work.moves + 1});
    end(number);
  }

  void end(std::size_t number) {
    sharing_.end(*running_[number].piece, now_);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(number));
  }

  std::vector<SimulatedMember> members_;
  WorkSharing sharing_;
  std::vector<std::size_t> able_;
  std::deque<Waiting> waiting_;
  std::vector<Running> running_;
  double now_ = 0;
  std::vector<std::vector<std::size_t>> done_by_;
  std::vector<double> shares_;
};

double sum(const std::vector<double>& cells) { return std::accumulate(cells.begin(), cells.end(), 0.0); }

void expect_each_done_once(const Simulation& simulation) {
  for (const std::vector<std::size_t>& by : simulation.done_by()) EXPECT_EQ(by.size(), 1U);
}

// Pieces of one second of a fast member, which says truly how fast it is.
const SimulatedMember kFast{.speed = 100, .expected = 100, .part = 5};
std::vector<double> pieces(std::size_t count) { return std::vector<double>(count, 100.0); }

TEST(WorkSharing, GivesASlowMemberWhatItDoesInTime) {
  SimulatedMember slow = kFast;
  slow.speed = slow.expected = 10;
  for (const std::size_t count : {1, 2, 9, 10, 12, 30, 300}) {
    const Simulation together({kFast, slow}, pieces(count));
    expect_each_done_once(together);
    EXPECT_LE(together.seconds(), static_cast<double>(count) + 1e-6);
    // Ten of eleven pieces are the fast one's.
    EXPECT_NEAR(together.shares()[1], static_cast<double>(count) / 11 * 100, 101);
    if (count < 30) continue;
    EXPECT_LE(together.seconds(), static_cast<double>(count) * 10 / 11 + 2);
  }
}

TEST(WorkSharing, GivesNothingToAMemberAHundredTimesSlower) {
  SimulatedMember slow = kFast;
  slow.speed = slow.expected = 1;
  const Simulation together({slow, kFast}, pieces(1000));
  EXPECT_EQ(together.shares()[0], 0);
  EXPECT_NEAR(together.seconds(), 1000, 1e-6);
}

// It costs no more than a probe: a first part of 5 / 8 cells, of 0.6 s.
TEST(WorkSharing, TakesWorkFromAMemberThatIsAHundredTimesSlowerThanExpected) {
  SimulatedMember slow = kFast;
  slow.speed = 1;
  for (const std::size_t count : {1, 2, 5, 50}) {
    const Simulation together({slow, kFast}, pieces(count));
    expect_each_done_once(together);
    EXPECT_LE(together.seconds(), static_cast<double>(count) + 0.65);
    EXPECT_EQ(together.shares()[0], 0);
  }
}

TEST(WorkSharing, SharesEvenlyAmongEqualMembers) {
  for (const unsigned concurrency : {1U, 10U}) {
    SimulatedMember equal{.speed = 100, .expected = 100, .concurrency = concurrency};
    const Simulation two({equal, equal}, pieces(100));
    expect_each_done_once(two);
    EXPECT_NEAR(two.seconds(), 50, 1);
    const Simulation three({equal, equal, equal}, pieces(99));
    expect_each_done_once(three);
    EXPECT_NEAR(three.seconds(), 33, 1.5);
  }
}

TEST(WorkSharing, TakesWorkFromAMemberThatBecomesSlow) {
  for (const double when : {0.0, 0.3, 4.2, 9.7, 9.97}) {
    SimulatedMember stalling = kFast;
    stalling.slow_from = when;
    for (const bool first : {true, false}) {
      const Simulation together(first ? std::vector{stalling, kFast} : std::vector{kFast, stalling},
                                pieces(20));
      expect_each_done_once(together);
      EXPECT_LE(together.seconds(), 20.01) << when;
    }
  }
}

TEST(WorkSharing, GivesTheLastPieceOfALostMemberToAnother) {
  for (const std::size_t fails_at : {1, 7, 200, 209, 210, 211}) {  // parts: 21 in each of its 10 pieces
    SimulatedMember failing = kFast;
    failing.fails_at = fails_at;
    const Simulation together({failing, kFast}, pieces(20));
    expect_each_done_once(together);
    EXPECT_LE(together.seconds(), 20 + 0.05);
  }
}

TEST(WorkSharing, SharesAmongThreeMembersBySpeed) {
  SimulatedMember middle = kFast, slow = kFast;
  middle.speed = 50;
  slow.speed = slow.expected = 25;
  const Simulation together({slow, middle, kFast}, pieces(350));
  expect_each_done_once(together);
  EXPECT_NEAR(together.seconds(), 200, 4);
  EXPECT_NEAR(together.shares()[0] / 100, 50, 3);
  EXPECT_NEAR(together.shares()[1] / 100, 100, 3);
}

// It takes 100 cells in 3.3 s; the other would in 4 s, behind what it is at and what nobody has taken.
TEST(WorkSharing, ComparesWithAllThatTheOthersHaveToDo) {
  for (const double begun : {300.0, 100.0}) {
    for (const double left : {0.0, 200.0}) {
      WorkSharing sharing(
          {{.expected_speed = 100, .concurrency = 1}, {.expected_speed = 30, .concurrency = 1}});
      sharing.begin_part(sharing.begin(0, begun, 0), begun, 0);
      const std::vector<std::size_t> able = {0, 1};
      EXPECT_EQ(sharing.choose(able, 100, left, 0).has_value(), begun + left >= 300);
    }
  }
}

// A part in progress for longer than it should take lowers the speed at once; before, it does not.
TEST(WorkSharing, NoticesAMemberThatIsStuck) {
  WorkSharing sharing({{.expected_speed = 100, .concurrency = 2}, {.expected_speed = 30, .concurrency = 1}});
  for (const double cells : {200.0, 200.0}) {
    sharing.begin_part(sharing.begin(0, cells, 0), cells, 0);
  }
  EXPECT_EQ(sharing.speed(0, 3.9), 100);
  EXPECT_NEAR(sharing.speed(0, 40), 10, 1e-9);
  const std::vector<std::size_t> able = {0, 1};
  EXPECT_EQ(sharing.choose(able, 100, 0, 2), std::nullopt);
  EXPECT_EQ(sharing.choose(able, 100, 0, 40), 1U);
}

// Tiny work: less than a probe of the slow one.
TEST(WorkSharing, GivesTinyWorkToTheFastest) {
  SimulatedMember slow = kFast;
  slow.speed = slow.expected = 20;
  const Simulation together({slow, kFast}, {0.01});
  EXPECT_NEAR(together.seconds(), 0.0001, 1e-9);
}

// Members, speeds, expectations (too high, if wrong) and pieces at random: never slower than the fastest
// alone, but for a part of each.
TEST(WorkSharing, IsNeverSlowerThanTheFastestAlone) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Generator rng(seed);
    std::vector<SimulatedMember> members;
    double fastest = 0, probes = 0;
    for (int n = between(rng, 2, 5); n > 0; --n) {
      SimulatedMember member;
      member.speed = between(rng, 1, 200);
      member.expected = chance(rng, 0.5) ? member.speed : member.speed * between(rng, 20, 400) / 20.0;
      member.concurrency = static_cast<unsigned>(between(rng, 1, 4));
      member.part = member.expected * 0.05;
      fastest = std::max(fastest, member.speed);
      probes += member.part / member.speed * member.concurrency;
      members.push_back(member);
    }
    std::vector<double> cells;
    for (int n = between(rng, 1, 60); n > 0; --n) cells.push_back(between(rng, 1, 300));
    const Simulation together(members, cells);
    expect_each_done_once(together);
    EXPECT_LE(together.seconds(), sum(cells) / fastest + probes);
  }
}

}  // namespace
}  // namespace gpuhmm
