// Tables of sequences and of memory: 3.4 to 3.7, 7.1, 7.3, 10.5.
#include <algorithm>

#include "experiment/ladder/tables.hpp"

namespace gpuhmm::experiment::ladder {

namespace {

constexpr double kKilo = 1024;

// Least, mean and most of the lengths.
std::vector<Cell> lengths_of(const SequenceBatch& batch) {
  std::size_t least = batch.length(0), most = least;
  for (std::size_t i = 1; i < batch.size(); ++i) {
    least = std::min(least, batch.length(i));
    most = std::max(most, batch.length(i));
  }
  return {static_cast<double>(batch.size()), static_cast<double>(least),
          static_cast<double>(batch.residue_count()) / static_cast<double>(batch.size()),
          static_cast<double>(most)};
}

struct Structure {
  const char* table;
  const char* name;
  const char* bytes;
  double mean, most;                        // as printed, KB
  double recomputed_mean, recomputed_most;  // bytes
};

std::vector<Structure> structures() {
  constexpr double kNodes = 173, kMostNodes = 488, kLength = 354, kLongest = 32'513;
  constexpr double kResidues = kBaseResidues, kCount = kBaseSequences;
  constexpr double kTables = 36 + 2 * 80;  // bytes of a node's transitions and emissions
  const auto one = [](double nodes, double length) {
    return length + 32 + kTables * nodes + 12 * length * nodes + 20 * length;
  };
  const auto two_rows = [](double nodes) { return 354 + 32 + kTables * nodes + 24 * nodes + 40; };
  const auto all = [](double nodes, double residues, double cells, double special) {
    return residues + 32 + kTables * nodes + cells * nodes + special;
  };
  return {
      {"3.4", "sequence", "length", 0.35, 31.75, kLength, kLongest},
      {"3.4", "regular transitions", "36 Q", 6.08, 17.16, 36 * kNodes, 36 * kMostNodes},
      {"3.4", "special transitions", "32", 0.03, 0.03, 32, 32},
      {"3.4", "eM, eI, each", "80 Q", 13.52, 38.13, 80 * kNodes, 80 * kMostNodes},
      {"3.4", "M, I, D", "12 length Q", 717.68, 185933.72, 12 * kLength * kNodes, 12 * kLongest * kMostNodes},
      {"3.4", "N, E, J, B, C", "20 length", 6.91, 635.02, 20 * kLength, 20 * kLongest},
      {"3.4", "total", "", 758.08, 186693.93, one(kNodes, kLength), one(kMostNodes, kLongest)},
      {"3.5", "M, I, D, two rows", "24 Q", 4.05, 11.44, 24 * kNodes, 24 * kMostNodes},
      {"3.5", "N, E, J, B, C, two rows", "40", 0.04, 0.04, 40, 40},
      {"3.5", "total", "", 37.58, 105.26, two_rows(kNodes), two_rows(kMostNodes)},
      {"3.6", "sequence, longest", "length", 31.75, 31.75, kLongest, kLongest},
      {"3.6", "M, I, D", "12 length Q", 65915.03, 185933.72, 12 * kLongest * kNodes,
       12 * kLongest * kMostNodes},
      {"3.6", "N, E, J, B, C", "20 length", 635.02, 635.02, 20 * kLongest, 20 * kLongest},
      {"3.6", "total", "", 66614.94, 186693.93, one(kNodes, kLongest), one(kMostNodes, kLongest)},
      {"3.7", "sequences, all", "residues", 185440.97, 185440.97, kResidues, kResidues},
      {"3.7", "M, I, D", "12 residues Q", 384975475.45, 1085942381.63, 12 * kResidues * kNodes,
       12 * kResidues * kMostNodes},
      {"3.7", "N, E, J, B, C", "20 residues", 3708819.61, 3708819.61, 20 * kResidues, 20 * kResidues},
      {"3.7", "total", "", 388869769.19, 1089836735.65,
       all(kNodes, kResidues, 12 * kResidues, 20 * kResidues),
       all(kMostNodes, kResidues, 12 * kResidues, 20 * kResidues)},
      {"7.3", "sequences, all", "residues", 185400.98, 185400.98, kResidues, kResidues},
      {"7.3", "M, I, D, two rows", "24 N Q", 2150054.81, 6064894.50, 24 * kCount * kNodes,
       24 * kCount * kMostNodes},
      {"7.3", "N, E, J, B, C, two rows", "40 N", 20713.44, 20713.44, 40 * kCount, 40 * kCount},
      {"7.3", "total", "", 2356242.38, 6271142.36, all(kNodes, kResidues, 24 * kCount, 40 * kCount),
       all(kMostNodes, kResidues, 24 * kCount, 40 * kCount)}};
}

}  // namespace

Table data_table(Session& session) {
  Table table{.id = "7.1",
              .title = "the sequences",
              .columns = {{"set"},
                          {"sequences", "", Origin::Published},
                          {"least", "", Origin::Published},
                          {"mean", "", Origin::Published},
                          {"most", "", Origin::Published},
                          {"sequences", "", Origin::Measured},
                          {"least", "", Origin::Measured},
                          {"mean", "", Origin::Measured},
                          {"most", "", Origin::Measured}}};
  const auto add = [&](const std::string& name, std::vector<Cell> row, Set set) {
    row.insert(row.begin(), name);
    for (Cell& cell : lengths_of(session.sequences(set))) row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  };
  add("Swiss-Prot", {kBaseSequences, 2.0, 354.0, 32513.0}, Set::Base);
  add("subset", {kSubsetSequences, 550.0, 786.0, 1500.0}, Set::Subset);
  table.notes = {session.request().sequences
                     ? "Drawn from " + *session.request().sequences + "."
                     : "Random residues; lengths distributed like the publication's."};
  if (session.sizes().divisor > 1)
    table.notes.push_back("Lengths here are divided by " + std::to_string(session.sizes().divisor) +
                          "; with --full they are the publication's.");
  table.plot.series = {3, 7};
  return table;
}

Table memory_table(Session& /*session*/) {
  Table table{.id = "memory",
              .title = "memory of each structure for the mean and the largest model (tables 3.4 to 3.7, 7.3)",
              .columns = {{"table"},
                          {"structure"},
                          {"bytes"},
                          {"mean", "KB", Origin::Published},
                          {"most", "KB", Origin::Published},
                          {"mean, recomputed", "KB", Origin::Derived},
                          {"most, recomputed", "KB", Origin::Derived}}};
  for (const Structure& row : structures()) {
    table.rows.push_back({row.table, row.name, row.bytes, row.mean, row.most, row.recomputed_mean / kKilo,
                          row.recomputed_most / kKilo});
  }
  table.notes = {
      "Q 173 and 488 nodes, length 354 and 32,513, 189,891,553 residues of N = 530,264 sequences, 4-byte "
      "scores. 3.5 takes a sequence of 354 residues in both columns.",
      "The kernels here need 28 N bytes, not 40 N, for the special states: E is one number, N none."};
  table.plot.along = 1;
  table.plot.series = {3, 5};
  table.plot.log_upright = true;
  return table;
}

Table final_memory_table(Session& session) {
  const std::size_t family = family_like(session, "GP120");
  const Result& result = session.variant(final_variant(), family, Set::Subset);
  const double items = static_cast<double>(session.sequences(Set::Subset).size());
  const double residues = static_cast<double>(session.sequences(Set::Subset).residue_count());
  const double nodes = session.families()[family].model ? session.families()[family].model->nodes : 488;
  Table table{.id = "10.5",
              .title = std::string("memory of the final kernel, ") +
                       session.families()[family].published->name + ", 70,000 sequences",
              .columns = {{"memory"},
                          {"structure"},
                          {"size", "KB", Origin::Published},
                          {"size here", "KB", Origin::Measured},
                          {"for 70,000 sequences", "KB", Origin::Derived}}};
  const auto add = [&](const char* memory, const char* name, double printed, double bytes, double factor) {
    const auto cell = [&](double size) {
      return result.measured() ? Cell(size / kKilo) : Cell::absent(result.absent);
    };
    table.rows.push_back({memory, name, printed, cell(bytes), cell(bytes * factor)});
  };
  const double by_item = kSubsetSequences / items, by_residue = kSubsetResidues / residues;
  const MemoryUse& use = result.memory;
  add("global", "residues", 53.05 * kKilo, static_cast<double>(use.residues), by_residue);
  add("global", "special transitions", 0.03, static_cast<double>(use.specials), 1);
  add("global", "emissions", 76.40, static_cast<double>(use.emissions), 1);
  add("global", "scores of sequences", 273.49, static_cast<double>(use.scores), by_item);
  add("constant", "regular transitions", 17.19, static_cast<double>(use.regular), 1);
  add("local", "special transitions", 0.25, static_cast<double>(result.resources.local_bytes), 1);
  add("private", "M, I, D", 783.81 * kKilo, items * 24 * (nodes + 1), by_item);
  add("private", "B, C, J", 1.86 * kKilo, items * 28, by_item);
  table.notes = {"Printed totals: global 53.39 MB, private 785.67 MB, both 839.06 MB, 82 % of the card.",
                 "Private memory here: what the kernel uses; it is compiled for " +
                     std::to_string(private_nodes(static_cast<int>(nodes))) +
                     " nodes, and a device holds it only for the work-items that run at a time."};
  table.plot.along = 1;
  table.plot.series = {2, 4};
  table.plot.log_upright = true;
  return table;
}

}  // namespace gpuhmm::experiment::ladder
