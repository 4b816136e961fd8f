// Tables of the final kernel beside HMMER 2 and today's kernels: 10.4, 10.6, distributions of lengths; and of
// implementations in the literature: 4.1, 4.2.
#include <algorithm>
#include <cmath>

#include "experiment/ladder/tables.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

// How many times as fast as the first the second is.
Cell speed_up(const Result& slow, const Result& quick) {
  if (!slow.measured()) return Cell::absent(slow.absent);
  if (!quick.measured()) return Cell::absent(quick.absent);
  return slow.total.median / quick.total.median;
}

FamilyColumn printed_column(const std::string& name, const std::string& unit, std::size_t place) {
  return published_column(name, unit, [place](const PublishedFamily& f) { return f.final_kernel[place]; });
}

// Seconds of the final kernel, of HMMER 2, and the speed-up.
void add_measured(Session& session, Set set, const std::string& what, std::vector<FamilyColumn>& columns) {
  columns.push_back({{what + ", final", "s", Origin::Measured}, [&session, set](std::size_t f) {
                       return session.published_seconds(session.variant(final_variant(), f, set), f, set);
                     }});
  columns.push_back({{what + ", HMMER 2", "s", Origin::Measured}, [&session, set](std::size_t f) {
                       return session.published_seconds(session.hmmer2(f, set), f, set);
                     }});
  columns.push_back({{"speed-up", "", Origin::Derived}, [&session, set](std::size_t f) {
                       return speed_up(session.hmmer2(f, set), session.variant(final_variant(), f, set));
                     }});
}

// Cells per second of the final kernel over the base, with Q or 3Q+5 cells per residue.
FamilyColumn speed_column(Session& session, bool three) {
  return {{three ? "final, 3Q+5" : "final, Q", "GCUPS", Origin::Derived}, [&session, three](std::size_t f) {
            const double cells = session.cells(f, Set::Base);
            const double residues = static_cast<double>(session.sequences(Set::Base).residue_count());
            return gcups(session.variant(final_variant(), f, Set::Base),
                         three ? 3 * cells + 5 * residues : cells);
          }};
}

}  // namespace

Table final_table(Session& session) {
  std::vector<FamilyColumn> columns{
      printed_column("70k, final", "s", 0),    printed_column("70k, HMMER 2", "s", 1),
      printed_column("speed-up", "", 2),       printed_column("base, final", "s", 3),
      printed_column("base, HMMER 2", "s", 4), printed_column("speed-up", "", 5),
      printed_column("final", "GCUPS", 6),     printed_column("HMMER 2", "GCUPS", 7)};
  add_measured(session, Set::Subset, "70k", columns);
  add_measured(session, Set::Base, "base", columns);
  columns.push_back(speed_column(session, true));
  columns.push_back(speed_column(session, false));
  Table table =
      family_table("10.4", "the final kernel and HMMER 2, subset and whole Swiss-Prot", session, columns);
  table.notes = timing_notes(session, Set::Subset);
  const SequenceBatch& base = session.sequences(Set::Base);
  table.notes.push_back("Base here: " + std::to_string(base.size()) + " sequences, " +
                        std::to_string(base.residue_count()) + " residues, in batches of " +
                        std::to_string(session.sizes().subset) +
                        ", longest first; times of batches added up.");
  table.notes.emplace_back(
      "HMMER 2 here: the whole process hmm2search --cpu 1 over a sample of the sequences. Printed GCUPS count "
      "3Q+5 cells a residue, over the base.");
  table.notes.emplace_back(
      "Printed least and most: 0.42 and 7.90 s, 19.57 and 389.84, 46.47 and 115.64; 1.68 and 31.41 s, 67.78 and "
      "1691.02, 40.35 and 102.83. HMMER 2's times of Helicase_C (70k), Pkinase and Response_reg (base) are "
      "outliers; without them the mean speed-ups are 49.6 and 42.9.");
  table.plot.series = {1, 9};
  table.plot.log_upright = true;
  return table;
}

Table distributions_table(Session& session) {
  const std::string name = session.request().full ? "Oxidored_q1" : "WD40";
  const std::size_t family = family_like(session, name);
  Variant unsorted = with_steps({1, 2, 3, 6, 7}), sorted = unsorted;
  sorted.sorted = true;
  sorted.name += ", sorted";
  const std::vector<Variant> variants{
      {}, single_variant(Single::SeqCoal), single_variant(Single::ScPad), unsorted, sorted, final_variant()};
  Table table{
      .id = "lengths",
      .title = "speed by the distribution of lengths, " +
               std::string(session.families()[family].published->name) + " (future work of section 11.2)",
      .columns = {{"sequences"}, {"number", "", Origin::Setting}, {"mean length", "", Origin::Setting}}};
  for (const Variant& variant : variants) table.columns.push_back({variant.name, "GCUPS", Origin::Measured});
  table.columns.push_back({"tiled", "GCUPS", Origin::Measured});
  table.columns.push_back({"engine", "GCUPS", Origin::Measured});
  struct Row {
    const char* name;
    Set set;
  };
  for (const Row& row : {Row{"short, 10 to 100", Set::Short}, Row{"mixed, Swiss-Prot's", Set::Mixed},
                         Row{"long, 2,000 to 8,000", Set::Long}}) {
    const SequenceBatch& batch = session.sequences(row.set);
    std::vector<Cell> cells{
        row.name, static_cast<double>(batch.size()),
        std::round(static_cast<double>(batch.residue_count()) / static_cast<double>(batch.size()))};
    for (const Variant& variant : variants)
      cells.push_back(gcups(session.variant(variant, family, row.set), session.cells(family, row.set)));
    for (const Rival rival : {Rival::Tiled, Rival::Engine})
      cells.push_back(gcups(session.rival(rival, family, row.set), session.cells(family, row.set)));
    table.rows.push_back(std::move(cells));
  }
  table.notes = {
      "GCUPS: nodes x residues a second / 10^9, of random sequences. Copies of residues and scores are inside, "
      "except for the tiled kernel and the engine."};
  return table;
}

Table implementations_table(Session& session) {
  Table table{.id = "10.6",
              .title = "speed-ups of implementations on GPUs (also table 4.1)",
              .columns = {{"work"}, {"model"}, {"GPU"}, {"against"}, {"speed-up"}},
              .rows = {{"ClawHMMer", "M, I, D", "ATI R520", "Pentium 4 2.8 GHz", "36 (most)"},
                       {"GPU-HMMER (Walters)", "Plan7", "GTX 8800 Ultra", "Athlon 275 2.2 GHz", "12 to 38.6"},
                       {"Stivala, with GPU-HMMER", "Plan7", "GTX 280", "Q8200 2.33 GHz", "12 (mean)"},
                       {"CuHMMer", "Plan7", "GTX 8800 and Core2 E7200", "Athlon64 X2 3800+", "13 to 45"},
                       {"Du et al.", "M, I, D", "9800 GTX", "dual core 2.83 GHz", "1.97 to 72.21"},
                       {"Ganesan et al.", "Plan7", "4 x Tesla C1060", "Opteron 2.33 GHz", "100"},
                       {"Aquino", "Plan7", "GTX 460", "Athlon II X3", "40.35 / 48.82 / 102.83"}}};
  for (Column& column : table.columns) column.origin = Origin::Published;
  table.columns.push_back({"final kernel here, mean", "", Origin::Measured});
  for (std::vector<Cell>& row : table.rows) row.emplace_back("");
  double sum = 0, count = 0;
  std::string reason;
  for (std::size_t family = 0; family < session.families().size(); ++family) {
    const Cell cell =
        speed_up(session.hmmer2(family, Set::Base), session.variant(final_variant(), family, Set::Base));
    if (cell.number()) {
      sum += *cell.number();
      ++count;
    } else {
      reason = cell.text();
    }
  }
  table.rows.back().back() = count > 0 ? Cell(sum / count) : Cell::absent(reason);
  table.notes = {
      "Aquino: least, mean and most over whole Swiss-Prot. Here: mean over the families, against "
      "hmm2search --cpu 1."};
  return table;
}

Table circuits_table(Session& /*session*/) {
  Table table{
      .id = "4.2",
      .title = "implementations on FPGAs (tables 4.2 and 4.3)",
      .columns = {{"work"},
                  {"model"},
                  {"device"},
                  {"GCUPS"},
                  {"most speed-up"},
                  {"elements"},
                  {"MHz"},
                  {"longest model"},
                  {"longest sequence"}},
      .rows = {{"Benkrid", "Plan7 without J", "Virtex-II Pro 2VP100", "5.2", "247", "90", "100", "90",
                "367 (mean)"},
               {"Jacob", "M, I, D", "Virtex-II 6000", "10.6", "190", "68", "180", "544", "1024"},
               {"Maddimsetty", "M, I, D, doubled", "not synthesised", "-", "100 (estimate)", "50",
                "200 (estimate)", "215 (mean)", "-"},
               {"Sun", "Plan7 without J", "Virtex-5 110T", "3.2", "90 (mean 56.8)", "25", "130", "-", "-"},
               {"Derrien", "Plan7", "Spartan-3 4000", "0.033", "1.4", "1", "33", "400", "-"}}};
  for (Column& column : table.columns) column.origin = Origin::Published;
  table.notes = {
      "Against Pentium 4, Sun against Core2 Duo. HMMER 2 in the literature: 21 to 55 MCUPS on a Pentium 4 "
      "2.8 GHz. From the literature; nothing is measured here."};
  return table;
}

}  // namespace gpuhmm::experiment::ladder
