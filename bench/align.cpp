// Measures exact alignment on one thread: all sequences that a search with each profile would align, by the
// plain full matrix and by align_batch, and the post-processing without and with the rows of the alignments.
// Times are processor time, best of n runs; GCUPS are residues x nodes / time / 1e9.
#include <algorithm>
#include <boost/program_options.hpp>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <limits>

#include "align/batch_aligner.hpp"
#include "common/best_seconds.hpp"
#include "filter/sequence_set.hpp"
#include "gpuhmm/engine.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/sequence_file.hpp"
#include "plan7/arithmetic.hpp"
#include "plan7/postprocess.hpp"
#include "plan7/score_model.hpp"
#include "search/thresholds.hpp"
#include "simd/instruction_set.hpp"

namespace {

using namespace gpuhmm;
using bench::best_seconds;

// The sequences that pass the provisional filter of a search.
std::vector<std::size_t> candidates_of(const Profile& profile, const ScoreModel& model,
                                       const SequenceBatch& batch, const std::vector<std::int32_t>& scores) {
  ProvisionalFilter filter(Thresholds{}, profile.evd);
  std::vector<std::size_t> candidates;
  std::int64_t ordinal = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const MatrixRule rule(model.nodes);
    if (batch.length(i) == 0 || !filter.passes(bits_of(scores[i]), ++ordinal)) continue;
    if (rule.full_allowed(static_cast<std::int64_t>(batch.length(i)))) candidates.push_back(i);
  }
  return candidates;
}

void measure(ScoreEngine& engine, PreparedBatch& prepared, const Profile& profile, const SequenceBatch& batch,
             int runs) {
  const ScoreModel model(profile);
  std::vector<std::int32_t> scores(batch.size());
  engine.score(model, prepared, std::nullopt, scores);
  const std::vector<std::size_t> candidates = candidates_of(profile, model, batch, scores);
  std::vector<AlignmentTask> tasks;
  double cells = 0;
  for (const std::size_t i : candidates) {
    tasks.push_back({batch.residues(i), MatrixRule(model.nodes)});
    cells += static_cast<double>(batch.length(i)) * model.nodes;
  }
  std::vector<AlignedSequence> by_matrix(tasks.size()), by_batch(tasks.size());
  const double matrix_time = best_seconds(runs, [&] {
    ViterbiMatrix matrix;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      MatrixRule rule = tasks[t].rule;
      by_matrix[t] = align(model, profile, tasks[t].residues, rule, matrix);
    }
  });
  const double batch_time = best_seconds(runs, [&] {
    align_batch(profile, model, tasks, 1,
                [&](std::size_t t, AlignedSequence&& aligned) { by_batch[t] = std::move(aligned); });
  });
  const double score_time = best_seconds(runs, [&] {
    std::vector<AlignmentTask> untraced = tasks;
    for (AlignmentTask& task : untraced) task.lowest_traced = std::numeric_limits<std::int32_t>::max();
    align_batch(profile, model, untraced, 1, [](std::size_t, AlignedSequence&&) {});
  });
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (by_matrix[t].score != by_batch[t].score || by_matrix[t].trace != by_batch[t].trace) {
      throw std::runtime_error("alignments differ: " + std::string(batch[candidates[t]].name));
    }
  }
  const Consensus consensus(profile);
  const auto postprocessing = [&](const Consensus* rows) {
    return best_seconds(runs, [&] {
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        postprocess(profile, model, batch[candidates[t]], by_batch[t].trace ? &*by_batch[t].trace : nullptr,
                    bits_of(by_batch[t].score), Thresholds{}, Target::Sequence, rows);
      }
    });
  };
  const double post_time = postprocessing(nullptr);
  const double rows_time = postprocessing(&consensus);
  const double hits = std::max(1.0, static_cast<double>(tasks.size()));
  std::cout << std::left << std::setw(18) << profile.name.substr(0, 17) << std::right << std::setw(6)
            << model.nodes << std::setw(7) << tasks.size() << std::fixed << std::setprecision(2)
            << std::setw(9) << cells / matrix_time / 1e9 << std::setw(9) << cells / batch_time / 1e9
            << std::setw(9) << matrix_time / batch_time << std::setprecision(1);
  for (const double seconds : {matrix_time, batch_time, score_time, post_time, rows_time}) {
    std::cout << std::setw(9) << 1e6 * seconds / hits;
  }
  std::cout << std::endl;
}

int run(int argc, char** argv) {
  namespace po = boost::program_options;
  std::vector<std::string> profile_files;
  std::string sequence_file;
  std::string target;
  int runs = 3;
  po::options_description options("Options");
  options.add_options()("help", "show this")("profiles", po::value(&profile_files)->multitoken()->required(),
                                             "profile files")(
      "sequences", po::value(&sequence_file)->required(), "sequence file")(
      "target", po::value(&target), "instruction set: SSE4, AVX2, AVX3, AVX3_512, NEON (default: the best)")(
      "runs", po::value(&runs), "number of runs; the best counts");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  if (values.count("help") != 0) {
    std::cout << options;
    return 0;
  }
  po::notify(values);
  simd::use_instruction_set(target);
  SequenceBatch batch;
  const auto reader = open_sequences(sequence_file, Alphabet::get(AlphabetKind::Amino));
  while (read_block(*reader, batch, 1000, 10'000'000)) {
  }
  const std::unique_ptr<ScoreEngine> engine = make_simd_engine(1);
  const std::unique_ptr<PreparedBatch> prepared = engine->prepare(batch);
  std::cout
      << "                                  GCUPS                           us/hit\n"
      << "profile            nodes   hits   matrix    batch    ratio   matrix    batch   scores     post"
         "    +rows\n";
  for (const std::string& file : profile_files) {
    for (const Profile& profile : read_profiles(file)) measure(*engine, *prepared, profile, batch, runs);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
