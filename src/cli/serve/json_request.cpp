// From the keys of JSON to the words of a command line.
#include "cli/serve/json_request.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/command.hpp"
#include "cli/commands/run_by_server.hpp"

namespace gpuhmm::cli {

namespace {

using nlohmann::json;

// Options that write files or concern the client's terminal.
constexpr std::array<std::string_view, 8> kNoOptions = {"output", "tblout", "domtblout", "pfamtblout",
                                                        "msa",    "json",   "server",    "quiet"};

std::string word_of(const std::string& name, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  throw BadRequest("the option " + name + ": expected a number, a string, true or false");
}

void add_options(std::vector<std::string>& words, const json& options, const OptionTable& table) {
  if (!options.is_object()) throw BadRequest("options: expected an object");
  for (const auto& [name, value] : options.items()) {
    const Option* const option = table.find("--" + name);
    const bool refused =
        std::ranges::count(kNoOptions, name) > 0 || std::ranges::count(kServersOptions, name) > 0;
    if (option == nullptr || refused) throw BadRequest("there is no option " + name + " here");
    if (value.is_boolean() && option->is_flag()) {
      if (value.get<bool>()) words.push_back("--" + name);
      continue;
    }
    if (option->is_flag()) throw BadRequest("the option " + name + ": expected true or false");
    words.push_back("--" + name + "=" + word_of(name, value));
  }
}

SentInput input_of(const json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end()) throw BadRequest(std::string("missing: ") + key);
  if (found->is_string()) return {found->get<std::string>(), found->get<std::string>(), {}, {}};
  const bool is_text = found->is_object() && found->contains("text") && (*found)["text"].is_string();
  if (!is_text) {
    throw BadRequest(std::string(key) +
                     R"(: expected the name of a file that the server holds, or {"text": "..."})");
  }
  return {key, {}, (*found)["text"].get<std::string>(), {}};
}

}  // namespace

SentRun run_from_json(ReportKind kind, const std::string& text) {
  const json request = json::parse(text, nullptr, false);
  if (!request.is_object()) throw BadRequest("the body is no JSON object");
  for (const auto& [key, value] : request.items()) {
    if (key != "profiles" && key != "sequences" && key != "options") throw BadRequest("unknown key: " + key);
  }
  SentRun run;
  run.kind = kind;
  run.profiles = input_of(request, "profiles");
  run.sequences = input_of(request, "sequences");
  run.words = {"--json=-"};
  if (request.contains("options")) {
    const Command& command = find_command(kind == ReportKind::Search ? "search" : "scan");
    add_options(run.words, request["options"], command.options());
  }
  run.words.insert(run.words.end(), {"--", run.profiles.path, run.sequences.path});
  return run;
}

std::string error_json(const std::string& message, int code) {
  json error = {{"error", message}};
  if (code != 0) error["code"] = code;
  return error.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace gpuhmm::cli
