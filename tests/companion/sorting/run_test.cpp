// Runs and their merge against a stable sort of all records; chunks of whole records.
#include "companion/sorting/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "companion/sorting/chunk_reader.hpp"
#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

using Generator = std::mt19937_64;

struct Made {
  std::string key, body;
};

std::vector<Made> random_records(Generator& rng, std::size_t count, std::size_t longest) {
  std::vector<Made> records(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = rng() % (longest + 1);
    records[i].key = std::string(size / 2, 'a');
    while (records[i].key.size() < size) records[i].key += static_cast<char>("ab\0\xff"[rng() % 4]);
    records[i].body = std::to_string(i);
  }
  return records;
}

TEST(RunMerger, GivesTheStableOrderOfAllRecords) {
  Generator rng(1);
  // more runs than are merged at a time, records larger than what is read at a time
  for (const auto& [runs, size, longest] : {std::tuple{0, 0, 0},
                                            {1, 50, 5},
                                            {2, 100, 3},
                                            {7, 60, 300},
                                            {130, 5, 4},
                                            {300, 20, 10},
                                            {3, 4, 1000000}}) {
    for (const bool reverse : {false, true}) {
      const auto before = [reverse](const Made& a, const Made& b) {
        return reverse ? b.key < a.key : a.key < b.key;
      };
      RunMerger merger(reverse);
      std::vector<Made> all;
      for (int r = 0; r < runs; ++r) {
        std::vector<Made> made =
            random_records(rng, static_cast<std::size_t>(size), static_cast<std::size_t>(longest));
        std::stable_sort(made.begin(), made.end(), before);
        std::string records;
        for (const Made& record : made) append_run_record({record.key, record.body}, records);
        merger.add().append(records);
        all.insert(all.end(), made.begin(), made.end());
      }
      EXPECT_EQ(merger.runs(), static_cast<std::size_t>(runs));
      std::stable_sort(all.begin(), all.end(), before);
      std::size_t i = 0;
      merger.merge([&](const SortRecord& record, bool same) {
        ASSERT_LT(i, all.size());
        ASSERT_TRUE(record.key == all[i].key && record.body == all[i].body) << runs << " runs, record " << i;
        ASSERT_EQ(same, i > 0 && all[i].key == all[i - 1].key);
        ++i;
      });
      EXPECT_EQ(i, all.size());
    }
  }
}

TEST(ChunkReader, RefusesALongRecord) {
  const test::TemporaryFolder folder;
  for (const std::size_t size : {1, 3, 5, 8}) {
    for (const std::size_t length : {5, 8, 9, 10, 12, 1'000'000}) {
      const bool fits = length <= 8;
      Input input(folder.write("f", std::string(length, 'a') + "\nb\nccccccccccccccc\n"));
      ChunkReader chunks(input, "", 8);
      try {
        EXPECT_TRUE(chunks.next(size).starts_with(std::string(length, 'a') + "\n")) << size << ' ' << length;
        EXPECT_TRUE(fits) << size << ' ' << length;
      } catch (const FileError& error) {
        EXPECT_FALSE(fits) << size << ' ' << length;
        EXPECT_EQ(error.what(),
                  folder.file("f") + ": a line or record of more than 8 bytes, the most allowed");
      }
    }
  }
}

TEST(ChunkReader, CutsBetweenRecords) {
  Generator rng(2);
  const test::TemporaryFolder folder;
  for (const std::string start : {"", ">"}) {
    for (int round = 0; round < 30; ++round) {
      std::string text = start;
      for (std::size_t i = 0, size = rng() % 400; i < size; ++i) text += "ab>\n\n"[rng() % 5];
      const std::string path = folder.write("text", text);
      if (!text.empty() && text.back() != '\n') text += '\n';
      for (const std::size_t size : {1, 7, 64, 1000}) {
        Input input(path);
        ChunkReader chunks(input, start);
        std::string read;
        for (std::string_view chunk; !(chunk = chunks.next(size)).empty();) {
          EXPECT_EQ(chunk.back(), '\n');
          EXPECT_TRUE(chunk.starts_with(start));
          // a chunk may be longer than the size only if it is one record
          const std::size_t cut = chunk.substr(0, chunk.size() - 1).find("\n" + start);
          EXPECT_TRUE(chunk.size() <= size || cut == std::string_view::npos || cut + 1 > size) << chunk;
          read += chunk;
          EXPECT_EQ(chunks.ended(), read.size() == text.size());
        }
        EXPECT_EQ(read, text);
      }
    }
  }
}

}  // namespace
}  // namespace gpuhmm
