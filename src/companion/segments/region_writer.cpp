// The formats of regions, one function each.
#include "companion/segments/region_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formats/json/json_value.hpp"
#include "util/printable.hpp"

namespace gpuhmm {

namespace {

double number(std::int64_t units, int decimals) {
  return static_cast<double>(units) / std::pow(10.0, decimals);
}

std::string mean_text(const Region& region, int decimals) {
  std::array<char, 64> text;
  const double mean = number(region.score, decimals) / static_cast<double>(region.end - region.begin);
  const int written = std::snprintf(text.data(), text.size(), "%.3f", mean);
  return std::string(text.data(), static_cast<std::size_t>(written));
}

// A sequence name as the first word of a row, which must not be empty or begin a comment (docs/tables.md).
std::string row_name(std::string_view name) {
  std::string shown(name.empty() ? "-" : name);
  if (shown.front() == '#') shown.front() = '_';
  return shown;
}

// A sequence name for GFF3, which wants all but a few characters escaped as %XX.
std::string gff3_name(std::string_view name) {
  constexpr std::string_view kPlain = ".:^*$@!+_?-|";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  if (name.empty()) return "-";
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      text.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      text += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return text;
}

}  // namespace

std::optional<RegionFormat> region_format_of(std::string_view name) {
  constexpr std::pair<std::string_view, RegionFormat> kNames[] = {
      {"tsv", RegionFormat::Tsv},     {"gff3", RegionFormat::Gff3},
      {"bed", RegionFormat::Bed},     {"json", RegionFormat::Json},
      {"tmhmm", RegionFormat::Tmhmm}, {"tmhmm-short", RegionFormat::TmhmmShort}};
  for (const auto& [known, format] : kNames) {
    if (name == known) return format;
  }
  return std::nullopt;
}

std::string fixed_text(std::int64_t units, int decimals) {
  const bool negative = units < 0;
  std::string digits = std::to_string(units);
  if (negative) digits.erase(0, 1);
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return negative ? "-" + digits : digits;
}

RegionWriter::RegionWriter(Sink out, RegionFormat format, RegionStyle style)
    : out_(std::move(out)), format_(format), style_(std::move(style)) {}

void RegionWriter::begin() {
  const std::string made_with = "scale " + printable(style_.scale) + ", shift " + style_.shift +
                                ", least score " + style_.min_score + ", least length " +
                                std::to_string(style_.min_length);
  if (format_ == RegionFormat::Tsv) {
    out_("# " + style_.title + ": " + made_with +
         "; residues counted from 1, end inclusive\n# sequence\tstart\tend\tlength\tscore\tmean\n");
  } else if (format_ == RegionFormat::Gff3) {
    out_("##gff-version 3\n# " + made_with + "\n");
  }
}

void RegionWriter::add(std::string_view name, std::uint64_t length, std::span<const Region> regions) {
  const std::string shown = row_name(name);
  switch (format_) {
    case RegionFormat::Tsv:
      return add_tsv(shown, regions);
    case RegionFormat::Gff3:
      return add_gff3(name, length, regions);
    case RegionFormat::Bed:
      return add_bed(shown, regions);
    case RegionFormat::Json:
      return add_json(name, length, regions);
    case RegionFormat::Tmhmm:
    case RegionFormat::TmhmmShort:
      return add_tmhmm(shown, length, regions);
  }
}

void RegionWriter::add_tsv(std::string_view name, std::span<const Region> regions) {
  std::string text;
  for (const Region& region : regions) {
    text.append(name);
    text += '\t' + std::to_string(region.begin + 1) + '\t' + std::to_string(region.end) + '\t' +
            std::to_string(region.end - region.begin) + '\t' + fixed_text(region.score, style_.decimals) +
            '\t' + mean_text(region, style_.decimals) + '\n';
  }
  if (regions.empty() && style_.list_empty) {
    text.append(name).append("\t-\t-\t0\t" + fixed_text(0, style_.decimals) + "\t-\n");
  }
  out_(text);
}

void RegionWriter::add_gff3(std::string_view name, std::uint64_t length, std::span<const Region> regions) {
  const std::string shown = gff3_name(name);
  std::string text;
  if (length > 0) text = "##sequence-region " + shown + " 1 " + std::to_string(length) + "\n";
  for (const Region& region : regions) {
    text += shown + "\tgpuhmm\t" + style_.gff3_type + '\t' + std::to_string(region.begin + 1) + '\t' +
            std::to_string(region.end) + '\t' + fixed_text(region.score, style_.decimals) +
            "\t.\t.\tlength=" + std::to_string(region.end - region.begin) +
            ";mean=" + mean_text(region, style_.decimals) + "\n";
  }
  out_(text);
}

void RegionWriter::add_bed(std::string_view name, std::span<const Region> regions) {
  constexpr double kMostScore = 1000;
  std::string text;
  for (const Region& region : regions) {
    const double clipped = std::clamp(number(region.score, style_.decimals), 0.0, kMostScore);
    text.append(name);
    text += '\t' + std::to_string(region.begin) + '\t' + std::to_string(region.end) + '\t' + style_.bed_name +
            '\t' + std::to_string(std::lround(clipped)) + "\t.\t" +
            fixed_text(region.score, style_.decimals) + '\n';
  }
  out_(text);
}

void RegionWriter::add_json(std::string_view name, std::uint64_t length, std::span<const Region> regions) {
  Json object = {{"sequence", name},
                 {"length", length},
                 {"scale", style_.scale},
                 {"shift", std::stod(style_.shift)},
                 {"min_score", std::stod(style_.min_score)},
                 {"min_length", style_.min_length},
                 {"regions", Json::array()}};
  for (const Region& region : regions) {
    const double score = number(region.score, style_.decimals);
    const auto residues = static_cast<double>(region.end - region.begin);
    object["regions"].push_back({{"start", region.begin + 1},
                                 {"end", region.end},
                                 {"length", region.end - region.begin},
                                 {"score", score},
                                 {"mean", score / residues}});
  }
  out_(json_line(object));
}

void RegionWriter::add_tmhmm(std::string_view name, std::uint64_t length, std::span<const Region> regions) {
  const std::string shown(name), count = std::to_string(regions.size()), residues = std::to_string(length);
  if (format_ == RegionFormat::TmhmmShort) {
    out_(shown + "\tlen=" + residues + "\tPredHel=" + count + "\n");
    return;
  }
  std::string text =
      "# " + shown + " Length: " + residues + "\n# " + shown + " Number of predicted TMHs:  " + count + "\n";
  for (const Region& region : regions) {
    const auto padded = [](std::uint64_t number, std::size_t width) {
      const std::string digits = std::to_string(number);
      return std::string(width - std::min(width, digits.size()), ' ') + digits;
    };
    text += shown + "\tgpuhmm\tTMhelix\t" + padded(region.begin + 1, 6) + " " + padded(region.end, 5) + "\n";
  }
  out_(text);
}

}  // namespace gpuhmm
