// Indices of profile files: gpuhmm's own, and the SSI index of HMMER 2.3.2's hmmindex. Both lie beside the
// file.
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
  std::uint64_t offset = 0;  ///< byte of the file at which it, or blank lines before it, begin
};

/// Path of the index of a profile file: `profile_path` with ".ghpi" appended.
std::string profile_index_path(const std::string& profile_path);

/// Names, accessions and offsets of the profiles of one file, in file order. Size, modification time and
/// CRC-32 show whether the file is still the one that was indexed.
class ProfileIndex {
 public:
  /// Indexes `profile_path`, plain HMMER2 text or binary or HMMER3 text; reads and checks all its profiles.
  /// Throws FileError (see ProfileReader; a compressed file or a pipe, which has no random access).
  static ProfileIndex make(const std::string& profile_path);

  /// Reads the index beside `profile_path`, or else that of HMMER 2.3.2's hmmindex (see read_ssi_index);
  /// nothing if there is none. Throws FileError if the index is damaged or of another version, or if the
  /// profile file has changed since. If only the modification time differs (a copy), the checksum decides.
  static std::optional<ProfileIndex> find_for(const std::string& profile_path);

  /// Writes the index to profile_index_path(profile_path()), complete or not at all. Throws FileError.
  void write() const;

  /// The path of the profile file, as given.
  const std::string& profile_path() const { return profile_path_; }
  /// The kind of the file; only for an index from make().
  ProfileFileKind kind() const { return kind_; }
  /// In file order.
  const std::vector<IndexedProfile>& profiles() const { return profiles_; }
  /// The first profile with this name or, if there is none, with this accession; null if there is neither.
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

/// Path of HMMER's index of a profile file: `profile_path` with ".ssi" appended.
std::string ssi_index_path(const std::string& profile_path);

/// Reads the profiles of HMMER's index beside `profile_path`, in file order. Nothing if there is none, if it
/// is older than the profile file and so may miss additions, or if its offsets have 64 bits (profile files
/// above 2 GB). Throws FileError if the index is damaged.
std::optional<std::vector<IndexedProfile>> read_ssi_index(const std::string& profile_path);

/// Writes the index of the profile file as hmmindex does, except that bytes are 0 where hmmindex writes
/// uninitialised memory. Throws FileError: HMMER3 profiles, a profile that begins above 2 GB.
void write_ssi_index(const ProfileIndex& index);

}  // namespace gpuhmm
