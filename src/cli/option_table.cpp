// Builds and searches the table of options.
#include "cli/option_table.hpp"

namespace gpuhmm::cli {

OptionValue one_of(const char* placeholder, std::vector<std::string> words, bool standard) {
  const std::string first = standard ? words.front() : "";
  return {placeholder, ValueKind::Words, std::move(words), true, first, {}, {}};
}

OptionValue any_text(const char* placeholder, std::vector<std::string> words, const std::string& standard) {
  return {placeholder, ValueKind::Words, std::move(words), false, standard, {}, {}};
}

OptionValue file(const char* placeholder, ValueKind kind, std::vector<std::string> words,
                 const std::string& standard) {
  return {placeholder, kind, std::move(words), false, standard, {}, {}};
}

std::string Option::shown() const {
  std::string line = letter == '\0' ? "" : std::string{'-', letter, ',', ' '};
  line += "--" + name;
  return is_flag() ? line : line.append(" ").append(placeholder);
}

OptionTable& OptionTable::group(const std::string& title) {
  constexpr std::size_t kUsual = 20;  // options of a large group: it does not move them while it grows
  groups_.push_back({title, {}});
  groups_.back().options.reserve(kUsual);
  return *this;
}

OptionTable& OptionTable::add(std::string_view names, OptionValue value, std::string text) {
  const std::size_t comma = names.find(',');
  const char letter = comma == std::string_view::npos ? '\0' : names[comma + 1];
  groups_.back().options.emplace_back(std::move(value), names.substr(0, comma), letter, std::move(text));
  return *this;
}

OptionTable& OptionTable::add(std::string_view names, std::string text) {
  return add(names, OptionValue{}, std::move(text));
}

OptionTable& OptionTable::alias(const std::string& other, const std::string& name, const std::string& value) {
  aliases_.push_back({other, name, value});
  return *this;
}

OptionTable& OptionTable::only_one(std::vector<std::string> names) {
  choices_.push_back(std::move(names));
  return *this;
}

OptionTable& OptionTable::names_argument(const std::string& name, std::size_t place) {
  named_argument_ = {name, place};
  return *this;
}

std::vector<const Option*> OptionTable::options() const {
  std::vector<const Option*> all;
  for (const OptionGroup& group : groups_) {
    for (const Option& option : group.options) all.push_back(&option);
  }
  return all;
}

const Option* OptionTable::find(std::string_view called) const {
  const bool by_letter = called.size() == 2 && called[0] == '-';
  const bool by_name = called.starts_with("--");
  for (const OptionGroup& group : groups_) {
    for (const Option& option : group.options) {
      if (by_letter && called[1] == option.letter) return &option;
      if (by_name && called.substr(2) == option.name) return &option;
    }
  }
  return nullptr;
}

bool is_repeated(std::string_view placeholder) { return placeholder.ends_with("..."); }

ValueKind argument_kind(std::string_view placeholder) {
  if (placeholder.starts_with('[')) placeholder = placeholder.substr(1, placeholder.size() - 2);
  constexpr std::pair<std::string_view, ValueKind> kKinds[] = {
      {"PROFILE", ValueKind::Profiles},     {"PROFILES", ValueKind::Profiles},
      {"SEQUENCES", ValueKind::Sequences},  {"DATABASE", ValueKind::Sequences},
      {"DATABASE...", ValueKind::File},     {"B", ValueKind::Sequences},
      {"ALIGNMENT", ValueKind::Alignments}, {"VECTOR", ValueKind::Numbers},
      {"STACK", ValueKind::Numbers},        {"INPUT", ValueKind::File},
      {"OUTPUT", ValueKind::Profiles},      {"COMMAND", ValueKind::Commands}};
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
