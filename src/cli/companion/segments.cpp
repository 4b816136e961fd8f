// `gpuhmm segments`: its options, and the choice between its two modes.
#include "cli/commands.hpp"
#include "cli/companion/number_options.hpp"
#include "cli/companion/segments_modes.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "companion/segments/scales.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(segments SEQUENCES
Hydrophobic regions of proteins, or maximum-sum segments of a vector

Finds the segments of maximal sum. In proteins (the default) these are the
hydrophobic regions: every residue scores its hydropathy less --shift, and all
maximal scoring segments (Ruzzo and Tompa 1999) that reach --min-score and
--min-length are listed. SEQUENCES is any file that `gpuhmm search` reads, '-'
for standard input.

With --numbers, --dtype or a name that ends in .npy the file is one vector: the
segment with the largest sum is printed, or with --all every maximal segment.
Sums are exact. Among segments with equal sums the one that ends first is
chosen, then the shortest. If no number is positive, the answer is the empty
segment with sum 0.

examples:
gpuhmm segments proteome.fasta.gz
gpuhmm segments --format gff3 --plot profile.svg -o regions.gff3 P02945.fasta
gpuhmm segments --scale kyte-doolittle --shift 1.0 --min-score 10 uniprot.dat
gpuhmm segments --all --top 10 signal.npy)";

std::string scales() {
  std::string text = "The scales, with their default shift, minimum score and minimum length:";
  for (const HydropathyScale& scale : built_in_scales()) {
    text += "\n " + scale.name + " (" + decimal_text(scale.shift) + ", " + decimal_text(scale.min_score) +
            ", " + std::to_string(scale.min_length) + "): " + scale.source;
  }
  return text;
}

std::vector<std::string> scale_names() {
  std::vector<std::string> names;
  for (const HydropathyScale& scale : built_in_scales()) names.push_back(scale.name);
  return names;
}

OptionTable options() {
  OptionTable all("output");
  add_output_option(all, "write the segments");
  add_format_option(all, {"tsv", "json", "gff3", "bed", "tmhmm", "tmhmm-short"},
                    "tsv or json; for proteins also gff3, bed, tmhmm, tmhmm-short");
  all.add("plot", file(), "draw the hydropathy profiles with the regions (SVG, at most 100 proteins)");
  all.add("window", value<int>("N", "19").within(1), "each point of the plot averages N residues");
  add_message_options(all, "no progress line");
  all.group("which segments");
  all.add("min-score", value<std::string>("X"), "segments with a score of at least X");
  all.add("min-length", value<int>("N").within(1), "segments of at least N residues or elements");
  all.add("top", value<int>("N").within(1),
          "the N highest-scoring segments of each sequence or of the vector");
  all.add("best", "only the best segment; no minimum score or length unless given");
  all.add("all", "all maximal segments; no minimum score or length unless given");
  all.group("proteins");
  all.add("scale", file("S", ValueKind::File, scale_names(), "ges"),
          "hydropathy scale: a name (see above), or a file of two columns or an AAindex entry");
  all.add("shift", value<std::string>("X"), "subtract X from each residue's hydropathy");
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
  options.min_score = arguments.text("min-score");
  options.min_length = arguments.find<int>("min-length");
  options.top = arguments.find<int>("top");
  options.threads = threads_from(arguments);
  if (options.best && (options.all || options.top)) {
    throw UsageError("--best cannot be used with --all or --top");
  }
  FileRoles files;
  files.reads(locate_file(options.input, "BLASTDB")).writes(options.output).writes(options.plot);
  if (find_scale(arguments.get("scale")) == nullptr) files.reads(arguments.get("scale"));

  const bool raw = arguments.has("dtype");
  const bool numbers = raw || arguments.has("numbers") || options.input.ends_with(".npy");
  if (!raw && arguments.has("big-endian")) throw UsageError("--big-endian needs --dtype");
  if (numbers) {
    for (const char* name : {"plot", "shift", "informat"}) {
      if (arguments.has(name))
        throw UsageError(std::string("--") + name + " is for proteins, not for numbers");
    }
    if (arguments.has("scale")) throw UsageError("--scale is for proteins, not for numbers");
    run_number_segments(options, arguments);
  } else {
    run_protein_segments(options, arguments);
  }
}

}  // namespace

Command segments_command() { return {kHelp, options, run, scales}; }

}  // namespace gpuhmm::cli
