// Thins records while they are added, and chooses among those that are left.
#include "cli/commands/record_sample.hpp"

#include <algorithm>
#include <cmath>

namespace gpuhmm::cli {

void RecordSample::add(std::string_view text, std::uint64_t size) {
  if (keeps_next()) {
    text_ += text;
    entries_.push_back({text_.size(), size});
    kept_size_ += size;
    if (text_.size() > most_ && entries_.size() > 1) thin();
  }
  ++records_;
  size_ += size;
}

// Keeps every second one. The next record to be kept follows one that stays or one that goes.
void RecordSample::thin() {
  std::string text;
  std::vector<Entry> entries;
  kept_size_ = 0;
  for (std::size_t i = 0; i < entries_.size(); i += 2) {
    const std::size_t begin = i == 0 ? 0 : entries_[i - 1].end;
    text.append(text_, begin, entries_[i].end - begin);
    entries.push_back({text.size(), entries_[i].size});
    kept_size_ += entries_[i].size;
  }
  text_ = std::move(text);
  entries_ = std::move(entries);
  stride_ *= 2;
}

RecordSample::Chosen RecordSample::choose(double size) const {
  const double share = kept_size_ == 0 ? 1 : std::min(1.0, size / static_cast<double>(kept_size_));
  return choose_records(
      static_cast<std::uint64_t>(std::llround(share * static_cast<double>(entries_.size()))));
}

RecordSample::Chosen RecordSample::choose_records(std::uint64_t count) const {
  Chosen chosen;
  count = std::clamp<std::uint64_t>(count, 1, std::max<std::uint64_t>(entries_.size(), 1));
  // Number i of `count` is the one in the middle of the i-th part of all.
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, entries_.size()); ++i) {
    const std::size_t place = (2 * i + 1) * entries_.size() / (2 * count);
    const std::size_t begin = place == 0 ? 0 : entries_[place - 1].end;
    chosen.text.append(text_, begin, entries_[place].end - begin);
    ++chosen.records;
    chosen.size += entries_[place].size;
  }
  return chosen;
}

}  // namespace gpuhmm::cli
