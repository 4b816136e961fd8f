// Tables of optimisations, alone and together, and of their resources: 8.3, 10.1 to 10.3, work-group sizes,
// launches, and forms that the publication did not try.
#include <algorithm>
#include <functional>

#include "experiment/ladder/occupancy.hpp"
#include "experiment/ladder/tables.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

constexpr const char* kExampleFamily = "Oxidored_q1";  // of tables 10.2 and 10.3

std::string name_of(const Session& session, std::size_t family) {
  return session.families()[family].published->name;
}

Cell registers_cell(Session& session, const Variant& variant, std::size_t family) {
  const std::optional<int> registers = session.registers(variant, family);
  return registers ? Cell(static_cast<double>(*registers))
                   : Cell::absent("only NVIDIA's compiler reports registers");
}

template <class Part>
Cell part_of(const Result& result, const Part& part) {
  return result.measured() ? Cell(static_cast<double>(part(result))) : Cell::absent(result.absent);
}

Cell private_cell(const Result& result) {
  return part_of(result, [](const Result& r) { return r.resources.private_bytes; });
}

Cell local_cell(const Result& result) {
  return part_of(result, [](const Result& r) { return r.resources.local_bytes; });
}

Cell subset_seconds(Session& session, const Variant& variant, std::size_t family, std::size_t group = 0) {
  return session.published_seconds(session.variant(variant, family, Set::Subset, group), family, Set::Subset);
}

Cell ratio(double of, double to, bool both) {
  return both ? Cell(of / to) : Cell::absent("was not measured");
}

struct Optimisation {
  Single variant;
  const char* section;
  double seconds, speed_up;
};

constexpr Optimisation kOptimisations[] = {
    {Single::Basic, "7.3", 144.13, 1.0},    {Single::Sch, "8.1", 131.98, 1.09},
    {Single::U8, "8.2", 139.92, 1.03},      {Single::Overlap, "8.3", 145.47, 0.99},
    {Single::SeqCoal, "9.1", 132.00, 1.09}, {Single::ScPad, "9.2", 18.10, 7.96},
    {Single::ScPriv, "9.2", 6.70, 21.51},   {Single::PtrConst, "9.3", 143.40, 1.01},
    {Single::PtrLoc, "9.3", 142.54, 1.01},  {Single::PtsLoc, "9.4", 140.99, 1.02},
    {Single::PtsGlob, "9.4", 140.44, 1.03}, {Single::PeLoc, "9.5", 99.27, 1.45}};

}  // namespace

Table registers_table(Session& session) {
  struct Row {
    Single variant;
    double registers, occupancy;
  };
  constexpr Row kRows[] = {{Single::Basic, 37, 50}, {Single::U2, 39, 50},   {Single::U4, 41, 50},
                           {Single::U8, 45, 33},    {Single::Sch, 39, 50},  {Single::U2Sch, 44, 33},
                           {Single::U4Sch, 63, 33}, {Single::U8Sch, 63, 33}};
  const std::size_t family = family_like(session, kExampleFamily);
  Table table{.id = "8.3",
              .title = "registers of a work-item and occupancy",
              .columns = {{"variant"},
                          {"registers", "", Origin::Published},
                          {"occupancy", "%", Origin::Published},
                          {"registers", "", Origin::Measured},
                          {"private memory", "bytes", Origin::Measured},
                          {"occupancy", "%", Origin::Derived}}};
  for (const Row& row : kRows) {
    const Variant variant = single_variant(row.variant);
    table.rows.push_back({variant.name, row.registers, row.occupancy,
                          registers_cell(session, variant, family),
                          private_cell(session.variant(variant, family, Set::Subset)),
                          session.occupancy_percent(variant, family)});
  }
  table.notes = {"Private memory of a work-item, such as spilled registers, as the device reports it."};
  table.plot.series = {1, 3};
  return table;
}

Table optimisations_table(Session& session) {
  Table table{.id = "10.1",
              .title = "each optimisation alone: mean time of the families, subset",
              .columns = {{"variant"},
                          {"section"},
                          {"mean", "s", Origin::Published},
                          {"speed-up", "", Origin::Published},
                          {"speed", "GCUPS", Origin::Derived},
                          {"mean", "s", Origin::Measured},
                          {"speed-up", "", Origin::Derived},
                          {"speed", "GCUPS", Origin::Derived},
                          {"3Q+5 cells", "GCUPS", Origin::Derived}}};
  const double published_cells = published_means().nodes * kSubsetResidues;
  double residues = 0;
  for (const Optimisation& row : kOptimisations) {
    const Variant variant = single_variant(row.variant);
    Sum basic;  // over the families that ran this variant
    const Sum sum = sum_over_families(session, Set::Subset, [&](std::size_t family) -> const Result& {
      const Result& result = session.variant(variant, family, Set::Subset);
      const Result& of_basic = session.variant({}, family, Set::Subset);
      if (result.measured())
        basic.published_cells_seconds += of_basic.total.median * session.to_published(family, Set::Subset);
      return result;
    });
    const bool measured = sum.families > 0;
    residues = static_cast<double>(session.sequences(Set::Subset).residue_count());
    const double more_cells = 3 * sum.cells + 5 * residues * static_cast<double>(sum.families);
    const bool some = row.variant == Single::PeLoc;  // 17 families of 123.47 nodes
    const std::string reason = session.variant(variant, 0, Set::Subset).absent;
    table.rows.push_back({variant.name, row.section, row.seconds, row.speed_up,
                          (some ? 2180.0 / 17 * kSubsetResidues : published_cells) / row.seconds * 1e-9,
                          measured ? Cell(sum.published_cells_seconds / static_cast<double>(sum.families))
                                   : Cell::absent(reason),
                          ratio(basic.published_cells_seconds, sum.published_cells_seconds, measured),
                          ratio(sum.cells * 1e-9, sum.seconds, measured),
                          ratio(more_cells * 1e-9, sum.seconds, measured)});
  }
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back(
      "GCUPS: cells a second / 10^9; of Q nodes, Q cells a residue, or 3Q+5 as the publication counts.");
  table.notes.emplace_back(
      "Pe-loc: 1.45 is printed, from means of other families; of the same 17 it is 105.82 / 99.27 = 1.07. "
      "Speed-ups measured here are of the same families.");
  table.plot.series = {2, 5};
  table.plot.log_upright = true;
  return table;
}

Table steps_table(Session& session) {
  struct Row {
    std::vector<int> steps;
    double seconds;
  };
  const Row rows[] = {{{}, 220.85},
                      {{1}, 10.60},
                      {{1, 2}, 11.94},
                      {{1, 2, 3}, 8.04},
                      {{1, 3}, 10.40},
                      {{1, 2, 3, 4}, 5.20},
                      {{1, 2, 3, 4, 5}, 6.25},
                      {{1, 2, 3, 4, 6}, 5.17},
                      {{1, 2, 3, 4, 6, 7}, 4.36}};
  const std::size_t family = family_like(session, kExampleFamily);
  Table table{.id = "10.2",
              .title = "optimisations step by step, " + name_of(session, family) + ", subset",
              .columns = {{"steps"},
                          {"time", "s", Origin::Published},
                          {"time", "s", Origin::Measured},
                          {"speed", "GCUPS", Origin::Derived}}};
  const auto add = [&](const std::string& name, Cell printed, const Result& result) {
    table.rows.push_back({name, std::move(printed), session.published_seconds(result, family, Set::Subset),
                          gcups(result, session.cells(family, Set::Subset))});
  };
  for (const Row& row : rows) {
    const Variant variant = with_steps(row.steps);
    add(variant.name, row.seconds, session.variant(variant, family, Set::Subset));
  }
  const Cell none = Cell::absent("not in the publication");
  Variant wide = final_variant();
  wide.residues_a_read = 4;
  wide.name += ", 4 residues a read";
  add(wide.name, none, session.variant(wide, family, Set::Subset));
  add("tiled kernel", none, session.rival(Rival::Tiled, family, Set::Subset));
  add("engine", none, session.rival(Rival::Engine, family, Set::Subset));
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back(
      "Steps: 1 private scores, 2 unrolling by 8, 3 scheduling, 4 sorted coalesced sequences, 5 local emissions, "
      "6 local special transitions, 7 constant regular transitions.");
  table.notes.emplace_back(
      "The tiled kernel and the engine keep the residues on the device: no copies inside.");
  table.plot.series = {1, 2};
  table.plot.log_upright = true;
  return table;
}

Table emissions_step_table(Session& session) {
  struct Row {
    std::vector<int> steps;
    double registers, local, occupancy, seconds;
  };
  const Row rows[] = {{{}, 37, 0, 50, 221.92},
                      {{5}, 37, 47520, 17, 217.00},
                      {{1, 2, 3, 4}, 62, 0, 33, 5.20},
                      {{1, 2, 3, 4, 5}, 63, 47520, 17, 6.25}};
  const std::size_t family = family_like(session, kExampleFamily);
  Table table{.id = "10.3",
              .title = "emissions in local memory and occupancy, " + name_of(session, family),
              .columns = {{"steps"},
                          {"registers", "", Origin::Published},
                          {"local memory", "bytes", Origin::Published},
                          {"occupancy", "%", Origin::Published},
                          {"time", "s", Origin::Published},
                          {"registers", "", Origin::Measured},
                          {"local memory", "bytes", Origin::Measured},
                          {"occupancy", "%", Origin::Derived},
                          {"time", "s", Origin::Measured}}};
  for (const Row& row : rows) {
    const Variant variant = with_steps(row.steps);
    const Result& result = session.variant(variant, family, Set::Subset);
    table.rows.push_back({variant.name, row.registers, row.local, row.occupancy, row.seconds,
                          registers_cell(session, variant, family), local_cell(result),
                          session.occupancy_percent(variant, family),
                          subset_seconds(session, variant, family)});
  }
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back("Local memory is printed in KB but is bytes.");
  table.plot.series = {4, 8};
  return table;
}

Table groups_table(Session& session) {
  constexpr int kRegisters = 63;  // of the publication's final kernel
  const std::size_t family = family_like(session, "GP120");
  Table table{.id = "groups",
              .title = "final kernel by work-items of a group, " + name_of(session, family) +
                       ", subset (figure 10.1)",
              .columns = {{"group"},
                          {"occupancy", "%", Origin::Published},
                          {"time", "s", Origin::Measured},
                          {"occupancy", "%", Origin::Derived}}};
  for (std::size_t group = 32; group <= 512; group += 32) {
    table.rows.push_back({static_cast<double>(group),
                          100 * occupancy(kFermi, kRegisters, (group + 31) / 32 * 32, group),
                          subset_seconds(session, final_variant(), family, group),
                          session.occupancy_percent(final_variant(), family, group)});
  }
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back(
      "The figure's values cannot be read; its text: 256 is the quickest (7.90 s), with 33 %. Published "
      "occupancies are recomputed for the GTX 460 from 63 registers.");
  table.plot = {PlotStyle::Kind::Lines, 0, {2}};
  return table;
}

Table grain_table(Session& session) {
  std::vector<std::size_t> families{family_named("zf-C2H2"), family_named("Response_reg")};
  if (session.request().full) {
    families.clear();
    for (std::size_t f = 0; f < session.families().size(); ++f) families.push_back(f);
  }
  const Variant padded = single_variant(Single::ScPad);
  Table table{.id = "grain",
              .title = "what a launch computes, subset (section 10.4)",
              .columns = {{"a launch computes"},
                          {"speed-up over HMMER 2", "", Origin::Published},
                          {"speed", "GCUPS", Origin::Measured},
                          {"speed against coarse", "", Origin::Derived}}};
  double coarse = 0;
  const auto add = [&](Variant variant, const std::string& name, const Cell& printed) {
    variant.name = name;
    double seconds = 0, cells = 0;
    std::string reason = "none of these families has a model";
    for (const std::size_t family : families) {
      const Result& result = session.variant(variant, family, Set::Subset);
      if (!result.measured()) {
        reason = result.absent;
        continue;
      }
      seconds += result.total.median;
      cells += session.cells(family, Set::Subset);
    }
    const double speed = seconds > 0 ? cells / seconds * 1e-9 : 0;
    if (table.rows.empty()) coarse = speed;
    table.rows.push_back({name, printed, seconds > 0 ? Cell(speed) : Cell::absent(reason),
                          ratio(speed, coarse, seconds > 0 && coarse > 0)});
  };
  Variant best = final_variant();
  best.cells = CellPlace::Padded;  // private cells do not outlive a launch
  const Cell none = Cell::absent("the publication has no figure");
  add(best, "whole sequences", 52.77);
  best.grain = Grain::Medium;
  add(best, "1 row, counted by the host", 18.11);
  best.progress = Progress::Item;
  add(best, "1 row, counted by work-items", none);
  best.progress = Progress::Group;
  add(best, "1 row, counted by groups", none);
  best.progress = Progress::Host;
  for (const int rows : {4, 16, 64}) {
    best.rows_a_launch = rows;
    add(best, std::to_string(rows) + " rows", none);
  }
  best.rows_a_launch = 1 << 30;
  add(best, "all rows", none);
  best.grain = Grain::Fine;
  best.specials = SpecialPlace::Global;
  add(best, "a cell", 14.03);
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back(
      "Over " + std::to_string(families.size()) +
      " families (without --full: zf-C2H2 and Response_reg). The final kernel with padded "
      "scores in global memory: private ones do not outlive a launch. Times are not "
      "multiplied.");
  table.plot.series = {2};
  table.plot.log_upright = true;
  return table;
}

Table forms_table(Session& session) {
  const std::size_t family = family_like(session, kExampleFamily);
  Table table{.id = "forms",
              .title = "forms that the publication leaves open, " + name_of(session, family) + ", subset",
              .columns = {{"kernel"},
                          {"basic with it", "s", Origin::Measured},
                          {"sc-pad with it", "s", Origin::Measured},
                          {"final with it", "s", Origin::Measured}}};
  const auto add = [&](const std::string& name, const std::function<void(Variant&)>& change) {
    std::vector<Cell> row{name};
    for (Variant variant : {Variant(), single_variant(Single::ScPad), final_variant()}) {
      change(variant);
      if (name != "as it is") variant.name += ", " + name;
      row.push_back(subset_seconds(session, variant, family));
    }
    table.rows.push_back(std::move(row));
  };
  add("as it is", [](Variant&) {});
  add("maxima by max()", [](Variant& v) { v.max_form = true; });
  add("sorted, not coalesced", [](Variant& v) {
    v.sorted = true;
    v.coalesced = false;
  });
  for (const int residues : {4, 16})
    add(std::to_string(residues) + " residues a read", [=](Variant& v) { v.residues_a_read = residues; });
  add("transposed emissions", [](Variant& v) { v.emissions = EmissionPlace::Transposed; });
  add("unrolled by 16", [](Variant& v) { v.unroll = 16; });
  add("unrolled by 16, scheduled", [](Variant& v) {
    v.unroll = 16;
    v.schedule = Schedule::Interleaved;
  });
  add("u8+sch as printed (wrong scores)", [](Variant& v) {
    v.unroll = 8;
    v.schedule = Schedule::Printed;
  });
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back(
      "The printed schedule (algorithms 8.4 and 8.5) reads cells of the row before they are written: its scores "
      "are wrong and not compared. All others are compared.");
  table.plot.log_upright = true;
  return table;
}

}  // namespace gpuhmm::experiment::ladder
