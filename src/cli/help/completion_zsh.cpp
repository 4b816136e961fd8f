// The completion script for zsh.
#include "cli/help/completion.hpp"

namespace gpuhmm::cli {

namespace {

// Escapes text that stands in single quotes, within the brackets or between the colons of an _arguments
// specification.
std::string quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The _arguments action that offers values of that kind.
std::string action(ValueKind kind, const std::vector<std::string>& words) {
  if (kind == ValueKind::Commands) return "_gpuhmm_commands";
  const std::string endings = joined_endings(kind, "", "|");
  const std::string files = endings.empty() ? "_files" : "_files -g \"*.(" + endings + ")\"";
  if (!is_file_kind(kind)) return words.empty() ? " " : "(" + joined(words) + ")";
  return words.empty() ? files : "{compadd " + joined(words) + "; " + files + "}";
}

std::string specifications(const Option& option) {
  const std::string text = "[" + quoted(option.text) + "]";
  const bool flag = option.is_flag();
  const std::string value =
      flag ? "" : ":" + quoted(option.placeholder) + ":" + action(option.kind, option.words);
  const std::string name = "--" + option.name;
  const auto line = [&](const std::string& front) { return " \\\n        '" + front + text + value + "'"; };
  if (option.letter == '\0') return line(name + (flag ? "" : "="));
  const std::string letter = std::string("-") + option.letter;
  const std::string either = "(" + letter + " " + name + ")";
  return line(either + letter + (flag ? "" : "+")) + line(either + name + (flag ? "" : "="));
}

}  // namespace

std::string zsh_completion() {
  std::string list, cases;
  for (const Command& command : commands()) {
    list += "    '" + command.name + ":" + quoted(command.summary) + "'\n";
    cases += "    " + command.name + ")\n      _arguments -s -S";
    const OptionTable table = command.options();
    for (const Option* const option : table.options()) cases += specifications(*option);
    cases += " \\\n        '(-h --help)'{-h,--help}'[show the help]'";
    std::size_t place = 0;
    for (const ArgumentValue& argument : argument_values(command)) {
      const std::string places = is_repeated(argument.shown) ? "*" : std::to_string(++place);
      cases += " \\\n        '" + places + ":" + quoted(argument.shown) + ":" +
               action(argument.kind, argument.words) + "'";
    }
    cases += " ;;\n";
  }
  return R"(#compdef gpuhmm
# zsh completion for gpuhmm; written by `gpuhmm help --completion zsh`
_gpuhmm_commands() {
  local -a commands=(
)" + list +
         R"(  )
  _describe command commands
}
_gpuhmm() {
  if ((CURRENT == 2)); then
    _gpuhmm_commands
    _arguments '--help' '--version'
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
    -h | --help) _gpuhmm_commands ;;
)" + cases +
         R"(  esac
}
_gpuhmm "$@"
)";
}

}  // namespace gpuhmm::cli
