// Formats answers; tables and JSON have the same digits of sums and values.
#include "companion/subsequence/subsequence_writer.hpp"

#include "formats/json/json_value.hpp"
#include "formats/numbers/number_text.hpp"

namespace gpuhmm {

namespace {

using Length = SubsequenceQuery::Length;

std::string counted(std::uint64_t elements) {
  return std::to_string(elements) + (elements == 1 ? " element" : " elements");
}

std::string kind_text(const SubsequenceQuery& query) {
  std::string text = query.non_decreasing ? "non-decreasing subsequence" : "increasing subsequence";
  if (query.length == Length::Exactly) text += " of " + counted(query.elements);
  if (query.length == Length::AtMost) text += " of at most " + counted(query.elements);
  return text;
}

std::string sum_text(const Subsequence& answer) {
  return std::visit([](auto sum) { return number_text(sum); }, answer.sum);
}

// Calls body(position, text of the value) for each element of the answer.
template <class Body>
void for_elements(const Subsequence& answer, const NumberValues& vector, const Body& body) {
  std::visit(
      [&](const auto& values) {
        for (const std::size_t i : answer.positions) body(i, number_text(values[i]));
      },
      vector);
}

}  // namespace

std::string subsequence_table(const Subsequence& answer, const SubsequenceQuery& query,
                              const NumberValues& vector) {
  if (answer.positions.empty()) {
    return "# no " + kind_text(query) + "; the longest has " + std::to_string(answer.longest) + "\n";
  }
  std::string text = "# " + kind_text(query) + "; sum " + sum_text(answer) + ", elements " +
                     std::to_string(answer.positions.size()) +
                     "; positions counted from 0\n# position\tvalue\n";
  for_elements(answer, vector, [&text](std::size_t position, const std::string& value) {
    text += std::to_string(position) + '\t' + value + '\n';
  });
  return text;
}

std::string subsequence_json(const Subsequence& answer, const NumberValues& vector) {
  const bool empty = answer.positions.empty();
  Json object = {{"elements", answer.positions.size()},
                 {"sum", empty ? Json(nullptr) : json_number(sum_text(answer))},
                 {"positions", answer.positions},
                 {"values", Json::array()}};
  for_elements(answer, vector,
               [&values = object["values"]](std::size_t /*position*/, const std::string& value) {
                 values.push_back(json_number(value));
               });
  if (empty) object["longest"] = answer.longest;
  return json_line_of_numbers(object);
}

}  // namespace gpuhmm
