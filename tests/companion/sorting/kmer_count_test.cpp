// count_kmers and sort_records against the plain references: several threads, memory so small that runs are
// needed, every collector.
#include "companion/sorting/kmer_count.hpp"

#include <gtest/gtest.h>

#include "companion/sorting/record_sort.hpp"
#include "companion/strings/random_strings.hpp"
#include "companion/strings/reference.hpp"
#include "formats/io/temporary_folder.hpp"

namespace gpuhmm {
namespace {

TEST(CountKmers, EqualsTheReference) {
  Generator rng(1);
  const test::TemporaryFolder folder;
  for (const KmerAlphabet alphabet : {KmerAlphabet::Nucleic, KmerAlphabet::Amino}) {
    const bool nucleic = alphabet == KmerAlphabet::Nucleic;
    const std::string records =
        random_lines(rng, 40, nucleic ? "ACGTACGTACGTacgtN" : "ACDEFGHIKLMX", 400, 0, 4);
    std::string fasta;
    for (std::size_t at = 0; at < records.size();) {
      const std::size_t end = records.find(kStringEnd, at);
      fasta += ">record\n" + records.substr(at, end - at) + "\n";
      at = end + 1;
    }
    const std::string path = folder.write("records", fasta);
    for (const unsigned k : {1U, 4U, 12U, 13U, 32U, 33U, 70U}) {
      for (const bool canonical : {false, true}) {
        if (canonical && !nucleic) continue;
        std::string expected;
        std::uint64_t words = 0;
        for (const auto& [word, count] : reference_kmers(records, alphabet, k, canonical)) {
          expected += word + "\t" + std::to_string(count) + "\n";
          words += count;
        }
        for (const unsigned threads : {1U, 3U}) {
          for (const std::uint64_t memory : {std::uint64_t{1} << 14, std::uint64_t{1} << 30}) {
            std::string written;
            KmerWriter writer({.format = KmerFormat::Tsv, .counts = true},
                              [&written](std::string_view text) { written += text; });
            const auto sorter = make_host_sorter(threads);
            KmerOptions options;
            options.k = k;
            options.alphabet = alphabet;
            options.canonical = canonical;
            options.threads = threads;
            options.memory = memory;
            LetterReader reader(std::make_unique<Input>(path));
            const KmerStatistics done = count_kmers(reader, options, *sorter, writer);
            EXPECT_TRUE(written == expected) << k << ", canonical " << canonical << ", memory " << memory;
            EXPECT_EQ(done.words, words);
            EXPECT_EQ(done.records, 40U);
          }
        }
      }
    }
  }
}

TEST(SortRecords, SortsLinesAsTheReference) {
  Generator rng(2);
  const test::TemporaryFolder folder;
  for (const Shape& shape : shapes()) {
    if (shape.count > 10000) continue;
    const std::string text = random_lines(rng, shape);
    const std::string path = folder.write("lines", text);
    for (const bool unique : {false, true}) {
      std::string expected;
      for (const SortedString& line : reference_sort(strings_of(text))) {
        const std::size_t end = text.find(kStringEnd, line.start());
        if (!unique || !line.repeated()) expected += text.substr(line.start(), end + 1 - line.start());
      }
      for (const std::uint64_t memory : {std::uint64_t{1} << 15, std::uint64_t{1} << 30}) {
        SortOptions options;
        options.unique = unique;
        options.threads = 3;
        options.memory = memory;
        std::string written;
        Input input(path);
        const auto sorter = make_host_sorter(3);
        sort_records(input, options, *sorter, [&written](std::string_view piece) { written += piece; });
        EXPECT_TRUE(written == expected)
            << shape.count << " of " << shape.alphabet.size() << ", memory " << memory;
      }
    }
  }
}

}  // namespace
}  // namespace gpuhmm
