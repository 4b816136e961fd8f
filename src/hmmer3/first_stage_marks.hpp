// Which SSV maxima can pass the first stage, in integers: what a device compares with
// (docs/spec/hmmer3/filters.md, 1 to 4).
#pragma once

#include <cstdint>
#include <optional>

#include "gpuhmm/hmmer3_profile.hpp"
#include "hmmer3/filter_model.hpp"

namespace gpuhmm::hmmer3 {

/// A sequence of a batch with the maximum of SSV as a rise: a largest cell as in ssv_maximum_of, less
/// kSsvFloor.
struct SsvFinding {
  std::uint32_t sequence;
  int rise;
  bool operator==(const SsvFinding&) const = default;
};

/// What first-stage scores of all sequences of one length have in common. Needs flush to zero (FlushToZero).
struct LengthTerms {
  explicit LengthTerms(std::int64_t of_length);

  std::int64_t length;
  int move_cost;
  float null_score;  ///< nats
};

/// The least maximum of SSV with which a sequence can pass the first filter, or has to be scored by MSV. A
/// sequence below it fails; the host decides on the others exactly.
class FirstStageMarks {
 public:
  /// Nothing if `f1`, as in Options, lets so many sequences pass, or the profile's statistics are so odd,
  /// that marks are of no use. `model` must outlive the marks.
  static std::optional<FirstStageMarks> make(const ByteModel& model, const Statistics& statistics, double f1);

  /// As a rise (SsvFinding); 0: no sequence of this length is below.
  int least_rise(const LengthTerms& terms) const;

 private:
  FirstStageMarks(const ByteModel& model, double least_bits) : model_(&model), least_bits_(least_bits) {}

  const ByteModel* model_;
  double least_bits_;  // slightly below the bit score that passes
};

}  // namespace gpuhmm::hmmer3
