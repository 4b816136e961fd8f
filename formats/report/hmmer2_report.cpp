// Writes HMMER 2.3.2's reports: banner, headers, results, and the histogram and trailer of hmmsearch.
#include <algorithm>
#include <string>

#include "formats/report/hmmer2_histogram.hpp"
#include "formats/report/hmmer2_lists.hpp"
#include "formats/sequence/text.hpp"
#include "gpuhmm/report.hpp"
#include "util/format.hpp"

namespace gpuhmm {
namespace {

/// The source of a score cutoff, such as " [GA1]". `which` is 1 for sequences and 2 for domains.
std::string cutoff_source(CutoffKind kind, int which) {
  switch (kind) {
    case CutoffKind::Gathering:
      return format(" [GA%d]", which);
    case CutoffKind::Noise:
      return format(" [NC%d]", which);
    case CutoffKind::Trusted:
      return format(" [TC%d]", which);
    case CutoffKind::None:
      break;
  }
  return {};
}

std::string score_cutoff(float score, CutoffKind kind, int which) {
  if (score == kNoScore) return "[none]\n";
  return format(">= %.1f", score) + cutoff_source(kind, which) + "\n";
}

std::string or_none(std::string_view kept) { return std::string(text::text_of(kept).value_or("[none]")); }

/// Bytes that HMMER 2.3.2 reports for a list of these hits: the list, its slots (allocated 200 at a time) and
/// the names of its entries.
template <class Hit>
std::size_t list_memory(const std::vector<Hit>& hits) {
  constexpr std::size_t kListBytes = 32, kSlotBytes = 104, kSlotsAtOnce = 200;
  const std::size_t slots = (std::max<std::size_t>(hits.size(), 1) + kSlotsAtOnce - 1) / kSlotsAtOnce;
  std::size_t bytes = kListBytes + kSlotBytes * kSlotsAtOnce * slots;
  const auto text_bytes = [](std::string_view kept) {
    const std::optional<std::string_view> text = text::text_of(kept);
    return text ? text->size() + 1 : 0;
  };
  for (const Hit& hit : hits) {
    bytes += hmmer2_sequence_name(hit.name).size() + 1;
    bytes += text_bytes(hmmer2_sequence_accession(hit.accession));
    bytes += text_bytes(hmmer2_sequence_description(hit.description));
  }
  return bytes;
}

std::size_t alignment_memory(const DomainHit& hit, const Profile& profile) {
  constexpr std::size_t kAlignmentBytes = 72;
  const std::size_t rows = 3u + (profile.rf.empty() ? 0u : 1u) + (profile.cs.empty() ? 0u : 1u);
  return kAlignmentBytes + rows * (hit.trace_columns + 1) + (profile.name.size() + 1) +
         (hmmer2_sequence_name(hit.name).size() + 1);
}

/// Counts `ranked` from the top until an E-value reaches the cutoff. These E-values are for the number of
/// sequences searched, even if -Z gives another.
template <class Hit>
void write_list_statistics(const TextSink& out, const std::vector<const Hit*>& ranked, double cutoff,
                           std::int64_t sequences_searched, std::size_t memory) {
  const auto satisfying = std::find_if(ranked.begin(), ranked.end(), [&](const Hit* hit) {
    return hit->p_value * static_cast<double>(sequences_searched) >= cutoff;
  });
  out("tophits_s report:\n");
  out(format("     Total hits:           %zu\n", ranked.size()));
  out(format("     Satisfying E cutoff:  %td\n", satisfying - ranked.begin()));
  out(format("     Total memory:         %zuK\n", memory / 1000));
}

}  // namespace

void write_hmmer2_banner(const TextSink& out, ReportKind kind, std::string_view version) {
  const char* const title = kind == ReportKind::Search
                                ? "hmmsearch - search a sequence database with a profile HMM"
                                : "hmmpfam - search one or more sequences against HMM database";
  write_hmmer2_banner(out, title, version);
}

void write_hmmsearch_header(const TextSink& out, const SearchReport& report) {
  const Profile& profile = *report.profile;
  const Thresholds& thresholds = report.thresholds;
  out("HMM file:                   " + report.profile_file + " [" + profile.name + "]\n");
  out("Sequence database:          " + report.sequence_file + "\n");
  out("per-sequence score cutoff:  " + score_cutoff(thresholds.sequence_t, thresholds.cutoff, 1));
  out("per-domain score cutoff:    " + score_cutoff(thresholds.domain_t, thresholds.cutoff, 2));
  out("per-sequence Eval cutoff:   ");
  out(thresholds.sequence_e == kNoEvalue ? "[none]\n" : format("<= %-10.2g\n", thresholds.sequence_e));
  out("per-domain Eval cutoff:     ");
  out(thresholds.domain_e == kNoEvalue ? "[none]\n" : format("<= %10.2g\n", thresholds.domain_e));
  out(dashed_line(kSettingsDashes));

  if (report.compat) {
    out("\nQuery HMM: " + profile.name + "|" + profile.accession.value_or("") + "|" +
        profile.description.value_or("") + "\n");
  } else {
    out("\nQuery HMM:   " + profile.name + "\n");
    out("Accession:   " + profile.accession.value_or("[none]") + "\n");
    out("Description: " + profile.description.value_or("[none]") + "\n");
  }
  out(profile.evd ? "  [HMM has been calibrated; E-values are empirical estimates]\n"
                  : "  [No calibration for HMM; E-values are upper bounds]\n");
}

void write_hmmsearch_results(const TextSink& out, const SearchReport& report, unsigned threads) {
  const HitLists ranked = rank_hits(report.sequences, report.domains, ReportKind::Search);
  write_hit_lists(out, report, ReportKind::Search, ranked, false, threads);

  if (report.histogram) {
    out("\nHistogram of all scores:\n");
    write_hmmer2_histogram(out, report.scores, report.profile->evd);
  }

  out(format("\nTotal sequences searched: %lld\n", static_cast<long long>(report.sequences_searched)));
  out("\nWhole sequence top hits:\n");
  write_list_statistics(out, ranked.sequences, report.thresholds.sequence_e, report.sequences_searched,
                        list_memory(report.sequences));
  std::size_t domain_memory = list_memory(report.domains);
  for (const DomainHit& hit : report.domains) domain_memory += alignment_memory(hit, *report.profile);
  out("\nDomain top hits:\n");
  write_list_statistics(out, ranked.domains, report.thresholds.domain_e, report.sequences_searched,
                        domain_memory);
}

void write_hmmpfam_header(const TextSink& out, std::string_view profile_file,
                          std::string_view sequence_file) {
  out("HMM file:                 " + std::string(profile_file) + "\n");
  out("Sequence file:            " + std::string(sequence_file) + "\n");
  out(dashed_line(kSettingsDashes));
}

void write_hmmpfam_query(const TextSink& out, const ScanReport& report, unsigned threads) {
  const std::string name(hmmer2_sequence_name(report.query_name));
  const std::string_view accession = hmmer2_sequence_accession(report.query_accession);
  const std::string_view description = hmmer2_sequence_description(report.query_description);
  if (report.compat) {
    out("Query:  " + name + "  " + std::string(text::text_of(description).value_or("")) + "\n");
  } else {
    out("\nQuery sequence: " + name + "\n");
    out("Accession:      " + or_none(accession) + "\n");
    out("Description:    " + or_none(description) + "\n");
  }
  const HitLists ranked = rank_hits(report.sequences, report.domains, ReportKind::Scan);
  write_hit_lists(out, report, ReportKind::Scan, ranked, report.show_accessions, threads);
  out("//\n");
}

}  // namespace gpuhmm
