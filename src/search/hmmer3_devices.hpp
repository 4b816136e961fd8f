// Devices that run SSV, the first filter of HMMER3, for the profiles of a search, ahead of the host's
// threads, then the stages behind it, and the domain stage.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gpuhmm/device.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/hmmer3_hits.hpp"
#include "hmmer3/comparison.hpp"
#include "hmmer3/domain_scorer.hpp"
#include "hmmer3/pair_scorer.hpp"
#include "hmmer3/search_profile.hpp"
#include "hmmer3/ssv_finder.hpp"

namespace gpuhmm::hmmer3 {

/// A device's ways to compute.
struct DeviceStages {
  std::unique_ptr<SsvFinder> finder;
  std::unique_ptr<PairScorer> scorer;     ///< may refer to the finder's device; null: it has none
  std::unique_ptr<DomainScorer> domains;  ///< likewise
  std::string warning = {};               ///< one line to report, if not empty
};

/// Opens the devices, each in its own thread and with its settings in device_table_path(); `threads` host
/// threads prepare their data. Throws DeviceError, and FileError for settings that it does not have.
std::vector<DeviceStages> open_device_stages(const std::vector<DeviceInfo>& devices, unsigned threads);

/// Tasks of the domain stage for devices.
template <class Query>
struct DomainWork {
  /// Gives some, and may wait for them, until it gives none. One thread at a time calls it.
  std::function<std::vector<Query>()> next;
  /// Takes them back when a device has done what it can, or has failed. Any thread calls it.
  std::function<void(std::vector<Query>& queries, bool failed)> end;
  /// Ends all: what a device has is not given back. Called in the handler of an exception, which is thrown
  /// on.
  std::function<void()> fail;
};

/// Devices that share batches. A device that fails is reported once and not used again; the host does its
/// work.
class StageDevices {
 public:
  /// `verification` is that of the findings, on `threads` threads; `warn` is called from any thread.
  StageDevices(std::vector<DeviceStages> devices, Verification verification, unsigned threads, Warning warn);

  /// The devices left, which other runs can use; not to be called during a pass, and the last call.
  std::vector<DeviceStages> release();

  /// Whether a device is left.
  bool any() const;
  /// Whether there was more than one from the beginning.
  bool are_several() const { return members_.size() > 1; }
  /// The devices left, in one line of text.
  std::string description() const;
  /// Seconds for which the devices have computed, summed; not to be called during a pass.
  double busy_seconds() const;
  /// What was taken of each device.
  std::vector<DeviceCosts> costs() const;

  /// Whether a device is left that can run the stages behind SSV.
  bool any_scorer() const;
  /// Runs the stages behind SSV, through Backward, of comparisons with a batch, which must live and
  /// stay as it is until the next call; `is_new`: it is not that of the call before. What no device gives is
  /// left to StagedComparison::complete(). One thread at a time may call, also while passes go on. Throws
  /// WrongScore.
  void run_stages(const SequenceBatch& batch, bool is_new, const StagedComparisons& compared);
  /// Sample tracebacks of regions and score envelopes. Any thread may call, also while others call the above;
  /// those that call the same one wait for each other. Throw WrongScore.
  void sample_tracebacks(const DomainWork<RegionQuery>& work, std::uint32_t seed);
  void score_envelopes(const DomainWork<EnvelopeQuery>& work);

  /// A block of sequences on its way past profiles, which the devices take in order, some at a time.
  class Pass {
   public:
    /// Begins. All arguments must outlive the pass; only one may exist at a time.
    Pass(StageDevices& devices, const SequenceBatch& batch, std::vector<const SearchProfile*> profiles,
         const Options& options);
    /// Stops, after what the devices are just doing.
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    StageDevices& devices() const { return devices_; }

    /// Waits for the findings of profile number `place`, and takes them. Nothing: the host has to do all. Any
    /// thread may call. Throws WrongScore.
    std::optional<std::vector<SsvFinding>> take(std::size_t place);

   private:
    struct Result {
      bool done = false;                             // by a device; or not to be done by any
      std::optional<std::vector<SsvFinding>> found;  // nothing: by the host
    };
    void work(std::size_t device);
    void find(SsvFinder& device, std::size_t first, std::size_t last);
    void put(std::size_t place, std::optional<std::vector<SsvFinding>> found);

    StageDevices& devices_;
    const SequenceBatch& batch_;
    std::vector<const SearchProfile*> profiles_;
    double threshold_;
    std::size_t at_once_;  // profiles that a device takes at a time
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;  // of all below
    std::condition_variable changed_;
    std::vector<Result> results_;
    std::size_t working_ = 0;  // devices
    std::exception_ptr failure_;
    std::vector<std::jthread> threads_;
  };

 private:
  struct Member {
    DeviceStages stages;
    std::atomic<bool> failed = false;
  };
  class Stages;
  class Domains;
  // Lets the devices that can do it take work from next(), each in a thread, until that gives none:
  // run(member, work) may throw EngineFailure, after which another device takes the work over; what is left
  // then is the host's. search/hmmer3_device_work.hpp has it.
  using CanWork = bool (*)(const Member&);
  template <class Work, class Next, class Run>
  void run_members(CanWork can_work, const Next& next, const Run& run);
  void lose(Member& member, const std::string& failure);
  // Whether what a device gives is recomputed for a pair of so many cells, of two numbers.
  bool is_in_sample(std::uint64_t place, std::uint64_t n, double cells) const;
  void verify(const SsvFinder& device, const SearchProfile& profile, const SsvQuery& query,
              const SequenceBatch& batch, const std::vector<SsvFinding>& found);

  std::deque<Member> members_;
  Verification verification_;
  unsigned threads_;
  Warning warn_;
  std::atomic<unsigned> samples_ = 0;
  std::mutex sampling_, scoring_;  // each held while devices do this
  std::atomic<std::uint64_t> domain_samples_ = 0;
};

}  // namespace gpuhmm::hmmer3
