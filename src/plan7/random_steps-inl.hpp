// Entry points to the SIMD loops of random_steps.cpp. Included once for each instruction set.

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace {

void advance(Steps& first, Steps& second, Steps& draws, Steps& places) {
  make_ahead(first, second, draws, places);
}

std::size_t choose(RandomStream& stream, const std::uint8_t* quick, std::span<std::uint8_t> choices,
                   std::uint32_t& value) {
  return choose_quickly(stream, quick, choices, value);
}

}  // namespace
}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
