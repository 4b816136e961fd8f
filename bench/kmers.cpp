// Measures `gpuhmm kmers` inside one process, on the host and on an OpenCL device: counts the k-mers of a
// random genome (or a file) for several k. If the outputs of host and device differ, the exit status is 1.
#include <unistd.h>
#include <zlib.h>

#include <boost/program_options.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <stdexcept>
#include <thread>

#include "companion/sorting/kmer_count.hpp"
#include "companion/strings/opencl/device_sorter.hpp"
#include "gpuhmm/device.hpp"
#include "util/stopwatch.hpp"

namespace {

using namespace gpuhmm;
namespace po = boost::program_options;

struct Timed {
  KmerStatistics statistics;
  double seconds = 0;
  std::uint64_t bytes = 0;  // of the output
  unsigned long checksum = 0;
};

std::string write_genome(std::size_t letters) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("bench_kmers-" + std::to_string(getpid()) + ".fa");
  std::ofstream file(path);
  std::mt19937_64 rng(1);
  file << ">random\n";
  for (std::size_t i = 0; i < letters;) {
    std::string line;
    for (std::uint64_t word = rng(); line.size() < 60 && i < letters; ++i, word >>= 2) {
      if (line.size() == 32) word = rng();
      line += "ACGT"[word & 3];
    }
    file << line << '\n';
  }
  return path;
}

Timed count(const std::string& path, unsigned k, unsigned threads, Sorter& sorter) {
  Timed timed;
  KmerOptions options;
  options.k = k;
  options.threads = threads;
  options.memory = std::uint64_t{64} << 30;
  KmerWriter writer({.format = KmerFormat::Tsv, .counts = true}, [&timed](std::string_view text) {
    timed.bytes += text.size();
    timed.checksum = crc32_z(timed.checksum, reinterpret_cast<const Bytef*>(text.data()), text.size());
  });
  const double start = seconds_now();
  LetterReader reader(std::make_unique<Input>(path));
  timed.statistics = count_kmers(reader, options, sorter, writer);
  timed.seconds = seconds_now() - start;
  return timed;
}

int run(int argc, char** argv) {
  po::options_description options("bench_kmers [options]");
  options.add_options()("help", "show this")("device", po::value<std::string>()->default_value("auto"),
                                             "as for gpuhmm; none: only the host")(
      "letters", po::value<std::size_t>()->default_value(50000000), "letters of the random genome")(
      "file", po::value<std::string>(), "a FASTA or FASTQ file instead")(
      "cpu", po::value<unsigned>()->default_value(std::max(1U, std::thread::hardware_concurrency())),
      "host threads");
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, options), given);
  if (given.count("help") > 0) {
    std::cout << options;
    return 0;
  }
  const std::optional<DeviceInfo> device = select_device(list_devices(), given["device"].as<std::string>());
  const auto threads = given["cpu"].as<unsigned>();
  const bool made = given.count("file") == 0;
  const std::string path =
      made ? write_genome(given["letters"].as<std::size_t>()) : given["file"].as<std::string>();
  const auto host = make_host_sorter(threads);
  const auto on_device = device ? make_device_sorter(*device, {.threads = threads}) : nullptr;
  std::printf("%u host threads%s%s\n", threads, device ? ", " : "", device ? device->name.c_str() : "");
  std::printf(
      "| k | words | output MB | host: s | of it sorting and writing s | device: s | of it sorting and "
      "writing s |\n");
  std::printf("|---|---|---|---|---|---|---|\n");
  bool right = true;
  for (const unsigned k : {9U, 13U, 21U, 31U, 41U}) {
    const Timed ours = count(path, k, threads, *host);
    Timed theirs;
    if (on_device) {
      // the first run builds the kernels
      count(path, k, threads, *on_device);
      theirs = count(path, k, threads, *on_device);
      right = right && ours.checksum == theirs.checksum && ours.bytes == theirs.bytes;
    }
    std::printf("| %u | %llu | %.1f | %.3f | %.3f | %.3f | %.3f |\n", k,
                static_cast<unsigned long long>(ours.statistics.words), static_cast<double>(ours.bytes) / 1e6,
                ours.seconds, ours.statistics.hand_out_seconds, theirs.seconds,
                theirs.statistics.hand_out_seconds);
    std::fflush(stdout);
  }
  if (made) std::remove(path.c_str());
  if (!right) throw std::runtime_error("wrong result: the device's output differs from the host's");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "bench_kmers: " << error.what() << "\n";
    return 1;
  }
}
