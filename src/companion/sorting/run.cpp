// Runs in temporary files, merged by a loser tree that remembers common prefixes.
#include "companion/sorting/run.hpp"

#include <algorithm>
#include <utility>

#include "util/common_prefix.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kMostRuns = 128;  // open files of a merge
constexpr std::size_t kBlock = std::size_t{256} << 10;

void append_size(std::uint64_t size, std::string& to) {
  for (; size >= 0x80; size >>= 7) to += static_cast<char>(size | 0x80);
  to += static_cast<char>(size);
}

// A tournament of runs. A loser is kept where it lost, with the number of bytes that its key shares with the
// key that beat it there; so a later match at that place needs no byte before the first that differs.
class LoserTree {
 public:
  LoserTree(std::vector<std::unique_ptr<Run>>& runs, bool reverse)
      : runs_(runs), reverse_(reverse), losers_(runs.size()) {
    alive_.reserve(runs.size());
    for (const auto& run : runs) alive_.push_back(run->next());
    if (!runs.empty()) winner_ = first_winner(1);
  }

  bool empty() const { return runs_.empty() || !alive_[winner_.run]; }
  const SortRecord& record() const { return runs_[winner_.run]->record(); }
  /// Bytes that the record's key shares with that of the record before.
  std::size_t shared() const { return winner_.shared; }

  void advance() {
    last_.assign(record().key);
    alive_[winner_.run] = runs_[winner_.run]->next();
    if (alive_[winner_.run]) winner_.shared = prefix(last_, record().key, 0);
    for (std::size_t node = (winner_.run + runs_.size()) / 2; node > 0; node /= 2)
      play(winner_, losers_[node]);
  }

 private:
  struct Player {
    std::size_t run = 0;
    std::size_t shared = 0;  // bytes, with the key that beat it; of a winner, with the last record
  };

  // Bytes that two keys share, which share `from` at least.
  static std::size_t prefix(std::string_view a, std::string_view b, std::size_t from) {
    return from + common_prefix(a.data() + from, b.data() + from, std::min(a.size(), b.size()) - from);
  }

  // Puts the player that comes first into `winner` and the other into `loser`.
  void play(Player& winner, Player& loser) const {
    if (beats(loser, winner)) std::swap(winner, loser);
  }

  // Both players know what they share with the last record. Sets it to what they share with each other for
  // the one who loses.
  bool beats(Player& a, Player& b) const {
    if (!alive_[a.run] || !alive_[b.run]) return alive_[a.run];
    if (a.shared != b.shared) return a.shared > b.shared;
    const std::string_view key_a = runs_[a.run]->record().key, key_b = runs_[b.run]->record().key;
    const std::size_t same = prefix(key_a, key_b, a.shared);
    const int order = key_a.substr(same, 1).compare(key_b.substr(same, 1));
    const bool first = order == 0 ? a.run < b.run : (order < 0) != reverse_;
    (first ? b : a).shared = same;
    return first;
  }

  // Plays all matches below a node.
  Player first_winner(std::size_t node) {
    if (node >= runs_.size()) return {node - runs_.size(), 0};
    Player winner = first_winner(2 * node);
    losers_[node] = first_winner(2 * node + 1);
    play(winner, losers_[node]);
    return winner;
  }

  std::vector<std::unique_ptr<Run>>& runs_;
  bool reverse_;
  std::vector<bool> alive_;
  std::vector<Player> losers_;  // by node; leaf i is node runs + i
  Player winner_;
  std::string last_;
};

}  // namespace

void append_run_record(const SortRecord& record, std::string& to) {
  append_size(record.key.size(), to);
  append_size(record.body.size(), to);
  to.append(record.key).append(record.body);
}

/// Reads until the buffer has `size` bytes; false if the run ends before.
bool Run::hold(std::size_t size) {
  while (buffer_.size() < size) {
    const std::size_t wanted = std::max(kBlock, size - buffer_.size());
    const std::size_t got = spool_.read(buffer_.room(wanted), wanted);
    if (got == 0) return false;
    buffer_.added(got);
    if (meter_ != nullptr) meter_->add_other(static_cast<std::int64_t>(got));
  }
  return true;
}

std::uint64_t Run::size_at(std::size_t& offset) {
  std::uint64_t size = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (!hold(offset + 1)) throw FileError("a temporary file has lost its end; expected another record");
    const auto byte = static_cast<unsigned char>(buffer_.view()[offset++]);
    size |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return size;
  }
}

bool Run::next() {
  buffer_.consume(std::exchange(taken_, 0));
  if (!hold(1)) return false;
  std::size_t offset = 0;
  const std::size_t key = size_at(offset), body = size_at(offset);
  taken_ = offset + key + body;
  if (!hold(taken_)) throw FileError("a temporary file has lost its end; expected a whole record");
  record_ = {buffer_.view().substr(offset, key), buffer_.view().substr(offset + key, body)};
  return true;
}

Run& RunMerger::add() {
  if (runs_.size() == kMostRuns) {
    auto merged = std::make_unique<Run>();
    std::string records;
    merge([&](const SortRecord& record, bool) {
      append_run_record(record, records);
      if (records.size() < kBlock) return;
      merged->append(records);
      records.clear();
    });
    merged->append(records);
    runs_.push_back(std::move(merged));
  }
  runs_.push_back(std::make_unique<Run>());
  ++made_;
  return *runs_.back();
}

void RunMerger::merge(const Take& take, WorkMeter* meter) {
  double bytes = 0;
  for (const auto& run : runs_) {
    bytes += static_cast<double>(run->size());
    run->rewind(meter);
  }
  if (meter != nullptr) meter->begin(kReadingPart, 1.0, {0, bytes});
  std::size_t last_size = 0;
  bool first = true;
  for (LoserTree tree(runs_, reverse_); !tree.empty(); tree.advance()) {
    const SortRecord& record = tree.record();
    take(record, !first && tree.shared() == record.key.size() && record.key.size() == last_size);
    last_size = record.key.size();
    first = false;
  }
  runs_.clear();
}

}  // namespace gpuhmm
