// Tables beyond the publication's: seconds of rivals, today's sorter, and longer words.
#include <iterator>

#include "experiment/sort/tables.hpp"
#include "util/format.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

const char* const kRivalNotes[] = {
    "multikey quicksort, std::sort: one thread, pointers to words are sorted, the text stays.",
    "GNU sort: the whole process with LC_ALL=C, from file to file, --parallel as many as there are threads.",
    "today's sorter, host: as many threads as there are, text to text."};

std::vector<NamedSet> all_sets() {
  std::vector<NamedSet> sets;
  for (const PublishedSet& set : kSets) sets.push_back(published_set(set.number));
  const std::vector<NamedSet> small = small_prefix_sets();
  sets.insert(sets.begin() + 1, small.begin() + 1, small.end());  // the first of them is set 1
  return sets;
}

// The cells that describe a set.
std::vector<Cell> row_of(const NamedSet& set) {
  return {set.name, static_cast<double>(set.shape.count), static_cast<double>(set.shape.shared)};
}

std::vector<Column> set_columns() {
  return {
      {"set", "", Origin::Setting}, {"words", "", Origin::Setting}, {"shared letters", "", Origin::Setting}};
}

Spread kernels_of(const std::vector<SortStages>& runs) {
  return spread_over(runs, [](const SortStages& run) { return run.kernels(); });
}

// Speed-up of today's kernels over the publication's, by medians.
Cell kernels_speed_up(const Outcome<std::vector<SortStages>>& published, const Outcome<TodayTimes>& today) {
  if (!std::holds_alternative<TodayTimes>(today)) return Cell::absent(std::get<std::string>(today));
  return cell_of(published, [&](const std::vector<SortStages>& runs) {
    return kernels_of(runs).median / std::get<TodayTimes>(today).kernels.median;
  });
}

std::vector<WordShape> long_shapes(bool full) {
  const std::size_t bytes = 10 * (full ? kSets[2] : kSets[0]).words;
  std::vector<WordShape> shapes;
  for (const auto& [length, shared] : {std::pair{32U, 0U},
                                       {32U, 16U},
                                       {32U, 24U},
                                       {84U, 64U},
                                       {100U, 0U},
                                       {100U, 50U},
                                       {100U, 90U},
                                       {1000U, 0U},
                                       {1000U, 500U},
                                       {1000U, 990U}}) {
    shapes.push_back({.count = bytes / (length + 1), .length = length, .shared = shared});
  }
  return shapes;
}

}  // namespace

Table rivals_table(Measurements& measurements) {
  Table table;
  table.columns = set_columns();
  for (const auto& row : kRivalSeconds) {
    table.columns.push_back({row.setting, "s", Origin::Published});
    table.columns.push_back({row.setting, "s", Origin::Measured});
  }
  for (const Rival rival : kRivals) table.columns.push_back({rival_name(rival), "s", Origin::Measured});
  for (const NamedSet& set : all_sets()) {
    std::vector<Cell> row = row_of(set);
    for (const auto& published : kRivalSeconds) {
      Cell figure = Cell::absent(kNotPublished);
      for (unsigned number = 1; number <= published.figures.size(); ++number) {
        if (set.name == published_set(number).name) figure = published.figures[number - 1];
      }
      row.push_back(figure);
      row.push_back(Cell::absent(kNoBingmann));
    }
    for (const Rival rival : kRivals) row.push_back(cell_of(measurements.rival(set.shape, rival)));
    table.rows.push_back(std::move(row));
  }
  table.plot.log_upright = true;
  table.notes = {
      "The publication's seconds are computed from its tables 6 and 7; the number of threads is unknown "
      "(24 were there), and clock(), if it was used, adds up the time of all threads."};
  table.notes.insert(table.notes.end(), std::begin(kRivalNotes), std::end(kRivalNotes));
  return table;
}

Table today_table(Measurements& measurements) {
  Table table;
  table.columns = set_columns();
  for (const char* name :
       {"publication's kernels", "counting", "scan", "writing", "today's kernels", "with copies", "host"}) {
    table.columns.push_back({name, "s", Origin::Measured});
  }
  table.columns.push_back({"kernels' speed-up", "", Origin::Derived});
  for (const NamedSet& set : all_sets()) {
    std::vector<Cell> row = row_of(set);
    const auto& published = measurements.stages(set.shape);
    const auto& today = measurements.today(set.shape);
    row.push_back(cell_of(published, kernels_of));
    for (const auto part : {&TodayTimes::counting, &TodayTimes::scan, &TodayTimes::writing,
                            &TodayTimes::kernels, &TodayTimes::with_copies}) {
      row.push_back(cell_of(today, [part](const TodayTimes& times) { return times.*part; }));
    }
    row.push_back(cell_of(measurements.rival(set.shape, Rival::TodayHost)));
    row.push_back(kernels_speed_up(published, today));
    table.rows.push_back(std::move(row));
  }
  table.plot.series = {3, 7, 8, 9};
  table.plot.log_upright = true;
  table.notes = {
      "Kernels by their events; with copies: wall time with allocation, words to the device and back.",
      "Publication's kernels: counting, scan and distribution. " + work_text(measurements.work()) +
          " Today's write words from their counts instead of moving them."};
  return table;
}

Table long_words_table(Measurements& measurements) {
  Table table;
  table.columns = {{"words of letters, shared", "", Origin::Setting},
                   {"as published", "s", Origin::Measured},
                   {"today's kernels", "s", Origin::Measured},
                   {"with copies", "s", Origin::Measured}};
  for (const Rival rival : kRivals) table.columns.push_back({rival_name(rival), "s", Origin::Measured});
  for (const WordShape& shape : long_shapes(measurements.request().full)) {
    const auto& today = measurements.today(shape);
    std::vector<Cell> row = {format("%zu of %u, %u", shape.count, shape.length, shape.shared),
                             cell_of(measurements.stages(shape), kernels_of),
                             cell_of(today, [](const TodayTimes& times) { return times.kernels; }),
                             cell_of(today, [](const TodayTimes& times) { return times.with_copies; })};
    for (const Rival rival : kRivals) row.push_back(cell_of(measurements.rival(shape, rival)));
    table.rows.push_back(std::move(row));
  }
  table.plot.log_upright = true;
  table.notes = {
      "Not in the publication, whose words have 9 letters: its one pass over all letters needs a bucket "
      "for every word that can be. Text of 15 MB, with --full 384 MB.",
      "Today's sorter, device: kernels by their events; with copies: wall time with allocation, words to "
      "the device and back, and the host's copying of words in order."};
  table.notes.insert(table.notes.end(), std::begin(kRivalNotes), std::end(kRivalNotes));
  return table;
}

}  // namespace gpuhmm::experiment::sorting
