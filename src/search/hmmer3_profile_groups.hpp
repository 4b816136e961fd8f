// The profiles of a search with HMMER3 profiles, in groups that pass over the database one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "gpuhmm/hmmer3_run.hpp"
#include "hmmer3/first_impossible.hpp"
#include "hmmer3/hit_list.hpp"
#include "hmmer3/search_profile.hpp"

namespace gpuhmm::hmmer3 {

/// A profile on its way through the database.
struct ProfileSearch {
  std::optional<Profile> read;  ///< until there is a model
  std::optional<SearchProfile> model;
  std::optional<Cutoff> cutoff;
  QueryResult result;
  std::vector<std::vector<std::uint8_t>> envelopes;  ///< for align_tied_hits(), if hits are not aligned
  double seconds = 0;
};

/// Profiles that pass over the database together. Threads that are at one group share it.
struct ProfileGroup {
  std::deque<ProfileSearch> searches;        ///< a deque: threads refer to its members
  std::vector<const SearchProfile*> models;  ///< of searches
  double nodes = 0;                          ///< of all profiles
  std::optional<double> read;  ///< the part of the profiles up to the end of the group, if known
  bool last = false;           ///< no group comes behind it
  std::exception_ptr failure;  ///< the error of the profile behind the group
  std::optional<Query> asked;  ///< the profile that lacks a cut-off, if that is the failure
  FirstImpossible impossible{FirstImpossible::Order::Search};  ///< pair of the group
};

/// Reads the groups. One thread at a time may call.
class ProfileGroups {
 public:
  /// Groups of options.group_nodes nodes, or a single one if the sequences are not `reopenable`. The
  /// arguments must outlive this.
  ProfileGroups(ProfileReader& profiles, bool reopenable, const SearchOptions& options)
      : profiles_(profiles), reopenable_(reopenable), options_(options) {}

  /// The next group, with models; it may be empty if it is the last. Throws what reading throws, unless
  /// options.results_before_errors makes that the group's failure.
  std::shared_ptr<ProfileGroup> next();

 private:
  bool read(ProfileGroup& group);
  bool read_profile(ProfileGroup& group);
  void make_models(ProfileGroup& group) const;

  ProfileReader& profiles_;
  bool reopenable_;
  const SearchOptions& options_;
  std::uint64_t profiles_read_ = 0;
};

}  // namespace gpuhmm::hmmer3
