// Posterior probabilities of domain begins, ends and of residues outside of domains.
#include "hmmer3/regions.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace gpuhmm::hmmer3 {

namespace {

constexpr float kOpens = 0.25F, kEdge = 0.1F, kSeveral = 0.2F;

// By residue, counted from 1.
struct Posteriors {
  std::vector<float> begins, ends;  // expected number of domains begun and ended so far
  std::vector<float> occupied;      // probability of being in a domain
};

std::optional<Posteriors> posteriors_of(const SweptRows& rows) {
  const std::size_t length = rows.forward.size() - 1;
  const std::span<const SpecialRow> f = rows.forward, b = rows.backward;
  const float loop = rows.lengths.loop;
  Posteriors p{std::vector<float>(length + 1), std::vector<float>(length + 1),
               std::vector<float>(length + 1)};
  float scale = static_cast<float>(1.0 / static_cast<double>(b[0].n));
  for (std::size_t i = 1; i <= length; ++i) {
    p.begins[i] = p.begins[i - 1] + f[i - 1].b * b[i - 1].b * f[i - 1].scale * scale;
    if (rows.own_scales) scale = scale * (f[i - 1].scale / b[i - 1].scale);
    p.ends[i] = p.ends[i - 1] + f[i].e * b[i].e * f[i].scale * scale;
    float outside = f[i - 1].n * b[i].n * loop * scale;
    outside = outside + f[i - 1].j * b[i].j * loop * scale;
    outside = outside + f[i - 1].c * b[i].c * loop * scale;
    p.occupied[i] = 1.0F - outside;
  }
  if (std::isinf(scale)) return std::nullopt;
  return p;
}

bool has_several_domains(const Posteriors& p, std::size_t from, std::size_t to) {
  float most = -1;
  for (std::size_t z = from; z <= to; ++z) {
    most = std::max(most, std::min(p.ends[z] - p.ends[from - 1], p.begins[to] - p.begins[z - 1]));
  }
  return most >= kSeveral;
}

}  // namespace

std::optional<Regions> find_regions(const SweptRows& rows) {
  const std::optional<Posteriors> found = posteriors_of(rows);
  if (!found) return std::nullopt;
  const Posteriors& p = *found;
  Regions result;
  result.expected_domains = p.begins.back();
  std::size_t start = 0;  // 0: none
  bool open = false;
  for (std::size_t j = 1; j < p.occupied.size(); ++j) {
    if (!open) {
      if (p.occupied[j] - (p.begins[j] - p.begins[j - 1]) < kEdge || start == 0) start = j;
      open = p.occupied[j] >= kOpens;
    } else if (p.occupied[j] - (p.ends[j] - p.ends[j - 1]) < kEdge) {
      result.regions.push_back({start, j, has_several_domains(p, start, j)});
      start = 0;
      open = false;
    }
  }
  return result;
}

}  // namespace gpuhmm::hmmer3
