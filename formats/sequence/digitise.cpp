// Digitises many characters at once: those from @ to the end of ASCII, letters among them, by lookups in four
// vectors; what is no residue, as the end of a line, and the last characters one by one.
#include "formats/sequence/digitise.hpp"

#define HWY_TARGET_INCLUDE "formats/sequence/digitise.cpp"
#include "simd/foreach_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace gpuhmm::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

Digitised digitise(const CharacterCodes& table, std::string_view text, std::uint8_t* out) {
  const auto* const characters = reinterpret_cast<const std::uint8_t*>(text.data());
  std::uint8_t* const begin = out;
  std::uint8_t seen = 0;
  std::size_t place = 0;
  const auto take_one = [&] {
    const std::uint8_t code = table[characters[place++]];
    *out = code;
    out += code < kSkippedCode ? 1 : 0;
    seen |= code;
  };
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_SSE2  // these have no lookup of bytes
  const hn::CappedTag<std::uint8_t, 32> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto codes_from = [&](std::size_t first) { return hn::LoadDup128(d, table.data() + first); };
  const auto at_40 = codes_from(0x40), at_50 = codes_from(0x50), at_60 = codes_from(0x60),
             at_70 = codes_from(0x70);
  const auto high = hn::Set(d, 0xc0), letters = hn::Set(d, 0x40);
  while (place + lanes <= text.size()) {
    const auto character = hn::LoadU(d, characters + place);
    const auto low = hn::And(character, hn::Set(d, 0x0f));
    const auto odd = hn::TestBit(character, hn::Set(d, 0x10));
    const auto from_40 =
        hn::IfThenElse(odd, hn::TableLookupBytes(at_50, low), hn::TableLookupBytes(at_40, low));
    const auto from_60 =
        hn::IfThenElse(odd, hn::TableLookupBytes(at_70, low), hn::TableLookupBytes(at_60, low));
    const auto code = hn::IfThenElse(hn::TestBit(character, hn::Set(d, 0x20)), from_60, from_40);
    const auto other = hn::Or(hn::Xor(hn::And(character, high), letters), hn::And(code, high));
    hn::StoreU(code, d, out);  // there is room for all, and the next codes overwrite what does not count
    const auto first_other = hn::FindFirstTrue(d, hn::Ne(other, hn::Zero(d)));
    const std::size_t residues = first_other < 0 ? lanes : static_cast<std::size_t>(first_other);
    place += residues;
    out += residues;
    if (first_other >= 0) take_one();
  }
#endif
  while (place < text.size()) take_one();
  return {static_cast<std::size_t>(out - begin), (seen & kIllegalCode) == 0};
}

}  // namespace gpuhmm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gpuhmm {

GPUHMM_SIMD_TABLE(digitise);

Digitised digitise(const CharacterCodes& table, std::string_view text, std::uint8_t* out) {
  return GPUHMM_SIMD_CALL_FEW_REGISTERS(digitise)(table, text, out);
}

}  // namespace gpuhmm
#endif
