// HMMER3's report of one query (docs/spec/hmmer3/reports.md, 3 to 6; hmmscan.md, 1).
#include "gpuhmm/hmmer3_report.hpp"

#include <algorithm>
#include <cmath>

#include "formats/report/hmmer3_alignment_block.hpp"
#include "formats/report/hmmer3_domains.hpp"
#include "util/format.hpp"

namespace gpuhmm::hmmer3 {
namespace {

/// The accession with --acc if there is one, else the name.
const std::string& shown_name(const ReportStyle& style, const std::string& name,
                              const std::string& accession) {
  return style.accessions && !accession.empty() ? accession : name;
}

const std::string& shown_name(const ReportStyle& style, const Hit& hit) {
  return shown_name(style, hit.name, hit.accession);
}

/// The description cut so that a line with `beside` other bytes fits the width.
std::string_view shown_description(const ReportStyle& style, const Hit& hit, std::size_t beside) {
  constexpr std::size_t kShortest = 32;
  const std::string_view description = hit.description;
  if (!style.width) return description;
  const std::size_t width = static_cast<std::size_t>(*style.width);
  return description.substr(0, std::max(kShortest, width - std::min(width, beside)));
}

bool is_search(const ReportStyle& style) { return style.kind == ReportKind::Search; }

void write_scores(const TextSink& out, const ReportStyle& style, const QueryResult& result) {
  const std::string title = is_search(style) ? "Sequence" : "Model";
  std::size_t name_width = 8;
  for (const Hit& hit : result.hits) name_width = std::max(name_width, shown_name(style, hit).size());

  out(std::string("Scores for complete ") + (is_search(style) ? "sequences" : "sequence") +
      " (score includes all domains):\n");
  out(format("  %22s  %22s  %8s\n", " --- full sequence ---", " --- best 1 domain ---", "-#dom-"));
  const auto heading = [&](const char* evalue, const char* score, const char* bias, const char* expected,
                           const char* number, const std::string& name, const char* description) {
    out(format("  %9s %6s %5s  %9s %6s %5s  %5s %2s  ", evalue, score, bias, evalue, score, bias, expected,
               number) +
        pad_right(name, name_width) + " " + description + "\n");
  };
  heading("E-value", " score", " bias", "  exp", "N", title, "Description");
  heading("-------", "------", "-----", " ----", "--", "--------", "-----------");

  bool all_included = true;
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    if (!hit.included && all_included) out("  ------ inclusion threshold ------\n");
    all_included = all_included && hit.included;
    const Domain& best = hit.domains[hit.best];
    out(format("  %9.2g %6.1f %5.1f  %9.2g %6.1f %5.1f  %5.1f %2d  ", result.e_value(hit.log_p), hit.score,
               hit.bias(), result.e_value(best.log_p), best.bits, bias_bits(best), hit.expected_domains,
               hit.reported_domains) +
        pad_right(shown_name(style, hit), name_width) + "  ");
    out(std::string(shown_description(style, hit, name_width + 61)) + "\n");
  }
  if (result.reported == 0) out("\n   [No hits detected that satisfy reporting thresholds]\n");
  out("\n\n");
}

char left_mark(std::int64_t from) { return from == 1 ? '[' : '.'; }
char right_mark(std::int64_t to, std::int64_t length) { return to == length ? ']' : '.'; }

void write_domain_table(const TextSink& out, const ReportStyle& style, const Query& query,
                        const QueryResult& result, const Hit& hit) {
  const auto heading = [&](const char* number, const char* score, const char* bias, const char* conditional,
                           const char* independent, const char* hmm_from, const char* hmm_to,
                           const char* ali_from, const char* ali_to, const char* env_from, const char* env_to,
                           const char* accuracy) {
    out(format(" %3s   %6s %5s %9s %9s %7s %7s %2s %7s %7s %2s %7s %7s %2s %4s\n", number, score, bias,
               conditional, independent, hmm_from, hmm_to, "", ali_from, ali_to, "", env_from, env_to, "",
               accuracy));
  };
  heading("#", "score", "bias", "c-Evalue", "i-Evalue", "hmmfrom", "hmm to", "alifrom", "ali to", "envfrom",
          "env to", "acc");
  heading("---", "------", "-----", "---------", "---------", "-------", "-------", "-------", "-------",
          "-------", "-------", "----");

  const std::int64_t nodes = is_search(style) ? query.length : hit.length;
  const std::int64_t residues = is_search(style) ? hit.length : query.length;
  for_each_reported(hit, [&](const Domain& domain, int number) {
    out(format(" %3d %c %6.1f %5.1f %9.2g %9.2g %7d %7d %c%c %7lld %7lld %c%c %7lld %7lld %c%c %4.2f\n",
               number, domain.included ? '!' : '?', domain.bits, bias_bits(domain),
               result.conditional_e_value(domain.log_p), result.e_value(domain.log_p), domain.model_from,
               domain.model_to, left_mark(domain.model_from), right_mark(domain.model_to, nodes),
               static_cast<long long>(domain.alignment_from), static_cast<long long>(domain.alignment_to),
               left_mark(domain.alignment_from), right_mark(domain.alignment_to, residues),
               static_cast<long long>(domain.envelope_from), static_cast<long long>(domain.envelope_to),
               left_mark(domain.envelope_from), right_mark(domain.envelope_to, residues),
               domain.mean_accuracy()));
  });
}

void write_alignments(const TextSink& out, const ReportStyle& style, const Query& query,
                      const QueryResult& result, const Hit& hit) {
  const std::string& target = shown_name(style, hit);
  const std::string& other = shown_name(style, query.name, query.accession);
  out("\n  Alignments for each domain:\n");
  for_each_reported(hit, [&](const Domain& domain, int number) {
    out(format("  == domain %d  score: %.1f bits;  conditional E-value: %.2g\n", number, domain.bits,
               result.conditional_e_value(domain.log_p)));
    write_alignment_block(out, domain, is_search(style) ? other : target, is_search(style) ? target : other,
                          style.width);
    out("\n");
  });
}

void write_domains(const TextSink& out, const ReportStyle& style, const Query& query,
                   const QueryResult& result) {
  out(std::string("Domain annotation for each ") + (is_search(style) ? "sequence" : "model") +
      (style.alignments ? " (and alignments):\n" : ":\n"));
  for (const Hit& hit : result.hits) {
    if (!hit.reported) continue;
    const std::string& name = shown_name(style, hit);
    out(">> " + name + "  " + std::string(shown_description(style, hit, name.size() + 5)) + "\n");
    if (hit.reported_domains == 0) {
      out("   [No individual domains that satisfy reporting thresholds (although complete target did)]\n\n");
      continue;
    }
    write_domain_table(out, style, query, result, hit);
    if (style.alignments) {
      write_alignments(out, style, query, result, hit);
    } else {
      out("\n");
    }
  }
  if (result.reported == 0) out("\n   [No targets detected that satisfy reporting thresholds]\n");
  out("\n\n");
}

/// Hours, minutes and seconds with hundredths.
std::string clock_time(double seconds) {
  const long long hundredths = std::llround(std::floor(seconds * 100));
  return format("%02lld:%02lld:%02lld.%02lld", hundredths / 360000, hundredths / 6000 % 60,
                hundredths / 100 % 60, hundredths % 100);
}

void write_filter_line(const TextSink& out, const char* filter, std::int64_t passed, double comparisons,
                       double threshold) {
  // Nothing compared gives HMMER's 0/0, which x86 processors make negative.
  const std::string share =
      comparisons > 0 ? format("%.6g", static_cast<double>(passed) / comparisons) : "-nan";
  out(pad_right(std::string("Passed ") + filter + " filter:", 28) +
      format(" %15lld  (%s); expected %.1f (%.6g)\n", static_cast<long long>(passed), share.c_str(),
             threshold * comparisons, threshold));
}

void write_statistics(const TextSink& out, const ReportStyle& style, const QueryResult& result,
                      const Options& options, const QueryTimes& times) {
  const Counters& counters = result.counters;
  out("Internal pipeline statistics summary:\n-------------------------------------\n");
  const auto parties = [&](const char* what, std::int64_t count, std::int64_t size, const char* unit) {
    out(format("%-28s %15lld  (%lld %s)\n", what, static_cast<long long>(count), static_cast<long long>(size),
               unit));
  };
  if (is_search(style)) {
    parties("Query model(s):", counters.models, counters.nodes, "nodes");
    parties("Target sequences:", counters.sequences, counters.residues, "residues searched");
  } else {
    parties("Query sequence(s):", counters.sequences, counters.residues, "residues searched");
    parties("Target model(s):", counters.models, counters.nodes, "nodes");
  }
  const double comparisons = static_cast<double>(is_search(style) ? counters.sequences : counters.models);
  const auto threshold = [&](double p_value) { return options.max || p_value > 1 ? 1.0 : p_value; };
  write_filter_line(out, "MSV", counters.past_msv, comparisons, threshold(options.f1));
  write_filter_line(out, "bias", counters.past_bias, comparisons, threshold(options.f1));
  write_filter_line(out, "Vit", counters.past_viterbi, comparisons, threshold(options.f2));
  write_filter_line(out, "Fwd", counters.past_forward, comparisons, threshold(options.f3));
  out(format("Initial search space (Z):    %15.0f  %s\n", result.targets,
             options.targets ? "[as set by --Z on cmdline]" : "[actual number of targets]"));
  out(format("Domain search space  (domZ): %15.0f  %s\n", result.domain_targets,
             options.domain_targets ? "[as set by --domZ on cmdline]"
                                    : "[number of targets reported over threshold]"));
  out(format("# CPU time: %.2fu %.2fs ", times.user, times.system) + clock_time(times.user + times.system) +
      " Elapsed: " + clock_time(times.elapsed) + "\n");
  const double cells = static_cast<double>(counters.residues) * static_cast<double>(counters.nodes);
  out(format("# Mc/sec: %.2f\n//\n", cells / (times.elapsed * 1e6)));
}

}  // namespace

void write_query(const TextSink& out, ReportKind kind, const Query& query) {
  out("Query:       " + query.name +
      format("  [%c=%lld]\n", kind == ReportKind::Search ? 'M' : 'L', static_cast<long long>(query.length)));
  if (!query.accession.empty()) out("Accession:   " + query.accession + "\n");
  if (!query.description.empty()) out("Description: " + query.description + "\n");
}

void write_results(const TextSink& out, const ReportStyle& style, const Query& query,
                   const QueryResult& result, const Options& options, const QueryTimes& times) {
  write_scores(out, style, result);
  write_domains(out, style, query, result);
  write_statistics(out, style, result, options, times);
}

void write_included_note(const TextSink& out, std::int64_t aligned, std::string_view path) {
  if (aligned == 0) {
    out("# No hits satisfy inclusion thresholds; no alignment saved\n");
    return;
  }
  out(format("# Alignment of %lld hits satisfying inclusion thresholds saved to: ",
             static_cast<long long>(aligned)) +
      std::string(path) + "\n");
}

}  // namespace gpuhmm::hmmer3
