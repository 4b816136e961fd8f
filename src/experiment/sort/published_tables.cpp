// The publication's tables 3 to 9, with published and measured figures.
#include <algorithm>
#include <span>

#include "experiment/sort/tables.hpp"
#include "util/format.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

constexpr unsigned kUniform[] = {1, 2, 3, 4}, kPrefixes[] = {3, 5, 6, 7};

const char* const kWithoutStart =
    "Times: allocation and setting counts to 0 (wall time) and the three kernel stages (events); not opening the "
    "device nor copies.";

// The columns of a table: settings, then for each set one published and one other column.
Table table_by_sets(std::string setting, const std::string& unit, std::span<const unsigned> sets,
                    Origin origin) {
  Table table;
  table.columns = {{std::move(setting), "", Origin::Setting}};
  for (const unsigned number : sets) {
    table.columns.push_back({published_set(number).name, unit, Origin::Published});
    table.columns.push_back({published_set(number).name, unit, origin});
  }
  table.plot.log_upright = true;
  return table;
}

// Appends cell(set, row) to each row, set by set, because only one set is in memory at a time.
template <class Make>
void append_columns(Table& table, std::span<const NamedSet> sets, const Make& make) {
  for (const NamedSet& set : sets) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) make(table.rows[row], set, row);
  }
}

std::vector<NamedSet> named(std::span<const unsigned> numbers) {
  std::vector<NamedSet> sets;
  for (const unsigned number : numbers) sets.push_back(published_set(number));
  return sets;
}

Spread without_start(const std::vector<SortStages>& runs) {
  return spread_over(runs, [](const SortStages& run) { return run.without_start(); });
}

// Tables 3 and 4: a row for each printed setting, and one more for the run's own, if that is another.
template <class Setting, std::size_t count>
Table shapes_table(Measurements& measurements, const char* name,
                   const std::array<PublishedRow<Setting>, count>& printed, Setting WorkShape::*setting) {
  Table table = table_by_sets(name, "s", kUniform, Origin::Measured);
  std::vector<WorkShape> shapes;
  const auto add = [&](Setting value) {
    shapes.push_back(measurements.work());
    shapes.back().*setting = value;
    table.rows.push_back({static_cast<double>(value)});
  };
  for (const auto& row : printed) add(row.setting);
  const auto is_printed = [&](const WorkShape& shape) { return shape == measurements.work(); };
  if (std::none_of(shapes.begin(), shapes.end(), is_printed)) add(measurements.work().*setting);
  append_columns(table, named(kUniform), [&](std::vector<Cell>& cells, const NamedSet& set, std::size_t row) {
    cells.push_back(row < count ? Cell(printed[row].figures[cells.size() / 2]) : Cell::absent(kNotPublished));
    cells.push_back(cell_of(measurements.stages(set.shape, shapes[row]), without_start));
  });
  table.notes = {kWithoutStart};
  return table;
}

// Speed-up of the sort over a rival, by medians; `all`: includes opening the device and transfer.
Cell speed_up(Measurements& measurements, const WordShape& words, Rival rival, bool all) {
  const Outcome<Spread>& other = measurements.rival(words, rival);
  const auto* const seconds = std::get_if<Spread>(&other);
  if (!seconds) return cell_of(other);
  double selection = 0;
  if (all) {
    const Outcome<Spread>& opening = measurements.selection();
    if (const auto* const spread = std::get_if<Spread>(&opening)) selection = spread->median;
  }
  return cell_of(measurements.stages(words), [&](const std::vector<SortStages>& runs) {
    const Spread own = spread_over(
        runs, [all](const SortStages& run) { return run.without_start() + (all ? run.transfer : 0); });
    return seconds->median / (own.median + selection);
  });
}

// Tables 5 and 7.
Table speed_ups(Measurements& measurements, std::span<const PublishedRow<const char*>> published, bool all) {
  Table table = table_by_sets("rival", "", kUniform, Origin::Derived);
  for (const auto& row : published) {
    table.rows.push_back({row.setting});
    for (const double figure : row.figures) {
      table.rows.back().emplace_back(figure);
      table.rows.back().push_back(Cell::absent(kNoBingmann));
    }
  }
  const std::size_t first = table.rows.size();
  for (const Rival rival : kRivals) table.rows.push_back({rival_name(rival)});
  for (const NamedSet& set : named(kUniform)) {
    for (const Rival rival : kRivals) {
      std::vector<Cell>& cells = table.rows[first + static_cast<std::size_t>(rival)];
      cells.push_back(Cell::absent(kNotPublished));
      cells.push_back(speed_up(measurements, set.shape, rival, all));
    }
  }
  table.notes = {
      "Seconds of the rival by those of the publication's sort on the device; above 1 the device is "
      "quicker. Medians.",
      all ? "The device's time has opening the device, building programs, transfer, extra costs and "
            "kernels."
          : "The device's time has extra costs and kernels.",
      work_text(measurements.work()),
      "Rivals are timed as in table `rivals`; copying the sorted words back is in no time, as in the "
      "publication."};
  return table;
}

// The rows of a table of stages; `from`: the first stage.
Table stages_of(Measurements& measurements, std::span<const unsigned> numbers, std::size_t from) {
  Table table = table_by_sets("stage", "s", numbers, Origin::Measured);
  for (std::size_t stage = from; stage < kStages.size(); ++stage) table.rows.push_back({kStages[stage].name});
  append_columns(table, named(numbers), [&](std::vector<Cell>& cells, const NamedSet& set, std::size_t row) {
    const PublishedStage& stage = kStages[from + row];
    const unsigned number = numbers[cells.size() / 2];
    cells.emplace_back(stage.figures[number - 1]);
    cells.push_back(stage.measured == nullptr
                        ? cell_of(measurements.selection())
                        : cell_of(measurements.stages(set.shape), [&](const std::vector<SortStages>& runs) {
                            return spread_over(runs,
                                               [&](const SortStages& run) { return run.*stage.measured; });
                          }));
  });
  return table;
}

// A further row for copying back, which the publication does not show separately.
void append_back(Table& table, Measurements& measurements, std::span<const NamedSet> sets, bool published) {
  std::vector<Cell>& cells = table.rows.back();
  for (const NamedSet& set : sets) {
    if (published) cells.push_back(Cell::absent(kNotPublished));
    cells.push_back(cell_of(measurements.stages(set.shape), [](const std::vector<SortStages>& runs) {
      return spread_over(runs, [](const SortStages& run) { return run.back; });
    }));
  }
}

std::vector<std::string> stage_notes(const Measurements& measurements) {
  return {
      "GPU selection: opening the device and building the programs, once for all sets; drivers keep built programs.",
      "Selection, transfer, extra costs (allocation, counts set to 0) and copying back are wall times, all else "
      "kernels by their events. " +
          work_text(measurements.work()),
      "The publication does not say where copying back is: perhaps in the distribution."};
}

}  // namespace

std::string work_text(const WorkShape& work) {
  return format("Words a work-item: %u; work-groups of %zu.", work.each, work.group);
}

NamedSet published_set(unsigned number) {
  const PublishedSet& set = kSets[number - 1];
  return {"set " + std::to_string(number), {.count = set.words, .shared = set.shared}};
}

std::vector<NamedSet> small_prefix_sets() {
  std::vector<NamedSet> sets;
  for (const unsigned number : kPrefixes) {
    const unsigned shared = kSets[number - 1].shared;
    sets.push_back({format("1.5 M, prefix %u", shared), {.count = kSets[0].words, .shared = shared}});
  }
  return sets;
}

Table words_each_table(Measurements& measurements) {
  Table table = shapes_table(measurements, "words a work-item", kTable3, &WorkShape::each);
  table.notes.push_back(format("Figure 19. Work-groups of %zu.", measurements.work().group));
  return table;
}

Table group_table(Measurements& measurements) {
  Table table = shapes_table(measurements, "work-group", kTable4, &WorkShape::group);
  table.notes.push_back(format("Figure 20. Words a work-item: %u.", measurements.work().each));
  return table;
}

Table speed_up_table(Measurements& measurements) {
  Table table = speed_ups(measurements, kTable5, true);
  table.notes.push_back(
      "Figure 21. The published figures of set 2 do not follow from tables 6 and 7, which give "
      "1.34 and 1.53.");
  return table;
}

Table speed_up_without_start_table(Measurements& measurements) {
  Table table = speed_ups(measurements, kTable7, false);
  table.notes.push_back("Figure 26.");
  return table;
}

Table stages_table(Measurements& measurements) {
  Table table = stages_of(measurements, kUniform, 0);
  table.rows.push_back({"copying back"});
  append_back(table, measurements, named(kUniform), true);
  table.notes = stage_notes(measurements);
  table.notes.push_back("Figures 22 to 25: one a set.");
  return table;
}

Table prefix_stages_table(Measurements& measurements) {
  constexpr std::size_t kFirst = 2;  // of the stages that are printed for sets 5 to 7
  Table table = stages_of(measurements, kPrefixes, kFirst);
  const std::vector<NamedSet> small = small_prefix_sets();
  for (const NamedSet& set : small) table.columns.push_back({set.name, "s", Origin::Measured});
  append_columns(table, small, [&](std::vector<Cell>& cells, const NamedSet& set, std::size_t row) {
    cells.push_back(cell_of(measurements.stages(set.shape), [&](const std::vector<SortStages>& runs) {
      return spread_over(runs, [&](const SortStages& run) { return run.*kStages[kFirst + row].measured; });
    }));
  });
  table.rows.push_back({"copying back"});
  append_back(table, measurements, named(kPrefixes), true);
  append_back(table, measurements, small, false);
  table.notes = stage_notes(measurements);
  table.notes.push_back("Figure 28. The last columns are not in the publication: as many words as in set 1.");
  return table;
}

Table prefix_speed_up_table(Measurements& measurements) {
  Table table;
  table.columns = {{"set", "", Origin::Setting},
                   {"words", "", Origin::Setting},
                   {"shared letters", "", Origin::Setting},
                   {"speed-up", "", Origin::Published},
                   {"speed-up", "", Origin::Derived}};
  table.plot.series = {3, 4};
  const auto append = [&](const std::vector<NamedSet>& sets, const auto& published) {
    const Outcome<std::vector<SortStages>> uniform = measurements.stages(sets.front().shape);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const WordShape& shape = sets[i].shape;
      table.rows.push_back({sets[i].name, static_cast<double>(shape.count), static_cast<double>(shape.shared),
                            published(i),
                            cell_of(measurements.stages(shape), [&](const std::vector<SortStages>& runs) {
                              return without_start(std::get<std::vector<SortStages>>(uniform)).median /
                                     without_start(runs).median;
                            })});
    }
  };
  append(named(kPrefixes), [](std::size_t i) { return Cell(kTable8[i]); });
  append(small_prefix_sets(), [](std::size_t) { return Cell::absent(kNotPublished); });
  table.notes = {"Figure 27. The uniform set's median by that of the set, both of the same size.",
                 kWithoutStart, work_text(measurements.work())};
  return table;
}

}  // namespace gpuhmm::experiment::sorting
