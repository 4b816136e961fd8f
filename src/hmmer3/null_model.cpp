// Background frequencies and the length distribution.
#include "hmmer3/null_model.hpp"

#include <array>
#include <cmath>

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::array<float, 20> kAmino = {0.0787945F, 0.0151600F, 0.0535222F, 0.0668298F, 0.0397062F,
                                          0.0695071F, 0.0229198F, 0.0590092F, 0.0594422F, 0.0963728F,
                                          0.0237718F, 0.0414386F, 0.0482904F, 0.0395639F, 0.0540978F,
                                          0.0683364F, 0.0540687F, 0.0673417F, 0.0114135F, 0.0304133F};
constexpr std::array<float, 4> kNucleic = {0.25F, 0.25F, 0.25F, 0.25F};

}  // namespace

std::span<const float> background(AlphabetKind alphabet) {
  if (alphabet == AlphabetKind::Hmmer3Amino) return kAmino;
  return kNucleic;
}

NullModel::NullModel(std::int64_t length)
    : loop(static_cast<float>(length) / static_cast<float>(length + 1)) {
  const auto stay = static_cast<double>(loop);
  score = static_cast<float>(static_cast<double>(static_cast<float>(length)) * std::log(stay) +
                             std::log(1.0 - stay));
}

}  // namespace gpuhmm::hmmer3
