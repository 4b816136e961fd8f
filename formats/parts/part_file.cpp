// Writes and reads parts.
#include <algorithm>
#include <fstream>
#include <utility>

#include "formats/parts/frame.hpp"
#include "formats/parts/part_fields.hpp"
#include "gpuhmm/input.hpp"

namespace gpuhmm {

namespace {

using nlohmann::json;
using parts::Frame;
using parts::FrameKind;
using parts::FrameState;
using parts::Packer;
using parts::Unpacker;

std::string cbor(const json& value) {
  std::string bytes;
  json::to_cbor(value, bytes);
  return bytes;
}

PartHeader header_of(const Frame& frame) {
  PartHeader header;
  Unpacker::unpack(json::from_cbor(frame.content), header);
  return header;
}

template <class Record>
PartContent unpacked(const json& value) {
  Record record;
  Unpacker::unpack(value, record);
  return record;
}

// The first element tells which record follows.
PartContent content_of(const Frame& frame) {
  const json value = json::from_cbor(frame.content);
  switch (value.at(0).get<int>()) {
    case 0:
      return unpacked<SearchRecord>(value.at(1));
    case 1:
      return unpacked<ScanRecord>(value.at(1));
    default:
      return unpacked<Hmmer3Record>(value.at(1));
  }
}

[[noreturn]] void fail_no_part(const std::string& name) {
  throw FileError(name +
                  ": is not a part of a run; expected a file that `gpuhmm search --shard` or `gpuhmm "
                  "scan --shard` of this version wrote");
}

}  // namespace

std::string packed(const PartContent& content) {
  return parts::deflated(cbor(std::visit(
      [&](const auto& record) {
        return json::array({content.index(), Packer::pack(record)});
      },
      content)));
}

PartWriter::PartWriter(TextSink out, const PartHeader& header) : out_(std::move(out)) {
  out_(std::string(parts::kMagic) +
       parts::frame_bytes(FrameKind::Header, {}, parts::deflated(cbor(Packer::pack(header)))));
}

PartWriter::PartWriter(TextSink out) : out_(std::move(out)) {}

void PartWriter::add(const QueryPlace& place, std::string_view content) {
  out_(parts::frame_bytes(FrameKind::Record, place, content));
}

void PartWriter::end(std::uint64_t sections) {
  out_(parts::frame_bytes(FrameKind::End, {sections, 0}, parts::deflated({})));
}

struct PartReader::State {
  State(std::string memory, std::unique_ptr<Input> opened)
      : bytes(std::move(memory)), input(std::move(opened)) {}
  explicit State(const std::string& path) : input(std::make_unique<Input>(path)) { begin(); }
  State(const std::string& name, std::string memory) : bytes(std::move(memory)) {
    input = std::make_unique<Input>(name, bytes, 0);
    begin();
  }

  [[noreturn]] void fail_damaged() const {
    throw FileError(input->name() + ": record " + std::to_string(records + 1) +
                    " is damaged; expected what gpuhmm wrote");
  }

  template <class Read>
  auto understood(const Read& read) const {
    try {
      return read();
    } catch (const json::exception&) {
      fail_damaged();
    }
  }

  void begin() {
    if (input->peek(parts::kMagic.size()) != parts::kMagic) fail_no_part(input->name());
    std::string magic(parts::kMagic.size(), '\0');
    input->read(magic.data(), magic.size());
    const Frame frame = read();
    if (frame.kind != FrameKind::Header) fail_damaged();
    header = understood([&] { return header_of(frame); });
  }

  Frame read() {
    Frame frame;
    const auto source = [this](char* buffer, std::size_t size) { return input->read(buffer, size); };
    switch (read_frame(source, frame)) {
      case FrameState::Whole:
        return frame;
      case FrameState::Damaged:
        fail_damaged();
      default:
        throw FileError(input->name() + ": is not complete: it ends behind " + std::to_string(records) +
                        " records; expected its end, which the run that writes it puts there");
    }
  }

  std::string bytes;
  std::unique_ptr<Input> input;
  PartHeader header;
  std::uint64_t records = 0, sections = 0;
  bool ended = false;
};

PartReader::PartReader(const std::string& path) : state_(std::make_unique<State>(path)) {}
PartReader::PartReader(const std::string& name, std::string bytes)
    : state_(std::make_unique<State>(name, std::move(bytes))) {}
PartReader::~PartReader() = default;
PartReader::PartReader(PartReader&&) noexcept = default;
PartReader& PartReader::operator=(PartReader&&) noexcept = default;

const std::string& PartReader::name() const { return state_->input->name(); }
const PartHeader& PartReader::header() const { return state_->header; }
std::uint64_t PartReader::sections() const { return state_->sections; }

std::optional<PartRecord> PartReader::next() {
  State& state = *state_;
  if (state.ended) return std::nullopt;
  const Frame frame = state.read();
  if (frame.kind == FrameKind::End) {
    state.ended = true;
    state.sections = frame.place.section;
    if (!state.input->peek(1).empty()) state.fail_damaged();
    return std::nullopt;
  }
  if (frame.kind != FrameKind::Record) state.fail_damaged();
  PartRecord record{frame.place, state.understood([&] { return content_of(frame); })};
  ++state.records;
  return record;
}

std::optional<PartState> part_state(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path + ": cannot be read");
  const auto source = [&](char* buffer, std::size_t size) {
    file.read(buffer, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(file.gcount());
  };
  std::string magic(parts::kMagic.size(), '\0');
  magic.resize(source(magic.data(), magic.size()));
  if (!parts::kMagic.starts_with(magic)) fail_no_part(path);
  Frame frame;
  std::uint64_t size = 0;
  if (read_frame(source, frame, &size) != FrameState::Whole || frame.kind != FrameKind::Header) {
    return std::nullopt;
  }
  PartState state;
  try {
    state.header = header_of(frame);
  } catch (const json::exception&) {
    fail_no_part(path);
  }
  state.bytes = magic.size() + size;
  while (read_frame(source, frame, &size) == FrameState::Whole) {
    state.bytes += size;
    if (frame.kind == FrameKind::End) {
      state.complete = true;
      break;
    }
    ++state.records;
    state.last = frame.place;
  }
  return state;
}

}  // namespace gpuhmm
