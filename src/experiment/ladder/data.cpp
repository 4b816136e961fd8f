// Reads or draws the models and sequences of the ladder.
#include "experiment/ladder/data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "synthetic/synthetic.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

using synthetic::Generator;

constexpr std::size_t kShortest = 550, kLongest = 1500;  // lengths of the subset
constexpr std::size_t kSetLength = 32;                   // residues of a sequence of sets 1 and 2
constexpr std::size_t kFirst = 10;                       // least length of set 3

std::size_t between(Generator& rng, std::size_t low, std::size_t high) {
  return std::uniform_int_distribution<std::size_t>(low, high)(rng);
}

void append(std::span<const std::uint8_t> residues, SequenceBatch& batch) {
  batch.begin_sequence("s", "", "");
  batch.append_residues(residues);
}

// Draws `count` sequences with lengths from `least` to `most` from the file at random, and cuts them to their
// first 1 / divisor.
SequenceBatch drawn_from(const std::string& path, std::size_t least, std::size_t most, std::size_t count,
                         std::size_t divisor, Generator& rng) {
  SequenceBatch all;
  const auto reader = open_sequences(path, Alphabet::get(AlphabetKind::Amino));
  while (reader->read(all)) continue;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all.length(i) >= least && all.length(i) <= most) places.push_back(i);
  if (places.empty())
    throw FileError(path + ": no sequence has " + std::to_string(least) + " residues or more");
  std::ranges::shuffle(places, rng);
  places.resize(std::min(places.size(), count));
  SequenceBatch drawn;
  for (const std::size_t i : places)
    append(all.residues(i).first(std::max<std::size_t>(all.length(i) / divisor, 1)), drawn);
  return drawn;
}

SequenceBatch subset(Generator& rng, const Sizes& sizes) {
  // The publication's lengths have a mean of 786, so longer sequences are rarer.
  std::exponential_distribution<double> beyond(1.0 / 262);
  SequenceBatch batch;
  while (batch.size() < sizes.subset) {
    const double length = static_cast<double>(kShortest) + beyond(rng);
    if (length <= static_cast<double>(kLongest))
      synthetic::append_protein(rng, static_cast<std::size_t>(length) / sizes.divisor, batch);
  }
  return batch;
}

SequenceBatch base(Generator& rng, const Sizes& sizes) {
  SequenceBatch batch;
  synthetic::append_protein(rng, 32'513 / sizes.divisor, batch);
  while (batch.size() < sizes.base)
    synthetic::append_protein(rng, std::max<std::size_t>(synthetic::swissprot_length(rng) / sizes.divisor, 1),
                              batch);
  return batch;
}

std::size_t rising_length(std::size_t group, const Sizes& sizes) {
  return kFirst + (sizes.rising_to - kFirst) * group / std::max<std::size_t>(sizes.groups - 1, 1);
}

SequenceBatch rising(Generator& rng, const Sizes& sizes) {
  SequenceBatch batch;
  for (std::size_t i = 0; i < sizes.groups * 32; ++i)
    synthetic::append_protein(rng, rising_length(i / 32, sizes), batch);
  return batch;
}

SequenceBatch shuffled(const SequenceBatch& batch, Generator& rng) {
  std::vector<std::size_t> places(batch.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::shuffle(places, rng);
  SequenceBatch result;
  for (const std::size_t i : places) append(batch.residues(i), result);
  return result;
}

template <class Length>
SequenceBatch of_residues(Generator& rng, std::size_t residues, const Length& length) {
  SequenceBatch batch;
  while (batch.residue_count() < residues) synthetic::append_protein(rng, length(), batch);
  return batch;
}

}  // namespace

std::vector<Family> read_families(const Request& request) {
  std::vector<Family> families;
  for (const PublishedFamily& published : published_families())
    families.push_back({&published, std::nullopt, std::nullopt});
  if (request.profiles) {
    for (Profile& profile : read_profiles(*request.profiles)) {
      for (Family& family : families) {
        if (profile.alphabet == AlphabetKind::Amino && profile.name == family.published->name &&
            !family.profile) {
          family.profile = std::move(profile);
          break;
        }
      }
    }
  } else {
    Generator rng(request.seed);
    for (Family& family : families) {
      family.profile = synthetic::profile(rng, static_cast<int>(family.published->nodes), false);
      family.profile->name = family.published->name;
    }
  }
  for (Family& family : families)
    if (family.profile) family.model.emplace(*family.profile);
  return families;
}

Sizes sizes_for(const Request& request) {
  Sizes sizes;
  sizes.distribution = 20'000'000;
  const bool gpu = !request.devices.empty() && request.devices.front().type == DeviceType::Gpu;
  if (!gpu) sizes.group = 32;
  if (request.full) return sizes;
  sizes.divisor = gpu ? 20 : 10;
  sizes.rising_to = 107;
  if (gpu) {
    const std::size_t items = std::size_t{request.devices.front().compute_units} * 256;
    sizes.subset = std::clamp<std::size_t>(items, 1024, 69'984) + 16;  // like 70,000 not a multiple of 32
    sizes.groups = 128;
    sizes.distribution = 4'000'000;
  } else {
    sizes.subset = 144;
    sizes.groups = 12;
    sizes.distribution = 20'000;
  }
  sizes.base = sizes.subset * 530 / 70;
  return sizes;
}

double published_residues(Set set) {
  switch (set) {
    case Set::Subset:
      return kSubsetResidues;
    case Set::Base:
      return kBaseResidues;
    case Set::Equal:
    case Set::Different:
      return kSubsetSequences * kSetLength;
    case Set::Rising:
    case Set::Shuffled: {
      double residues = 0;
      const Sizes sizes;
      for (std::size_t group = 0; group < sizes.groups; ++group)
        residues += 32 * static_cast<double>(rising_length(group, sizes));
      return residues;
    }
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

SequenceBatch make_sequences(Set set, const Request& request, const Sizes& sizes) {
  Generator rng(request.seed + 100);
  switch (set) {
    case Set::Subset:
      return request.sequences
                 ? drawn_from(*request.sequences, kShortest, kLongest, sizes.subset, sizes.divisor, rng)
                 : subset(rng, sizes);
    case Set::Base:
      return request.sequences ? drawn_from(*request.sequences, 1, std::numeric_limits<std::size_t>::max(),
                                            sizes.base, sizes.divisor, rng)
                               : base(rng, sizes);
    case Set::Equal: {
      SequenceBatch batch;
      synthetic::append_protein(rng, kSetLength, batch);
      const std::vector<std::uint8_t> residues(batch.residues(0).begin(), batch.residues(0).end());
      while (batch.size() < sizes.subset) append(residues, batch);
      return batch;
    }
    case Set::Different:
      return of_residues(rng, sizes.subset * kSetLength, [] { return kSetLength; });
    case Set::Rising:
      return rising(rng, sizes);
    case Set::Shuffled:
      return shuffled(rising(rng, sizes), rng);
    case Set::Short:
      return of_residues(rng, sizes.distribution, [&] { return between(rng, 10, 100); });
    case Set::Mixed:
      return of_residues(rng, sizes.distribution, [&] { return synthetic::swissprot_length(rng); });
    case Set::Long:
      break;
  }
  return of_residues(rng, sizes.distribution, [&] { return between(rng, 2000, 8000); });
}

}  // namespace gpuhmm::experiment::ladder
