// Records of .h3f, and which profiles a database has.
#include "hmmer3/pressing/pressed_library.hpp"

#include <bit>
#include <utility>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "formats/profile/record_reader.hpp"
#include "hmmer3/pressing/score_cursor.hpp"
#include "hmmer3/pressing/score_layout.hpp"

namespace gpuhmm::hmmer3 {

namespace {

Statistics read_statistics(ScoreCursor& cursor) {
  Statistics s;
  const char* bytes =
      cursor.take_items(6 * sizeof(float), sizeof(float), "stat params", "failed to read hmmpfam offsets");
  for (float* const value :
       {&s.msv_mu, &s.msv_lambda, &s.viterbi_mu, &s.viterbi_lambda, &s.forward_tau, &s.forward_lambda}) {
    *value = std::bit_cast<float>(decode_word(bytes, ByteOrder::Little));
    bytes += sizeof(float);
  }
  return s;
}

}  // namespace

PressedLibrary::PressedLibrary(const std::string& path)
    : path_(path),
      files_(path),
      filters_(path, files_.filters, 0),
      scores_(path, files_.scores, 0),
      size_(filters_.bytes().size()) {}

bool PressedLibrary::is_of_current_format() const {
  const auto begins_with = [](const MappedPart& part, std::uint32_t magic) {
    return part.bytes().size() >= sizeof magic &&
           decode_word(part.bytes().data(), ByteOrder::Little) == magic;
  };
  return begins_with(filters_, kFiltersMagic) && begins_with(scores_, kScoresMagic);
}

std::optional<PressedLibrary> PressedLibrary::of(const ProfileReader& reader) {
  if (!reader.pressed_database()) return std::nullopt;
  PressedLibrary library(*reader.pressed_database());
  return library.is_of_current_format() ? std::optional(std::move(library)) : std::nullopt;
}

PressedGroup PressedLibrary::next(double nodes, std::uint64_t most) {
  // Each group maps its part anew: pages of groups before leave the memory.
  PressedGroup group(path_);
  group.filters_ = at_ == 0 ? std::exchange(filters_, {}) : MappedPart(path_, files_.filters, at_);
  group.scores_ = at_ == 0 ? std::exchange(scores_, {}) : MappedPart(path_, files_.scores, 0);
  const std::string_view bytes = group.filters_.bytes();
  std::size_t at = 0;
  constexpr std::size_t kMagicSize = 4;  // fewer bytes are no record, as in HMMER3
  while (nodes > 0 && group.records_.size() < most && bytes.size() - at >= kMagicSize) {
    ScoreCursor cursor(files_.filters, path_, bytes, at_, at, ++count_);
    group.records_.push_back(read_record(cursor));
    nodes -= group.records_.back().costs.nodes;
    at = cursor.at();
  }
  at_ += at;
  at_end_ = bytes.size() - at < kMagicSize;
  if (at_end_) check_count();
  return group;
}

double PressedLibrary::fraction_read() const {
  return size_ == 0 ? 1 : static_cast<double>(at_) / static_cast<double>(size_);
}

FilterRecord PressedLibrary::read_record(ScoreCursor& cursor) {
  if (cursor.word("magic") != kFiltersMagic) {
    cursor.fail("expected the next profile or the end of the file", "bad magic; not an HMM database?");
  }
  ByteParameters parameters{cursor.integer("model size M"), 0, 0, 0};
  const std::int32_t number = cursor.integer("alphabet type");
  const std::optional<AlphabetKind> alphabet = hmmer3_alphabet_of(number);
  if (!alphabet) {
    cursor.fail("the alphabet is number " + std::to_string(number) + "; expected 1 to 3",
                "bad alphabet type: unrecognized");
  }
  const std::string_view name = cursor.text("name", false, "failed to read max_length");
  const std::int32_t max_length = cursor.integer("max_length");
  if (parameters.nodes < 1 || parameters.nodes > kLongestProfile) {
    cursor.fail("the profile's length is " + std::to_string(parameters.nodes) + "; expected 1 to " +
                    std::to_string(kLongestProfile) + " nodes",
                kNoSentinel);
  }
  parameters.begin_cost = cursor.byte("tbm");
  parameters.end_cost = cursor.byte("tec");
  cursor.byte("tjb");
  const float scale = cursor.real("scale");
  const int base = cursor.byte("base");
  if (scale != ByteModel::scale() || base != ByteModel::kBase) {
    cursor.fail("the scores have the scale " + std::to_string(scale) + " and the base " +
                    std::to_string(base) + "; expected " + std::to_string(ByteModel::scale()) + " and " +
                    std::to_string(ByteModel::kBase),
                kNoSentinel);
  }
  parameters.bias = cursor.byte("bias");
  const Stripes stripes = pressed_stripes(parameters.nodes, 1);
  const auto codes = static_cast<std::size_t>(Alphabet::get(*alphabet).code_count());
  const std::size_t ssv_row = (stripes.vectors + StripedBytes::kRepeated) * kVectorBytes;
  const char* const ssv =
      cursor.rows(codes, ssv_row, "ssv", *alphabet, "failed to read msv scores at 0 [residue A]");
  const char* const msv = cursor.rows(codes, stripes.cells(), "msv", *alphabet, "failed to read stat params");
  const Statistics statistics = read_statistics(cursor);
  // In .h3m, .h3f and .h3p, eight bytes each.
  const char* const offset =
      cursor.take_items(24, 8, "hmmpfam offsets", "failed to read model composition") + 16;
  const std::uint64_t scores_from = decode_word(offset, ByteOrder::Little) |
                                    std::uint64_t{decode_word(offset + 4, ByteOrder::Little)} << 32;
  const char* const composition =
      cursor.take_items(kCompositionPlaces * sizeof(float), sizeof(float), "model composition", kNoSentinel);
  if (cursor.left() < sizeof kFiltersMagic || cursor.word("magic") != kFiltersMagic) {
    cursor.fail("the profile does not end where it should", kNoSentinel);
  }
  const FilterRecord record{count_,
                            name,
                            *alphabet,
                            max_length == -1 ? std::nullopt : std::optional(max_length),
                            StripedBytes(parameters, codes, reinterpret_cast<const std::int8_t*>(ssv),
                                         reinterpret_cast<const std::uint8_t*>(msv)),
                            statistics,
                            composition,
                            scores_from};
  check_alphabet(record);
  return record;
}

void PressedLibrary::check_alphabet(const FilterRecord& record) {
  if (alphabet_ && *alphabet_ != record.alphabet) {
    fail_for_alphabet(path_, path_, record.name, record.alphabet, *alphabet_);
  }
  alphabet_ = record.alphabet;
}

void PressedLibrary::check_count() const {
  const std::uint64_t expected = names_in_index(files_.index);
  if (count_ == expected) return;
  throw ProfileFileError(files_.filters + ": has " + std::to_string(count_) + " profiles; expected " +
                             std::to_string(expected) + ", as in " + files_.index +
                             "; press the profiles again",
                         "bad file format in HMM file " + path_);
}

}  // namespace gpuhmm::hmmer3
