// Draws random sequences and keeps them for later profiles.
#include "calibrate/random_samples.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "util/large_bytes.hpp"
#include "util/parallel.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kLargestPart = std::size_t{64} << 20;
// Several parts per thread, so that no thread waits long for the last one.
constexpr std::size_t kPartsPerThread = 6;
constexpr std::size_t kMostKeptResidues = std::size_t{512} << 20;

constexpr std::string_view kName = "random";
// RandomStream draws no normal deviate further from the mean than this, in standard deviations.
constexpr double kFurthestDeviate = 8;

// Memory of the sequences of one part.
struct Storage {
  Storage(std::size_t capacity, std::size_t sequences) : residues(large_bytes(capacity)) {
    names.reserve(sequences * kName.size());
    for (std::size_t i = 0; i < sequences; ++i) names += kName;
  }
  LargeBytes residues;
  std::string names;
};

}  // namespace

/// A part of a sample. The batch refers to the sequences.
struct RandomSamples::Part {
  std::shared_ptr<Storage> storage;
  SequenceBatch sequences;
  std::optional<EnginePool::Batch> batch;
};

/// A whole sample.
struct RandomSamples::Sample {
  std::vector<std::unique_ptr<Part>> parts;
  std::uint32_t last_draw = 0;
};

double SampleOptions::expected_residues() const {
  return static_cast<double>(count) *
         (fixed_length != 0 ? static_cast<double>(fixed_length) : std::max(mean, 1.0F));
}

std::size_t SampleOptions::longest() const {
  if (fixed_length != 0) return static_cast<std::size_t>(fixed_length);
  return static_cast<std::size_t>(std::max(mean + kFurthestDeviate * std::fabs(deviation), 1.0)) + 1;
}

RandomSamples::RandomSamples(AlphabetKind alphabet, const SampleOptions& options, unsigned threads,
                             std::size_t least_part)
    : options_(options),
      threads_(threads),
      least_part_(least_part),
      residues_(default_frequencies(alphabet)) {}

RandomSamples::~RandomSamples() = default;

void RandomSamples::next(bool keep, const std::function<void(EnginePool::Batch&)>& use) {
  const std::size_t place = stream_.place();
  if (const Sample* const known = kept_[place].get()) {
    parallel_for(threads_, known->parts.size(), 1,
                 [&](std::size_t part, std::size_t) { use(*known->parts[part]->batch); });
    stream_.set_last(known->last_draw);
    return;
  }
  stream_.seed(options_.seed);
  const auto residues = static_cast<std::size_t>(options_.expected_residues());
  keep = keep && residues <= kMostKeptResidues && kept_residues_ <= kMostKeptResidues - residues;
  auto sample = std::make_unique<Sample>();
  int missing = options_.count;
  std::mutex drawing;
  const std::size_t threads = std::min<std::size_t>(threads_, residues / part_residues() + 1);
  const auto draw_and_use = [&](std::size_t, std::size_t) {
    std::unique_ptr<Part> own;
    for (;;) {
      Part* part = nullptr;
      {
        const std::lock_guard lock(drawing);
        if (missing == 0) return;
        if (!own) own = std::make_unique<Part>();
        part = own.get();
        fill(*part, missing);
        if (keep) {
          kept_residues_ += part->sequences.residue_count();
          sample->parts.push_back(std::move(own));
        }
      }
      use(*part->batch);
    }
  };
  parallel_for(static_cast<unsigned>(threads), threads, 1, draw_and_use);
  sample->last_draw = stream_.last();
  if (keep) kept_[place] = std::move(sample);
}

std::size_t RandomSamples::part_residues() const {
  const auto expected = static_cast<std::size_t>(options_.expected_residues());
  return std::min(std::max(expected / (threads_ * kPartsPerThread), least_part_), kLargestPart);
}

// Draws the sequences of one part, at most `missing`.
void RandomSamples::fill(Part& part, int& missing) {
  const std::size_t longest = options_.longest();
  const std::size_t capacity = part_residues() + longest;
  if (!part.storage) part.storage = std::make_shared<Storage>(capacity, static_cast<std::size_t>(missing));
  std::uint8_t* const residues = part.storage->residues.get();
  const char* name = part.storage->names.data();
  part.sequences.borrow(part.storage, residues, name);
  for (std::size_t used = 0; missing > 0 && used + longest <= capacity; --missing) {
    int length = options_.fixed_length;
    while (length < 1) length = static_cast<int>(stream_.normal(options_.mean, options_.deviation));
    const std::span<std::uint8_t> drawn(residues + used, static_cast<std::size_t>(length));
    residues_.draw(stream_, drawn);
    part.sequences.extend({{name, kName.size()}, {}, {}, drawn});
    name += kName.size();
    used += drawn.size();
  }
  part.batch.emplace(part.sequences);
}

}  // namespace gpuhmm
