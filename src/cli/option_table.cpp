// The table of options; see the header.
#include "cli/option_table.hpp"

#include <stdexcept>
#include <utility>

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

std::unique_ptr<po::value_semantic> text_parser(const std::string& standard) {
  auto* const parser = po::value<std::string>();
  if (!standard.empty()) parser->default_value(standard);
  return std::unique_ptr<po::value_semantic>(parser);
}

}  // namespace

OptionValue one_of(const char* placeholder, std::vector<std::string> words, bool standard) {
  const std::string first = standard ? words.front() : "";
  return {placeholder, ValueKind::Words, std::move(words), true, first, text_parser(first)};
}

OptionValue any_text(const char* placeholder, std::vector<std::string> words, const std::string& standard) {
  return {placeholder, ValueKind::Words, std::move(words), false, standard, text_parser(standard)};
}

OptionValue file(const char* placeholder, ValueKind kind, std::vector<std::string> words,
                 const std::string& standard) {
  return {placeholder, kind, std::move(words), false, standard, text_parser(standard)};
}

std::string Option::shown() const {
  std::string line = letter == '\0' ? "" : std::string{'-', letter, ',', ' '};
  line += "--" + name;
  return placeholder.empty() ? line : line + " " + placeholder;
}

OptionTable& OptionTable::group(const std::string& title) {
  groups_.push_back({title, {}});
  return *this;
}

OptionTable& OptionTable::add(const char* names, OptionValue value, const std::string& text) {
  const std::string_view both = names;
  const std::size_t comma = both.find(',');
  Option option{std::string(both.substr(0, comma)),
                comma == std::string_view::npos ? '\0' : both[comma + 1],
                text,
                std::move(value.placeholder),
                value.kind,
                std::move(value.words),
                value.only_words,
                std::move(value.standard)};
  if (value.parser == nullptr) value.parser.reset(new po::untyped_value(true));
  const char* const shown = "";  // Boost shows nothing: help is written by help.cpp
  parser_.add(boost::shared_ptr<po::option_description>(
      new po::option_description(names, value.parser.release(), shown)));
  if (groups_.empty()) throw std::logic_error("option --" + option.name + " stands under no heading");
  groups_.back().options.push_back(std::move(option));
  return *this;
}

OptionTable& OptionTable::add(const char* names, const std::string& text) {
  return add(names, OptionValue{}, text);
}

OptionTable& OptionTable::alias(const std::string& other, const std::string& name, const std::string& value) {
  aliases_.push_back({other, name, value});
  return *this;
}

ValueKind argument_kind(std::string_view placeholder) {
  if (placeholder.starts_with('[')) placeholder = placeholder.substr(1, placeholder.size() - 2);
  constexpr std::pair<std::string_view, ValueKind> kKinds[] = {
      {"PROFILE", ValueKind::Profiles},    {"PROFILES", ValueKind::Profiles},
      {"SEQUENCES", ValueKind::Sequences}, {"DATABASE", ValueKind::Sequences},
      {"B", ValueKind::Sequences},         {"ALIGNMENT", ValueKind::Alignments},
      {"VECTOR", ValueKind::Numbers},      {"STACK", ValueKind::Numbers},
      {"INPUT", ValueKind::File},          {"OUTPUT", ValueKind::Profiles},
      {"COMMAND", ValueKind::Commands}};
  for (const auto& [name, kind] : kKinds) {
    if (name == placeholder) return kind;
  }
  return ValueKind::Free;
}

std::vector<std::string_view> file_endings(ValueKind kind) {
  switch (kind) {
    case ValueKind::Profiles:
      return {"hmm", "hmm.gz", "lib", "bin"};
    case ValueKind::Sequences:
      return {"fasta", "fa",     "faa",    "fna",      "ffn",   "fas",    "fsa",    "pep",
              "fastq", "fq",     "dat",    "embl",     "gb",    "gbk",    "gbff",   "seq",
              "pir",   "sto",    "stk",    "fasta.gz", "fa.gz", "faa.gz", "fna.gz", "fastq.gz",
              "fq.gz", "dat.gz", "gbk.gz", "gbff.gz",  "ghdb"};
    case ValueKind::Alignments:
      return {"sto", "stk", "sth", "slx", "selex", "msf", "aln", "phy", "a2m", "afa", "sto.gz", "stk.gz"};
    case ValueKind::Numbers:
      return {"npy", "npy.gz", "txt", "txt.gz", "tsv", "tsv.gz", "csv", "csv.gz", "raw", "pgm", "png"};
    default:
      return {};
  }
}

}  // namespace gpuhmm::cli
