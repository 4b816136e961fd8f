// Re-basing adds constants (potentials) to the states of each node so that some steps of the Viterbi
// recurrence cost nothing and a cell needs fewer additions. All fast engines compute in re-based scores.
//
// The recurrence (docs/spec/viterbi-and-traceback.md, 4.1), with Q_k for the score that node k passes on to
// the next:
//   M_k = max(Q_k-1, B + bs_k) + em_k          of row i, from Q and B of row i - 1
//   I_k = max(M_k + mi_k, I_k + ii_k) + ei_k   of row i, from M and I of row i - 1
//   D_k = max(M_k-1 + md_k-1, D_k-1 + dd_k-1)
//   Q_k = max(M_k + mm_k, I_k + im_k, D_k + dm_k)
//   E   = max over k of M_k + es_k
// For any constants m, i, d and q of each node, the re-based scores
//   M~_k = M_k + m_k    I~_k = I_k + i_k    D~_k = D_k + d_k    Q~_k = Q_k + q_k
// obey the same recurrence with the same B and E, if each step's score changes by the potential of the state
// that it enters minus that of the state that it leaves:
//   em_k + m_k - q_k-1    mm_k - m_k + q_k    mi_k - m_k + i_k      bs_k + q_k-1
//   ei_k, ii_k            im_k - i_k + q_k    md_k - m_k + d_k+1    es_k - m_k
//                         dm_k - d_k + q_k    dd_k - d_k + d_k+1
//
// Proof, by induction over rows and nodes: insert these steps, and every candidate of a maximum equals the
// old one plus the potential of the cell on the left. So does the maximum, and candidates tie exactly where
// they tied before. B and E have no potential, so they and the whole score stay the same, whatever N, J and C
// do.
//
// All engines use m_k = q_k + mm_k and i_k = q_k + im_k, so that M->Q and I->Q cost nothing; FreeSteps
// selects what else is free. From the states of the last node paths continue only to E: its mm, im and dm
// count as 0. Q_0 is minus infinity; its potential divides the score of B->M_1 between the begin and the
// match emission.
//
// Range in 32 bits. Let P = kImpossible, all scores be raised to -P and none be above P / 4. If B is at least
// -3 P, then M is at least -5 P, I -7 P and D -6 P, and no intermediate sum is below -8 P. With `Ends` the
// potentials lie between -2.25 P and 1.5 P, with `OutOfDeletes` between -P and P / 4. So no re-based sum is
// below -10.25 P = -2.05e9, and none is above the gain of a path + 1.5 P. A path from "no path yet", at -4 P
// or lower, scores at most -1.75 P plus its gain, which is less than a path with a raised step can score.
//
// With `Begins` and `Deletes` potentials add up along the nodes, so `lowest` must be much higher there.
//
// With raised scores not every result is exact: raised_scores.hpp says which are. All others, and those with
// a higher `lowest`, are upper bounds.
#pragma once

#include <cstdint>
#include <vector>

#include "plan7/raised_scores.hpp"
#include "plan7/score_model.hpp"

namespace gpuhmm {

/// The steps that cost nothing, besides M->Q and I->Q.
enum class FreeSteps {
  OutOfDeletes,  ///< D->Q: q = 0
  Ends,          ///< D->Q and M->E, so that E is the largest M~: q = es - mm
  Begins,        ///< D->Q and B->Q, so that B is the same for all nodes: q_k = -bs_k+1
  Deletes        ///< M->D and D->D, so that D~ is the largest M~ of the nodes before, and E the largest D~
                 ///< where models end through deletes: d_k = dd_k + ... + dd_M-1, q_k = md_k + d_k+1 - mm_k
};

/// The potentials and re-based steps of a model, 1/1000 bit. Indexed by node 1..M, potentials of Q 0..M.
struct RebasedModel {
  /// Raises transitions to `lowest`, and begins and ends to -kImpossible. With FreeSteps::Begins, begins are
  /// raised to `lowest` and to the begin of the node before plus `lowest`.
  RebasedModel(const ScoreModel& model, FreeSteps free, std::int64_t lowest = -kImpossible);

  std::vector<std::int64_t> onward_potential;  ///< q
  std::vector<std::int64_t> match_potential, insert_potential, delete_potential;

  std::vector<std::int64_t> begin;        ///< B->Q_k-1, without N->B or J->B
  std::vector<std::int64_t> match_shift;  ///< to be added to the match emissions
  std::vector<std::int64_t> end;          ///< M~->E
  /// Steps to inserts, to the delete of the next node, and from D~ to Q~; `lowest` at the last node.
  std::vector<std::int64_t> mi, ii, md, dd, dm;
};

}  // namespace gpuhmm
