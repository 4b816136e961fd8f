// What HMMER3's reports and tables say of the run: banner, options in use, the tail of a table
// (docs/spec/hmmer3/reports.md, 1, 2 and 7.4; hmmscan.md, 1).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

#include "gpuhmm/hmmer3_report.hpp"
#include "util/format.hpp"

namespace gpuhmm::hmmer3 {
namespace {

/// How the header shows an option's value.
enum class Echo { Label, Text, Integer, Number, Count };

/// An option of hmmsearch or hmmscan, in the order in which the header shows them.
struct OptionLine {
  std::string_view name;
  Echo echo;
  const char* search;           ///< what the header says in a search; null: hmmsearch has no such option
  const char* scan;             ///< the same of hmmscan
  std::string_view by_default;  ///< a value that the header does not show
  bool listed_last = false;     ///< in the tail of tables, where all other options have the same order
};

constexpr OptionLine same(std::string_view name, Echo echo, const char* label,
                          std::string_view by_default = {}) {
  return {name, echo, label, label, by_default};
}

constexpr std::array kOptionLines{
    same("-o", Echo::Text, "output directed to file:         "),
    OptionLine{"-A", Echo::Text, "MSA of all hits saved to file:   ", nullptr, {}},
    same("--tblout", Echo::Text, "per-seq hits tabular output:     "),
    same("--domtblout", Echo::Text, "per-dom hits tabular output:     "),
    same("--pfamtblout", Echo::Text, "pfam-style tabular hit output:   "),
    same("--acc", Echo::Label, "prefer accessions over names:    yes"),
    same("--noali", Echo::Label, "show alignments in output:       no"),
    same("--notextw", Echo::Label, "max ASCII text line length:      unlimited"),
    same("--textw", Echo::Integer, "max ASCII text line length:      ", "120"),
    OptionLine{"-E", Echo::Number, "sequence reporting threshold:    E-value <= ",
               "profile reporting threshold:     E-value <= ", "10.0"},
    OptionLine{"-T",
               Echo::Number,
               "sequence reporting threshold:    score >= ",
               "profile reporting threshold:     score >= ",
               {}},
    same("--domE", Echo::Number, "domain reporting threshold:      E-value <= ", "10.0"),
    same("--domT", Echo::Number, "domain reporting threshold:      score >= "),
    OptionLine{"--incE", Echo::Number, "sequence inclusion threshold:    E-value <= ",
               "profile inclusion threshold:     E-value <= ", "0.01"},
    OptionLine{"--incT",
               Echo::Number,
               "sequence inclusion threshold:    score >= ",
               "profile inclusion threshold:     score >= ",
               {}},
    same("--incdomE", Echo::Number, "domain inclusion threshold:      E-value <= ", "0.01"),
    same("--incdomT", Echo::Number, "domain inclusion threshold:      score >= "),
    same("--cut_ga", Echo::Label, "model-specific thresholding:     GA cutoffs"),
    same("--cut_nc", Echo::Label, "model-specific thresholding:     NC cutoffs"),
    same("--cut_tc", Echo::Label, "model-specific thresholding:     TC cutoffs"),
    same("--max", Echo::Label, "Max sensitivity mode:            on [all heuristic filters off]"),
    same("--F1", Echo::Number, "MSV filter P threshold:       <= ", "0.02"),
    same("--F2", Echo::Number, "Vit filter P threshold:       <= ", "1e-3"),
    same("--F3", Echo::Number, "Fwd filter P threshold:       <= ", "1e-5"),
    same("--nobias", Echo::Label, "biased composition HMM filter:   off"),
    OptionLine{"--restrictdb_stkey", Echo::Text, "Restrict db to start at seq key: ", nullptr, {}, true},
    OptionLine{"--restrictdb_n", Echo::Integer, "Restrict db to # target seqs:    ", nullptr, {}, true},
    OptionLine{"--ssifile", Echo::Text, "Override ssi file to:            ", nullptr, {}, true},
    same("--nonull2", Echo::Label, "null2 bias corrections:          off"),
    same("-Z", Echo::Count, "sequence search space set to:    "),
    same("--domZ", Echo::Count, "domain search space set to:      "),
    same("--seed", Echo::Integer, "random number seed set to:       ", "42"),
    OptionLine{"--tformat", Echo::Text, "targ <seqfile> format asserted:  ", nullptr, {}},
    OptionLine{"--qformat", Echo::Text, nullptr, "input seqfile format asserted:   ", {}},
    same("--cpu", Echo::Integer, "number of worker threads:        ", "2"),
};

const char* label_of(const OptionLine& line, ReportKind kind) {
  return kind == ReportKind::Search ? line.search : line.scan;
}

/// The option as it was given; null if it was not.
const GivenOption* given(const RunDescription& run, const OptionLine& line) {
  const auto found = std::find_if(run.options.begin(), run.options.end(),
                                  [&](const GivenOption& option) { return option.name == line.name; });
  return found == run.options.end() ? nullptr : &*found;
}

void check_options(const RunDescription& run) {
  for (const GivenOption& option : run.options) {
    const bool known = std::any_of(kOptionLines.begin(), kOptionLines.end(), [&](const OptionLine& line) {
      return line.name == option.name && label_of(line, run.kind) != nullptr;
    });
    if (!known) throw std::logic_error("the program has no option " + option.name);
  }
}

std::string shown_value(Echo echo, const std::string& value) {
  switch (echo) {
    case Echo::Label:
      break;
    case Echo::Text:
      return value;
    case Echo::Integer:
      return format("%d", std::atoi(value.c_str()));
    case Echo::Number:
      return format("%g", std::strtod(value.c_str(), nullptr));
    case Echo::Count:
      return format("%.0f", std::strtod(value.c_str(), nullptr));
  }
  return {};
}

std::string_view program_name(ReportKind kind) {
  return kind == ReportKind::Search ? "hmmsearch" : "hmmscan";
}

/// The command line: options in one order, then the arguments, each followed by a blank.
std::string settings(const RunDescription& run) {
  std::string text = run.program + " ";
  for (const bool last : {false, true}) {
    for (const OptionLine& line : kOptionLines) {
      const GivenOption* const option = given(run, line);
      if (line.listed_last != last || option == nullptr) continue;
      text += option->name + " ";
      if (line.echo != Echo::Label) text += option->value + " ";
    }
  }
  const bool is_search = run.kind == ReportKind::Search;
  text += (is_search ? run.query_file : run.target_file) + " ";
  text += (is_search ? run.target_file : run.query_file) + " ";
  return text;
}

std::string ruler() {
  std::string line = "#";
  for (int i = 0; i < 36; ++i) line += " -";
  return line + "\n";
}

// `release` is what stands in parentheses behind HMMER's version, `own` names gpuhmm.
void write_banner(const TextSink& out, std::string_view title, const std::string& release,
                  const std::string& own) {
  out("# " + std::string(title) + "\n");
  out("# HMMER 3.3.2 (" + release + "); http://hmmer.org/\n");
  out("# " + own + " is an independent program; Copyright (C) 2026 the gpuhmm authors\n");
  out("# Freely distributed under the BSD 3-Clause License\n");
  out(ruler());
}

}  // namespace

void write_banner(const TextSink& out, ReportKind kind, std::string_view version) {
  write_banner(out, kind == ReportKind::Search ? kSearchTitle : kScanTitle, "gpuhmm " + std::string(version),
               "gpuhmm");
}

void write_help_banner(const TextSink& out, std::string_view title, std::string_view version) {
  write_banner(out, title, "Nov 2020", "gpuhmm " + std::string(version));
}

void write_header(const TextSink& out, const RunDescription& run) {
  check_options(run);
  if (run.kind == ReportKind::Search) {
    out("# query HMM file:                  " + run.query_file + "\n");
    out("# target sequence database:        " + run.target_file + "\n");
  } else {
    out("# query sequence file:             " + run.query_file + "\n");
    out("# target HMM database:             " + run.target_file + "\n");
  }
  for (const OptionLine& line : kOptionLines) {
    const GivenOption* const option = given(run, line);
    if (option == nullptr) continue;
    if (!line.by_default.empty() && option->value == line.by_default) continue;
    const std::string value = shown_value(line.echo, option->value);
    if (line.name == "--seed" && value == "0") {
      out("# random number seed:              one-time arbitrary\n");
    }
    out(std::string("# ") + label_of(line, run.kind) + value + "\n");
  }
  out(ruler() + "\n");
}

void write_table_tail(const TextSink& out, const RunDescription& run, bool pfam, std::string_view directory,
                      std::string_view date) {
  check_options(run);
  const bool says_scan = run.kind == ReportKind::Scan && !pfam;
  out("#\n# Program:         " + std::string(program_name(run.kind)) + "\n");
  out("# Version:         3.3.2 (Nov 2020)\n");
  out(std::string("# Pipeline mode:   ") + (says_scan ? "SCAN\n" : "SEARCH\n"));
  out("# Query file:      " + run.query_file + "\n");
  out("# Target file:     " + run.target_file + "\n");
  out("# Option settings: " + settings(run) + "\n");
  out("# Current dir:     " + std::string(directory) + "\n");
  out("# Date:            " + std::string(date) + "\n");
  out("# [ok]\n");
}

void write_end(const TextSink& out) { out("[ok]\n"); }

}  // namespace gpuhmm::hmmer3
