// Indices of profile files: gpuhmm's own, and the SSI index that hmmindex of HMMER 2.3.2 writes. Both are
// kept beside the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpuhmm/error.hpp"
#include "gpuhmm/profile.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm {

/// One profile of an indexed file.
struct IndexedProfile {
  std::string name;
  std::string accession;     ///< empty if there is none
  std::uint64_t offset = 0;  ///< byte of the profile file at which it, or the blank lines before it, begin
};

/// The name of the index of a profile file: `profile_path` and ".ghpi".
std::string profile_index_path(const std::string& profile_path);

/// Names, accessions and offsets of the profiles of one file, in file order, and what shows whether the file
/// is still the one that was indexed: its size, time of modification and CRC-32.
class ProfileIndex {
 public:
  /// Reads and checks all profiles of `profile_path`, plain HMMER2 text or binary or HMMER3 text. Throws
  /// FileError (see ProfileReader; a compressed file or a pipe, which has no random access).
  static ProfileIndex make(const std::string& profile_path);

  /// The index beside `profile_path`, or else that of HMMER 2.3.2's hmmindex (see ssi_index.hpp); nothing if
  /// there is none. Throws FileError if the index is damaged or of another version, or if the profile file
  /// was changed since it was indexed. A file that only has another time (a copy) is compared by its
  /// checksum.
  static std::optional<ProfileIndex> find_for(const std::string& profile_path);

  /// Writes the index to profile_index_path(profile_path()), whole or not at all. Throws FileError.
  void write() const;

  /// The path of the profile file, as given.
  const std::string& profile_path() const { return profile_path_; }
  /// What kind of file it is; only of an index that make() gave.
  ProfileFileKind kind() const { return kind_; }
  /// In file order.
  const std::vector<IndexedProfile>& profiles() const { return profiles_; }
  /// The first profile of that name or, if there is none, of that accession; null if there is neither.
  const IndexedProfile* find(std::string_view key) const;
  /// Reads a profile of this index from the profile file. Throws FileError.
  Profile read(const IndexedProfile& profile) const;

 private:
  struct FileState {
    std::uint64_t size = 0;
    std::int64_t modified = 0;  // nanoseconds
  };
  static std::optional<ProfileIndex> by_ssi(const std::string& profile_path);
  static FileState state_of(const std::string& path);
  void add(IndexedProfile profile);

  std::string profile_path_;
  ProfileFileKind kind_ = ProfileFileKind::Hmmer2Text;
  FileState state_;
  std::uint32_t checksum_ = 0;
  std::vector<IndexedProfile> profiles_;
  std::unordered_map<std::string, std::size_t> by_name_, by_accession_;
};

/// The name of HMMER's index of a profile file: `profile_path` and ".ssi".
std::string ssi_index_path(const std::string& profile_path);

/// The profiles of HMMER's index beside `profile_path`, in file order. Nothing if there is none, if it is
/// older than the profile file and so may miss what was added since, or if its offsets have 64 bits (profile
/// files above 2 GB). Throws FileError if the index is damaged.
std::optional<std::vector<IndexedProfile>> read_ssi_index(const std::string& profile_path);

/// Writes HMMER's index of the profile file that was indexed, as hmmindex does; only that bytes which
/// hmmindex takes out of memory it never set are 0. Throws FileError: HMMER3 profiles, a profile that begins
/// above 2 GB.
void write_ssi_index(const ProfileIndex& index);

}  // namespace gpuhmm
