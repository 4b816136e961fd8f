// Helpers of the profile file tests: profiles as text and bytes, the layout of binary files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "formats/io/temporary_folder.hpp"
#include "gpuhmm/profile_file.hpp"

namespace gpuhmm::test {

inline std::string vector_path(const std::string& name) {
  return std::string(GPUHMM_TESTDATA) + "/vectors/" + name;
}

using Writer = void (*)(std::ostream&, const Profile&);

inline std::string written(const std::vector<Profile>& profiles, Writer writer) {
  std::ostringstream out;
  for (const Profile& profile : profiles) writer(out, profile);
  return out.str();
}

/// Profiles of a file with this content.
inline std::vector<Profile> parsed(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_profiles(folder.write("profile", bytes));
}

/// The message of the error for a file with this content, from the file's name on; empty if there is none.
inline std::string complaint(const std::string& bytes) {
  const TemporaryFolder folder;
  try {
    read_profiles(folder.write("profile", bytes));
  } catch (const FileError& error) {
    const std::string what = error.what();
    return what.substr(what.find("/profile") + 1);
  }
  return {};
}

/// `text` with the first occurrence of `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("no '" + from + "' to replace");
  return text.replace(at, from.size(), to);
}

/// `text` without the lines that start with `start`.
inline std::string without_lines(const std::string& text, const std::string& start) {
  std::istringstream in(text);
  std::string result;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(start)) result += line + "\n";
  }
  return result;
}

/// One item of a binary profile file.
struct BinaryItem {
  std::size_t at, size;
  bool number;   // a 32-bit number
  bool padding;  // element 0 of a node-indexed array, which HMMER leaves undefined
};

/// All items of a little-endian HMMER2.0 binary file, found without the library.
inline std::vector<BinaryItem> binary_items(const std::string& bytes) {
  std::vector<BinaryItem> items;
  std::size_t at = 0;
  const auto number = [&](bool padding = false) {
    std::uint32_t value = 0;
    if (at + 4 > bytes.size()) throw std::runtime_error("binary file too short");
    std::memcpy(&value, &bytes[at], 4);
    items.push_back({at, 4, true, padding});
    at += 4;
    return value;
  };
  const auto numbers = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) number();
  };
  const auto characters = [&](std::size_t size, bool padding = false) {
    items.push_back({at, size, false, padding});
    at += size;
  };
  const auto text = [&] { characters(number()); };
  const auto node_array = [&](std::size_t nodes) {
    number(true);
    numbers(nodes);
  };
  while (at < bytes.size()) {
    number();
    const std::uint32_t flags = number();
    const auto has = [flags](int bit) { return (flags >> bit & 1U) != 0; };
    text();
    if (has(9)) text();
    if (has(1)) text();
    const std::size_t nodes = number();
    const std::size_t residues = number() == 3 ? 20 : 4;
    for (const int annotation : {2, 3}) {
      if (!has(annotation)) continue;
      characters(1, true);
      characters(nodes);
    }
    if (has(8)) node_array(nodes);
    text();
    number();
    text();
    number();
    for (const int cutoff : {10, 11, 12}) numbers(has(cutoff) ? 2 : 0);
    numbers(8 + 1 + residues);
    numbers(has(7) ? 2 : 0);
    number();
    node_array(nodes);
    node_array(nodes);
    numbers(nodes * residues + (nodes - 1) * (residues + 7));
  }
  return items;
}

/// A little-endian file in big-endian byte order.
inline std::string byte_swapped(std::string bytes) {
  for (const BinaryItem& item : binary_items(std::string(bytes))) {
    if (item.number) std::reverse(&bytes[item.at], &bytes[item.at] + 4);
  }
  return bytes;
}

/// A little-endian file with zeros for padding.
inline std::string without_padding(std::string bytes) {
  for (const BinaryItem& item : binary_items(std::string(bytes))) {
    if (item.padding) std::memset(&bytes[item.at], 0, item.size);
  }
  return bytes;
}

}  // namespace gpuhmm::test
