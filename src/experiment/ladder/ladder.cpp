// The list of the ladder's tables.
#include "experiment/ladder/ladder.hpp"

#include <memory>
#include <utility>

#include "experiment/ladder/tables.hpp"

namespace gpuhmm::experiment {

namespace {

using namespace ladder;

// The session that all tables of a run share.
class Sessions {
 public:
  Session& of(const Request& request) {
    if (!session_ || !session_->request().measures_as(request)) session_ = std::make_unique<Session>(request);
    return *session_;
  }

 private:
  std::unique_ptr<Session> session_;
};

}  // namespace

Experiment ladder_experiment() {
  Experiment all{"ladder",
                 "Optimisations of a Viterbi kernel for profiles, one at a time and together",
                 "S. B. F. Aquino: Estrat\u00e9gias de otimiza\u00e7\u00e3o em GPU para an\u00e1lise de "
                 "sequ\u00eancias biol\u00f3gicas (2012)",
                 {}};
  const auto sessions = std::make_shared<Sessions>();
  const auto add = [&](const std::string& id, const std::string& title, auto measure) {
    all.tables.push_back(
        {id, title, [sessions, measure](const Request& request) { return measure(sessions->of(request)); }});
  };
  const auto add_singles = [&](const std::string& id, const std::string& title,
                               const std::vector<Single>& variants) {
    add(id, title, [=](Session& session) { return singles_table(session, id, title, variants); });
  };
  const auto add_sets = [&](const std::string& id, const std::string& title) {
    add(id, title, [=](Session& session) { return sets_table(session, id); });
  };
  add("memory", "memory of each structure (tables 3.4 to 3.7 and 7.3)", memory_table);
  add("4.2", "implementations on FPGAs (tables 4.2 and 4.3)", circuits_table);
  add("7.1", "the sequences", data_table);
  add("7.2", "the families, hits of HMMER 2 (7.4)", models_table);
  add("7.5", "basic kernel and HMMER 2", basic_table);
  add_singles("8.1", "instruction scheduling", {Single::Basic, Single::Sch});
  add_singles("8.2", "unrolling the loop over nodes, with and without scheduling",
              {Single::Basic, Single::U2, Single::U4, Single::U8, Single::Sch, Single::U2Sch, Single::U4Sch,
               Single::U8Sch});
  add("8.3", "registers and occupancy", registers_table);
  add_singles("8.4", "copies beside the kernel", {Single::Basic, Single::Overlap});
  add("8.5", "shares of kernel and copies", shares_table);
  add_sets("8.6", "divergence inside sequences");
  add_sets("8.7", "divergence between sequences");
  add_singles("9.1", "coalesced sequences", {Single::Basic, Single::SeqCoal});
  add_singles("9.2", "places of scores", {Single::Basic, Single::ScGlob, Single::ScPad, Single::ScPriv});
  add_singles("9.3", "places of regular transitions", {Single::Basic, Single::PtrConst, Single::PtrLoc});
  add_singles("9.4", "places of special transitions", {Single::Basic, Single::PtsLoc, Single::PtsGlob});
  add_singles("9.5", "emissions in local memory", {Single::Basic, Single::PeLoc});
  add("10.1", "each optimisation alone", optimisations_table);
  add("10.2", "optimisations step by step", steps_table);
  add("10.3", "emissions in local memory and occupancy", emissions_step_table);
  add("10.4", "the final kernel and HMMER 2", final_table);
  add("10.5", "memory of the final kernel", final_memory_table);
  add("10.6", "implementations on GPUs (also table 4.1)", implementations_table);
  add("groups", "work-group sizes (figure 10.1)", groups_table);
  add("grain", "rows or cells a launch (section 10.4)", grain_table);
  add("forms", "residues a read, forms of maxima, unrolling by 16, the printed schedule", forms_table);
  add("lengths", "short, mixed and long sequences (section 11.2)", distributions_table);
  add("families", "HMMER 2, the kernel of 2012 and today's", rivals_table);
  return all;
}

}  // namespace gpuhmm::experiment
