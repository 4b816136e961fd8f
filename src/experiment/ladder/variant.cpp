// Makes variants by name or steps, and their build options.
#include "experiment/ladder/variant.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace gpuhmm::experiment::ladder {

namespace {

template <class Set>
Variant named(std::string name, const Set& set) {
  Variant variant;
  variant.name = std::move(name);
  set(variant);
  return variant;
}

Variant unrolled(int factor, bool scheduled) {
  return named((factor > 1 ? "u" + std::to_string(factor) + (scheduled ? "+" : "") : std::string()) +
                   (scheduled ? "sch" : ""),
               [&](Variant& v) {
                 v.unroll = factor;
                 v.schedule = scheduled ? Schedule::Interleaved : Schedule::None;
               });
}

void coalesce(Variant& variant) { variant.sorted = variant.coalesced = true; }

void add_step(Variant& variant, int step) {
  switch (step) {
    case 1:
      variant.cells = CellPlace::Private;
      return;
    case 2:
      variant.unroll = 8;
      return;
    case 3:
      variant.schedule = Schedule::Interleaved;
      return;
    case 4:
      return coalesce(variant);
    case 5:
      variant.emissions = EmissionPlace::Local;
      return;
    case 6:
      variant.specials = SpecialPlace::Local;
      return;
    case 7:
      variant.regular = RegularPlace::Constant;
      return;
    default:
      throw std::invalid_argument("there are steps 1 to 7");
  }
}

}  // namespace

Variant single_variant(Single variant) {
  switch (variant) {
    case Single::Basic:
      return {};
    case Single::U2:
      return unrolled(2, false);
    case Single::U4:
      return unrolled(4, false);
    case Single::U8:
      return unrolled(8, false);
    case Single::Sch:
      return unrolled(1, true);
    case Single::U2Sch:
      return unrolled(2, true);
    case Single::U4Sch:
      return unrolled(4, true);
    case Single::U8Sch:
      return unrolled(8, true);
    case Single::Overlap:
      return named("overlap", [](Variant& v) { v.overlap = true; });
    case Single::SeqCoal:
      return named("seq-coal", coalesce);
    case Single::ScGlob:
      return named("sc-glob", [](Variant& v) { v.cells = CellPlace::Interleaved; });
    case Single::ScPad:
      return named("sc-pad", [](Variant& v) { v.cells = CellPlace::Padded; });
    case Single::ScPriv:
      return named("sc-priv", [](Variant& v) { v.cells = CellPlace::Private; });
    case Single::PtrConst:
      return named("Ptr-const", [](Variant& v) { v.regular = RegularPlace::Constant; });
    case Single::PtrLoc:
      return named("Ptr-loc", [](Variant& v) { v.regular = RegularPlace::Local; });
    case Single::PtsLoc:
      return named("Pts-loc", [](Variant& v) { v.specials = SpecialPlace::Local; });
    case Single::PtsGlob:
      return named("Pts-glob", [](Variant& v) { v.specials = SpecialPlace::Replicated; });
    case Single::PeLoc:
      break;
  }
  return named("Pe-loc", [](Variant& v) { v.emissions = EmissionPlace::Local; });
}

Variant with_steps(const std::vector<int>& steps) {
  Variant variant;
  std::string name;
  for (const int step : steps) {
    add_step(variant, step);
    name += (name.empty() ? "" : "+") + std::to_string(step);
  }
  if (!name.empty()) variant.name = name;
  return variant;
}

Variant final_variant() { return with_steps({1, 2, 3, 4, 6, 7}); }

int private_nodes(int nodes) {
  int most = 512;
  while (most < nodes) most *= 2;
  return most;
}

std::string build_options(const Variant& variant, int nodes, int symbols) {
  const auto option = [](const char* name, int value) {
    return std::string(" -D") + name + "=" + std::to_string(value);
  };
  const bool item_major = variant.cells == CellPlace::ItemMajor;
  const bool is_private = variant.cells == CellPlace::Private;
  std::string options = option("LOW", kLow) + option("SCHEDULE", static_cast<int>(variant.schedule)) +
                        option("UNROLL", variant.unroll) + option("MAX_FORM", variant.max_form ? 1 : 0) +
                        option("COALESCED", variant.coalesced ? 1 : 0) +
                        option("READ", variant.residues_a_read) +
                        option("CELLS", item_major   ? 0
                                        : is_private ? 2
                                                     : 1) +
                        option("REGULAR", static_cast<int>(variant.regular)) +
                        option("SPECIALS", static_cast<int>(variant.specials)) +
                        option("EMISSIONS", static_cast<int>(variant.emissions)) +
                        option("SYMBOLS", symbols) + option("PROGRESS", static_cast<int>(variant.progress)) +
                        option("FINE", variant.grain == Grain::Fine ? 1 : 0);
  if (is_private) options += option("MOST_NODES", private_nodes(nodes));
  return options.substr(1);
}

LocalBytes local_bytes(const Variant& variant, int nodes, int symbols, std::size_t group) {
  const auto places = static_cast<std::size_t>(nodes) + 1;
  const std::size_t row = (static_cast<std::size_t>(nodes) + 32) / 33 * 33;
  LocalBytes bytes{};
  if (variant.regular == RegularPlace::Local) bytes.regular = places * 9 * 4;
  if (variant.specials == SpecialPlace::Local) bytes.specials = (group + 31) / 32 * 32;
  if (variant.emissions == EmissionPlace::Local)
    bytes.emissions = 2 * static_cast<std::size_t>(symbols) * row * 4;
  bytes.used = bytes.regular + bytes.specials + bytes.emissions;
  for (std::size_t* size : {&bytes.regular, &bytes.specials, &bytes.emissions})
    *size = std::max<std::size_t>(*size, 4);
  return bytes;
}

}  // namespace gpuhmm::experiment::ladder
