// Writes the report of hmmbuild.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "formats/sequence/text.hpp"
#include "gpuhmm/build_report.hpp"
#include "gpuhmm/report.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/score_model.hpp"
#include "plan7/trace_score.hpp"
#include "util/format.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kLabel = 35;  // characters before a setting
constexpr std::size_t kStep = 41;   // characters before the end of a step

void write_setting(const TextSink& out, std::string_view label, const std::string& value) {
  out(pad_right(label, kLabel) + value + "\n");
}

void write_step(const TextSink& out, std::string_view label, const std::string& end = "done.") {
  out(pad_right(label, kStep) + "... " + end + "\n");
}

std::string style_text(SearchStyle style) {
  switch (style) {
    case SearchStyle::Local:
      return "Multiple local (hmmfs)";
    case SearchStyle::GlocalSingle:
      return "Global alignment (hmms)";
    case SearchStyle::LocalSingle:
      return "Local  (hmmsw)";
    case SearchStyle::Glocal:
      break;
  }
  return "Multiple domain (hmmls)";
}

std::string construction_text(const BuildOptions& options) {
  const auto gaps = static_cast<double>(options.map.largest_gap_part);
  switch (options.construction) {
    case Construction::Fast:
      return format("Fast/ad hoc (gapmax %.2f)", gaps);
    case Construction::Hand:
      return "Manual, from #=RF annotation";
    case Construction::MostProbable:
      break;
  }
  return format("MAP (gapmax hint: %.2f)", gaps);
}

std::string weighting_text(const BuildOptions& options) {
  switch (options.weighting) {
    case Weighting::Clusters:
      return format("BLOSUM filter at %.2f id", static_cast<double>(options.identity));
    case Weighting::PositionBased:
      return "Henikoff position-based";
    case Weighting::Voronoi:
      return "Sibbald/Argos Voronoi";
    case Weighting::MaximumEntropy:
      return "Maximum entropy";
    case Weighting::None:
      return "none";
    case Weighting::Tree:
      break;
  }
  return "G/S/C tree weights";
}

/// The value to print; NaN is negative, as HMMER prints it, on any processor.
double shown(float value) { return std::isnan(value) ? -std::numeric_limits<double>::quiet_NaN() : value; }

void write_entropy_steps(const TextSink& out, const BuildResult& result) {
  out("\nMaximum entropy weighting, iterative     ...\n"
      "iter avg-sc min-sc max-sc min-wgt max-wgt +wgt ++wgt rel.ent convergence\n"
      "---- ------ ------ ------ ------- ------- ---- ----- ------- -----------\n");
  int number = 0;
  for (const EntropyStep& step : result.entropy_steps) {
    out(format("%4d %6.1f %6.1f %6.1f %7.2f %7.2f %4d %5d %7.2f ", number++, shown(step.average_score),
               shown(step.least_score), shown(step.largest_score), static_cast<double>(step.least_weight),
               static_cast<double>(step.largest_weight), step.positive_weights, step.weights_above_one,
               shown(step.entropy)));
    out(step.convergence ? format("%8.5f\n", static_cast<double>(std::fabs(*step.convergence)))
                         : "       -\n");
  }
  if (!result.entropy_converged) out("   -- exceeded maximum iterations; giving up --\n");
  out("----------------------------------------------\n\n");
}

char state_letter(State state) { return "SNBMDIECTJ"[static_cast<std::size_t>(state)]; }

}  // namespace

void write_hmmbuild_header(const TextSink& out, const BuildReportSettings& settings,
                           const BuildOptions& options) {
  const std::string by_default = "(default)";
  write_setting(out, "Alignment file:", settings.alignment);
  write_setting(out, "File format:", settings.format);
  write_setting(out, "Search algorithm configuration:", style_text(options.style));
  if (options.style == SearchStyle::Local || options.style == SearchStyle::LocalSingle) {
    write_setting(
        out, "S/W aggregate entry probability:", format("%.2f", static_cast<double>(options.ends.entry)));
    write_setting(out,
                  "S/W aggregate exit probability:", format("%.2f", static_cast<double>(options.ends.exit)));
  }
  write_setting(out, "Model construction strategy:", construction_text(options));
  write_setting(out, "Null model used:", settings.null_model.value_or(by_default));
  write_setting(out, "Prior used:", settings.prior.value_or(by_default));
  write_setting(out, "Sequence weighting method:", weighting_text(options));
  write_setting(out, "New HMM file:", settings.output + (settings.appending ? " [appending]" : " "));
  if (settings.counts) write_setting(out, "Count vectors saved to:", *settings.counts);
  if (settings.annotated) write_setting(out, "Annotated alignment(s) resaved to:", *settings.annotated);
  out(dashed_line(kSettingsDashes) + "\n");
}

void write_hmmbuild_steps(const TextSink& out, int number, const Alignment& alignment,
                          const BuildResult& result, const BuildReportSettings& settings,
                          const BuildOptions& options) {
  const std::string& id = alignment.annotation.id;
  const std::size_t rows = alignment.rows().size();
  out("Alignment:           " + (id.empty() ? "#" + std::to_string(number) : id) + "\n");
  out(format("Number of sequences: %zu\nNumber of columns:   %zu\n\n", rows, result.columns.size()));
  if (result.effective_number) {
    write_step(out, "Determining effective sequence number",
               format("done. [%.0f]", static_cast<double>(*result.effective_number)));
  }
  if (weighs_before_building(options)) {
    const bool switched =
        options.weighting != Weighting::PositionBased && uses_position_based_weights(rows, options);
    write_step(out, "Weighting sequences heuristically",
               switched ? "[big alignment! doing PB]... done." : "done.");
  }
  write_step(out, "Constructing model architecture");
  if (settings.counts) write_step(out, "Saving count vector file", "done. [" + *settings.counts + "]");
  write_step(out, "Converting counts to probabilities");
  if (!result.entropy_steps.empty()) write_entropy_steps(out, result);
  write_step(out, "Setting model name, etc.", "done. [" + result.profile.name + "]");
}

void write_hmmbuild_result(const TextSink& out, const BuildResult& result,
                           const BuildReportSettings& settings) {
  float sum = 0, squares = 0, least = result.scores.front(), most = least;
  for (const float score : result.scores) {
    sum += score;
    squares += score * score;
    least = std::min(least, score);
    most = std::max(most, score);
  }
  const auto count = static_cast<float>(result.scores.size());
  const float variance = count > 1 ? (squares - sum * sum / count) / (count - 1.0F) : 0.0F;
  const float deviation = variance > 0 ? std::sqrt(variance) : 0.0F;  // rounding may make it negative
  out(format("\nConstructed a profile HMM (length %d)\n", result.profile.nodes));
  out(format("Average score:  %10.2f bits\n", static_cast<double>(sum / count)));
  out(format("Minimum score:  %10.2f bits\n", static_cast<double>(least)));
  out(format("Maximum score:  %10.2f bits\n", static_cast<double>(most)));
  out(format("Std. deviation: %10.2f bits\n\n", static_cast<double>(deviation)));
  write_step(out, "Finalizing model configuration");
  write_step(out, "Saving model to file");
  if (settings.annotated) write_step(out, "Saving annotated alignment");
}

void write_hmmbuild_traces(const TextSink& out, const Alignment& alignment, const TrainingAlignment& training,
                           const BuildResult& result) {
  const ScoreModel model(result.profile);
  out("**\nIndividual training sequence scores:\n");
  for (std::size_t i = 0; i < result.traces.size(); ++i) {
    const AlignmentRow& row = alignment.rows()[i];
    const std::vector<std::uint8_t> codes = training.residues(i);
    const Trace& trace = result.traces[i];
    const std::int32_t total = trace_score(model, result.profile, codes, trace);
    const std::string description(text::text_of(row.description).value_or(""));
    out(format("%7.2f %-12s %s\n", static_cast<double>(bits_of(total)), row.name.c_str(),
               description.c_str()));
    out(format("st  node   rpos  transit emission - traceback len %zu\n", trace.size()));
    out("--  ---- ------  ------- --------\n");
    for (std::size_t s = 0; s < trace.size(); ++s) {
      const TraceStep& step = trace[s];
      const std::int32_t transition =
          s + 1 < trace.size() ? transition_score(model, result.profile, step, trace[s + 1]) : 0;
      std::string line =
          format("%c  %4d %6d  %7d", state_letter(step.state), step.node, step.position, transition);
      if (step.position > 0) {
        const char letter = training.letters().letter(codes[static_cast<std::size_t>(step.position) - 1]);
        const int shown = step.state == State::M ? letter : std::tolower(static_cast<unsigned char>(letter));
        line += format(" %8d %c", emission_score(model, codes, step), shown);
      }
      out(line + "\n");
    }
    out("                 ------- --------\n");
    out(format("           total: %6d\n\n", total));
  }
}

void write_counts(const TextSink& out, const AlignmentAnnotation& annotation, const Profile& counts,
                  const MatchColumns& columns) {
  std::vector<std::size_t> column_of(1, 0);  // by node, from 1
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i]) column_of.push_back(i + 1);
  }
  const std::string label = pad_left(annotation.id.empty() ? "-" : annotation.id, 15);
  const bool shown = !annotation.structure.empty() && !annotation.accessibility.empty();
  // the letters of `line` for `size` nodes from `node` on
  const auto letters_of = [&](const std::string& line, std::size_t node, std::size_t size) {
    if (!shown) return std::string(" -");
    std::string text;
    for (std::size_t k = node; k < node + size; ++k) text.append(" ") += line[column_of[k] - 1];
    return text;
  };
  const auto write_line = [&](char kind, std::span<const float> values, std::size_t node, std::size_t nodes) {
    std::string line(1, kind);
    for (const float value : values) line += format(" %8.2f", static_cast<double>(value));
    out(line + " " + label + format(" %6zu %6zu", column_of[node], node) +
        letters_of(annotation.structure, node, nodes) + letters_of(annotation.accessibility, node, nodes) +
        "\n");
  };
  const auto residues = static_cast<std::size_t>(counts.residues());
  const auto row = [residues](const std::vector<float>& table, std::size_t node) {
    return std::span(table).subspan(node * residues, residues);
  };
  const auto nodes = static_cast<std::size_t>(counts.nodes);
  for (std::size_t k = 1; k <= nodes; ++k) write_line('M', row(counts.match, k), k, 1);
  for (std::size_t k = 1; k < nodes; ++k) write_line('I', row(counts.insert, k), k, 1);
  for (std::size_t k = 1; k < nodes; ++k) {
    const Transitions& t = counts.transition[k];
    write_line('T', std::array{t.mm, t.mi, t.md, t.im, t.ii, t.dm, t.dd}, k, 2);
  }
}

}  // namespace gpuhmm
