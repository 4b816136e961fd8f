// Regions of all targets first, then their envelopes, so that vectors hold parts of several targets.
#include "hmmer3/domain_definition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hmmer3/envelope_task.hpp"
#include "hmmer3/segment_clusters.hpp"
#include "hmmer3/traceback_ensemble.hpp"

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

class DomainDefinition {
 public:
  DomainDefinition(const Profile& profile, const FloatModel& model, std::span<const DomainTarget> targets,
                   std::uint32_t seed, std::span<TargetDomains> found)
      : profile_(profile),
        model_(model),
        alphabet_(Alphabet::get(profile.alphabet)),
        targets_(targets),
        seed_(seed),
        found_(found) {}

  void run() {
    collect_regions();
    cluster_regions();
    sort_envelopes();
    score_all();
    collect_domains();
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
  }

  // The longest first, so that those side by side have similar lengths.
  template <class Part>
  static std::vector<Part*> by_length(std::vector<Part>& parts) {
    std::vector<Part*> sorted;
    for (Part& part : parts) sorted.push_back(&part);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Part* a, const Part* b) { return a->to - a->from > b->to - b->from; });
    return sorted;
  }

  template <class Part>
  Residues part_of(const Part& part) const {
    return targets_[part.target].sequence.subspan(part.from - 1, part.to - part.from + 1);
  }

  // Takes regions apart.
  void cluster_regions() {
    const std::vector<Region*> sorted = by_length(regions_);
    std::vector<SequenceTask> tasks(sorted.size());
    std::vector<SequenceTask*> pointers;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto length = static_cast<std::int64_t>(targets_[sorted[i]->target].sequence.size());
      tasks[i].sequence = part_of(*sorted[i]);
      tasks[i].lengths = LengthModel::multihit(length);
      pointers.push_back(&tasks[i]);
    }
    SharedRows& rows = SharedRows::of_thread();
    TracebackSampler sampler(model_, alphabet_);
    for (std::size_t done = 0; done < tasks.size();) {
      const std::size_t count = run_forward_keeping(model_, std::span(pointers).subspan(done), rows);
      for (std::size_t g = 0; g < count; ++g, ++done) {
        cluster(*sorted[done], sampler.sample({tasks[done], rows, g}, seed_));
      }
    }
    rows.release_if_large();
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

  void score_all() {
    const std::vector<Envelope*> envelopes = by_length(envelopes_);
    std::vector<EnvelopeTask> tasks(envelopes.size());
    for (std::size_t i = 0; i < envelopes.size(); ++i) {
      const Envelope& envelope = *envelopes[i];
      const Residues target = targets_[envelope.target].sequence;
      tasks[i].sequence = part_of(envelope);
      tasks[i].lengths = LengthModel::unihit(static_cast<std::int64_t>(target.size()));
      tasks[i].wants_null2 = !envelope.clustered;
    }
    score_envelopes(model_, alphabet_, tasks);
    for (std::size_t i = 0; i < envelopes.size(); ++i) score(*envelopes[i], tasks[i]);
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
  std::span<const DomainTarget> targets_;
  std::uint32_t seed_;
  std::span<TargetDomains> found_;
  std::vector<Region> regions_;
  std::vector<Envelope> envelopes_;
};

}  // namespace

void define_domains(const Profile& profile, const FloatModel& model, std::span<const DomainTarget> targets,
                    std::uint32_t seed, std::span<TargetDomains> found) {
  DomainDefinition(profile, model, targets, seed, found).run();
}

}  // namespace gpuhmm::hmmer3
