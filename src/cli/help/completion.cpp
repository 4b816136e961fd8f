// The completion script for bash, and what the scripts of all shells share.
#include "cli/help/completion.hpp"

#include <cctype>
#include <sstream>

namespace gpuhmm::cli {

namespace {

// Shell functions that offer words or files. Of files they offer those with an expected ending, or all if
// there is none.
constexpr std::string_view kBashFunctions =
    R"(# bash completion for gpuhmm; written by `gpuhmm help --completion bash`
_gpuhmm_files() { # WORD [ENDING]...
  local IFS=$'\n' word=$1 file ending
  shift
  local files=($(compgen -f -- "$word")) fit=()
  compopt -o filenames 2>/dev/null
  for file in "${files[@]}"; do
    for ending in "$@"; do [[ $file == *."$ending" ]] && fit+=("$file") && break; done
  done
  if ((${#fit[@]})); then
    COMPREPLY+=("${fit[@]}" $(compgen -d -- "$word"))
  else
    COMPREPLY+=("${files[@]}")
  fi
}
_gpuhmm_words() { # WORD CHOICE...
  local word=$1
  shift
  COMPREPLY+=($(compgen -W "$*" -- "$word"))
}
_gpuhmm() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} valued options arguments i at=0
  COMPREPLY=()
  [[ $word == = ]] && word=
  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
)";

std::string names_of(const Option& option, char between) {
  const std::string letter = option.letter == '\0' ? "" : std::string{between, '-', option.letter};
  return "--" + option.name + letter;
}

// The shell commands that offer values of that kind for $word.
std::string bash_values(ValueKind kind, const std::vector<std::string>& words) {
  std::string commands;
  if (kind == ValueKind::Commands) return "_gpuhmm_words \"$word\" $commands";
  if (!words.empty()) commands = "_gpuhmm_words \"$word\" " + joined(words);
  if (is_file_kind(kind)) {
    commands += commands.empty() ? "" : "; ";
    commands += "_gpuhmm_files \"$word\"" + joined_endings(kind, " ", "");
  }
  return commands.empty() ? ":" : commands;
}

std::string bash_case(const Command& command) {
  std::string valued, options, cases;
  const OptionTable table = command.options();
  for (const Option* const option : table.options()) {
    options += names_of(*option, ' ') + " ";
    if (option->is_flag()) continue;
    valued += names_of(*option, ' ') + " ";
    cases += "        " + names_of(*option, '|') + ") " + bash_values(option->kind, option->words) +
             "; return ;;\n";
  }
  std::string text = "    " + command.name + ")\n      valued=\" " + valued + "\"\n      options=\"" +
                     options + "--help -h\"\n";
  if (!cases.empty()) text += "      case $before in\n" + cases + "      esac\n";
  text += "      _gpuhmm_place\n      case $word,$at in\n        -?*) ;;\n";
  std::size_t place = 0;
  for (const ArgumentValue& argument : argument_values(command)) {
    const std::string places = is_repeated(argument.shown) ? "*" : std::to_string(place++);
    text += "        *," + places + ") " + bash_values(argument.kind, argument.words) + "; return ;;\n";
  }
  return text + "      esac ;;\n";
}

}  // namespace

std::span<const ShellCompletion> shell_completions() {
  static constexpr ShellCompletion kShells[] = {
      {"bash", "bash-completion/completions/gpuhmm", bash_completion},
      {"zsh", "zsh/site-functions/_gpuhmm", zsh_completion},
      {"fish", "fish/vendor_completions.d/gpuhmm.fish", fish_completion}};
  return kShells;
}

std::vector<ArgumentValue> argument_values(const Command& command) {
  std::istringstream words(command.positional);
  std::vector<ArgumentValue> values;
  for (std::string word; words >> word;) {
    ArgumentValue value{word, argument_kind(word), {}};
    if (std::islower(static_cast<unsigned char>(word.front())) != 0) {
      value.kind = ValueKind::Words;
      std::istringstream choice(word);
      for (std::string one; std::getline(choice, one, '|');) value.words.push_back(one);
    }
    values.push_back(std::move(value));
  }
  return values;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string joined_endings(ValueKind kind, std::string_view before, std::string_view between) {
  std::string text;
  for (const std::string_view ending : file_endings(kind)) {
    if (!text.empty()) text += between;
    text.append(before).append(ending);
  }
  return text;
}

bool is_file_kind(ValueKind kind) {
  return kind != ValueKind::None && kind != ValueKind::Free && kind != ValueKind::Words &&
         kind != ValueKind::Commands;
}

std::string bash_completion() {
  std::string names;
  for (const Command& command : commands()) names += std::string(names.empty() ? "" : " ") + command.name;
  std::string text(kBashFunctions);
  text += "  local commands=\"" + names + R"("
  if ((COMP_CWORD == 1)); then
    _gpuhmm_words "$word" $commands --help --version
    return
  fi
  case ${COMP_WORDS[1]} in
    -h | --help) _gpuhmm_words "$word" $commands; return ;;
)";
  for (const Command& command : commands()) text += bash_case(command);
  return text + R"(  esac
  [[ $word == -* ]] && _gpuhmm_words "$word" $options
}
# Counts the arguments before the word: words that are neither options nor their values.
_gpuhmm_place() {
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -?* ]]; then
      ((++at))
    elif [[ ${COMP_WORDS[i + 1]} == = ]]; then
      ((i += 2))
    elif [[ $valued == *" ${COMP_WORDS[i]} "* ]]; then
      ((++i))
    fi
  done
}
complete -F _gpuhmm gpuhmm
)";
}

}  // namespace gpuhmm::cli
