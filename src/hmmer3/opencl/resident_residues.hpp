// The residues of prepared databases that stay in the memory of a device.
#pragma once

#include <boost/icl/interval_set.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "gpuhmm/sequence.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"
#include "opencl/staged_pieces.hpp"

namespace gpuhmm::hmmer3 {

/// Residues whose source is known (ResidueOrigin): what has been copied once stays, for other batches of the
/// same source, however it is divided. Those that there is no room for, the last ones of a source, are left
/// out. The memory of a source that has ended is given to others. Any number of threads may call.
class ResidentResidues {
 public:
  /// Residues of all sources that a device has room for: an eighth of its memory (of a CPU's, a 32nd), and no
  /// more than kernels have numbers for.
  static std::uint64_t room_of(const DeviceInfo& device);

  /// `room`: residues of all sources. `device` must outlive this.
  ResidentResidues(const OpenDevice& device, std::uint64_t room) : device_(device), room_(room) {}

  /// Where the residues of a batch are: from number `first` of `buffer` on.
  struct Place {
    cl::Buffer buffer;
    std::uint64_t first;
  };
  /// The place of those of `batch`, which has some; copies those that are not there. Nothing: they cannot
  /// stay. Throws EngineFailure.
  std::optional<Place> load(const Queue& queue, const SequenceBatch& batch, StagedPieces& staging,
                            unsigned threads);

 private:
  struct Source {
    std::weak_ptr<const void> source;
    std::uint64_t room;  // the first so many of its residues
    cl::Buffer buffer;
    boost::icl::interval_set<std::uint64_t> copied;
  };
  Source* source_of(const ResidueOrigin& origin);

  const OpenDevice& device_;
  std::uint64_t room_;
  std::mutex mutex_;  // of sources_
  std::list<Source> sources_;
};

}  // namespace gpuhmm::hmmer3
