// `gpuhmm kmers`: sorts or counts the k-mers of sequences.
#include <iostream>
#include <stdexcept>

#include "cli/commands.hpp"
#include "cli/companion/sequence_letters.hpp"
#include "cli/companion/sorting_options.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "companion/sorting/kmer_count.hpp"
#include "formats/database/database_letters.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(kmers SEQUENCES
Sort or count the words of K letters in sequences

Writes all words of K letters in the records of a FASTA or FASTQ file ('-' for
standard input; gzipped or not) or of a prepared database in ascending order:
every occurrence, or with --count every word once with its count. No word spans
two records. Case is ignored, and U counts as T (words are written with U if the
input has no T). Words with letters other than A C G T U, or other than the 20
amino acids, are left out; their number is reported on standard error. K may be
up to 2147483647; words of up to 32 (nucleic) or 12 (protein) letters fit into 64
bits and are fastest.

Words that do not fit into memory go through the folder for temporary files
(TMPDIR).

examples:
gpuhmm kmers -k 21 --count genome.fna.gz > counts.tsv
gpuhmm kmers -k 31 --canonical --histogram reads.fastq.gz
zcat proteome.fasta.gz | gpuhmm kmers -k 5 --count --alphabet amino -)";

OptionTable options() {
  OptionTable all("options");
  all.add("k,k", value<int>("K").within(1), "letters of a word (required)");
  all.alias("length", "k");
  all.add("count,c", "write every word once, with its count");
  all.add("min-count", value<std::int64_t>("N").within(1),
          "with --count or --histogram: only words that occur N times or more");
  all.add("canonical,C", "replace each word by its reverse complement if that is smaller (nucleic)");
  all.add("histogram", "write how many words occur once, twice, ...: count, space, number of words");
  add_format_option(all, {"tsv", "text", "fasta", "binary"},
                    "tsv, text (word, space, count, as jellyfish), fasta (>count, word) or binary");
  add_alphabet_option(all, "nucleic if 9 in 10 of the first million letters are A C G T U N");
  add_output_option(all, "write the words");
  add_sorting_options(all);
  add_message_options(all, "no progress line, no report of words left out");
  return all;
}

// A prepared database knows its alphabet.
std::optional<KmerAlphabet> kmer_alphabet_from(const Arguments& arguments, const LetterSource& letters) {
  std::optional<AlphabetKind> kind = alphabet_from(arguments);
  if (const std::optional<AlphabetKind> stored = letters.alphabet()) {
    if (kind && *kind != *stored) {
      throw FileError(arguments.positional[0] + ": the database has " + plural_of(*stored) + "; expected " +
                      plural_of(*kind));
    }
    kind = stored;
  }
  if (!kind) return std::nullopt;
  return *kind == AlphabetKind::Amino ? KmerAlphabet::Amino : KmerAlphabet::Nucleic;
}

KmerFormat format_from(const std::string& name) {
  if (name == "text") return KmerFormat::Text;
  if (name == "fasta") return KmerFormat::Fasta;
  return name == "binary" ? KmerFormat::Binary : KmerFormat::Tsv;
}

KmerOutputOptions output_options_from(const Arguments& arguments) {
  KmerOutputOptions options;
  options.counts = arguments.has("count");
  options.format = format_from(arguments.get("format"));
  if (arguments.has("histogram")) {
    if (arguments.has("format")) throw UsageError("--histogram and --format cannot be used together");
    options.format = KmerFormat::Histogram;
    options.counts = true;
  }
  if (options.format == KmerFormat::Fasta && !options.counts) {
    throw UsageError("--format fasta needs --count: the counts are the names of the records");
  }
  if (const auto least = arguments.find<std::int64_t>("min-count")) {
    if (!options.counts) throw UsageError("--min-count needs --count or --histogram");
    options.min_count = static_cast<std::uint64_t>(*least);
  }
  return options;
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  KmerOptions options;
  if (!arguments.has("k")) throw UsageError("option '-k' is missing: the number of letters of a word");
  options.k = static_cast<unsigned>(arguments.get<int>("k"));
  options.canonical = arguments.has("canonical");
  options.threads = threads_from(arguments);
  options.memory = memory_from(arguments);
  const KmerOutputOptions output_options = output_options_from(arguments);
  const std::string output_path = output_from(arguments);
  FileRoles().reads(arguments.positional[0]).writes(output_path);
  OutputFile output(output_path);
  const ChosenSorter sorter = sorter_from(arguments, arguments.positional[0]);
  const std::unique_ptr<LetterSource> letters = open_letters(arguments.positional[0], options.threads);
  options.alphabet = kmer_alphabet_from(arguments, *letters);
  ProgressLine progress(arguments.silent(), kLetters);
  options.meter = &progress.meter();
  KmerWriter writer(output_options, [&](std::string_view text) {
    const auto pause = progress.pause();
    output.write(text);
  });
  KmerStatistics done;
  try {
    done = count_kmers(*letters, options, *sorter.sorter, writer);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  progress.finish();
  output.commit();
  if (done.skipped > 0 && !arguments.has("quiet")) {
    std::cerr << done.skipped << " of " << done.skipped + done.words
              << " words hold other letters and were left out\n";
  }
  statistics.engine(sorter.device);
  statistics.note("alphabet", done.kind.alphabet == KmerAlphabet::Amino ? "amino" : "nucleic");
  statistics.note("runs", std::to_string(done.runs) + " in temporary files");
  statistics.count("records", done.records);
  statistics.count("letters", done.letters);
  statistics.count("words", done.words);
  statistics.seconds("collect", done.collect_seconds);
  statistics.seconds("sort", done.hand_out_seconds);
  statistics.print();
}

}  // namespace

Command kmers_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
