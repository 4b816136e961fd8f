// Makes, writes and reads the index of a profile file.
//
// The index is text: a line with the version; a line with size, time and checksum of the profile file; a line
// for each profile (offset, name, accession, separated by tabs); and a line with the checksum of all before
// it.
#include "gpuhmm/profile_index.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "formats/io/checksum.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/output.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

namespace {

constexpr std::string_view kVersionLine = "gpuhmm profile index 1\n";
constexpr std::string_view kLastTag = "end\t";

std::uint32_t checksum_of(const std::string& path) {
  Input input(path);
  std::uint32_t checksum = 0;
  std::vector<char> buffer(std::size_t{256} << 10);
  while (const std::size_t got = input.read(buffer.data(), buffer.size())) {
    checksum = extend_checksum(checksum, {buffer.data(), got});
  }
  return checksum;
}

// The tab-separated fields of a line of an index.
class Fields {
 public:
  Fields(std::string_view line, const std::string& path) : rest_(line), path_(path) {}

  std::string_view text() {
    const std::size_t tab = rest_.find('\t');
    const std::string_view field = rest_.substr(0, tab);
    rest_.remove_prefix(tab == std::string_view::npos ? rest_.size() : tab + 1);
    return field;
  }
  template <class Number>
  Number number() {
    const std::string_view field = text();
    Number value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size()) {
      throw FileError(path_ + ": '" + std::string(field) + "' in a profile index; expected a number");
    }
    return value;
  }

 private:
  std::string_view rest_;
  const std::string& path_;
};

// Checks version and checksum of an index; returns the lines between its first and its last.
std::string_view checked_body(std::string_view content, const std::string& path) {
  if (!content.starts_with(kVersionLine)) {
    throw FileError(path + ": not a profile index of this version; expected one made by `gpuhmm index`");
  }
  const std::size_t last = content.rfind(kLastTag);
  const bool whole = last != std::string_view::npos && content[last - 1] == '\n' && content.ends_with('\n');
  const std::string_view checked = content.substr(0, whole ? last : 0);
  if (!whole ||
      content.substr(last) != std::string(kLastTag) + std::to_string(extend_checksum(0, checked)) + "\n") {
    throw FileError(path + ": the profile index is damaged; make it again with `gpuhmm index`");
  }
  return checked.substr(kVersionLine.size());
}

}  // namespace

std::string profile_index_path(const std::string& profile_path) { return profile_path + ".ghpi"; }

ProfileIndex::FileState ProfileIndex::state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    throw FileError(path + ": cannot be read: " + std::generic_category().message(errno));
  }
  return {static_cast<std::uint64_t>(status.st_size),
          std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

void ProfileIndex::add(IndexedProfile profile) {
  by_name_.emplace(profile.name, profiles_.size());
  if (!profile.accession.empty()) by_accession_.emplace(profile.accession, profiles_.size());
  profiles_.push_back(std::move(profile));
}

ProfileIndex ProfileIndex::make(const std::string& profile_path) {
  ProfileReader reader(profile_path);
  if (!reader.position()) {
    throw FileError(reader.name() + ": cannot be indexed; expected a regular file that is not compressed");
  }
  ProfileIndex index;
  index.profile_path_ = profile_path;
  index.kind_ = reader.kind();
  index.state_ = state_of(profile_path);
  for (std::uint64_t offset = 0;; offset = *reader.position()) {
    std::optional<Profile> profile = reader.next();
    if (!profile) break;
    index.add({std::move(profile->name), profile->accession.value_or(""), offset});
  }
  index.checksum_ = checksum_of(profile_path);
  return index;
}

void ProfileIndex::write() const {
  std::string text(kVersionLine);
  text += std::to_string(state_.size) + "\t" + std::to_string(state_.modified) + "\t" +
          std::to_string(checksum_) + "\n";
  for (const IndexedProfile& profile : profiles_) {
    text += std::to_string(profile.offset) + "\t" + profile.name + "\t" + profile.accession + "\n";
  }
  text += std::string(kLastTag) + std::to_string(extend_checksum(0, text)) + "\n";
  OutputFile out(profile_index_path(profile_path_));
  out.write(text);
  out.commit();
}

std::optional<ProfileIndex> ProfileIndex::find_for(const std::string& profile_path) {
  if (profile_path == "-") return std::nullopt;
  const std::string path = profile_index_path(profile_path);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return by_ssi(profile_path);
  const std::string content = read_whole(path);
  std::string_view body = checked_body(content, path);
  const auto next_line = [&body] {
    const std::size_t end = body.find('\n');
    const std::string_view line = body.substr(0, end);
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
    return line;
  };
  ProfileIndex index;
  index.profile_path_ = profile_path;
  Fields head(next_line(), path);
  index.state_.size = head.number<std::uint64_t>();
  index.state_.modified = head.number<std::int64_t>();
  index.checksum_ = head.number<std::uint32_t>();
  while (!body.empty()) {
    Fields fields(next_line(), path);
    IndexedProfile profile;
    profile.offset = fields.number<std::uint64_t>();
    profile.name = fields.text();
    profile.accession = fields.text();
    index.add(std::move(profile));
  }
  const FileState now = state_of(profile_path);
  const bool same_file = now.size == index.state_.size && (now.modified == index.state_.modified ||
                                                           checksum_of(profile_path) == index.checksum_);
  if (!same_file) {
    throw FileError(path + ": the profile file was changed since it was indexed; run `gpuhmm index " +
                    profile_path + "` again");
  }
  return index;
}

std::optional<ProfileIndex> ProfileIndex::by_ssi(const std::string& profile_path) {
  std::optional<std::vector<IndexedProfile>> profiles = read_ssi_index(profile_path);
  if (!profiles) return std::nullopt;
  ProfileIndex index;
  index.profile_path_ = profile_path;
  for (IndexedProfile& profile : *profiles) index.add(std::move(profile));
  return index;
}

const IndexedProfile* ProfileIndex::find(std::string_view key) const {
  for (const auto* places : {&by_name_, &by_accession_}) {
    const auto found = places->find(std::string(key));
    if (found != places->end()) return &profiles_[found->second];
  }
  return nullptr;
}

Profile ProfileIndex::read(const IndexedProfile& profile) const {
  ProfileReader reader(profile_path_, profile.offset);
  std::optional<Profile> found = reader.next();
  if (!found || found->name != profile.name) {
    throw FileError(profile_path_ + ": no profile '" + profile.name + "' at byte " +
                    std::to_string(profile.offset) + ", where the index says that it begins");
  }
  return std::move(*found);
}

}  // namespace gpuhmm
