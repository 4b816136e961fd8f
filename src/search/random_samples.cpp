// Drawing and keeping of random sequences; see the header.
#include "search/random_samples.hpp"

#include <algorithm>
#include <cmath>
#include <future>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "util/large_bytes.hpp"

namespace gpuhmm {

namespace {

constexpr std::size_t kBatchResidues = std::size_t{64} << 20;
// Parts of a sample of which one is drawn while another is used, and how small they may be.
constexpr std::size_t kParts = 4;
constexpr std::size_t kLeastPart = 100'000;
constexpr double kReserve = 1.1;  // lengths drawn again make samples longer than expected
constexpr std::size_t kMostKeptResidues = std::size_t{512} << 20;

constexpr std::string_view kName = "random";
// No normal deviate that RandomStream draws is further from the mean, in standard deviations.
constexpr double kFurthestDeviate = 8;

// What the sequences of a batch are made of.
struct Storage {
  Storage(std::size_t room, std::size_t sequences) : residues(large_bytes(room)) {
    names.reserve(sequences * kName.size());
    for (std::size_t i = 0; i < sequences; ++i) names += kName;
  }
  LargeBytes residues;
  std::string names;
};

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

std::size_t SampleOptions::longest() const {
  if (fixed_length != 0) return static_cast<std::size_t>(fixed_length);
  return static_cast<std::size_t>(std::max(mean + kFurthestDeviate * std::fabs(deviation), 1.0)) + 1;
}

RandomSamples::RandomSamples(AlphabetKind alphabet, const SampleOptions& options, unsigned threads)
    : options_(options), threads_(threads), residues_(default_frequencies(alphabet)) {}

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
  const auto draw_next = [&](std::launch policy) {
    SequenceBatch& next = sample->sequences.emplace_back();
    return std::async(policy, [&] { fill(next, missing); });
  };
  std::future<void> drawn = draw_next(std::launch::deferred);
  for (bool last = false; !last;) {
    drawn.get();
    SequenceBatch& sequences = sample->sequences.back();
    last = missing == 0;
    if (!last) drawn = draw_next(threads_ > 1 ? std::launch::async : std::launch::deferred);
    use(sample->batches.emplace_back(sequences));
    if (keep) {
      kept_residues_ += sequences.residue_count();
    } else {
      sample->batches.clear();
      sample->sequences.pop_front();
    }
  }
  sample->last_draw = stream_.last();
  if (keep) kept_[place] = std::move(sample);
}

// Draws up to `missing` sequences, as many as make a batch.
void RandomSamples::fill(SequenceBatch& batch, int& missing) {
  const std::size_t longest = options_.longest();
  const auto expected = static_cast<std::size_t>(options_.expected_residues() * kReserve);
  const std::size_t part = threads_ > 1 ? std::max(expected / kParts, kLeastPart) : expected;
  const std::size_t room = std::min({kBatchResidues, expected, part}) + longest;
  const auto storage = std::make_shared<Storage>(room, static_cast<std::size_t>(missing));
  std::uint8_t* const residues = storage->residues.get();
  const char* name = storage->names.data();
  batch.borrow(storage, residues, name);
  for (std::size_t used = 0; missing > 0 && used + longest <= room; --missing) {
    int length = options_.fixed_length;
    while (length < 1) length = static_cast<int>(stream_.normal(options_.mean, options_.deviation));
    const std::span<std::uint8_t> drawn(residues + used, static_cast<std::size_t>(length));
    residues_.draw(stream_, drawn);
    batch.extend({{name, kName.size()}, {}, {}, drawn});
    name += kName.size();
    used += drawn.size();
  }
}

}  // namespace gpuhmm
