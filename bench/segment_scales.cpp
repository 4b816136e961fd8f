// Measures how well the regions of `gpuhmm segments` agree with annotated membrane helices, for each scale,
// and searches for the default shift and cut-offs of the scales. Prints the table of docs/segments.md.
//
//   bench_segment_scales [--fit] TMBED.3line[.gz] HUMAN.tsv[.gz]
//
// A hash of the accession splits the proteins into two halves. --fit chooses the defaults on one half; the
// table is always for the other.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "companion/segments/regions.hpp"
#include "gpuhmm/input.hpp"
#include "util/parallel.hpp"

namespace {

using namespace gpuhmm;

constexpr std::uint64_t kLeastOverlap = 5;  // residues that make a region and a helix a match

struct Span {
  std::uint64_t begin = 0, end = 0;
};

struct Protein {
  std::vector<std::uint8_t> residues;
  std::vector<Span> helices;
  std::string labels;  // empty, or a letter for each residue; U and S mean unknown
  bool human = false;
  bool held_out = false;
};

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash >> 20;
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == by) {
      parts.emplace_back();
    } else {
      parts.back().push_back(c);
    }
  }
  return parts;
}

Protein protein_of(const std::string& accession, const std::string& sequence) {
  Protein protein;
  for (const char c : sequence) {
    protein.residues.push_back(
        Alphabet::get(AlphabetKind::AminoLetters).codes()[static_cast<unsigned char>(c)]);
  }
  protein.held_out = hash_of(accession) % 2 == 0;
  return protein;
}

// Three lines for each protein: name, sequence, labels. Runs of H or h are helices.
void read_labelled(const std::string& path, std::vector<Protein>& proteins,
                   std::set<std::string>& accessions) {
  Input input(path);
  LineReader lines(input);
  std::string_view line;
  while (lines.next(line)) {
    const std::vector<std::string> names = split(std::string(line), '|');
    lines.next(line);
    const std::string sequence(line);
    lines.next(line);
    if (names.size() < 2 || line.size() != sequence.size())
      throw FileError(path + ": not in three-line form");
    Protein protein = protein_of(names[1], sequence);
    protein.labels = line;
    for (std::size_t i = 0; i < line.size();) {
      std::size_t end = i + 1;
      while (end < line.size() && line[end] == line[i]) ++end;
      if (line[i] == 'H' || line[i] == 'h') protein.helices.push_back({i, end});
      i = end;
    }
    accessions.insert(names[1]);
    proteins.push_back(std::move(protein));
  }
}

// Accession, length, segments as 13-35,50-70, sequence; lines that begin with # are remarks.
void read_table(const std::string& path, std::vector<Protein>& proteins, const std::set<std::string>& known) {
  Input input(path);
  LineReader lines(input);
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> fields = split(std::string(line), '\t');
    if (fields.size() < 4) throw FileError(path + ": expected four fields in each line");
    if (known.count(fields[0]) > 0) continue;
    Protein protein = protein_of(fields[0], fields[3]);
    protein.human = true;
    for (const std::string& helix : split(fields[2], ',')) {
      const std::vector<std::string> ends = split(helix, '-');
      protein.helices.push_back({std::stoull(ends.at(0)) - 1, std::stoull(ends.at(1))});
    }
    proteins.push_back(std::move(protein));
  }
}

struct Counts {
  double helices = 0, regions = 0, matches = 0;

  void operator+=(const Counts& more) {
    helices += more.helices;
    regions += more.regions;
    matches += more.matches;
  }
  double recall() const { return helices > 0 ? matches / helices : 0; }
  double precision() const { return regions > 0 ? matches / regions : 0; }
  double f() const {
    return recall() + precision() > 0 ? 2 * recall() * precision() / (recall() + precision()) : 0;
  }
};

// False if most of the region has unknown labels.
bool is_judged(const Protein& protein, const Region& region) {
  if (protein.labels.empty()) return true;
  const auto first = protein.labels.begin() + static_cast<std::ptrdiff_t>(region.begin);
  const auto last = protein.labels.begin() + static_cast<std::ptrdiff_t>(region.end);
  const auto unknown = std::count(first, last, 'U') + std::count(first, last, 'S');
  return static_cast<std::uint64_t>(unknown) * 2 <= region.length();
}

// Matches regions and helices from the left; each region matches at most one helix and vice versa.
Counts compare(const Protein& protein, const std::vector<Region>& regions, std::int64_t min_score,
               std::uint64_t min_length) {
  Counts counts;
  counts.helices = static_cast<double>(protein.helices.size());
  std::size_t helix = 0;
  for (const Region& region : regions) {
    if (region.score < min_score || region.length() < min_length || !is_judged(protein, region)) continue;
    ++counts.regions;
    for (std::size_t h = helix; h < protein.helices.size() && protein.helices[h].begin < region.end; ++h) {
      const std::uint64_t first = std::max(region.begin, protein.helices[h].begin);
      const std::uint64_t last = std::min(region.end, protein.helices[h].end);
      if (first + kLeastOverlap > last) continue;
      ++counts.matches;
      helix = h + 1;
      break;
    }
  }
  return counts;
}

using AllRegions = std::vector<std::vector<Region>>;  // by protein

AllRegions regions_of(const std::vector<Protein>& proteins, const ResidueScores& scores) {
  AllRegions regions;
  for (const Protein& protein : proteins) {
    regions.push_back(all_regions(protein.residues, scores));
    filter_regions(regions.back(), {1, kLeastOverlap, UINT64_MAX});
  }
  return regions;
}

template <class Choose>
Counts count(const std::vector<Protein>& proteins, const AllRegions& regions, std::int64_t min_score,
             std::uint64_t min_length, const Choose& choose) {
  Counts counts;
  for (std::size_t i = 0; i < proteins.size(); ++i) {
    if (choose(proteins[i])) counts += compare(proteins[i], regions[i], min_score, min_length);
  }
  return counts;
}

std::string short_decimal(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

// The shift, least score and least length with the best F on the half for choosing: a grid in units of the
// scale's standard deviation, then finer grids around the best point.
ResidueScale fitted(ResidueScale scale, const std::vector<Protein>& proteins) {
  double mean = 0, square = 0;
  for (const Decimal& value : scale.values) {
    mean += value.value() / 20;
    square += value.value() * value.value() / 20;
  }
  const double deviation = std::sqrt(square - mean * mean);
  double best_f = -1, shift_centre = mean + 0.75 * deviation, shift_step = 0.08 * deviation;
  double score_centre = 1.3 * deviation, score_step = 0.2 * deviation;
  for (int round = 0; round < 3; ++round) {
    ResidueScale tried = scale, best = scale;
    for (int i = -8; i <= 8; ++i) {
      tried.shift = parse_decimal(short_decimal(shift_centre + i * shift_step, 2));
      const ResidueScores scores =
          residue_scores(tried, tried.shift, Alphabet::get(AlphabetKind::AminoLetters));
      const AllRegions regions = regions_of(proteins, scores);
      for (int j = -6; j <= 6; ++j) {
        const double least = score_centre + j * score_step;
        if (least < 0) continue;
        tried.min_score = parse_decimal(short_decimal(least, 1));
        for (tried.min_length = 7; tried.min_length <= 12; ++tried.min_length) {
          const double f = count(proteins, regions, tried.min_score.scaled(scores.decimals), tried.min_length,
                                 [](const Protein& protein) { return !protein.held_out; })
                               .f();
          if (f > best_f) {
            best_f = f;
            best = tried;
          }
        }
      }
    }
    if (best_f >= 0 && round < 3) {
      scale = best.min_length > 1 ? best : scale;
      shift_centre = scale.shift.value();
      score_centre = scale.min_score.value();
      shift_step /= 3;
      score_step /= 2.5;
    }
  }
  return scale;
}

std::string table_line(const ResidueScale& scale, const std::vector<Protein>& proteins) {
  const ResidueScores scores = residue_scores(scale, scale.shift, Alphabet::get(AlphabetKind::AminoLetters));
  const AllRegions regions = regions_of(proteins, scores);
  const std::int64_t least = scale.min_score.scaled(scores.decimals);
  const auto counts = [&](const auto& choose) {
    return count(proteins, regions, least, scale.min_length, choose);
  };
  const Counts all = counts([](const Protein& p) { return p.held_out; });
  const Counts labelled = counts([](const Protein& p) { return p.held_out && !p.human; });
  const Counts human = counts([](const Protein& p) { return p.held_out && p.human; });
  char text[256];
  std::snprintf(text, sizeof text, "| %s | %s | %s | %llu | %.3f | %.3f | **%.3f** | %.3f | %.3f |\n",
                scale.name.c_str(), decimal_text(scale.shift).c_str(), decimal_text(scale.min_score).c_str(),
                static_cast<unsigned long long>(scale.min_length), all.recall(), all.precision(), all.f(),
                labelled.f(), human.f());
  return text;
}

int run(const std::vector<std::string>& words) {
  const bool fit = !words.empty() && words[0] == "--fit";
  if (words.size() != (fit ? 3u : 2u)) {
    std::fputs("usage: bench_segment_scales [--fit] TMBED.3line[.gz] HUMAN.tsv[.gz]\n", stderr);
    return 2;
  }
  std::vector<Protein> proteins;
  std::set<std::string> accessions;
  read_labelled(words[fit ? 1 : 0], proteins, accessions);
  read_table(words[fit ? 2 : 1], proteins, accessions);
  double helices = 0, held_out = 0;
  for (const Protein& protein : proteins) {
    helices += static_cast<double>(protein.helices.size());
    if (protein.held_out) held_out += static_cast<double>(protein.helices.size());
  }
  std::printf("%zu proteins, %.0f helices; the table is for the %.0f held-out helices\n\n", proteins.size(),
              helices, held_out);
  std::puts("| scale | shift | least score | least length | recall | precision | F | F tmbed | F human |");
  std::puts("|---|---|---|---|---|---|---|---|---|");
  const auto scales = built_in_scales(AlphabetKind::Amino);
  std::vector<std::string> lines(scales.size());
  parallel_for(std::thread::hardware_concurrency(), scales.size(), 1,
               [&](std::size_t first, std::size_t last) {
                 for (std::size_t i = first; i < last; ++i) {
                   lines[i] = table_line(fit ? fitted(scales[i], proteins) : scales[i], proteins);
                 }
               });
  for (const std::string& line : lines) std::fputs(line.c_str(), stdout);
  ResidueScale unshifted = scales[0];
  unshifted.name += ", no shift";
  unshifted.shift = {};
  std::fputs(table_line(unshifted, proteins).c_str(), stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_segment_scales: %s\n", error.what());
    return 1;
  }
}
