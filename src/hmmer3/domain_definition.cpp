// Regions of all targets first, then their envelopes, so that vectors hold parts of several targets.
#include "hmmer3/domain_definition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hmmer3/envelope.hpp"
#include "hmmer3/segment_clusters.hpp"
#include "hmmer3/traceback_ensemble.hpp"

namespace gpuhmm::hmmer3 {

namespace {

// Tasks that have their cells at the same time: as many as the widest vectors take.
constexpr std::size_t kTogether = 4;

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
    by_length(regions_, [this](std::span<Region* const> together) { cluster(together); });
    sort_envelopes();
    by_length(envelopes_, [this](std::span<Envelope* const> together) { score(together); });
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

  // Calls use(some parts) for all, those of similar length together.
  template <class Part, class Use>
  void by_length(std::vector<Part>& parts, const Use& use) {
    std::vector<Part*> sorted;
    for (Part& part : parts) sorted.push_back(&part);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Part* a, const Part* b) { return a->to - a->from > b->to - b->from; });
    for (std::size_t i = 0; i < sorted.size(); i += kTogether) {
      use(std::span<Part* const>(sorted).subspan(i, std::min(kTogether, sorted.size() - i)));
    }
  }

  // The parts as tasks with the cells that are wanted.
  template <class Part>
  std::vector<SequenceTask> tasks_of(std::span<Part* const> parts, bool multihit, bool backward) {
    std::vector<SequenceTask> tasks(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Residues target = targets_[parts[i]->target].sequence;
      const auto length = static_cast<std::int64_t>(target.size());
      tasks[i].sequence = target.subspan(parts[i]->from - 1, parts[i]->to - parts[i]->from + 1);
      tasks[i].lengths = multihit ? LengthModel::multihit(length) : LengthModel::unihit(length);
      tasks[i].forward_cells = &forward_cells_[i];
      if (backward) tasks[i].backward_cells = &backward_cells_[i];
    }
    return tasks;
  }
  static std::vector<SequenceTask*> pointers_to(std::vector<SequenceTask>& tasks) {
    std::vector<SequenceTask*> pointers;
    for (SequenceTask& task : tasks) pointers.push_back(&task);
    return pointers;
  }

  // Takes regions apart.
  void cluster(std::span<Region* const> regions) {
    std::vector<SequenceTask> tasks = tasks_of(regions, true, false);
    run_forward(model_, pointers_to(tasks));
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const Region& region = *regions[i];
      const TracebackEnsemble ensemble = sample_tracebacks(model_, alphabet_, tasks[i], seed_);
      std::copy(ensemble.null2.begin(), ensemble.null2.end(),
                found_[region.target].null2.begin() + static_cast<std::ptrdiff_t>(region.from));
      bool first = true;
      for (const ClusterEnds& ends : cluster_segments(ensemble.segments)) {
        const std::size_t before = region.from - 1;
        envelopes_.push_back({region.target, before + ends.from, before + ends.to, true, first, false, {}});
        first = false;
      }
    }
  }

  // By target and region; within a region they are in order already.
  void sort_envelopes() {
    std::stable_sort(envelopes_.begin(), envelopes_.end(), [](const Envelope& a, const Envelope& b) {
      return a.target != b.target ? a.target < b.target : a.from < b.from;
    });
  }

  void score(std::span<Envelope* const> envelopes) {
    std::vector<SequenceTask> tasks = tasks_of(envelopes, false, true);
    run_forward(model_, pointers_to(tasks));
    run_backward(model_, pointers_to(tasks));
    for (std::size_t i = 0; i < envelopes.size(); ++i) score(*envelopes[i], tasks[i]);
  }

  void score(Envelope& envelope, SequenceTask& task) {
    const std::optional<std::vector<OutsidePosterior>> outside = decode_posteriors(model_, task);
    if (!outside) return;
    envelope.succeeded = true;
    std::vector<float>& null2 = found_[envelope.target].null2;
    if (!envelope.clustered) {
      const std::vector<float> odds = expected_null2(model_, alphabet_, task, *outside);
      for (std::size_t i = 0; i < task.sequence.size(); ++i) {
        null2[envelope.from + i] = std::log(odds[task.sequence[i]]);
      }
    }
    Domain& domain = envelope.domain;
    for (std::size_t i = envelope.from; i <= envelope.to; ++i)
      domain.correction = domain.correction + null2[i];
    domain.envelope_score = task.forward_score;
    const EnvelopeAlignment alignment = align_envelope(model_, task, *outside);
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
  StripedMatrix forward_cells_[kTogether], backward_cells_[kTogether];
};

}  // namespace

void define_domains(const Profile& profile, const FloatModel& model, std::span<const DomainTarget> targets,
                    std::uint32_t seed, std::span<TargetDomains> found) {
  DomainDefinition(profile, model, targets, seed, found).run();
}

}  // namespace gpuhmm::hmmer3
