// Writes the hit lists and alignments of HMMER 2.3.2's reports.
#include "formats/report/hmmer2_lists.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "util/format.hpp"

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

void write_targets(const TextSink& out, const HitReport& report, const HitLists& ranked,
                   const HitLists& reported, const TargetNames& names) {
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
  for (const SequenceHit* hit : reported.sequences) {
    const std::string_view description = names.description(*hit).substr(0, description_width);
    out(pad_right(names.label(*hit), width) + " " + pad_right(description, description_width) +
        format(" %7.1f %10.2g %3d\n", hit->score, hit->p_value * report.database_size, hit->domain_count));
  }
  if (reported.sequences.empty()) out(kNoHits);
}

void write_domains(const TextSink& out, const HitReport& report, const HitLists& ranked,
                   const HitLists& reported, const TargetNames& names) {
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
  for (const DomainHit* hit : reported.domains) {
    out(pad_right(names.label(*hit), width) +
        format(" %3d/%-3d %5lld %5lld %c%c %5d %5d %c%c %7.1f %8.2g\n", hit->number, hit->count,
               static_cast<long long>(hit->sequence_from), static_cast<long long>(hit->sequence_to),
               hit->sequence_from == 1 ? '[' : '.', hit->sequence_to == hit->sequence_length ? ']' : '.',
               hit->profile_from, hit->profile_to, hit->profile_from == 1 ? '[' : '.',
               hit->profile_to == hit->profile_length ? ']' : '.', hit->score,
               hit->p_value * report.database_size));
  }
  if (reported.domains.empty()) out(kNoHits);
}

/// Writes an alignment in blocks of 50 columns. `name` is the name of the sequence, `first_residue` the
/// number of its first aligned residue.
void write_alignment(const TextSink& out, const DomainAlignment& rows, std::string_view name,
                     std::int64_t first_residue) {
  const std::string label = pad_left(name.substr(0, kAlignmentNameWidth), kAlignmentNameWidth);
  std::int64_t last = first_residue - 1;
  for (std::size_t start = 0; start < rows.model.size(); start += kAlignmentWidth) {
    const auto row = [&](const char* title, const std::string& text) {
      out(format("  %16s ", title) + text.substr(start, kAlignmentWidth) + "\n");
    };
    if (!rows.cs.empty()) row("CS", rows.cs);
    if (!rows.rf.empty()) row("RF", rows.rf);
    row(" ", rows.model);
    row(" ", rows.middle);

    const std::string residues = rows.sequence.substr(start, kAlignmentWidth);
    const std::int64_t first = last + 1;
    last += std::count_if(residues.begin(), residues.end(),
                          [](char c) { return std::string_view(" ._-~").find(c) == std::string_view::npos; });
    out("  " + label);
    if (last < first) {
      out(format(" %5s ", "-") + residues + format(" %-5s\n\n", "-"));
    } else {
      out(format(" %5lld ", static_cast<long long>(first)) + residues +
          format(" %-5lld\n\n", static_cast<long long>(last)));
    }
  }
}

void write_alignments(const TextSink& out, const HitReport& report, const HitLists& reported,
                      const TargetNames& names) {
  const std::int64_t limit = report.alignment_limit.value_or(-1);
  if (!report.alignments || limit == 0) return;
  out("\nAlignments of top-scoring domains:\n");
  std::int64_t written = 0;
  for (const DomainHit* hit : reported.domains) {
    if (written == limit) break;
    if (hit->alignment.model.empty()) {
      throw std::logic_error("domain of " + hit->name + " is to be shown but has no alignment");
    }
    out(names.label(*hit));
    out(format(": domain %d of %d, from %lld to %lld: score %.1f, E = %.2g\n", hit->number, hit->count,
               static_cast<long long>(hit->sequence_from), static_cast<long long>(hit->sequence_to),
               hit->score, hit->p_value * report.database_size));
    const std::string_view sequence_name =
        hmmer2_sequence_name(names.kind == ReportKind::Search ? hit->name : hit->query_name);
    write_alignment(out, hit->alignment, sequence_name, hit->sequence_from);
    ++written;
  }
  if (written == 0) out(kNoHits);
  if (written == limit) {
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
                     bool show_accessions) {
  const TargetNames names{kind, show_accessions};
  const HitLists reported = reported_hits(ranked, report.thresholds, report.database_size);
  write_targets(out, report, ranked, reported, names);
  write_domains(out, report, ranked, reported, names);
  write_alignments(out, report, reported, names);
}

}  // namespace gpuhmm
