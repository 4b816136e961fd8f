// Reads profile files of any kind, profile by profile.
#include "formats/profile/profile_kind.hpp"
#include "formats/profile/record_reader.hpp"
#include "gpuhmm/input.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

struct ProfileReader::State {
  State(std::unique_ptr<Input> opened, std::uint64_t start, OtherVersion other)
      : input(std::move(opened)), offset(start) {
    kind = find_kind(*input);
    const bool either = other == OtherVersion::Read && kind != ProfileFileKind::Hmmer2Binary;
    records = either ? make_either_text_reader(kind, *input) : make_record_reader(kind, *input);
    if (other == OtherVersion::Stop) records->stop_at_other();
  }

  std::unique_ptr<Input> input;
  std::uint64_t offset;
  ProfileFileKind kind = ProfileFileKind::Hmmer2Text;
  std::unique_ptr<RecordReader> records;
  OneAlphabet alphabet;
};

ProfileReader::ProfileReader(const std::string& path, std::uint64_t offset)
    : state_(std::make_unique<State>(std::make_unique<Input>(path, offset), offset, OtherVersion::Refuse)) {}
ProfileReader::ProfileReader(std::unique_ptr<Input> input, OtherVersion other)
    : state_(std::make_unique<State>(std::move(input), 0, other)) {}
ProfileReader::~ProfileReader() = default;
ProfileReader::ProfileReader(ProfileReader&&) noexcept = default;
ProfileReader& ProfileReader::operator=(ProfileReader&&) noexcept = default;

const std::string& ProfileReader::name() const { return state_->input->name(); }
ProfileFileKind ProfileReader::kind() const { return state_->kind; }
bool ProfileReader::compressed() const { return state_->input->compressed(); }
std::optional<double> ProfileReader::fraction_read() const {
  const std::optional<std::uint64_t> read = position();
  if (!read) return state_->input->fraction_read();
  return std::min(1.0, static_cast<double>(*read) / static_cast<double>(state_->input->file_size()));
}
std::optional<std::uint64_t> ProfileReader::position() const {
  if (!state_->input->seekable()) return std::nullopt;
  return state_->offset + state_->records->position();
}

std::optional<Profile> ProfileReader::next() {
  std::optional<Profile> profile = state_->records->next();
  if (profile) state_->alphabet.check(*profile, name());
  return profile;
}

bool ProfileReader::other_follows() const { return state_->records->other_follows(); }

std::unique_ptr<Input> ProfileReader::release() {
  state_->records->put_back();
  return std::move(state_->input);
}

void ProfileReader::write_text(std::ostream& out, const Profile& profile) const {
  state_->records->write_text(out, profile);
}

std::vector<Profile> read_profiles(const std::string& path) {
  ProfileReader reader(path);
  std::vector<Profile> profiles;
  while (std::optional<Profile> profile = reader.next()) profiles.push_back(std::move(*profile));
  return profiles;
}

}  // namespace gpuhmm
