// E-values of hits (docs/spec/hmmer3/scores-and-hits.md, 5).
#include <cmath>
#include <limits>

#include "gpuhmm/hmmer3_hits.hpp"

namespace gpuhmm::hmmer3 {
namespace {

/// HMMER computes with subnormal results replaced by 0, in whatever mode this thread is.
double flushed(double value) { return std::abs(value) < std::numeric_limits<double>::min() ? 0.0 : value; }

double p_value_times(double log_p, double comparisons) {
  return flushed(flushed(std::exp(log_p)) * comparisons);
}

}  // namespace

double QueryResult::e_value(double log_p) const { return p_value_times(log_p, targets); }

double QueryResult::conditional_e_value(double log_p) const { return p_value_times(log_p, domain_targets); }

}  // namespace gpuhmm::hmmer3
