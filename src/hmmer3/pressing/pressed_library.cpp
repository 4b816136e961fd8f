// Records of .h3f, and which profiles a database has.
#include "hmmer3/pressing/pressed_library.hpp"

#include <algorithm>
#include <utility>

#include "formats/profile/hmmer3_binary.hpp"
#include "formats/profile/hmmer3_opening.hpp"
#include "formats/profile/record_reader.hpp"
#include "hmmer3/pressing/score_cursor.hpp"
#include "hmmer3/pressing/score_files.hpp"
#include "hmmer3/pressing/score_layout.hpp"

namespace gpuhmm::hmmer3 {

namespace {

constexpr std::string_view kNoSentinel = "no sentinel magic: .h3f file corrupted?";

Statistics read_statistics(ScoreCursor& cursor) {
  Statistics s;
  for (float* const value :
       {&s.msv_mu, &s.msv_lambda, &s.viterbi_mu, &s.viterbi_lambda, &s.forward_tau, &s.forward_lambda}) {
    *value = cursor.real("stat params");
  }
  return s;
}

}  // namespace

std::optional<PressedLibrary> PressedLibrary::of(const ProfileReader& reader) {
  const std::optional<std::string> path = reader.pressed_database();
  if (!path || !has_current_scores(*path)) return std::nullopt;
  return PressedLibrary(*path);
}

PressedGroup PressedLibrary::next(double nodes) {
  PressedGroup group(path_);
  group.filters_ = MappedPart(path_, files_.filters, at_);
  const std::string_view bytes = group.filters_.bytes();
  size_ = at_ + bytes.size();
  std::size_t at = 0;
  constexpr std::size_t kMagicSize = 4;  // fewer bytes are no record, as in HMMER3
  while (nodes > 0 && bytes.size() - at >= kMagicSize) {
    ScoreCursor cursor(files_.filters, path_, bytes, at_, at, ++count_);
    group.records_.push_back(read_record(cursor));
    nodes -= group.records_.back().profile.nodes;
    at = cursor.at();
  }
  at_ += at;
  at_end_ = bytes.size() - at < kMagicSize;
  if (at_end_) check_count();
  if (!group.records_.empty()) group.scores_ = MappedPart(path_, files_.scores, 0);
  return group;
}

double PressedLibrary::fraction_read() const {
  return size_ == 0 ? 1 : static_cast<double>(at_) / static_cast<double>(size_);
}

FilterRecord PressedLibrary::read_record(ScoreCursor& cursor) {
  if (cursor.word("magic") != kFiltersMagic) {
    cursor.fail("expected the next profile or the end of the file", "bad magic; not an HMM database?");
  }
  Profile profile;
  profile.nodes = cursor.integer("model size M");
  const std::int32_t alphabet = cursor.integer("alphabet type");
  if (const auto kind = hmmer3_alphabet_of(alphabet)) {
    profile.alphabet = *kind;
  } else {
    cursor.fail("the alphabet is number " + std::to_string(alphabet) + "; expected 1 to 3",
                "bad alphabet type: unrecognized");
  }
  profile.name = cursor.text("name", false);
  if (const std::int32_t length = cursor.integer("max_length"); length != -1) profile.max_length = length;
  if (profile.nodes < 1 || profile.nodes > kLongestProfile) {
    cursor.fail("the profile's length is " + std::to_string(profile.nodes) + "; expected 1 to " +
                    std::to_string(kLongestProfile) + " nodes",
                kNoSentinel);
  }
  check_alphabet(profile);
  ByteParameters parameters{profile.nodes, 0, 0, 0};
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
  const Stripes stripes = pressed_stripes(profile.nodes, 1);
  const auto codes = static_cast<std::size_t>(Alphabet::get(profile.alphabet).code_count());
  const char* const ssv = cursor.rows(codes, (stripes.vectors + StripedBytes::kRepeated) * kVectorBytes,
                                      "ssv", profile.alphabet);
  const char* const msv = cursor.rows(codes, stripes.cells(), "msv", profile.alphabet);
  profile.statistics = read_statistics(cursor);
  cursor.take(16, "hmmpfam offsets");  // of .h3m and .h3f
  const std::uint64_t scores_from = cursor.long_word("hmmpfam offsets");
  profile.composition.emplace(kCompositionPlaces);
  for (float& p : *profile.composition) p = cursor.real("model composition");
  profile.composition->resize(static_cast<std::size_t>(profile.residues()));
  if (cursor.left() < sizeof kFiltersMagic || cursor.word("magic") != kFiltersMagic) {
    cursor.fail("the profile does not end where it should", kNoSentinel);
  }
  return {count_, std::move(profile),
          StripedBytes(parameters, codes, reinterpret_cast<const std::int8_t*>(ssv),
                       reinterpret_cast<const std::uint8_t*>(msv)),
          scores_from};
}

void PressedLibrary::check_alphabet(const Profile& profile) {
  if (alphabet_ && *alphabet_ != profile.alphabet) fail_for_alphabet(path_, path_, profile, *alphabet_);
  alphabet_ = profile.alphabet;
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
