// `gpuhmm segments`: its options, and which of its two modes is meant.
#include "cli/command_segments.hpp"

#include "cli/file_roles.hpp"
#include "cli/number_options.hpp"
#include "cli/options.hpp"
#include "cli/segments_modes.hpp"
#include "formats/io/locate.hpp"
#include "companion/segments/scales.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
Finds the segments of maximal sum. Of proteins (the default) these are the
hydrophobic regions: every residue scores its hydropathy less --shift, and all
maximal scoring segments (Ruzzo and Tompa 1999) that reach --min-score and
--min-length are listed. SEQUENCES is any file that `gpuhmm search` reads, '-'
for standard input.

With --numbers, --dtype or a name that ends in .npy the file is one vector: the
segment with the largest sum is printed, with --all every maximal one. Sums are
exact. Of equal sums the segment that ends first counts, then the shortest; if
no number is positive the answer is the empty segment with sum 0.)";

constexpr const char* kExamples = R"(
gpuhmm segments proteome.fasta.gz
gpuhmm segments --format gff3 --plot profile.svg -o regions.gff3 P02945.fasta
gpuhmm segments --scale kyte-doolittle --shift 1.0 --min-score 10 uniprot.dat
gpuhmm segments --all --top 10 signal.npy)";

std::string scales() {
  std::string text = "The scales, with the shift, least score and least length used unless others are given:";
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
                    "tsv, json; of proteins also gff3, bed, tmhmm, tmhmm-short");
  all.add("plot", file(), "draw the hydropathy profiles with the regions (SVG, at most 100 proteins)");
  all.add("window", value<int>("N", 19, "19"), "residues that a point of the plot averages");
  add_quiet_option(all, "no progress line");
  add_stats_option(all);
  all.group("which segments");
  all.add("min-score", value<std::string>("X"), "that score at least X");
  all.add("min-length", value<int>("N"), "of at least N residues or elements");
  all.add("top", value<int>("N"), "the N highest-scoring ones of each sequence or of the vector");
  all.add("best", "only the best one; no least score and length unless given");
  all.add("all", "all maximal ones; no least score and length unless given");
  all.group("proteins");
  all.add("scale", file("S", ValueKind::File, scale_names(), "ges"),
          "hydropathy scale: a name (see above), or a file of two columns or an AAindex entry");
  all.add("shift", value<std::string>("X"), "subtracted from each residue's hydropathy");
  add_informat_option(all, "SEQUENCES");
  all.group("numbers");
  all.add("numbers", "the file is a vector: .npy, or numbers parted by white space or commas");
  add_raw_options(all);
  all.group("computing");
  add_compute_options(all);
  return all;
}

std::optional<std::uint64_t> count_from(const po::variables_map& given, const char* name) {
  if (given.count(name) == 0) return std::nullopt;
  const int value = given[name].as<int>();
  if (value < 1) throw UsageError(std::string("option '--") + name + "' expects at least 1");
  return static_cast<std::uint64_t>(value);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

int run(const Arguments& arguments) {
  const po::variables_map& given = arguments.options;
  SegmentsOptions options;
  options.input = arguments.positional[0];
  options.output = output_from(given);
  options.plot = text_option(given, "plot");
  options.format = output_format_from(given);
  options.best = given.count("best") > 0;
  options.all = given.count("all") > 0;
  options.min_score = text_option(given, "min-score");
  options.min_length = count_from(given, "min-length");
  options.top = count_from(given, "top");
  options.device = given["device"].as<std::string>();
  options.threads = threads_from(given);
  options.quiet = is_quiet(given);
  options.statistics = wants_stats(given);
  if (options.best && (options.all || options.top)) {
    throw UsageError("--best can not be used with --all or --top");
  }
  FileRoles files;
  files.reads(locate_file(options.input, "BLASTDB")).writes(options.output).writes(options.plot);
  if (const std::string& scale = given["scale"].as<std::string>(); find_scale(scale) == nullptr) {
    files.reads(scale);
  }

  const bool raw = given.count("dtype") > 0;
  const bool numbers = raw || given.count("numbers") > 0 || ends_with(options.input, ".npy");
  if (!raw && given.count("big-endian") > 0) throw UsageError("--big-endian needs --dtype");
  if (numbers) {
    for (const char* name : {"plot", "shift", "informat"}) {
      if (given.count(name) > 0)
        throw UsageError(std::string("--") + name + " is for proteins, not for numbers");
    }
    if (!given["scale"].defaulted()) throw UsageError("--scale is for proteins, not for numbers");
    return run_number_segments(options, given);
  }
  return run_protein_segments(options, given);
}

}  // namespace

Decimal decimal_option(const po::variables_map& given, const char* name) {
  try {
    return parse_decimal(given[name].as<std::string>());
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("option '--") + name + "': " + error.what());
  }
}

Command segments_command() {
  return {"segments",   "SEQUENCES", "Hydrophobic regions of proteins, or maximum-sum segments of a vector",
          kDescription, kExamples,   options,
          run,          scales};
}

}  // namespace gpuhmm::cli
