// The stages behind SSV, of many pairs, on a device.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/filter_stream.hpp"
#include "hmmer3/opencl/msv_stream.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "hmmer3/opencl/sweep_stream.hpp"
#include "hmmer3/pair_scorer.hpp"
#include "opencl/busy_time.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm::hmmer3 {

/// Local memory that work-groups of a device can have, bytes.
std::size_t usable_local_bytes(const DeviceInfo& device);

/// The rooms that the stages have on a device.
struct PairRooms {
  explicit PairRooms(const DeviceInfo& device);

  PairRoom msv, bias, viterbi, sweep;
  /// Most rows of a launch of the bias filter and Viterbi behind it, unless `bias` has room for more: each
  /// ends with its longest pairs in both, so that there should be no more launches than streams.
  std::size_t filter_rows = 0;
  std::size_t msv_bytes = 0;      ///< of MSV's edges, on each stream
  std::size_t viterbi_bytes = 0;  ///< of the Viterbi filter's cells, on each stream
  /// Scales of Forward's rows, of all pairs of a launch that have more than some.
  std::size_t scales = std::size_t{1} << 20;
  SweepShapes shapes;
};

/// Build options to try, one after the other, until the device's arithmetic is that of HMMER3.
std::vector<std::string> pair_build_options(const OpenDevice& device);

/// Not thread-safe. All calls throw EngineFailure.
class PairDevice : public PairScorer {
 public:
  /// `device` and `resident`, residues that stay on it, must outlive it; `threads` host threads use what it
  /// finds. `rooms`: none for those of the device; `resident`: null if none stay.
  PairDevice(const OpenDevice& device, unsigned threads, const std::optional<PairRooms>& rooms = std::nullopt,
             ResidentResidues* resident = nullptr);

  /// Whether the device's arithmetic has passed a test. If not, it leaves out all pairs.
  bool usable() const { return options_.has_value(); }
  /// The build options of that arithmetic, if it is usable.
  const std::string& build_options() const { return *options_; }

  std::string description() const override { return device_.description(); }
  double busy_seconds() const override { return busy_.seconds(); }
  void expect(std::span<const SearchProfile* const> profiles) override;
  void load(const SequenceBatch& batch) override;
  void msv(std::span<const PairQuery> queries, const TakeScore& take) override;
  void bias(std::span<const PairQuery> queries, const BiasUser& user) override;
  void viterbi(std::span<const PairQuery> queries, const TakeViterbi& take) override;
  void sweep(std::span<const PairQuery> queries, const SweepUser& user) override;

 private:
  // Whether there is anything to do; uploads the batch if that is still to be done.
  bool ready(std::span<const PairQuery> queries);

  const OpenDevice& device_;
  PairRooms rooms_;
  std::optional<std::string> options_;  // of the programs; nothing: none give HMMER3's arithmetic
  unsigned threads_;
  Queue queue_;
  const SequenceBatch* batch_ = nullptr;
  DeviceResidues residues_;
  bool loaded_ = false;  // residues_ are those of batch_
  std::vector<std::unique_ptr<MsvStream>> msv_streams_;
  std::vector<std::unique_ptr<FilterStream>> filters_;
  std::vector<std::unique_ptr<SweepStream>> sweeps_;
  BusyTime busy_;
};

}  // namespace gpuhmm::hmmer3
