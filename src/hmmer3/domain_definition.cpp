// Regions of all targets first, then their envelopes, so that vectors hold parts of several targets.
#include "hmmer3/domain_definition.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "hmmer3/segment_clusters.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// A part of a target to be scored as one domain.
struct Envelope {
  std::size_t target = 0;
  std::size_t from = 0, to = 0;
  bool clustered = false;  // its null2 scores are known, and it may overlap the one before
  bool first_of_region = false;
  bool succeeded = false;
  Domain domain;
};

struct Region {
  std::size_t target = 0, from = 0, to = 0;
};

}  // namespace

class DomainDefinition::State {
 public:
  State(const Profile& profile, const FloatModel& model, std::vector<DomainTarget> targets,
        const Options& options)
      : profile_(profile),
        model_(model),
        alphabet_(Alphabet::get(profile.alphabet)),
        targets_(std::move(targets)),
        options_(options),
        found_(targets_.size()) {
    collect_regions();
    make_region_tasks();
  }

  std::span<RegionTask> regions() { return region_tasks_; }

  void find_envelopes() {
    sample_tracebacks();
    for (std::size_t r = 0; r < regions_.size(); ++r) cluster(regions_[r], *region_tasks_[r].ensemble);
    sort_envelopes();
    make_envelope_tasks();
  }

  std::span<EnvelopeTask> envelopes() { return envelope_tasks_; }

  std::vector<TargetDomains> find_domains() {
    score_envelopes();
    for (std::size_t i = 0; i < by_length_.size(); ++i) score(*by_length_[i], envelope_tasks_[i]);
    collect_domains();
    return std::move(found_);
  }

 private:
  void collect_regions() {
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      const std::optional<Regions>& regions = targets_[t].regions;
      if (!regions) continue;
      TargetDomains& found = found_[t];
      found.expected_domains = regions->expected_domains;
      found.regions = static_cast<int>(regions->regions.size());
      found.null2.assign(targets_[t].sequence.size() + 1, 0.0F);
      for (const TargetRegion& region : regions->regions) {
        if (region.several_domains) {
          ++found.clustered;
          regions_.push_back({t, region.from, region.to});
        } else {
          envelopes_.push_back({t, region.from, region.to, false, true, false, {}});
        }
      }
    }
    std::ranges::stable_sort(regions_, std::ranges::greater(), length_of<Region>);
  }

  template <class Part>
  static std::size_t length_of(const Part& part) {
    return part.to - part.from + 1;
  }
  template <class Part>
  Residues part_of(const Part& part) const {
    return targets_[part.target].sequence.subspan(part.from - 1, length_of(part));
  }
  std::int64_t target_length(std::size_t target) const {
    return static_cast<std::int64_t>(targets_[target].sequence.size());
  }

  void make_region_tasks() {
    for (const Region& region : regions_)
      region_tasks_.push_back({part_of(region), LengthModel::multihit(target_length(region.target)), {}});
  }

  // Of regions that have no tracebacks yet.
  void sample_tracebacks() {
    std::vector<RegionTask*> left;
    for (RegionTask& region : region_tasks_) {
      if (!region.ensemble) left.push_back(&region);
    }
    sample_regions(model_, alphabet_, left, options_.seed);
  }

  void cluster(const Region& region, const TracebackEnsemble& ensemble) {
    std::copy(ensemble.null2.begin(), ensemble.null2.end(),
              found_[region.target].null2.begin() + static_cast<std::ptrdiff_t>(region.from));
    bool first = true;
    for (const ClusterEnds& ends : cluster_segments(ensemble.segments)) {
      const std::size_t before = region.from - 1;
      envelopes_.push_back({region.target, before + ends.from, before + ends.to, true, first, false, {}});
      first = false;
    }
  }

  // By target and region; within a region they are in order already.
  void sort_envelopes() {
    std::stable_sort(envelopes_.begin(), envelopes_.end(), [](const Envelope& a, const Envelope& b) {
      return a.target != b.target ? a.target < b.target : a.from < b.from;
    });
  }

  // Targets of which envelopes may overlap: whether one succeeds is not known yet.
  void find_overlapping() {
    overlapping_.assign(targets_.size(), false);
    std::size_t last = 0;
    for (const Envelope& envelope : envelopes_) {
      if (envelope.first_of_region) last = 0;
      if (!envelope.clustered) continue;
      if (envelope.from <= last) overlapping_[envelope.target] = true;
      last = std::max(last, envelope.to);
    }
  }

  // The longest first, so that those side by side have similar lengths.
  void make_envelope_tasks() {
    find_overlapping();
    for (Envelope& envelope : envelopes_) by_length_.push_back(&envelope);
    std::ranges::stable_sort(by_length_, std::ranges::greater(),
                             [](const Envelope* envelope) { return length_of(*envelope); });
    envelope_tasks_.resize(by_length_.size());
    for (std::size_t i = 0; i < by_length_.size(); ++i) {
      const Envelope& envelope = *by_length_[i];
      EnvelopeTask& task = envelope_tasks_[i];
      task.sequence = part_of(envelope);
      task.lengths = LengthModel::unihit(target_length(envelope.target));
      task.wants_null2 = !envelope.clustered;
      task.wanted = options_.alignments;
      // Of domains with the same alignment some are hidden (finish_hits()).
      if (overlapping_[envelope.target]) task.wanted = std::max(task.wanted, AlignmentDetail::Ends);
    }
  }

  // Those that are not scored yet.
  void score_envelopes() {
    std::vector<EnvelopeTask> left;
    std::vector<EnvelopeTask*> places;
    for (EnvelopeTask& task : envelope_tasks_) {
      if (task.scored) continue;
      left.push_back(std::move(task));
      places.push_back(&task);
    }
    hmmer3::score_envelopes(model_, alphabet_, left);
    for (std::size_t i = 0; i < left.size(); ++i) *places[i] = std::move(left[i]);
  }

  void score(Envelope& envelope, const EnvelopeTask& task) {
    if (!task.possible) return;
    envelope.succeeded = true;
    std::vector<float>& null2 = found_[envelope.target].null2;
    if (task.wants_null2) {
      std::vector<float> scores(task.odds.size());
      for (std::size_t code = 0; code < scores.size(); ++code) scores[code] = std::log(task.odds[code]);
      for (std::size_t i = 0; i < task.sequence.size(); ++i) {
        null2[envelope.from + i] = scores[task.sequence[i]];
      }
    }
    Domain& domain = envelope.domain;
    for (std::size_t i = envelope.from; i <= envelope.to; ++i)
      domain.correction = domain.correction + null2[i];
    domain.envelope_score = task.forward_score;
    const EnvelopeAlignment& alignment = task.alignment;
    domain.accuracy = alignment.accuracy;
    const auto residue = [&](std::size_t place) {
      return static_cast<std::int64_t>(envelope.from + place - 1);
    };
    domain.envelope_from = residue(1);
    domain.envelope_to = residue(task.sequence.size());
    if (alignment.columns.empty()) return;
    domain.alignment_from = residue(alignment.columns.front().residue);
    domain.alignment_to = residue(alignment.columns.back().residue);
    domain.model_from = alignment.columns.front().node;
    domain.model_to = alignment.columns.back().node;
    if (task.wanted == AlignmentDetail::Rows)
      domain.rows = alignment_rows(profile_, model_, task.sequence, alignment.columns);
  }

  void collect_domains() {
    std::size_t last = 0;  // residue of the region that envelopes have reached
    for (Envelope& envelope : envelopes_) {
      TargetDomains& found = found_[envelope.target];
      ++found.envelopes;
      if (envelope.first_of_region) last = 0;
      if (envelope.clustered && envelope.from <= last) ++found.overlaps;
      if (!envelope.succeeded) continue;
      if (envelope.clustered) last = envelope.to;
      found.domains.push_back(std::move(envelope.domain));
    }
  }

  const Profile& profile_;
  const FloatModel& model_;
  const Alphabet& alphabet_;
  std::vector<DomainTarget> targets_;
  const Options& options_;
  std::vector<TargetDomains> found_;
  std::vector<Region> regions_;  // the longest first, and the task of each
  std::vector<RegionTask> region_tasks_;
  std::vector<Envelope> envelopes_;
  std::vector<bool> overlapping_;     // by target
  std::vector<Envelope*> by_length_;  // the longest first, and the task of each
  std::vector<EnvelopeTask> envelope_tasks_;
};

DomainDefinition::DomainDefinition(const Profile& profile, const FloatModel& model,
                                   std::vector<DomainTarget> targets, const Options& options)
    : state_(std::make_unique<State>(profile, model, std::move(targets), options)) {}

DomainDefinition::~DomainDefinition() = default;
DomainDefinition::DomainDefinition(DomainDefinition&&) noexcept = default;
DomainDefinition& DomainDefinition::operator=(DomainDefinition&&) noexcept = default;
std::span<RegionTask> DomainDefinition::regions() { return state_->regions(); }
void DomainDefinition::find_envelopes() { state_->find_envelopes(); }
std::span<EnvelopeTask> DomainDefinition::envelopes() { return state_->envelopes(); }
std::vector<TargetDomains> DomainDefinition::find_domains() { return state_->find_domains(); }

}  // namespace gpuhmm::hmmer3
