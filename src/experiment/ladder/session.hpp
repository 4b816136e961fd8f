// The state that the tables of one run share: data, devices, reference scores and measurements.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "experiment/ladder/data.hpp"
#include "experiment/ladder/device_job.hpp"
#include "experiment/ladder/hmmer2.hpp"
#include "experiment/spread.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm::experiment::ladder {

/// A measurement, or the reason why there is none.
struct Result {
  Spread total, kernel, send, receive;  ///< seconds, with the meanings of RunTimes
  double parameters = 0;                ///< seconds of the copies of parameters
  KernelResources resources;
  MemoryUse memory;
  std::string absent;  ///< the reason; empty if it was measured

  bool measured() const { return absent.empty(); }
};

/// Today's implementations, for comparison with the ladder's variants.
enum class Rival {
  Plain,    ///< the plain reference, one thread
  Vectors,  ///< the host's vector units, on Request::threads threads
  Tiled,    ///< the device's general kernel, in tiles (cl/viterbi.cl)
  Engine    ///< the device's engine, as searches use it
};

/// Measures variants and other implementations, each at most once, and keeps the results.
class Session {
 public:
  explicit Session(const Request& request);

  const Request& request() const { return request_; }
  const Sizes& sizes() const { return sizes_; }
  std::span<const Family> families() const { return families_; }
  const SequenceBatch& sequences(Set set);

  /// The times of a variant on the first device, after all its scores were compared. `group`: work-items of a
  /// work-group, 0 for Sizes::group. Throws WrongResult, EngineFailure.
  const Result& variant(const Variant& variant, std::size_t family, Set set, std::size_t group = 0);
  /// Registers of a work-item of a variant; nothing if the device's compiler does not report them.
  std::optional<int> registers(const Variant& variant, std::size_t family);
  /// Percent of the device's warps that a variant fills with work-groups of `group` work-items (0:
  /// Sizes::group), or the reason why that is unknown.
  Cell occupancy_percent(const Variant& variant, std::size_t family, std::size_t group = 0);
  /// The times of one of today's implementations. Times on a device do not include copying the sequences.
  const Result& rival(Rival rival, std::size_t family, Set set);
  /// The time of one run of the process hmm2search. As for Rival::Plain, it searches a sample of a large set,
  /// and its time is scaled to the whole set.
  const Result& hmmer2(std::size_t family, Set set);

  /// The cells (nodes x residues) of a family and set, here and in the publication.
  double cells(std::size_t family, Set set);
  double published_cells(std::size_t family, Set set) const;
  /// The factor that scales seconds measured here to the publication's number of cells.
  double to_published(std::size_t family, Set set) {
    return published_cells(family, set) / cells(family, set);
  }

  /// The total time of a result for the publication's number of cells, or why there is none.
  Cell published_seconds(const Result& result, std::size_t family, Set set);

 private:
  using Key = std::tuple<std::string, std::size_t, Set, std::size_t>;

  const std::vector<std::int32_t>& expected(std::size_t family, Set set);
  void compare(const std::vector<std::int32_t>& scores, std::size_t family, Set set, const std::string& who);
  Result measure_variant(const Variant& variant, std::size_t family, Set set, std::size_t group);
  Result measure_rival(Rival rival, std::size_t family, Set set);
  Result measure_hmmer2(std::size_t family, Set set);
  SequenceSet sample(Set set);
  const Result& once(const Key& key, const std::function<Result()>& measure);
  std::vector<SequenceSet> batches(Set set, std::vector<std::vector<std::size_t>>& places);
  ScoreEngine& engine(Rival rival);
  std::size_t runs() const { return request_.runs_or(2); }

  Request request_;
  Sizes sizes_;
  std::vector<Family> families_;
  std::map<Set, SequenceBatch> sequences_;
  std::map<std::pair<std::size_t, Set>, std::vector<std::int32_t>> expected_;
  std::map<Key, Result> results_;
  std::unique_ptr<OpenDevice> device_;
  std::map<Rival, std::unique_ptr<ScoreEngine>> engines_;
  Hmmer2 hmmer2_;
  std::optional<Set> hmmer2_set_;
};

/// The speed of a result in 10^9 cells per second, or the reason why there is none.
Cell gcups(const Result& result, double cells);

}  // namespace gpuhmm::experiment::ladder
