// Finds records and their keys in FASTA text.
#include "companion/sorting/fasta_keys.hpp"

#include <algorithm>
#include <cstring>

#include "formats/sequence/text.hpp"
#include "gpuhmm/error.hpp"

namespace gpuhmm {

namespace {

struct Place {
  std::uint64_t offset, size;  // in the text
};

void append_letters(std::string_view lines, std::string& to) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    to.append(line);
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace

FastaKeys::FastaKeys(std::string_view text, bool by_name, const std::string& name) : text_(text) {
  std::size_t at = std::min(text.find_first_not_of(text::kWhiteSpace), text.size());
  if (at == text.size() || text[at] != '>' || (at > 0 && text[at - 1] != '\n')) {
    throw FileError(name + ": not FASTA; expected a line beginning with >");
  }
  CharacterPacking::Seen seen{};
  while (at < text.size()) {
    const std::size_t next = std::min(text.find("\n>", at), text.size() - 1) + 1;
    const std::string_view record = text.substr(at, next - at);
    const std::size_t header = record.find('\n');
    const Place place{at, record.size()};
    keys_.append(reinterpret_cast<const char*>(&place), sizeof place);
    const std::size_t start = keys_.size();
    set_.starts.push_back(start);
    if (by_name) {
      const std::string_view line = record.substr(1, header - 1);
      keys_.append(line.substr(0, line.find_first_of(text::kWhiteSpace)));
    } else {
      append_letters(record.substr(header + 1), keys_);
    }
    for (std::size_t i = start; i < keys_.size(); ++i) seen[static_cast<unsigned char>(keys_[i])] = true;
    keys_ += kStringEnd;
    at = next;
  }
  set_.text = keys_;
  set_.packing = CharacterPacking(seen);
}

SortRecord FastaKeys::record(std::uint64_t start) const {
  Place place;
  std::memcpy(&place, keys_.data() + start - sizeof place, sizeof place);
  const std::string_view rest = std::string_view(keys_).substr(start);
  return {rest.substr(0, rest.find(kStringEnd)), text_.substr(place.offset, place.size)};
}

}  // namespace gpuhmm
