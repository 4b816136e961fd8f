// `gpuhmm kmers`: sorts or counts the k-mers of sequences.
#include "cli/command_kmers.hpp"

#include <iostream>
#include <stdexcept>

#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/sorting_options.hpp"
#include "formats/io/output.hpp"
#include "sorting/kmer_count.hpp"
#include "util/stopwatch.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription =
    "Writes all words of K letters in the records of a FASTA or FASTQ file ('-' for standard input; gzipped "
    "or not) in\n"
    "ascending order: every occurrence, or with --count every word once with its count. No word reaches from "
    "one\n"
    "record into the next. Upper and lower case are the same, U counts as T (and is written if there is no "
    "T), and\n"
    "words that hold another letter than A C G T U, or than the 20 amino acids, are left out; how many were "
    "is told on\n"
    "standard error. K may be anything; up to 32 (nucleic) or 12 (protein) a word is a 64-bit number and "
    "fastest.\n\n"
    "What does not fit the memory goes through the folder for temporary files (TMPDIR).";

po::options_description options() {
  po::options_description options("options");
  options.add_options()("length,k", po::value<int>()->value_name("K"), "letters of a word (required)")(
      "count,c", "write every word once, with its count")(
      "min-count", po::value<std::int64_t>()->value_name("N"),
      "with --count: only words that occur N times or more")(
      "canonical,C", "of each word and its reverse complement take the smaller (nucleic)")(
      "histogram", "write how many words occur once, twice, ...: count, space, words")(
      "format", po::value<std::string>()->value_name("F"),
      "tsv, text (a space before the count, as jellyfish), fasta (>count, word) or binary (docs/kmers.md); "
      "default tsv")(
      "alphabet", po::value<std::string>()->value_name("A"),
      "nucleic or amino (default: nucleic if 9 in 10 of the first million letters are A C G T U N)")(
      "output,o", po::value<std::string>()->value_name("FILE"), "write to FILE (default: standard output)");
  add_sorting_options(options);
  options.add_options()("quiet", "no progress line; do not tell what was left out")(
      "stats", "tell numbers and times at the end");
  return options;
}

std::optional<KmerAlphabet> alphabet_from(const po::variables_map& given) {
  const std::optional<std::string> name = text_option(given, "alphabet");
  if (!name) return std::nullopt;
  if (*name == "nucleic") return KmerAlphabet::Nucleic;
  if (*name == "amino") return KmerAlphabet::Amino;
  throw UsageError("option '--alphabet' expects nucleic or amino");
}

KmerFormat format_from(const std::string& name) {
  if (name == "tsv") return KmerFormat::Tsv;
  if (name == "text") return KmerFormat::Text;
  if (name == "fasta") return KmerFormat::Fasta;
  if (name == "binary") return KmerFormat::Binary;
  throw UsageError("unknown format '" + name + "': expected tsv, text, fasta or binary");
}

KmerOutputOptions output_options_from(const po::variables_map& given) {
  KmerOutputOptions options;
  options.counts = given.count("count") > 0;
  options.format = format_from(text_option(given, "format").value_or("tsv"));
  if (given.count("histogram") > 0) {
    if (given.count("format") > 0) throw UsageError("--histogram and --format cannot be used together");
    options.format = KmerFormat::Histogram;
    options.counts = true;
  }
  if (options.format == KmerFormat::Fasta && !options.counts) {
    throw UsageError("--format fasta names the words by their counts: it needs --count");
  }
  if (given.count("min-count") > 0) {
    const auto least = given["min-count"].as<std::int64_t>();
    if (least < 1) throw UsageError("option '--min-count' expects 1 or more");
    if (!options.counts) throw UsageError("--min-count needs --count or --histogram");
    options.min_count = static_cast<std::uint64_t>(least);
  }
  return options;
}

unsigned length_from(const po::variables_map& given) {
  if (given.count("length") == 0) throw UsageError("option '-k' is missing: the letters of a word");
  const int k = given["length"].as<int>();
  if (k < 1) throw UsageError("option '-k' expects 1 or more");
  return static_cast<unsigned>(k);
}

void tell(const KmerStatistics& done) {
  std::cerr << done.records << " records, " << done.letters << " letters, alphabet "
            << (done.kind.alphabet == KmerAlphabet::Amino ? "amino" : "nucleic") << ", " << done.words
            << " words of " << done.kind.k << ", " << done.runs << " runs; collecting "
            << done.collect_seconds << " s, sorting and writing " << done.hand_out_seconds << " s\n";
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  KmerOptions options;
  options.k = length_from(given);
  options.alphabet = alphabet_from(given);
  options.canonical = given.count("canonical") > 0;
  options.threads = threads_from(given);
  options.memory = memory_from(given);
  const KmerOutputOptions output_options = output_options_from(given);
  const std::string output_path = text_option(given, "output").value_or("-");
  FileRoles().reads(arguments.positional[0]).writes(output_path);
  auto input = std::make_unique<Input>(arguments.positional[0]);
  OutputFile output(output_path);
  const std::unique_ptr<Sorter> sorter = sorter_from(given, arguments.positional[0]);
  ProgressLine progress(given.count("quiet") > 0, kLetters);
  options.meter = &progress.meter();
  KmerWriter writer(output_options, [&](std::string_view text) {
    const auto pause = progress.pause();
    output.write(text);
  });
  KmerStatistics done;
  try {
    done = count_kmers(std::move(input), options, *sorter, writer);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  progress.finish();
  output.commit();
  if (done.skipped > 0 && given.count("quiet") == 0) {
    std::cerr << done.skipped << " of " << done.skipped + done.words
              << " words hold other letters and were left out\n";
  }
  if (given.count("stats") > 0) tell(done);
  return kDone;
}

}  // namespace

Command kmers_command() {
  return {"kmers",
          "SEQUENCES",
          "Sort or count the words of K letters in sequences",
          kDescription,
          "gpuhmm kmers -k 21 --count genome.fna.gz > counts.tsv\n"
          "gpuhmm kmers -k 31 --canonical --histogram reads.fastq.gz\n"
          "zcat proteome.fasta.gz | gpuhmm kmers -k 5 --count --min-count 10 --alphabet amino -",
          options,
          run};
}

}  // namespace gpuhmm::cli
