// Makes the rows of a domain's alignment from its path.
#include "plan7/domain_alignment.hpp"

#include <cctype>

namespace gpuhmm {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

DomainAlignment make_domain_alignment(const Profile& profile, const ScoreModel& model,
                                      const Consensus& consensus, std::span<const std::uint8_t> residues,
                                      const Trace& trace) {
  const Alphabet& letters = Alphabet::get(profile.alphabet);
  DomainAlignment rows;
  for (std::string* row : {&rows.model, &rows.middle, &rows.sequence}) row->reserve(trace.size());
  for (const TraceStep& step : trace) {
    char model_char = ' ';
    char middle = ' ';
    char sequence = ' ';
    const std::uint8_t code = step.position > 0 ? residues[step.position - 1] : std::uint8_t{0};
    switch (step.state) {
      case State::S:
      case State::T:
        model_char = '*';
        break;
      case State::N:
      case State::J:
      case State::C:
        model_char = '-';
        if (step.position > 0) sequence = lower(letters.letter(code));
        break;
      case State::B:
        model_char = '>';
        break;
      case State::E:
        model_char = '<';
        break;
      case State::M:
        model_char = consensus.letter(step.node);
        sequence = letters.letter(code);
        if (code == consensus.code(step.node)) {
          middle = model_char;
        } else if (model.match_row(code)[step.node] > 0) {
          middle = '+';
        }
        break;
      case State::D:
        model_char = consensus.letter(step.node);
        sequence = '-';
        break;
      case State::I:
        model_char = '.';
        sequence = lower(letters.letter(code));
        if (model.insert_row(code)[step.node] > 0) middle = '+';
        break;
    }
    rows.model += model_char;
    rows.middle += middle;
    rows.sequence += sequence;
    const bool annotated = step.state == State::M || step.state == State::D;
    if (!profile.rf.empty()) rows.rf += annotated ? profile.rf[step.node] : ' ';
    if (!profile.cs.empty()) rows.cs += annotated ? profile.cs[step.node] : ' ';
  }
  return rows;
}

}  // namespace gpuhmm
