// `gpuhmm segments`: its options, and the choice between its two modes.
#include "cli/commands.hpp"
#include "cli/companion/number_options.hpp"
#include "cli/companion/segments_modes.hpp"
#include "cli/companion/sequence_letters.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "companion/segments/scales.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(segments SEQUENCES
Regions of proteins or nucleic sequences, or maximum-sum segments of a vector

Finds the segments of maximal sum. In proteins these are the hydrophobic
regions, in nucleic sequences by default those rich in G and C: every residue
scores its value of a scale less --shift, and all maximal scoring segments
(Ruzzo and Tompa 1999) that reach --min-score and --min-length are listed.
SEQUENCES is any file that `gpuhmm search` reads, '-' for standard input.

With --numbers, --dtype or a name that ends in .npy the file is one vector: the
segment with the largest sum is printed, or with --all every maximal segment.
Sums are exact. Among segments with equal sums the one that ends first is
chosen, then the shortest. If no number is positive, the answer is the empty
segment with sum 0.

examples:
gpuhmm segments proteome.fasta.gz
gpuhmm segments --format gff3 --plot profile.svg -o regions.gff3 P02945.fasta
gpuhmm segments --scale kyte-doolittle --shift 1.0 --min-score 10 uniprot.dat
gpuhmm segments --scale gc --shift 0.2 --min-length 200 genome.fna.gz
gpuhmm segments --all --top 10 signal.npy)";

constexpr AlphabetKind kAlphabets[] = {AlphabetKind::Amino, AlphabetKind::Nucleic};

std::string scales() {
  std::string text;
  for (const AlphabetKind alphabet : kAlphabets) {
    text += (text.empty() ? "" : "\n\n") + ("The scales for " + plural_of(alphabet)) +
            ", with their default shift, minimum score and minimum length:";
    for (const ResidueScale& scale : built_in_scales(alphabet)) {
      text += "\n " + scale.name + " (" + decimal_text(scale.shift) + ", " + decimal_text(scale.min_score) +
              ", " + std::to_string(scale.min_length) + "): " + scale.source;
    }
  }
  return text;
}

std::vector<std::string> scale_names() {
  std::vector<std::string> names;
  for (const AlphabetKind alphabet : kAlphabets) {
    for (const ResidueScale& scale : built_in_scales(alphabet)) names.push_back(scale.name);
  }
  return names;
}

std::string default_scale(AlphabetKind alphabet) { return built_in_scales(alphabet).front().name; }

OptionTable options() {
  OptionTable all("output");
  add_output_option(all, "write the segments");
  add_format_option(all, {"tsv", "json", "gff3", "bed", "tmhmm", "tmhmm-short"},
                    "tsv or json; for sequences also gff3 and bed, for proteins tmhmm and tmhmm-short");
  all.add("plot", file(),
          "draw the values along the sequences with the regions (SVG, at most 100 sequences)");
  all.add("window", value<int>("N", "19").within(1), "each point of the plot averages N residues");
  add_message_options(all, "no progress line");
  all.group("which segments");
  all.add("min-score", value<std::string>("X"), "segments with a score of at least X");
  all.add("min-length", value<int>("N").within(1), "segments of at least N residues or elements");
  all.add("top", value<int>("N").within(1),
          "the N highest-scoring segments of each sequence or of the vector");
  all.add("best", "only the best segment; no minimum score or length unless given");
  all.add("all", "all maximal segments; no minimum score or length unless given");
  all.group("sequences");
  all.add("scale", file("S", ValueKind::File, scale_names()),
          "a name (see above), or a file of two columns or an AAindex entry (default: " +
              default_scale(AlphabetKind::Amino) + " for proteins, " + default_scale(AlphabetKind::Nucleic) +
              " for nucleic sequences)");
  all.add("shift", value<std::string>("X"), "subtract X from each residue's value");
  add_alphabet_option(all, "guessed from the first million residues");
  add_informat_option(all, "SEQUENCES");
  all.group("numbers");
  all.add("numbers", "the file is a vector: .npy, or numbers separated by white space or commas");
  add_raw_options(all);
  all.group("computing");
  add_compute_options(all);
  return all;
}

void run(const Arguments& arguments) {
  SegmentsOptions options;
  options.input = arguments.positional[0];
  options.output = output_from(arguments);
  options.plot = arguments.text("plot");
  options.format = arguments.get("format");
  options.best = arguments.has("best");
  options.all = arguments.has("all");
  options.scale = arguments.text("scale");
  options.min_score = arguments.text("min-score");
  options.min_length = arguments.find<int>("min-length");
  options.top = arguments.find<int>("top");
  options.threads = threads_from(arguments);
  if (options.best && (options.all || options.top)) {
    throw UsageError("--best cannot be used with --all or --top");
  }
  FileRoles files;
  files.reads(locate_file(options.input, "BLASTDB")).writes(options.output).writes(options.plot);
  if (options.scale && find_scale(*options.scale) == nullptr) files.reads(*options.scale);

  const bool raw = arguments.has("dtype");
  const bool numbers = raw || arguments.has("numbers") || options.input.ends_with(".npy");
  if (!raw && arguments.has("big-endian")) throw UsageError("--big-endian needs --dtype");
  if (arguments.has("window") && !options.plot) throw UsageError("--window needs --plot");
  if (options.plot && options.plot->ends_with(".png")) {
    throw UsageError("--plot draws SVG; expected a file that ends with .svg");
  }
  if (numbers) {
    for (const char* name : {"plot", "scale", "shift", "alphabet", "informat"}) {
      if (arguments.has(name))
        throw UsageError(std::string("--") + name + " is for sequences, not for numbers");
    }
    run_number_segments(options, arguments);
  } else {
    run_sequence_segments(options, arguments);
  }
}

}  // namespace

Command segments_command() { return {kHelp, options, run, scales}; }

}  // namespace gpuhmm::cli
