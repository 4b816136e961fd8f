// Encodes and decodes by nlohmann_json, but for the contents of files, which it would take byte by byte.
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

constexpr char kByteString = 0x5b;  // of CBOR, with a length of 8 bytes
constexpr std::size_t kLengthBytes = 8;

// Appends a byte string of CBOR.
void append_bytes(std::string& to, std::string_view bytes) {
  to += kByteString;
  for (std::size_t n = kLengthBytes; n-- > 0;) to += static_cast<char>(bytes.size() >> (8 * n) & 0xff);
  to += bytes;
}

// A sequence of byte strings: one that holds what `head` encodes to, and the contents of files.
std::string with_contents(const json& head, const std::vector<std::string_view>& contents) {
  const std::string first = cbor(head);
  std::size_t size = first.size() + (contents.size() + 1) * (kLengthBytes + 1);
  for (const std::string_view content : contents) size += content.size();
  std::string bytes;
  bytes.reserve(size);
  append_bytes(bytes, first);
  for (const std::string_view content : contents) append_bytes(bytes, content);
  return bytes;
}

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error("unexpected content: " + why); }

// Takes such a sequence apart.
class Contents {
 public:
  explicit Contents(std::string_view bytes) : left_(bytes) {}

  std::string_view next() {
    if (left_.size() <= kLengthBytes || left_.front() != kByteString) refuse("no byte string");
    std::uint64_t size = 0;
    for (std::size_t n = 1; n <= kLengthBytes; ++n) size = size << 8 | static_cast<std::uint8_t>(left_[n]);
    left_.remove_prefix(kLengthBytes + 1);
    if (size > left_.size()) refuse("a byte string ends early");
    const std::string_view found = left_.substr(0, size);
    left_.remove_prefix(size);
    return found;
  }

 private:
  std::string_view left_;
};

// Turns what is wrong with the bytes into one line.
template <class Read>
auto read_cbor(std::string_view bytes, const Read& read) {
  try {
    return read(json::from_cbor(bytes));
  } catch (const json::exception& error) {
    refuse(error.what());
  }
}

// Its content, if it has one, is to follow.
json of_input(const SentInput& input, std::vector<std::string_view>& contents) {
  json value = {{"path", bytes_of(input.path)}};
  if (!input.held.empty()) {
    value["held"] = bytes_of(input.held);
  } else if (!input.failure.empty()) {
    value["failure"] = bytes_of(input.failure);
  } else {
    contents.push_back(input.bytes);
  }
  return value;
}

SentInput input_of(const json& value, Contents& contents) {
  SentInput input{text_of(value.at("path")), {}, {}, {}};
  if (value.contains("held")) {
    input.held = text_of(value["held"]);
  } else if (value.contains("failure")) {
    input.failure = text_of(value["failure"]);
  } else {
    input.bytes = contents.next();
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
  std::vector<std::string_view> contents;
  const json profiles = of_input(run.profiles, contents), sequences = of_input(run.sequences, contents);
  return with_contents({{"command", run.kind == ReportKind::Search ? "search" : "scan"},
                        {"words", words},
                        {"profiles", profiles},
                        {"sequences", sequences},
                        {"unwritable", unwritable},
                        {"conflict", bytes_of(run.conflict)},
                        {"directory", bytes_of(run.surroundings.directory)},
                        {"utc_offset", run.surroundings.utc_offset}},
                       contents);
}

SentRun decoded_run(std::string_view bytes) {
  Contents contents(bytes);
  return read_cbor(contents.next(), [&](const json& value) {
    SentRun run;
    run.kind = value.at("command") == "scan" ? ReportKind::Scan : ReportKind::Search;
    for (const json& word : value.at("words")) run.words.push_back(text_of(word));
    run.profiles = input_of(value.at("profiles"), contents);
    run.sequences = input_of(value.at("sequences"), contents);
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
  std::vector<std::string_view> contents;
  for (const auto& [path, content] : answer.files) {
    files.push_back(bytes_of(path));
    contents.emplace_back(content);
  }
  return with_contents({{"code", answer.code}, {"errors", bytes_of(answer.errors)}, {"files", files}},
                       contents);
}

RunAnswer decoded_answer(std::string_view bytes) {
  Contents contents(bytes);
  return read_cbor(contents.next(), [&](const json& value) {
    RunAnswer answer{value.at("code").get<int>(), text_of(value.at("errors")), {}};
    for (const json& file : value.at("files")) answer.files.emplace_back(text_of(file), contents.next());
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
