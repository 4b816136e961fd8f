// What HMMER3's report and tables share. Internal to the report writers.
#pragma once

#include "gpuhmm/hmmer3_hits.hpp"
#include "hmmer3/arithmetic.hpp"

namespace gpuhmm::hmmer3 {

/// The null2 correction of a domain's score, bits.
inline double bias_bits(const Domain& domain) { return static_cast<double>(domain.bias) * kLog2e; }

/// Calls act(domain, number) for the reported domains, which are numbered from 1.
template <class Action>
void for_each_reported(const Hit& hit, Action&& act) {
  int number = 0;
  for (const Domain& domain : hit.domains) {
    if (domain.reported) act(domain, ++number);
  }
}

}  // namespace gpuhmm::hmmer3
