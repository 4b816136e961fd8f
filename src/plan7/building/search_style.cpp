// Configures profiles in HMMER's single precision and order of operations.
#include "plan7/building/search_style.hpp"

namespace gpuhmm {

namespace {

void scale(Transitions& t, double factor) {
  const auto f = static_cast<float>(factor);
  t.mm *= f;
  t.mi *= f;
  t.md *= f;
}

float match_sum(const Transitions& t) { return t.mm + t.mi + t.md; }

void make_whole(Profile& profile) {
  for (int k = 1; k <= profile.nodes; ++k) profile.begin[k] = profile.end[k] = 0;
  profile.begin[1] = static_cast<float>(1.0 - static_cast<double>(profile.begin_delete));
  profile.end[profile.nodes] = 1;
  for (int k = 1; k < profile.nodes; ++k) {
    scale(profile.transition[k], 1.0 / static_cast<double>(match_sum(profile.transition[k])));
  }
}

void make_local(Profile& profile, LocalEnds ends) {
  const auto others = static_cast<float>(profile.nodes - 1);
  const double main = 1.0 - static_cast<double>(profile.begin_delete);
  profile.begin[1] = static_cast<float>((1.0 - static_cast<double>(ends.entry)) * main);
  for (int k = 2; k <= profile.nodes; ++k) {
    profile.begin[k] =
        static_cast<float>(static_cast<double>(ends.entry) * main / static_cast<double>(others));
  }
  const float part = ends.exit / others;
  profile.end[profile.nodes] = 1;
  for (int k = 1; k < profile.nodes; ++k) {
    const float gone = part * static_cast<float>(k - 1);
    profile.end[k] = static_cast<float>(static_cast<double>(part) / (1.0 - static_cast<double>(gone)));
    const float sum = match_sum(profile.transition[k]);
    scale(profile.transition[k], 1.0 / static_cast<double>(sum + sum * profile.end[k]));
  }
}

}  // namespace

void configure(Profile& profile, SearchStyle style, LocalEnds ends) {
  const float loop = profile.null_loop;
  const auto move = static_cast<float>(1.0 - static_cast<double>(loop));
  SpecialTransitions& s = profile.special;
  s = {.n_move = move,
       .n_loop = loop,
       .e_move = 0.5F,
       .e_loop = 0.5F,
       .c_move = move,
       .c_loop = loop,
       .j_move = move,
       .j_loop = loop};
  if (style == SearchStyle::GlocalSingle || style == SearchStyle::LocalSingle) {
    const bool local = style == SearchStyle::LocalSingle;
    s.e_move = 1;
    s.e_loop = 0;
    s.j_move = local ? 1 : 0;
    s.j_loop = local ? 0 : 1;
  }
  if (style == SearchStyle::Glocal || style == SearchStyle::GlocalSingle) {
    make_whole(profile);
  } else {
    make_local(profile, ends);
  }
}

}  // namespace gpuhmm
