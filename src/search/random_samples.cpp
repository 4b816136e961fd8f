// Drawing and keeping of random sequences; see the header.
#include "search/random_samples.hpp"

#include <algorithm>
#include <list>
#include <string>
#include <utility>

namespace gpuhmm {

namespace {

constexpr std::size_t kBatchResidues = std::size_t{64} << 20;
constexpr double kReserve = 1.1;  // lengths drawn again make samples longer than expected
constexpr std::size_t kMostKeptResidues = std::size_t{512} << 20;

}  // namespace

/// A whole sample. The batches refer to the sequences.
struct RandomSamples::Sample {
  std::list<SequenceBatch> sequences;
  std::list<Scorer::Batch> batches;
  std::uint32_t last_draw = 0;
};

double SampleOptions::expected_residues() const {
  return static_cast<double>(count) *
         (fixed_length != 0 ? static_cast<double>(fixed_length) : std::max(mean, 1.0F));
}

RandomSamples::RandomSamples(AlphabetKind alphabet, const SampleOptions& options)
    : options_(options), residues_(default_frequencies(alphabet)) {}

RandomSamples::~RandomSamples() = default;

void RandomSamples::next(const std::function<void(Scorer::Batch&)>& use) {
  const std::size_t place = stream_.place();
  if (Sample* const known = kept_[place].get()) {
    for (Scorer::Batch& batch : known->batches) use(batch);
    stream_.set_last(known->last_draw);
    return;
  }
  stream_.seed(options_.seed);
  const auto residues = static_cast<std::size_t>(options_.expected_residues());
  const bool keep = residues <= kMostKeptResidues && kept_residues_ <= kMostKeptResidues - residues;
  auto sample = std::make_unique<Sample>();
  int missing = options_.count;
  while (missing > 0) {
    if (!keep) {
      sample->batches.clear();
      sample->sequences.clear();
    }
    SequenceBatch& sequences = sample->sequences.emplace_back();
    fill(sequences, missing);
    use(sample->batches.emplace_back(sequences));
    if (keep) kept_residues_ += sequences.residue_count();
  }
  sample->last_draw = stream_.last();
  if (keep) kept_[place] = std::move(sample);
}

// Draws up to `missing` sequences, as many as make a batch.
void RandomSamples::fill(SequenceBatch& batch, int& missing) {
  batch.reserve_more(
      static_cast<std::size_t>(missing),
      std::min(kBatchResidues, static_cast<std::size_t>(options_.expected_residues() * kReserve)), 0);
  std::vector<std::uint8_t>& residues = batch.residue_buffer();
  while (missing > 0 && residues.size() < kBatchResidues) {
    int length = options_.fixed_length;
    while (length < 1) length = static_cast<int>(stream_.normal(options_.mean, options_.deviation));
    batch.begin_sequence("random", {}, {});
    const std::size_t first = residues.size();
    residues.resize(first + static_cast<std::size_t>(length));
    residues_.draw(stream_, std::span(residues).subspan(first));
    --missing;
  }
}

}  // namespace gpuhmm
