// Reads text in which HMMER2's and HMMER3's profiles follow one another, by turns with the reader of each.
#include "formats/profile/profile_kind.hpp"
#include "formats/profile/record_reader.hpp"

namespace gpuhmm {

namespace {

class EitherTextReader final : public RecordReader {
 public:
  EitherTextReader(ProfileFileKind first, Input& input) : input_(input), kind_(first) { open(); }

  std::optional<Profile> next() override {
    for (;;) {
      std::optional<Profile> profile = records_->next();
      if (profile || !records_->other_follows()) return profile;
      records_->put_back();
      before_ += records_->position();
      kind_ =
          kind_ == ProfileFileKind::Hmmer2Text ? ProfileFileKind::Hmmer3Text : ProfileFileKind::Hmmer2Text;
      open();
    }
  }
  std::uint64_t position() const override { return before_ + records_->position(); }
  void write_text(std::ostream& out, const Profile& profile) const override {
    records_->write_text(out, profile);
  }

 private:
  void open() {
    records_ = make_record_reader(kind_, input_);
    records_->stop_at_other();
  }

  Input& input_;
  ProfileFileKind kind_;
  std::unique_ptr<RecordReader> records_;
  std::uint64_t before_ = 0;  // bytes of the input before those of records_
};

}  // namespace

std::unique_ptr<RecordReader> make_either_text_reader(ProfileFileKind first, Input& input) {
  return std::make_unique<EitherTextReader>(first, input);
}

}  // namespace gpuhmm
