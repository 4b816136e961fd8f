// Sorts chunks of records and writes them, or stores them as runs and merges these.
#include "companion/sorting/record_sort.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "companion/sorting/chunk_reader.hpp"
#include "companion/sorting/fasta_keys.hpp"
#include "companion/sorting/line_survey.hpp"
#include "companion/sorting/run.hpp"
#include "formats/sequence/text.hpp"
#include "util/large_bytes.hpp"
#include "util/ordered_blocks.hpp"
#include "util/stopwatch.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 13;  // records formatted by a thread at a time
constexpr std::size_t kAhead = 24;                    // records whose text is fetched ahead
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kWordBits = 64;                // of a number that stands for a line
constexpr std::size_t kText = std::size_t{1} << 20;  // bytes handed on at a time when merging
// A chunk of short lines takes up to 8 times its size: lines and sorted (word, start) records and scratch.
constexpr std::uint64_t kMemoryPerByte = 8;

using Take = std::function<void(std::string_view)>;

// Descending order in which equal strings stay in input order.
void reverse_groups(SortedStrings& sorted) {
  std::reverse(sorted.begin(), sorted.end());
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last) {
    while (sorted[last++].repeated()) {
    }
    std::reverse(sorted.begin() + static_cast<std::ptrdiff_t>(first),
                 sorted.begin() + static_cast<std::ptrdiff_t>(last));
  }
}

class RecordSort {
 public:
  RecordSort(const SortOptions& options, Sorter& sorter)
      : options_(options), meter_(options.meter != nullptr ? *options.meter : own_meter_), sorter_(sorter) {}

  SortStatistics run(Input& input, const Take& result) {
    const Take take = [&](std::string_view text) {
      result(text);
      meter_.add_other(static_cast<std::int64_t>(text.size()));
    };
    const bool lines = options_.key == SortKey::Line;
    RunMerger runs(options_.reverse);
    {
      ChunkReader chunks(input, lines ? "" : ">", ChunkReader::kLongest, &meter_);
      for (std::string_view chunk; read(chunks, chunk);) {
        const Stopwatch stopwatch(statistics_.sort_seconds);
        spooling_ = runs.runs() > 0 || !chunks.ended();
        if (!spooling_) meter_.begin(kReadingPart, 1.0, {0, static_cast<double>(chunk.size())});
        Run* const spool = spooling_ ? &runs.add() : nullptr;
        const Take to =
            spooling_ ? Take([spool](std::string_view records) { spool->append(records); }) : take;
        lines ? sort_lines(chunk, to) : sort_fasta(chunk, input.name(), to);
      }
    }
    statistics_.runs = runs.runs();
    if (spooling_) merge(runs, result);
    if (!lines && statistics_.records == 0) {
      throw FileError(input.name() + ": no FASTA record; expected a line beginning with >");
    }
    return statistics_;
  }

 private:
  bool read(ChunkReader& chunks, std::string_view& chunk) {
    const Stopwatch stopwatch(statistics_.read_seconds);
    chunk = chunks.next(std::max<std::uint64_t>(options_.memory / kMemoryPerByte, 1));
    statistics_.bytes += chunk.size();
    return !chunk.empty();
  }

  void append(const SortRecord& record, std::string& to) const {
    if (spooling_) {
      append_run_record(record, to);
    } else if (options_.key == SortKey::Line) {
      to.append(record.key) += kStringEnd;
    } else {
      to.append(record.body);
    }
  }

  void sort_lines(std::string_view text, const Take& take) {
    const LineSurvey survey = survey_lines(text, options_.threads);
    statistics_.records += survey.lines.back();
    if (survey.shortest == survey.longest && survey.longest > 0 && survey.longest <= kWordBits) {
      const EqualLines lines(text, static_cast<unsigned>(survey.longest), survey.seen);
      if (lines.word_bits() <= Sorter::kCountedBits && lines.lines() >> 32 == 0)
        return count_lines(lines, take);
      if (lines.word_bits() <= kWordBits) {
        return sort_packed_lines(
            text, survey, [&](std::string_view line) { return lines.word(line.data()); },
            [&](std::uint64_t key, char* to) {
              lines.unpack(key, to);
              return lines.length;
            },
            take);
      }
    }
    const CharacterPacking packing(survey.seen);
    if (survey.longest <= packing.per_word()) {
      return sort_packed_lines(
          text, survey,
          [&](std::string_view line) {
            return packing.word(line.data(), static_cast<unsigned>(line.size()));
          },
          [&](std::uint64_t key, char* to) { return packing.unpack(key, to); }, take);
    }
    StringSet set{text, std::vector<std::uint64_t>(survey.lines.back()), packing};
    parallel_for(options_.threads, survey.begins.size() - 1, 1, [&](std::size_t part, std::size_t) {
      for_each_line(text, survey, part, [&](std::string_view line, std::size_t number) {
        set.starts[number] = static_cast<std::uint64_t>(line.data() - text.data());
      });
    });
    hand_out(
        set,
        [text](std::uint64_t start) {
          return SortRecord{text.substr(start, text.find(kStringEnd, start) - start), {}};
        },
        take);
  }

  // Lines of one length over few letters are counted and written from the counts.
  void count_lines(const EqualLines& lines, const Take& take) {
    const std::vector<std::uint32_t> counts = sorter_.count_lines(lines);
    // the words in the order of the output, and the number of lines before each
    const auto word_at = [&](std::size_t place) {
      return options_.reverse ? counts.size() - 1 - place : place;
    };
    std::vector<std::size_t> before(counts.size() + 1, 0);
    for (std::size_t place = 0; place < counts.size(); ++place) {
      const std::uint32_t count = counts[word_at(place)];
      before[place + 1] = before[place] + (options_.unique ? std::min(count, 1U) : count);
    }
    ordered_blocks(
        options_.threads, before.back(), kBlock,
        [&](std::size_t first, std::size_t last, std::string& to) {
          std::array<char, Sorter::kCountedBits> letters;
          std::string line;
          auto next = std::upper_bound(before.begin(), before.end(), first);
          for (std::size_t i = first; i < last; ++next) {
            const auto place = static_cast<std::size_t>(next - before.begin()) - 1;
            const std::size_t end = std::min(last, *next);
            if (i == end) continue;
            lines.unpack(word_at(place), letters.data());
            line.clear();
            append({{letters.data(), lines.length}, {}}, line);
            for (; i < end; ++i) to.append(line);
          }
        },
        take);
  }

  // Lines whose characters fit a 64-bit word are sorted as numbers and written from them. `pack` makes a
  // line's number, `unpack` writes its characters and returns how many they are.
  template <class Pack, class Unpack>
  void sort_packed_lines(std::string_view text, const LineSurvey& survey, const Pack& pack,
                         const Unpack& unpack, const Take& take) {
    const std::size_t size = survey.lines.back();
    const LargeBytes storage = large_bytes(2 * size * sizeof(std::uint64_t));
    const auto words = reinterpret_cast<std::uint64_t*>(storage.get());
    const std::span<std::uint64_t> keys(words, size), scratch(words + size, size);
    parallel_for(options_.threads, survey.begins.size() - 1, 1, [&](std::size_t part, std::size_t) {
      for_each_line(text, survey, part,
                    [&](std::string_view line, std::size_t number) { keys[number] = pack(line); });
    });
    const std::span<const std::uint64_t> sorted = sorter_.sort_keys(keys, scratch);
    ordered_blocks(
        options_.threads, size, kBlock,
        [&](std::size_t first, std::size_t last, std::string& to) {
          std::array<char, kWordBits> letters;
          for (std::size_t i = first; i < last; ++i) {
            const std::size_t place = options_.reverse ? size - 1 - i : i;
            const std::uint64_t key = sorted[place];
            if (options_.unique && i > 0 && sorted[options_.reverse ? place + 1 : place - 1] == key) continue;
            append({{letters.data(), unpack(key, letters.data())}, {}}, to);
          }
        },
        take);
  }

  void sort_fasta(std::string_view text, const std::string& name, const Take& take) {
    if (text::blank(text)) return;  // a chunk of the blank lines before the first record
    const FastaKeys keys(text, options_.key == SortKey::Name, name);
    statistics_.records += keys.set().starts.size();
    hand_out(
        keys.set(), [&keys](std::uint64_t start) { return keys.record(start); }, take);
  }

  template <class RecordAt>
  void hand_out(const StringSet& set, const RecordAt& record_at, const Take& take) {
    SortedStrings sorted = sorter_.sort_strings(set);
    if (options_.reverse) reverse_groups(sorted);
    ordered_blocks(
        options_.threads, sorted.size(), kBlock,
        [&](std::size_t first, std::size_t last, std::string& to) {
          for (std::size_t i = first; i < last; ++i) {
            if (i + kAhead < last) {
              const char* const later = set.text.data() + sorted[i + kAhead].start();
              __builtin_prefetch(later);
              __builtin_prefetch(later + kCacheLine);
            }
            if (!options_.unique || !sorted[i].repeated()) append(record_at(sorted[i].start()), to);
          }
        },
        take);
  }

  void merge(RunMerger& runs, const Take& take) {
    const Stopwatch stopwatch(statistics_.merge_seconds);
    spooling_ = false;
    std::string text;
    runs.merge(
        [&](const SortRecord& record, bool same) {
          if (options_.unique && same) return;
          append(record, text);
          if (text.size() < kText) return;
          take(text);
          text.clear();
        },
        &meter_);
    take(text);
  }

  const SortOptions& options_;
  WorkMeter own_meter_;
  WorkMeter& meter_;
  Sorter& sorter_;
  SortStatistics statistics_;
  bool spooling_ = false;  // records go to a run, not to the output
};

}  // namespace

SortStatistics sort_records(Input& input, const SortOptions& options, Sorter& sorter, const Take& take) {
  return RecordSort(options, sorter).run(input, take);
}

}  // namespace gpuhmm
