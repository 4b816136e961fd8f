// Parses HMMER 2.3.2's text reports for tests.
#include "report_reader.hpp"

#include <zlib.h>

#include <map>
#include <sstream>
#include <stdexcept>

namespace gpuhmm::testing {
namespace {

constexpr std::size_t kRowColumn = 19;  // where the rows of an alignment start

/// Lines of a text with one line of look-ahead.
class Lines {
 public:
  explicit Lines(const std::string& text) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }
  bool done() const { return at_ >= lines_.size(); }
  const std::string& peek() const {
    if (done()) throw std::runtime_error("report ends early");
    return lines_[at_];
  }
  std::string take() {
    std::string line = peek();
    ++at_;
    return line;
  }
  void skip_to(const std::string& start) {
    while (!peek().starts_with(start)) ++at_;
  }
  bool starts(const std::string& start) const { return !done() && lines_[at_].starts_with(start); }

 private:
  std::vector<std::string> lines_;
  std::size_t at_ = 0;
};

std::string value(const std::string& line, std::size_t column) {
  return line.substr(std::min(column, line.size()));
}

bool is_none(const std::string& text) { return text.starts_with("[none]"); }

std::string none_is_empty(const std::string& text) { return is_none(text) ? "" : text; }

/// Adds a hit below all thresholds whose name is as wide as the name column of `rule`: the column is as wide
/// as the longest registered name, shown or not.
template <class Hit>
void add_unlisted(std::vector<Hit>& hits, const std::string& rule) {
  std::size_t width = rule.find(" ---"), longest = 8;
  for (const Hit& hit : hits) longest = std::max(longest, hit.name.size());
  if (width <= longest) return;
  Hit hit;
  hit.name.assign(width, 'x');
  hit.score = -1e30f;
  hit.p_value = 1e30;
  hit.target_index = 1000000;
  if constexpr (requires { hit.sequence_p_value; }) hit.sequence_p_value = 1e30;
  hits.push_back(hit);
}

/// The P-value of a printed E-value, slightly less so that multiplying it again cannot exceed the E-value.
double p_value_of(double evalue, const HitReport& report) {
  return evalue / report.database_size * (1 - 1e-12);
}

void read_lists(Lines& lines, HitReport& report) {
  lines.skip_to("Scores for");
  lines.take();
  lines.take();
  const std::string rule = lines.take();
  const std::size_t description_column = rule.find(" -----------") + 1;
  const std::size_t score_column = rule.find("-----", rule.find(' ', description_column)) - 2;
  std::map<std::string, SequenceHit> by_name;
  while (!lines.peek().empty()) {
    const std::string line = lines.take();
    if (line.starts_with("\t")) continue;
    SequenceHit hit;
    std::istringstream name(line);
    name >> hit.name;
    hit.description = line.substr(description_column, score_column - description_column);
    hit.description.erase(hit.description.find_last_not_of(' ') + 1);
    double evalue = 0;
    std::istringstream(line.substr(score_column)) >> hit.score >> evalue >> hit.domain_count;
    hit.p_value = p_value_of(evalue, report);
    hit.target_index = report.sequences.size();
    report.sequences.push_back(hit);
    by_name[hit.name] = hit;
  }
  add_unlisted(report.sequences, rule);
  lines.skip_to("----");
  const std::string domain_rule = lines.take();
  while (!lines.peek().empty() && lines.peek() != "//") {
    const std::string line = lines.take();
    if (line.starts_with("\t")) continue;
    DomainHit hit;
    std::string domain, sequence_ends, profile_ends;
    double evalue = 0;
    std::istringstream fields(line);
    fields >> hit.name >> domain >> hit.sequence_from >> hit.sequence_to >> sequence_ends >>
        hit.profile_from >> hit.profile_to >> profile_ends >> hit.score >> evalue;
    hit.number = std::stoi(domain);
    hit.count = std::stoi(domain.substr(domain.find('/') + 1));
    hit.p_value = p_value_of(evalue, report);
    hit.sequence_length = hit.sequence_to + (sequence_ends[1] == ']' ? 0 : 1);
    hit.profile_length = hit.profile_to + (profile_ends[1] == ']' ? 0 : 1);
    const SequenceHit& target = by_name.at(hit.name);
    hit.sequence_score = target.score;
    hit.sequence_p_value = target.p_value;
    hit.target_index = target.target_index;
    hit.description = target.description;
    report.domains.push_back(hit);
  }
  add_unlisted(report.domains, domain_rule);
}

/// Appends one block of an alignment to `rows`.
void read_block(Lines& lines, DomainAlignment& rows, std::string& sequence_name) {
  if (lines.starts("                CS ")) rows.cs += value(lines.take(), kRowColumn);
  if (lines.starts("                RF ")) rows.rf += value(lines.take(), kRowColumn);
  const std::string model = value(lines.take(), kRowColumn);
  rows.model += model;
  rows.middle += value(lines.take(), kRowColumn);
  const std::string line = lines.take();
  std::istringstream(line) >> sequence_name;
  rows.sequence += line.substr(kRowColumn, model.size());
  lines.take();
}

void read_alignments(Lines& lines, HitReport& report) {
  if (!lines.starts("")) return;
  if (lines.peek().empty()) lines.take();
  if (!lines.starts("Alignments of")) {
    report.alignments = false;
    return;
  }
  lines.take();
  for (DomainHit& hit : report.domains) {
    if (!lines.starts(hit.name + ": domain")) break;
    lines.take();
    while (lines.starts("    ") || lines.starts("  ")) read_block(lines, hit.alignment, hit.query_name);
    hit.trace_columns = hit.alignment.model.size();
  }
  if (lines.starts("\t[no hits")) lines.take();
  if (lines.starts("\t[output cut off")) {
    const std::string line = lines.take();
    report.alignment_limit = std::stoi(line.substr(line.find('=') + 1));
  }
}

double cutoff(const std::string& text, double none) {
  return is_none(text) ? none : std::stod(text.substr(3));
}

}  // namespace

ReadSearch read_search_report(const std::string& text, const std::string& text_file) {
  ReadSearch read;
  Profile& profile = read.profile;
  SearchReport& report = read.report;
  Lines lines(text);
  lines.skip_to("HMM file:");
  const std::string file = value(lines.take(), 28);
  report.profile_file = file.substr(0, file.rfind(" ["));
  report.sequence_file = value(lines.take(), 28);
  const std::string sequence_t = value(lines.take(), 28);
  report.thresholds.sequence_t = static_cast<float>(cutoff(sequence_t, kNoScore));
  report.thresholds.domain_t = static_cast<float>(cutoff(value(lines.take(), 28), kNoScore));
  report.thresholds.sequence_e = cutoff(value(lines.take(), 28), kNoEvalue);
  report.thresholds.domain_e = cutoff(value(lines.take(), 28), kNoEvalue);
  if (sequence_t.ends_with("[GA1]")) report.thresholds.cutoff = CutoffKind::Gathering;
  lines.skip_to("Query HMM");
  profile.name = value(lines.take(), 13);
  const std::string accession = value(lines.take(), 13), description = value(lines.take(), 13);
  if (!is_none(accession)) profile.accession = accession;
  if (!is_none(description)) profile.description = description;
  if (lines.take().find("has been calibrated") != std::string::npos) {
    Lines evd(text);
    evd.skip_to("              mu");
    profile.evd.emplace();
    profile.evd->mu = std::stof(value(evd.take(), 19));
    profile.evd->lambda = std::stof(value(evd.take(), 19));
  }
  Lines trailer(text);
  trailer.skip_to("Total sequences searched:");
  report.sequences_searched = std::stoll(value(trailer.take(), 25));
  report.database_size = static_cast<double>(report.sequences_searched);
  read_lists(lines, report);
  read_alignments(lines, report);
  for (DomainHit& hit : report.domains) {
    hit.query_name = profile.name;
    if (!hit.alignment.rf.empty()) profile.rf = hit.alignment.rf;
    if (!hit.alignment.cs.empty()) profile.cs = hit.alignment.cs;
  }
  for (const SequenceHit& hit : report.sequences) report.scores.add(hit.score);
  if (lines.done()) throw std::runtime_error(text_file + ": no trailer");
  return read;
}

ReadScan read_scan_report(const std::string& text) {
  ReadScan read;
  Lines lines(text);
  lines.skip_to("HMM file:");
  read.profile_file = value(lines.take(), 26);
  read.sequence_file = value(lines.take(), 26);
  lines.take();
  while (!lines.done()) {
    ScanReport query;
    if (lines.starts("Query:  ")) {
      query.compat = true;
      const std::string line = value(lines.take(), 8);
      query.query_name = line.substr(0, line.find("  "));
      query.query_description = line.substr(line.find("  ") + 2);
    } else {
      lines.skip_to("Query sequence: ");
      query.query_name = value(lines.take(), 16);
      query.query_accession = none_is_empty(value(lines.take(), 16));
      query.query_description = none_is_empty(value(lines.take(), 16));
    }
    query.database_size = 1;
    query.thresholds.sequence_e = kNoEvalue;
    read_lists(lines, query);
    read_alignments(lines, query);
    if (lines.take() != "//") throw std::runtime_error("no // after a query");
    read.queries.push_back(std::move(query));
  }
  return read;
}

std::string read_file(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (!file) throw std::runtime_error("cannot open " + path);
  std::string text;
  char buffer[65536];
  for (int got = 0; (got = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  gzclose(file);
  return text;
}

}  // namespace gpuhmm::testing
