// Tells inputs of runs apart.
#include <fstream>
#include <string>

#include "formats/io/checksum.hpp"
#include "gpuhmm/parts.hpp"

namespace gpuhmm {

InputIdentity identity_of(const std::string& name, const std::vector<std::string>& paths) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  InputIdentity identity{name, 0, 0};
  std::string piece;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(path + ": cannot be opened");
    do {
      piece.resize(kPiece);
      file.read(piece.data(), static_cast<std::streamsize>(kPiece));
      piece.resize(static_cast<std::size_t>(file.gcount()));
      identity.size += piece.size();
      identity.checksum = extend_checksum(identity.checksum, piece);
    } while (file);
    if (file.bad()) throw FileError(path + ": cannot be read");
  }
  return identity;
}

std::string difference(const RunIdentity& one, const RunIdentity& other) {
  const auto of_inputs = [](const char* what, const InputIdentity& a, const InputIdentity& b) -> std::string {
    if (a == b) return {};
    if (a.name != b.name) return std::string("the ") + what + " are " + b.name + ", not " + a.name;
    return std::string("the ") + what + " in " + a.name + " have another content";
  };
  const auto line = [](const RunIdentity& run) {
    std::string text;
    for (const std::string& word : run.words) text += (text.empty() ? "" : " ") + word;
    return text.empty() ? std::string("none") : text;
  };
  if (one.version != other.version) return "gpuhmm is of version " + other.version + ", not " + one.version;
  if (one.kind != other.kind) return "one is of a search, the other of a scan";
  if (one.words != other.words) return "the options are " + line(other) + ", not " + line(one);
  const std::string profiles = of_inputs("profiles", one.profiles, other.profiles);
  return profiles.empty() ? of_inputs("sequences", one.sequences, other.sequences) : profiles;
}

}  // namespace gpuhmm
