// The arithmetic that HMMER3's scores depend on (docs/spec/hmmer3/profile-and-configuration.md, 1 and 12;
// filters.md, 2).
#pragma once

namespace gpuhmm::hmmer3 {

inline constexpr double kLn2 = 0.69314718055994529;
inline constexpr double kLog2e = 1.44269504088896341;

/// While it lives, this thread replaces subnormal results of floating-point operations by 0, as HMMER3 does.
/// Every thread that computes scores or E-values needs one.
class FlushToZero {
 public:
  FlushToZero();
  ~FlushToZero();
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned long long before_;
};

/// The bits of a score in nats above another.
inline float bits_above(float nats, float base) {
  return static_cast<float>(static_cast<double>(nats - base) / kLn2);
}

/// e^x by HMMER3's polynomial: its float parameters are made with it.
float polynomial_exp(float x);

/// P-value of a score in bits by a Gumbel distribution.
double gumbel_survival(float bits, float mu, float lambda);
/// The score in bits that has about this P-value; infinite for 0 and 1.
double gumbel_bits(double p_value, float mu, float lambda);
/// P-value of a score in bits by an exponential tail.
double exponential_survival(float bits, float tau, float lambda);
/// Its natural logarithm.
double log_exponential_survival(float bits, float tau, float lambda);

/// Sum of probabilities in logarithmic space, nats, by HMMER3's table.
float table_log_sum(float a, float b);

}  // namespace gpuhmm::hmmer3
