// Tables with a row for each family: 7.2, 7.5, 8.1, 8.2, 8.4 to 8.7, 9.1 to 9.5, today's kernels.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "experiment/ladder/tables.hpp"
#include "util/format.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

// The mean of the numbers of a column; absent if there is none.
Cell mean_of(const Table& table, std::size_t column) {
  double sum = 0;
  std::size_t count = 0;
  std::string reason = "no figures";
  for (const std::vector<Cell>& row : table.rows) {
    if (row[column].number()) {
      sum += *row[column].number();
      ++count;
    } else {
      reason = row[column].text();
    }
  }
  return count > 0 ? Cell(sum / static_cast<double>(count)) : Cell::absent(reason);
}

FamilyColumn nodes_column(const Session& session) {
  return {{"nodes", "", Origin::Setting}, [&session](std::size_t family) -> Cell {
            const Family& of = session.families()[family];
            if (!of.model) return Cell::absent("the file of profiles has none of this name");
            return static_cast<double>(of.model->nodes);
          }};
}

FamilyColumn variant_column(Session& session, const Variant& variant, Set set, const std::string& name) {
  return {{name, "s", Origin::Measured}, [&session, variant, set](std::size_t family) {
            return session.published_seconds(session.variant(variant, family, set), family, set);
          }};
}

}  // namespace

Cell published(double number) {
  return std::isnan(number) ? Cell::absent("the publication has no figure") : Cell(number);
}

FamilyColumn published_column(const std::string& name, const std::string& unit,
                              const std::function<double(const PublishedFamily&)>& figure) {
  return {{name, unit, Origin::Published},
          [figure](std::size_t family) { return published(figure(published_families()[family])); },
          published(figure(published_means()))};
}

std::size_t family_named(const std::string& name) {
  const auto families = published_families();
  const auto found =
      std::ranges::find_if(families, [&](const PublishedFamily& family) { return family.name == name; });
  if (found == families.end()) throw std::invalid_argument("there is no family " + name);
  return static_cast<std::size_t>(found - families.begin());
}

std::size_t family_like(const Session& session, const std::string& name) {
  const std::size_t wanted = family_named(name);
  std::size_t best = wanted;
  double least = std::numeric_limits<double>::max();
  for (std::size_t family = 0; family < session.families().size(); ++family) {
    const Family& of = session.families()[family];
    if (!of.model) continue;
    const double away =
        family == wanted ? -1 : std::fabs(of.model->nodes - published_families()[wanted].nodes);
    if (away < least) best = family;
    least = std::min(least, away);
  }
  return best;
}

Table family_table(const std::string& id, const std::string& title, const Session& session,
                   const std::vector<FamilyColumn>& columns) {
  Table table{.id = id, .title = title, .columns = {{"family"}}};
  for (const FamilyColumn& column : columns) table.columns.push_back(column.column);
  for (std::size_t family = 0; family < session.families().size(); ++family) {
    std::vector<Cell> row{session.families()[family].published->name};
    for (const FamilyColumn& column : columns) row.push_back(column.cell(family));
    table.rows.push_back(std::move(row));
  }
  std::vector<Cell> means{"mean"};
  for (std::size_t i = 0; i < columns.size(); ++i)
    means.push_back(columns[i].mean ? *columns[i].mean : mean_of(table, i + 1));
  table.rows.push_back(std::move(means));
  return table;
}

std::vector<std::string> timing_notes(Session& session, Set set) {
  const SequenceBatch& batch = session.sequences(set);
  return {format("Measured here: %zu sequences, %zu residues; seconds are multiplied by %.5g (and by the "
                 "ratio of nodes)",
                 batch.size(), batch.residue_count(),
                 published_residues(set) / static_cast<double>(batch.residue_count())) +
              " to those of the publication's number of cells.",
          "Inside: wall time of the copies of residues and scores and of the kernel. Not inside: parameters, "
          "building, sorting, packing. Groups of " +
              std::to_string(session.sizes().group) + " work-items (publication: 256)."};
}

Sum sum_over_families(Session& session, Set set, const std::function<const Result&(std::size_t)>& result) {
  Sum sum;
  for (std::size_t family = 0; family < session.families().size(); ++family) {
    const Result& of = result(family);
    if (!of.measured()) continue;
    sum.seconds += of.total.median;
    sum.published_cells_seconds += of.total.median * session.to_published(family, set);
    sum.cells += session.cells(family, set);
    ++sum.families;
  }
  return sum;
}

Table models_table(Session& session) {
  Table table = family_table(
      "7.2", "the twenty families, and hits of HMMER 2 (table 7.4)", session,
      {{{"accession"}, [](std::size_t f) { return Cell(published_families()[f].accession); }, Cell("")},
       published_column("nodes", "", [](const PublishedFamily& f) { return f.nodes; }),
       nodes_column(session),
       published_column("hits", "", [](const PublishedFamily& f) { return f.hits; }),
       published_column("of the base", "%", [](const PublishedFamily& f) { return f.hits_percent; })});
  table.columns[3].origin = Origin::Measured;
  table.notes = {"RVP is printed with 0.40 %; 199 of 530,264 are 0.04 %."};
  return table;
}

Table basic_table(Session& session) {
  Table table = family_table(
      "7.5", "basic kernel and HMMER 2, subset", session,
      {nodes_column(session),
       published_column("basic, printed", "s", [](const PublishedFamily& f) { return f.basic_as_printed; }),
       published_column("HMMER 2, printed", "s",
                        [](const PublishedFamily& f) { return f.hmmer2_as_printed; }),
       published_column("basic", "s", [](const PublishedFamily& f) { return f.of(Single::Basic); }),
       published_column("HMMER 2", "s", [](const PublishedFamily& f) { return f.hmmer2; }),
       variant_column(session, single_variant(Single::Basic), Set::Subset, "basic"),
       {{"HMMER 2", "s", Origin::Measured}, [&session](std::size_t f) {
          return session.published_seconds(session.hmmer2(f, Set::Subset), f, Set::Subset);
        }}});
  table.notes = timing_notes(session, Set::Subset);
  table.notes.emplace_back(
      "Printed rows stand beside the wrong families; the columns basic and HMMER 2 are put in order.");
  table.notes.emplace_back(
      "HMMER 2 here: the whole process hmm2search --cpu 1; in the publication its Viterbi part.");
  return table;
}

Table singles_table(Session& session, const std::string& id, const std::string& title,
                    const std::vector<Single>& variants) {
  std::vector<FamilyColumn> columns{nodes_column(session)};
  for (const Single single : variants) {
    const Variant variant = single_variant(single);
    columns.push_back(
        published_column(variant.name, "s", [single](const PublishedFamily& f) { return f.of(single); }));
    columns.push_back(variant_column(session, variant, Set::Subset, variant.name));
  }
  Table table = family_table(id, title, session, columns);
  table.notes = timing_notes(session, Set::Subset);
  return table;
}

Table shares_table(Session& session) {
  const auto share = [&session](const std::function<double(const Result&)>& part) {
    return [&session, part](std::size_t family) {
      const Result& result = session.variant({}, family, Set::Subset);
      if (!result.measured()) return Cell::absent(result.absent);
      const double all =
          result.kernel.median + result.send.median + result.receive.median + result.parameters;
      return Cell(100 * part(result) / all);
    };
  };
  const auto printed = [](std::size_t place) {
    return [place](const PublishedFamily& f) { return f.shares_and_sets[place]; };
  };
  Table table = family_table(
      "8.5", "shares of the basic kernel's time", session,
      {published_column("kernel", "%", printed(0)),
       published_column("copy of sequences", "%", printed(1)),
       published_column("other copies", "%", printed(2)),
       {{"kernel", "%", Origin::Measured}, share([](const Result& r) { return r.kernel.median; })},
       {{"copy of sequences", "%", Origin::Measured}, share([](const Result& r) { return r.send.median; })},
       {{"other copies", "%", Origin::Measured},
        share([](const Result& r) { return r.receive.median + r.parameters; })}});
  table.notes = {"Times of commands by the device's clock. Other copies: parameters and scores."};
  return table;
}

Table sets_table(Session& session, const std::string& id) {
  const bool lengths = id == "8.7";
  const Set first = lengths ? Set::Rising : Set::Equal, second = lengths ? Set::Shuffled : Set::Different;
  const std::size_t place = lengths ? 5 : 3;
  const auto printed = [place](std::size_t set) {
    return [place, set](const PublishedFamily& f) { return f.shares_and_sets[place + set]; };
  };
  const std::string one = lengths ? "set 3" : "set 1", two = lengths ? "set 4" : "set 2";
  const Variant padded = single_variant(Single::ScPad);
  std::vector<FamilyColumn> columns{
      published_column(one, "s", printed(0)), published_column(two, "s", printed(1)),
      variant_column(session, {}, first, one), variant_column(session, {}, second, two)};
  if (lengths) {
    columns.push_back(variant_column(session, padded, first, "set 3, sc-pad"));
    columns.push_back(variant_column(session, padded, second, "set 4, sc-pad"));
  }
  Table table =
      family_table(id,
                   lengths ? "lengths rising in groups of 32 (set 3) and shuffled (set 4), basic kernel"
                           : "32 equal residues (set 1) and different ones (set 2), basic kernel",
                   session, columns);
  table.notes = timing_notes(session, first);
  table.notes.emplace_back(
      lengths ? "Figure 8.6, divergent branches of BPD_transp_1 by the profiler: 0 and 1,376."
              : "Figure 8.5, divergent branches of Helicase_C by the profiler: 0 and 0.");
  table.notes.emplace_back("Branches are not counted here: OpenCL has no profiler.");
  return table;
}

Table rivals_table(Session& session) {
  const auto speed = [&session](const auto& result) {
    return [&session, result](std::size_t family) {
      return gcups(result(family), session.cells(family, Set::Subset));
    };
  };
  const auto rival = [&](const std::string& name, Rival which) {
    return FamilyColumn{{name, "GCUPS", Origin::Measured},
                        speed([&session, which](std::size_t f) -> const Result& {
                          return session.rival(which, f, Set::Subset);
                        })};
  };
  Table table = family_table(
      "families", "HMMER 2, the kernel of 2012 and today's, subset", session,
      {nodes_column(session),
       {{"HMMER 2", "GCUPS", Origin::Measured},
        speed([&session](std::size_t f) -> const Result& { return session.hmmer2(f, Set::Subset); })},
       rival("plain", Rival::Plain),
       rival("host vectors", Rival::Vectors),
       {{"final of 2012", "GCUPS", Origin::Measured}, speed([&session](std::size_t f) -> const Result& {
          return session.variant(final_variant(), f, Set::Subset);
        })},
       rival("tiled", Rival::Tiled),
       rival("engine", Rival::Engine)});
  table.notes = {
      "GCUPS: nodes x residues a second / 10^9.",
      "HMMER 2: the whole process hmm2search --cpu 1. Plain: the reference, one thread. Host vectors: " +
          std::to_string(session.request().threads) + " threads.",
      "Tiled: cl/viterbi.cl, rows of a tile in registers, any device. Engine: what searches use on this device "
      "(exact scores; tiled kernels on a GPU, striped ones on a CPU).",
      "The final kernel's times have the copies of residues and scores inside; rivals find residues on the "
      "device."};
  return table;
}

}  // namespace gpuhmm::experiment::ladder
