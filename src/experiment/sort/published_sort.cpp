// Buffers, launches and times of the publication's sort.
#include "experiment/sort/published_sort.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "experiment/resources.hpp"
#include "experiment/spread.hpp"

namespace gpuhmm::experiment::sorting {

namespace {

constexpr std::size_t kScanGroup = 256, kScanTile = kScanGroup * 16;  // GROUP and SCAN_TILE of sort_ops.cl
constexpr double kMostOfBuckets = 1 << 28;

std::size_t buckets_of(const WordShape& shape) {
  std::size_t buckets = 1;
  for (unsigned i = 0; i < shape.length; ++i) buckets *= shape.alphabet.size();
  return buckets;
}

std::size_t tiles_of(std::size_t size) { return (size + kScanTile - 1) / kScanTile; }

}  // namespace

PublishedSort::PublishedSort(const DeviceInfo& device, const WorkShape& shape)
    : shape_(shape),
      device_(device),
      queue_(device_),
      words_(device_, {"sort_published.cl"},
             "-DGROUP=" + std::to_string(shape.group) + " -DEACH=" + std::to_string(shape.each)),
      scan_(device_, {"sort_ops.cl"}, "-DITEMS=1 -DGROUP=" + std::to_string(kScanGroup)) {
  for (const char* name : {"index_counting", "distribution"}) words_[name];
  for (const char* name : {"scan_reduce", "scan_sums", "scan_apply"}) scan_[name];
}

double PublishedSort::scan(const cl::Buffer& numbers, std::size_t size, const cl::Buffer& sums) {
  const auto count = static_cast<cl_uint>(size), tiles = static_cast<cl_uint>(tiles_of(size));
  const WorkItems items{tiles * kScanGroup, kScanGroup};
  const std::initializer_list<cl::Event> events = {
      queue_.launch(scan_["scan_reduce"], items, numbers, count, sums),
      queue_.launch(scan_["scan_sums"], {kScanGroup, kScanGroup}, sums, tiles),
      queue_.launch(scan_["scan_apply"], items, numbers, count, sums)};
  queue_.finish();
  double seconds = 0;
  for (const cl::Event& event : events) seconds += queue_.time_of(event).seconds();
  return seconds;
}

SortStages PublishedSort::sort(const WordSet& set, std::string& sorted) {
  SortStages stages;
  if (set.shape.count == 0) return stages;
  const std::size_t bytes = set.text.size(), buckets = buckets_of(set.shape);
  const std::string& alphabet = set.shape.alphabet;
  cl::Buffer words, to, counts, sums, letters;
  stages.extra = seconds_of([&] {
    words = device_.buffer<char>(bytes);
    to = device_.buffer<char>(bytes);
    counts = device_.buffer<cl_uint>(buckets);
    sums = device_.buffer<cl_uint>(tiles_of(buckets) + 1);
    letters = queue_.upload(alphabet);
    // drivers allocate at the first use
    for (const cl::Buffer& buffer : {words, to}) queue_.fill(buffer, cl_uchar{0}, 1);
    queue_.fill(counts, cl_uint{0}, buckets);
    queue_.finish();
  });
  stages.transfer = seconds_of([&] { queue_.write(words, set.text.data(), bytes); });

  const auto count = static_cast<cl_uint>(set.shape.count), base = static_cast<cl_uint>(alphabet.size());
  const cl_uint length = set.shape.length;
  const std::size_t each = shape_.group * shape_.each;
  const WorkItems items{(set.shape.count + each - 1) / each * shape_.group, shape_.group};
  const cl::Event counting =
      queue_.launch(words_["index_counting"], items, words, count, length, letters, base, counts);
  stages.transformation = scan(counts, buckets, sums);
  const cl::Event distribution =
      queue_.launch(words_["distribution"], items, words, count, length, letters, base, counts, to);
  queue_.finish();
  stages.counting = queue_.time_of(counting).seconds();
  stages.distribution = queue_.time_of(distribution).seconds();
  stages.back = seconds_of([&] { queue_.read(to, sorted.data(), bytes); });
  return stages;
}

std::optional<std::string> PublishedSort::lacking(const DeviceInfo& device, const WorkShape& work,
                                                  const WordShape& words) {
  const double buckets = std::pow(static_cast<double>(words.alphabet.size()), words.length);
  if (buckets > kMostOfBuckets) {
    return "needs a bucket for each of " + std::to_string(words.alphabet.size()) + "^" +
           std::to_string(words.length) + " words";
  }
  return experiment::lacking(
      device, {.group = work.group,
               .buffer = std::max<std::uint64_t>(words.bytes(),
                                                 static_cast<std::uint64_t>(buckets) * sizeof(cl_uint))});
}

}  // namespace gpuhmm::experiment::sorting
