// Writes SVG 1.1, only with elements that every viewer supports.
#include "formats/drawing/svg_canvas.hpp"

#include <charconv>
#include <cmath>

#include "formats/drawing/text.hpp"

namespace gpuhmm {

namespace {

std::string number(double value) {
  std::array<char, 64> text;
  const double rounded = std::round(value * 100) / 100 + 0.0;  // + 0.0: no -0
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded, std::chars_format::fixed);
  return {text.data(), end.ptr};
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : drawable(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

}  // namespace

SvgCanvas::Attribute::Attribute(const char* its_name, double value_of_it)
    : name(its_name), value(number(value_of_it)) {}
SvgCanvas::Attribute::Attribute(const char* its_name, std::string_view text)
    : name(its_name), value(escaped(text)) {}
SvgCanvas::Attribute::Attribute(const char* its_name, const Colour& colour) : name(its_name), value("#") {
  constexpr std::string_view kHex = "0123456789abcdef";
  for (const std::uint8_t part : colour) value += {kHex[part >> 4], kHex[part & 15]};
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title, std::string_view description)
    : width_(width), height_(height), title_(escaped(title)), description_(escaped(description)) {}

double SvgCanvas::width_of(std::string_view text, const TextStyle& style) const {
  return text_width(text, style.size, style.bold);
}

void SvgCanvas::add(const char* name, std::initializer_list<Attribute> attributes, const Stroke* stroke,
                    std::string_view content) {
  body_ += '<';
  body_ += name;
  const auto append = [this](const Attribute& attribute) {
    body_ += ' ';
    body_ += attribute.name;
    body_ += "=\"" + attribute.value + '"';
  };
  for (const Attribute& attribute : attributes) append(attribute);
  if (stroke != nullptr) {
    append({"stroke", stroke->colour});
    append({"stroke-width", stroke->width});
    if (stroke->dashed) append({"stroke-dasharray", std::string_view("5 3")});
  }
  if (content.empty()) {
    body_ += "/>\n";
  } else {
    body_ += '>';
    body_ += content;
    body_ += "</";
    body_ += name;
    body_ += ">\n";
  }
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, const Stroke& stroke) {
  add("line", {{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}}, &stroke);
}

void SvgCanvas::outline(const Box& box, const Stroke& stroke) {
  add("rect",
      {{"x", box.left},
       {"y", box.top},
       {"width", box.width()},
       {"height", box.height()},
       {"fill", std::string_view("none")},
       {"pointer-events", std::string_view("all")}},
      &stroke);
}

void SvgCanvas::face(const Box& box, const Colour& colour) {
  add("rect",
      {{"x", box.left}, {"y", box.top}, {"width", box.width()}, {"height", box.height()}, {"fill", colour}});
}

void SvgCanvas::hatch(const Box& box) {
  hatched_ = true;
  add("rect", {{"x", box.left},
               {"y", box.top},
               {"width", box.width()},
               {"height", box.height()},
               {"fill", std::string_view("url(#hatch)")}});
}

void SvgCanvas::text(double x, double y, std::string_view text, const TextStyle& style) {
  body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + '"';
  if (style.size != TextStyle().size) body_ += " font-size=\"" + number(style.size) + '"';
  if (style.anchor != Anchor::Start) {
    body_ += style.anchor == Anchor::Middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  }
  if (style.bold) body_ += " font-weight=\"bold\"";
  if (style.upward) body_ += " transform=\"rotate(-90 " + number(x) + ' ' + number(y) + ")\"";
  body_ += '>' + escaped(text) + "</text>\n";
}

void SvgCanvas::image(const Box& box, const ColourImage& image) {
  const std::string data = "data:image/png;base64," + base64(png_of(image));
  add("image", {{"x", box.left},
                {"y", box.top},
                {"width", box.width()},
                {"height", box.height()},
                {"preserveAspectRatio", std::string_view("none")},
                {"style", std::string_view("image-rendering:pixelated")},
                {"xlink:href", data}});
}

void SvgCanvas::begin_group(std::string_view name, std::string_view title) {
  body_ += "<g class=\"" + escaped(name) + "\">";
  if (!title.empty()) body_ += "<title>" + escaped(title) + "</title>";
  body_ += '\n';
}

void SvgCanvas::end_group() { body_ += "</g>\n"; }

void SvgCanvas::curve(std::span<const std::pair<double, double>> points, const Stroke& stroke) {
  std::string places;
  for (const auto& [x, y] : points) places += (places.empty() ? "" : " ") + number(x) + ',' + number(y);
  add("polyline",
      {{"fill", std::string_view("none")},
       {"stroke-linejoin", std::string_view("round")},
       {"points", places}},
      &stroke);
}

std::string SvgCanvas::svg() const {
  const std::string width = number(width_), height = number(height_);
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"" +
      width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height +
      "\" role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n<title>" + title_ +
      "</title>\n<desc>" + description_ + "</desc>\n";
  if (hatched_) {
    text +=
        "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<path d=\"M-1,1l2,-2M0,6l6,-6M5,7l2,-2\" stroke=\"#777777\" stroke-width=\"0.8\"/>"
        "</pattern></defs>\n";
  }
  text += "<rect width=\"" + width + "\" height=\"" + height + "\" fill=\"#ffffff\"/>\n";
  return text + body_ + "</svg>\n";
}

}  // namespace gpuhmm
