// The devices that align hits beside the host's threads, and their streams.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "align/opencl/path_stream.hpp"
#include "align/opencl/path_variant.hpp"
#include "gpuhmm/engine.hpp"

namespace gpuhmm {

/// Lends streams of devices. Any number of threads may call. A device that fails is not used again.
class PathDevices {
 public:
  /// `devices` must outlive it; none: it lends nothing. `warn` gets one line for each device that fails.
  /// `verification`: which paths are recomputed. `variant`: none for choose_path_variant(device).
  PathDevices(std::span<const OpenDevice* const> devices, Verification verification, Warning warn,
              std::optional<grid::PathVariant> variant = std::nullopt);
  ~PathDevices();
  PathDevices(const PathDevices&) = delete;
  PathDevices& operator=(const PathDevices&) = delete;

  class Member;
  /// A stream in use; free again at its end.
  class Turn {
   public:
    Turn(Member& member, std::unique_ptr<grid::PathStream> stream);
    ~Turn();
    Turn(Turn&& other) noexcept = default;
    Turn& operator=(Turn&& other) = delete;

    grid::PathStream& stream() const { return *stream_; }
    const grid::PathVariant& variant() const;

   private:
    friend class PathDevices;
    Member* member_;
    std::unique_ptr<grid::PathStream> stream_;
  };

  /// The devices, whether they have failed or not.
  unsigned count() const { return static_cast<unsigned>(members_.size()); }
  /// The launches that all of them run side by side.
  unsigned launches() const;
  /// False once all devices have failed.
  bool usable() const;
  /// True if a device that has not failed should align hits with so many cells (residues times nodes).
  bool worth(double cells) const;
  /// Whether one of them can align a sequence of `length` residues to a model with `steps` nodes for each
  /// work-item.
  bool can_align(std::size_t length, std::size_t steps) const;
  /// The most models that should be scored at a time while devices align: PathVariant::scored_beside of one,
  /// and of each of several scored_beside_others.
  unsigned scored_beside() const;

  /// Marks, while it exists, that devices align.
  class Use {
   public:
    explicit Use(PathDevices& devices) : devices_(devices) { ++devices_.uses_; }
    ~Use() { --devices_.uses_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    PathDevices& devices_;
  };
  /// Whether there is a mark.
  bool aligning() const { return uses_ > 0; }

  /// Makes the streams, which otherwise begin with the first call of try_begin() that finds none: drivers
  /// take far longer for it while kernels run. May be called beside everything else.
  void open();
  /// A free stream; nothing if all are in use.
  std::optional<Turn> try_begin();
  /// The device of `turn` has failed: warns, unless it has before.
  void fail(const Turn& turn, const EngineFailure& failure);
  /// Which of the sequences of a launch, with so many cells each, the host should recompute.
  std::vector<std::size_t> to_verify(std::span<const double> cells);

 private:
  void fail(Member& member, const EngineFailure& failure);

  std::vector<std::unique_ptr<Member>> members_;
  Verification verification_;
  std::mutex warn_mutex_;
  Warning warn_;
  std::atomic<unsigned> samples_ = 0, turns_ = 0, uses_ = 0;
};

}  // namespace gpuhmm
