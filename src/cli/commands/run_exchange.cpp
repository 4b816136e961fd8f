// Encodes and decodes by nlohmann_json.
#include "cli/commands/run_exchange.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "gpuhmm/hmmer3_press.hpp"

namespace gpuhmm::cli {

namespace {

using nlohmann::json;

json bytes_of(const std::string& text) { return json::binary({text.begin(), text.end()}); }

std::string text_of(const json& bytes) {
  const json::binary_t& binary = bytes.get_binary();
  return {binary.begin(), binary.end()};
}

std::string cbor(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

// Turns what is wrong with the bytes into one line.
template <class Read>
auto read_cbor(std::string_view bytes, const Read& read) {
  try {
    return read(json::from_cbor(bytes));
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("unexpected content: ") + error.what());
  }
}

json of_input(const SentInput& input) {
  json value = {{"path", bytes_of(input.path)}};
  if (!input.held.empty()) {
    value["held"] = bytes_of(input.held);
  } else if (!input.failure.empty()) {
    value["failure"] = bytes_of(input.failure);
  } else {
    value["bytes"] = bytes_of(input.bytes);
  }
  return value;
}

SentInput input_of(const json& value) {
  SentInput input{text_of(value.at("path")), {}, {}, {}};
  if (value.contains("held")) {
    input.held = text_of(value["held"]);
  } else if (value.contains("failure")) {
    input.failure = text_of(value["failure"]);
  } else {
    input.bytes = text_of(value.at("bytes"));
  }
  return input;
}

}  // namespace

std::optional<FileState> state_of(const std::string& path) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileState{static_cast<std::uint64_t>(status.st_size), status.st_ino,
                   status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

std::string full_path(const std::string& path) {
  std::error_code error;
  const std::string file = std::filesystem::canonical(path, error).string();
  if (!error) return file;
  const hmmer3::PressedFiles pressed(path);
  std::string part = std::filesystem::canonical(pressed.profiles, error).string();
  if (error) return {};
  part.resize(part.size() - (pressed.profiles.size() - path.size()));
  return part;
}

std::string encoded(const SentRun& run) {
  json words = json::array(), unwritable = json::array();
  for (const std::string& word : run.words) words.push_back(bytes_of(word));
  for (const auto& [path, why] : run.unwritable) unwritable.push_back({bytes_of(path), bytes_of(why)});
  return cbor({{"command", run.kind == ReportKind::Search ? "search" : "scan"},
               {"words", words},
               {"profiles", of_input(run.profiles)},
               {"sequences", of_input(run.sequences)},
               {"unwritable", unwritable},
               {"conflict", bytes_of(run.conflict)},
               {"directory", bytes_of(run.surroundings.directory)},
               {"utc_offset", run.surroundings.utc_offset}});
}

SentRun decoded_run(std::string_view bytes) {
  return read_cbor(bytes, [](const json& value) {
    SentRun run;
    run.kind = value.at("command") == "scan" ? ReportKind::Scan : ReportKind::Search;
    for (const json& word : value.at("words")) run.words.push_back(text_of(word));
    run.profiles = input_of(value.at("profiles"));
    run.sequences = input_of(value.at("sequences"));
    for (const json& entry : value.at("unwritable")) {
      run.unwritable.emplace(text_of(entry.at(0)), text_of(entry.at(1)));
    }
    run.conflict = text_of(value.at("conflict"));
    run.surroundings = {text_of(value.at("directory")), value.at("utc_offset").get<long>()};
    return run;
  });
}

std::string encoded(const RunAnswer& answer) {
  json files = json::array();
  for (const auto& [path, content] : answer.files) files.push_back({bytes_of(path), bytes_of(content)});
  return cbor({{"code", answer.code}, {"errors", bytes_of(answer.errors)}, {"files", files}});
}

RunAnswer decoded_answer(std::string_view bytes) {
  return read_cbor(bytes, [](const json& value) {
    RunAnswer answer{value.at("code").get<int>(), text_of(value.at("errors")), {}};
    for (const json& file : value.at("files")) {
      answer.files.emplace_back(text_of(file.at(0)), text_of(file.at(1)));
    }
    return answer;
  });
}

std::string encoded(const ServerFiles& server) {
  json files = json::array();
  for (const HeldFile& file : server.files) {
    json value = {{"path", bytes_of(file.path)}};
    if (file.state) value["state"] = {file.state->size, file.state->inode, file.state->changed};
    files.push_back(std::move(value));
  }
  return cbor({{"files", files}, {"most_bytes", server.most_bytes}});
}

ServerFiles decoded_files(std::string_view bytes) {
  return read_cbor(bytes, [](const json& value) {
    ServerFiles server;
    server.most_bytes = value.at("most_bytes").get<std::uint64_t>();
    for (const json& entry : value.at("files")) {
      HeldFile& file = server.files.emplace_back(HeldFile{text_of(entry.at("path")), std::nullopt});
      if (!entry.contains("state")) continue;
      const json& state = entry["state"];
      file.state = {state.at(0).get<std::uint64_t>(), state.at(1).get<std::uint64_t>(),
                    state.at(2).get<std::int64_t>()};
    }
    return server;
  });
}

std::string error_text(std::string_view text) {
  const json value = json::parse(text, nullptr, false);
  return value.is_object() ? value.value("error", std::string(text)) : std::string(text);
}

}  // namespace gpuhmm::cli
