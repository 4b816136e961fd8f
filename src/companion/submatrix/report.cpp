// Formats reports. The columns of tables and the keys of JSON objects are the same fields.
#include "companion/submatrix/report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "companion/submatrix/dot_plot.hpp"
#include "formats/json/json_value.hpp"
#include "util/printable.hpp"

namespace gpuhmm {

namespace {

// A property of a rectangle: name of its column, text in tables, value in JSON.
struct Field {
  std::string name;
  std::string text;
  Json value;
};

template <class Integer>
Field integer(const char* name, Integer value) {
  return {name, std::to_string(value), value};
}

double mean_of(const SubmatrixReport& report, const Pattern& pattern) {
  const double cells =
      static_cast<double>(pattern.where.height()) * static_cast<double>(pattern.where.width());
  return static_cast<double>(pattern.sum) * report.unit.value() / cells;
}

// The number of this text, exactly: by its digits where a double may have too few.
Json exact_number(const std::string& text) {
  constexpr std::ptrdiff_t kDigits = std::numeric_limits<double>::digits10;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (std::ranges::count_if(text, is_digit) > kDigits) return json_number(text);
  return std::strtod(text.c_str(), nullptr);
}

Field sum_field(const SubmatrixReport& report, Int128 sum) {
  const bool whole = report.unit.decimals == 0 && !report.unit.binary &&
                     sum == static_cast<Int128>(static_cast<std::int64_t>(sum));
  const std::string text = report.unit.text(sum);
  if (whole) return {"sum", text, static_cast<std::int64_t>(sum)};
  return {"sum", text, exact_number(text)};
}

Field mean_field(double mean) {
  constexpr int kDigits = 6;
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), mean, std::chars_format::general, kDigits);
  return {"mean", {buffer.data(), end.ptr}, mean};
}

std::vector<Field> fields_of(const SubmatrixReport& report, std::size_t rank, const Pattern& pattern) {
  const Rectangle& where = pattern.where;
  std::vector<Field> fields{integer("rank", rank + 1)};
  const auto add = [&fields](std::initializer_list<Field> more) { fields.insert(fields.end(), more); };
  if (!report.plot) {
    add({integer("top", where.top), integer("left", where.left), integer("bottom", where.bottom),
         integer("right", where.right), integer("height", where.height()), integer("width", where.width())});
  } else {
    const DotPlotMatch match =
        report.plot->sheared ? sheared_match_of(where, report.plot->size_a) : match_of(where);
    add({integer("a_start", match.first_a), integer("a_end", match.last_a), integer("b_start", match.first_b),
         integer("b_end", match.last_b), integer("first_diagonal", match.first_diagonal),
         integer("last_diagonal", match.last_diagonal)});
  }
  add({sum_field(report, pattern.sum), mean_field(mean_of(report, pattern))});
  return fields;
}

const char* counting(const SubmatrixReport& report) {
  if (!report.plot) return "rows and columns count from 0, ends included";
  return report.plot->sheared
             ? "residues count from 1, ends included; diagonals are position in B minus position in A"
             : "residues count from 1, ends included; a rectangle shows composition, not an alignment";
}

}  // namespace

std::string submatrix_table(const SubmatrixReport& report) {
  std::ostringstream out;
  out << "# " << printable(report.input) << ": " << report.rows << " rows, " << report.columns << " columns";
  if (report.shift) {
    out << "; shift " << *report.shift << ": " << report.unit.text(report.subtracted) << " subtracted";
  }
  out << "\n# " << counting(report) << '\n';
  if (report.unit.rounded) out << "# numbers were rounded to multiples of 2^" << report.unit.exponent << '\n';
  if (report.all) {
    out << "# maximal submatrices: each is the best of the cells that the ones before leave\n";
  }
  if (report.patterns.empty()) out << "# no rectangle: " << reason_for_none(report) << '\n';
  out << '#';
  const auto add_line = [&out](const std::vector<Field>& fields, std::string Field::*part) {
    for (const Field& field : fields) out << (&field == fields.data() ? "" : "\t") << field.*part;
    out << '\n';
  };
  add_line(fields_of(report, 0, {}), &Field::name);
  for (std::size_t rank = 0; rank < report.patterns.size(); ++rank) {
    add_line(fields_of(report, rank, report.patterns[rank]), &Field::text);
  }
  return out.str();
}

std::string reason_for_none(const SubmatrixReport& report) {
  return report.least ? "no sum is at least " + *report.least : "nothing is positive";
}

std::string submatrix_json(const SubmatrixReport& report) {
  std::string lines;
  for (std::size_t rank = 0; rank < report.patterns.size(); ++rank) {
    Json object;
    if (report.plot) {
      object["a"] = report.plot->name_a;
      object["b"] = report.plot->name_b;
    } else {
      object["input"] = report.input;
    }
    if (report.shift) object["subtracted"] = exact_number(report.unit.text(report.subtracted));
    for (Field& field : fields_of(report, rank, report.patterns[rank]))
      object[field.name] = std::move(field.value);
    lines += json_line_of_numbers(object);
  }
  return lines;
}

std::vector<std::string> submatrix_labels(const SubmatrixReport& report) {
  std::vector<std::string> labels;
  for (std::size_t rank = 0; rank < report.patterns.size(); ++rank) {
    std::string label;
    for (const Field& field : fields_of(report, rank, report.patterns[rank])) {
      label += (label.empty() ? "" : ", ") + field.name + " " + field.text;
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

}  // namespace gpuhmm
