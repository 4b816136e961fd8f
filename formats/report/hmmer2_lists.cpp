// Writes the hit lists and alignments of HMMER 2.3.2's reports.
#include "formats/report/hmmer2_lists.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "util/format.hpp"
#include "util/ordered_blocks.hpp"

namespace gpuhmm {
namespace {

constexpr std::size_t kLongestDescription = 127;
constexpr std::size_t kAlignmentWidth = 50;
constexpr std::size_t kAlignmentNameWidth = 10;
constexpr std::string_view kNoHits = "\t[no hits above thresholds]\n";

/// The names of a report's targets.
struct TargetNames {
  ReportKind kind;
  bool accessions;

  template <class Hit>
  std::string_view name(const Hit& hit) const {
    return kind == ReportKind::Search ? hmmer2_sequence_name(hit.name) : std::string_view(hit.name);
  }
  /// The name in lists: the accession if accessions are shown and there is one.
  template <class Hit>
  std::string_view label(const Hit& hit) const {
    return accessions && !hit.accession.empty() ? std::string_view(hit.accession) : name(hit);
  }
  std::string_view description(const SequenceHit& hit) const {
    return kind == ReportKind::Search ? hmmer2_sequence_description(hit.description)
                                      : std::string_view(hit.description);
  }
  const char* title() const { return kind == ReportKind::Search ? "Sequence" : "Model"; }
};

/// Width of the name column: that of the longest name of all registered hits, even of those not reported and
/// even if accessions are shown.
template <class Hit>
std::size_t name_width(const std::vector<const Hit*>& ranked, const TargetNames& names) {
  std::size_t width = 8;
  for (const Hit* hit : ranked) width = std::max(width, names.name(*hit).size());
  return width;
}

/// Writes what append(hit, text) appends to a text for each hit, in their order, on `threads` threads.
template <class Hit, class Append>
void write_each(const TextSink& out, unsigned threads, std::span<const Hit* const> hits,
                const Append& append) {
  constexpr std::size_t kBlock = 128;  // hits that a thread takes at a time
  const auto append_block = [&](std::size_t first, std::size_t last, std::string& text) {
    for (const Hit* hit : hits.subspan(first, last - first)) append(*hit, text);
  };
  ordered_blocks(threads, hits.size(), kBlock, append_block, out);
}

void write_targets(const TextSink& out, const HitReport& report, const HitLists& ranked,
                   const HitLists& reported, const TargetNames& names, unsigned threads) {
  constexpr std::size_t kNameAndDescription = 52, kNarrowestDescription = 11;
  const std::size_t width = name_width(ranked.sequences, names);
  const std::size_t description_width = width + kNarrowestDescription < kNameAndDescription
                                            ? kNameAndDescription - width
                                            : kNarrowestDescription;
  out(names.kind == ReportKind::Search
          ? "\nScores for complete sequences (score includes all domains):\n"
          : "\nScores for sequence family classification (score includes all domains):\n");
  out(pad_right(names.title(), width) + " " + pad_right("Description", description_width) +
      format(" %7s %10s %3s\n", "Score", "E-value", " N "));
  out(pad_right("--------", width) + " " + pad_right("-----------", description_width) +
      format(" %7s %10s %3s\n", "-----", "-------", "---"));
  write_each<SequenceHit>(out, threads, reported.sequences, [&](const SequenceHit& hit, std::string& text) {
    append_padded(text, names.label(hit), width);
    text += ' ';
    append_padded(text, names.description(hit).substr(0, description_width), description_width);
    text += format(" %7.1f %10.2g %3d\n", hit.score, hit.p_value * report.database_size, hit.domain_count);
  });
  if (reported.sequences.empty()) out(kNoHits);
}

void write_domains(const TextSink& out, const HitReport& report, const HitLists& ranked,
                   const HitLists& reported, const TargetNames& names, unsigned threads) {
  const std::size_t width = name_width(ranked.domains, names);
  const auto heading = [&](const char* name, const char* domain, const char* sequence_from,
                           const char* sequence_to, const char* profile_from, const char* profile_to,
                           const char* score, const char* evalue) {
    out(pad_right(name, width) + format(" %7s %5s %5s    %5s %5s    %7s %8s\n", domain, sequence_from,
                                        sequence_to, profile_from, profile_to, score, evalue));
  };
  out("\nParsed for domains:\n");
  heading(names.title(), "Domain ", "seq-f", "seq-t", "hmm-f", "hmm-t", "score", "E-value");
  heading("--------", "-------", "-----", "-----", "-----", "-----", "-----", "-------");
  write_each<DomainHit>(out, threads, reported.domains, [&](const DomainHit& hit, std::string& text) {
    append_padded(text, names.label(hit), width);
    text += format(" %3d/%-3d %5lld %5lld %c%c %5d %5d %c%c %7.1f %8.2g\n", hit.number, hit.count,
                   static_cast<long long>(hit.sequence_from), static_cast<long long>(hit.sequence_to),
                   hit.sequence_from == 1 ? '[' : '.', hit.sequence_to == hit.sequence_length ? ']' : '.',
                   hit.profile_from, hit.profile_to, hit.profile_from == 1 ? '[' : '.',
                   hit.profile_to == hit.profile_length ? ']' : '.', hit.score,
                   hit.p_value * report.database_size);
  });
  if (reported.domains.empty()) out(kNoHits);
}

bool is_residue(char c) { return c != ' ' && c != '.' && c != '_' && c != '-' && c != '~'; }

/// Appends an alignment in blocks of 50 columns. `name` is the name of the sequence, `first_residue` the
/// number of its first aligned residue.
void append_alignment(std::string& text, const DomainAlignment& rows, std::string_view name,
                      std::int64_t first_residue) {
  constexpr std::string_view kCs = "                CS ", kRf = "                RF ",
                             kBlank = "                   ";
  constexpr std::size_t kNumberWidth = 5;
  const std::string label = "  " + pad_left(name.substr(0, kAlignmentNameWidth), kAlignmentNameWidth) + " ";
  std::int64_t last = first_residue - 1;
  for (std::size_t start = 0; start < rows.model.size(); start += kAlignmentWidth) {
    const auto row = [&](std::string_view title, const std::string& row_text) {
      text.append(title).append(row_text, start, kAlignmentWidth) += '\n';
    };
    if (!rows.cs.empty()) row(kCs, rows.cs);
    if (!rows.rf.empty()) row(kRf, rows.rf);
    row(kBlank, rows.model);
    row(kBlank, rows.middle);

    const std::string_view residues = std::string_view(rows.sequence).substr(start, kAlignmentWidth);
    const std::int64_t first = last + 1;
    last += std::ranges::count_if(residues, is_residue);
    const bool any = last >= first;
    text.append(label).append(pad_left(any ? std::to_string(first) : "-", kNumberWidth)) += ' ';
    text.append(residues) += ' ';
    append_padded(text, any ? std::to_string(last) : "-", kNumberWidth);
    text += "\n\n";
  }
}

void write_alignments(const TextSink& out, const HitReport& report, const HitLists& reported,
                      const TargetNames& names, unsigned threads) {
  const std::int64_t limit = report.alignment_limit.value_or(-1);
  if (!report.alignments || limit == 0) return;
  out("\nAlignments of top-scoring domains:\n");
  const std::size_t all = reported.domains.size();
  const std::size_t count = limit < 0 ? all : std::min(all, static_cast<std::size_t>(limit));
  const auto append = [&](const DomainHit& hit, std::string& text) {
    if (hit.alignment.model.empty()) {
      throw std::logic_error("domain of " + hit.name + " is to be shown but has no alignment");
    }
    text += names.label(hit);
    text += format(": domain %d of %d, from %lld to %lld: score %.1f, E = %.2g\n", hit.number, hit.count,
                   static_cast<long long>(hit.sequence_from), static_cast<long long>(hit.sequence_to),
                   hit.score, hit.p_value * report.database_size);
    append_alignment(text, hit.alignment,
                     hmmer2_sequence_name(names.kind == ReportKind::Search ? hit.name : hit.query_name),
                     hit.sequence_from);
  };
  write_each<DomainHit>(out, threads, std::span(reported.domains).first(count), append);
  if (count == 0) out(kNoHits);
  if (limit > 0 && count == static_cast<std::size_t>(limit)) {
    out(format("\t[output cut off at A = %lld top alignments]\n", static_cast<long long>(limit)));
  }
}

}  // namespace

std::string_view hmmer2_sequence_name(std::string_view name) {
  return name.starts_with('-') ? std::string_view() : name.substr(0, kHmmer2NameBytes);
}

std::string_view hmmer2_sequence_accession(std::string_view accession) {
  return accession.starts_with('-') ? std::string_view() : accession.substr(0, kHmmer2NameBytes);
}

std::string_view hmmer2_sequence_description(std::string_view description) {
  return description.starts_with('-') ? std::string_view() : description.substr(0, kLongestDescription);
}

void write_hit_lists(const TextSink& out, const HitReport& report, ReportKind kind, const HitLists& ranked,
                     bool show_accessions, unsigned threads) {
  const TargetNames names{kind, show_accessions};
  const HitLists reported = reported_hits(ranked, report.thresholds, report.database_size);
  write_targets(out, report, ranked, reported, names, threads);
  write_domains(out, report, ranked, reported, names, threads);
  write_alignments(out, report, reported, names, threads);
}

}  // namespace gpuhmm
