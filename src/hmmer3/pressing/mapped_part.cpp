// Mapping with Boost.
#include "hmmer3/pressing/mapped_part.hpp"

#include <boost/iostreams/device/mapped_file.hpp>
#include <filesystem>

#include "gpuhmm/hmmer3_profile_file.hpp"

namespace gpuhmm::hmmer3 {

MappedPart::MappedPart(const std::string& library, const std::string& path, std::uint64_t from) {
  using boost::iostreams::mapped_file_source;
  const auto page = static_cast<std::uint64_t>(mapped_file_source::alignment());
  const std::uint64_t start = from / page * page;
  try {
    const std::uint64_t size = std::filesystem::file_size(path);
    if (size <= from) return;
    // Without a length Boost maps as many bytes as the file has, from `start` on: beyond its end.
    const auto mapping = std::make_shared<mapped_file_source>(path, static_cast<std::size_t>(size - start),
                                                              static_cast<boost::intmax_t>(start));
    bytes_ = std::string_view(mapping->data(), mapping->size()).substr(from - start);
    mapping_ = mapping;
  } catch (const std::exception& failure) {
    throw ProfileFileError(path + ": cannot be mapped into memory: " + failure.what(),
                           "Unexpected error in reading HMMs from " + library);
  }
}

}  // namespace gpuhmm::hmmer3
