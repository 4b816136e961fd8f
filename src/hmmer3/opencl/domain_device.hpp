// The domain stage on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hmmer3/domain_scorer.hpp"
#include "hmmer3/opencl/envelope_stream.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "hmmer3/opencl/traceback_stream.hpp"
#include "opencl/busy_time.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/open_device.hpp"

namespace gpuhmm::hmmer3 {

/// The rooms that the steps of the domain stage have on a device.
struct DomainRooms {
  explicit DomainRooms(const DeviceInfo& device);

  PairRoom regions, envelopes;
  SweepShapes shapes;
};

/// All calls throw EngineFailure.
class DomainDevice : public DomainScorer {
 public:
  /// `options`: of the programs, those that give HMMER3's arithmetic (pair_build_options); they are built at
  /// the first call that needs them. `device` must outlive it; `threads` host threads use what it finds.
  /// `rooms`: none for those of the device.
  DomainDevice(const OpenDevice& device, std::string options, unsigned threads,
               const std::optional<DomainRooms>& rooms = std::nullopt);

  std::string description() const override { return device_.description(); }
  double busy_seconds() const override { return busy_.seconds(); }
  void expect(std::span<const SearchProfile* const> profiles) override;
  void sample(std::span<const RegionQuery> queries, std::uint32_t seed) override;
  void score(std::span<const EnvelopeQuery> queries) override;

 private:
  // Begins to build what the streams need for the profiles.
  template <class Stream>
  void begin_programs(std::span<const SearchProfile* const> profiles) const;
  // Makes the streams, if that is still to be done.
  template <class Stream>
  void open(std::vector<std::unique_ptr<Stream>>& streams);
  // Shares the tasks' launches among streams, their residues in `residues`: run(stream, launch) gives times.
  template <class Task, class Run>
  void run(const PartPairs<Task>& pairs, const PairRoom& room, GrowingBuffer& residues, const Run& run);

  const OpenDevice& device_;
  std::string options_;
  unsigned threads_;
  DomainRooms rooms_;
  Queue queue_;
  GrowingBuffer region_residues_, envelope_residues_;
  std::vector<std::unique_ptr<TracebackStream>> tracebacks_;
  std::vector<std::unique_ptr<EnvelopeStream>> envelopes_;
  BusyTime busy_;
};

}  // namespace gpuhmm::hmmer3
