// Shortens text to a width on any canvas.
#include "formats/drawing/canvas.hpp"

#include "formats/drawing/text.hpp"

namespace gpuhmm {

std::string Canvas::fitted(std::string_view text, const TextStyle& style, double most) const {
  return shortened(drawable(text), [&](const std::string& part) { return width_of(part, style) <= most; });
}

}  // namespace gpuhmm
