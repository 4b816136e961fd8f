// Formats a reduced matrix.
#include "companion/reduce/matrix_table.hpp"

#include "formats/numbers/number_text.hpp"

namespace gpuhmm {

std::string matrix_table(const NumberArray& matrix, ReduceOperation operation, std::uint64_t matrices) {
  const std::uint64_t rows = matrix.shape[0], columns = matrix.shape[1];
  std::string text = "# " + std::string(operation_name(operation)) + " of " + std::to_string(matrices) +
                     " matrices " + std::to_string(rows) + " x " + std::to_string(columns) + ", " +
                     std::string(number_type_name(matrix.type())) + "\n";
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          text += number_text(values[i]) + ((i + 1) % columns == 0 ? '\n' : '\t');
        }
      },
      matrix.values);
  return text;
}

}  // namespace gpuhmm
