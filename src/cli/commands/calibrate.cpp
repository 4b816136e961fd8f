// `gpuhmm calibrate`: fits the score statistics of profiles and writes them into their file (hmmcalibrate).
#include "gpuhmm/calibrate.hpp"

#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <sstream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/file_roles.hpp"
#include "cli/options.hpp"
#include "cli/output_sink.hpp"
#include "cli/progress.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/engine_maker.hpp"
#include "gpuhmm/profile_file.hpp"
#include "gpuhmm/report.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(calibrate PROFILES
Fit the score statistics of profiles (hmmcalibrate)

Fits an extreme-value distribution to the scores of random sequences for every
profile of the file PROFILES (HMMER2 text or binary) and rewrites the file with
mu and lambda, from which `gpuhmm search` computes E-values. With the same
--seed the numbers are those of HMMER 2.3.2's hmmcalibrate, to every digit.

The file is replaced at the end of the run; a calibration that fails or is
interrupted leaves it unchanged. With -o the result goes to another file, and
PROFILES may be gzipped, '-' for standard input, or HMMER3 text.

Standard output is the report of hmmcalibrate, unless the profiles go there
(-o -).

examples:
gpuhmm calibrate --seed 42 Pkinase.hmm
gpuhmm calibrate --num 20000 --histfile scores.txt -o new.hmm smart.hmm.gz)";

constexpr int kLongestSequence = 100'000'000;

OptionTable options() {
  OptionTable all("random sequences");
  add_seed_option(all);
  all.add("num", value<int>("N", "5000"), "number of random sequences for each profile");
  all.add("fixed", value<int>("N", "0"), "all sequences have N residues (0: off)");
  all.add("mean", value<float>("X", "325"), "mean of the sequences' lengths");
  all.add("sd", value<float>("X", "200"), "standard deviation of the sequences' lengths");
  all.group("output and computing");
  all.add("output,o", file("FILE", ValueKind::Profiles),
          "write the calibrated profiles to FILE and leave PROFILES unchanged");
  all.add("histfile", file(), "write the histograms of the scores to FILE");
  add_message_options(all, "no progress line");
  add_compute_options(all);
  return all;
}

// The options of the random sequences. Throws UsageError if such sequences cannot be drawn.
SampleOptions sampling_from(const Arguments& arguments) {
  SampleOptions sampling;
  sampling.count = arguments.get<int>("num");
  sampling.fixed_length = arguments.get<int>("fixed");
  sampling.mean = arguments.get<float>("mean");
  sampling.deviation = arguments.get<float>("sd");
  sampling.seed = seed_from(arguments);
  if (sampling.count < 1) throw UsageError("option '--num' expects at least 1 sequence");
  if (sampling.fixed_length < 0 || sampling.fixed_length > kLongestSequence) {
    throw UsageError("option '--fixed' expects 0 to " + std::to_string(kLongestSequence) + " residues");
  }
  // Lengths below 1 are drawn again: at least one in 30,000 (4 deviations) must be 1 or more.
  const float reach = std::fabs(sampling.deviation);
  const bool usable = sampling.mean + 4 * reach >= 1 && sampling.mean + 7 * reach <= kLongestSequence;
  if (sampling.fixed_length == 0 && !usable) {
    throw UsageError("options '--mean' and '--sd' expect a distribution that gives lengths of 1 to " +
                     std::to_string(kLongestSequence) + " residues");
  }
  return sampling;
}

// The path of the calibrated profiles. Throws FileError if it is PROFILES and cannot be rewritten.
std::string target_of(const Arguments& arguments, const ProfileReader& profiles) {
  if (arguments.has("output")) return arguments.get("output");
  const bool hmmer2 = profiles.kind() != ProfileFileKind::Hmmer3Text;
  if (hmmer2 && !profiles.compressed()) return arguments.positional[0];
  throw FileError(profiles.name() + ": is " + (hmmer2 ? "gzipped" : "HMMER3 text") +
                  " and cannot be calibrated in place; give another file with -o");
}

// The file of calibrated profiles, in the format of the input (HMMER2 text if that is HMMER3).
class ProfileOutput {
 public:
  ProfileOutput(const std::string& path, ProfileFileKind kind)
      : file_(path, Unreplaceable::Refused),
        write_(kind == ProfileFileKind::Hmmer2Binary ? write_hmmer2_binary : write_hmmer2_text) {}

  void write(const Profile& profile) {
    std::ostringstream bytes;
    write_(bytes, profile);
    file_.write(bytes.view());
  }
  OutputFile& file() { return file_; }

 private:
  OutputFile file_;
  void (*write_)(std::ostream&, const Profile&);
};

// The profile after the current one, read ahead to know whether it exists. take() throws the error of reading
// it, if any.
class NextProfile {
 public:
  explicit NextProfile(ProfileReader& profiles) {
    try {
      profile_ = profiles.next();
    } catch (...) {
      error_ = std::current_exception();
    }
  }
  bool exists() const { return profile_ || error_; }
  std::optional<Profile> take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(profile_);
  }

 private:
  std::optional<Profile> profile_;
  std::exception_ptr error_;
};

// Engines for all profiles. `first` is the first profile, which has just been read.
std::unique_ptr<EnginePool> make_pool(const Arguments& arguments, const SampleOptions& sampling,
                                      const ProfileReader& profiles, const Profile& first,
                                      ProgressLine& progress) {
  const unsigned threads = threads_from(arguments);
  EngineMaker maker(arguments.get("device"), threads);
  const auto warn = [&progress](const std::string& message) { progress.warn(message); };
  const double read = profiles.fraction_read().value_or(1.0);
  const double cells = first.nodes * sampling.expected_residues() / std::max(read, 1e-6);
  return std::make_unique<EnginePool>(maker.make({.cells = cells, .small_batches = true}, warn), warn,
                                      PoolOptions{.host_threads = threads});
}

void run(const Arguments& arguments) {
  const std::string& path = arguments.positional[0];
  const SampleOptions sampling = sampling_from(arguments);
  const std::optional<std::string> histogram_path = arguments.text("histfile");
  const unsigned threads = threads_from(arguments);
  RunStatistics statistics(arguments.has("stats"));
  std::uint64_t count = 0;
  if (path == "-" && !arguments.has("output")) {
    throw UsageError("standard input cannot be calibrated in place; give a file with -o");
  }
  ProfileReader profiles(path);
  const std::string target = target_of(arguments, profiles);
  FileRoles files;
  files.reads(path);
  if (arguments.has("output")) {
    files.writes(target);
  } else {
    files.rewrites(target);
  }
  files.writes(histogram_path).writes(report_path(target));
  std::optional<Profile> profile = profiles.next();
  if (!profile) throw FileError(profiles.name() + ": has no profiles");

  ProfileOutput output(target, profiles.kind());
  const std::unique_ptr<OutputFile> histograms =
      histogram_path ? std::make_unique<OutputFile>(*histogram_path) : nullptr;
  ProgressLine progress(arguments.silent(), kCells);
  Calibrator calibrator(profile->alphabet, sampling,
                        make_pool(arguments, sampling, profiles, *profile, progress), threads);
  OutputFile report(report_path(target));
  const TextSink report_sink = sink_of(report);
  write_hmmer2_banner(report_sink, "hmmcalibrate -- calibrate HMM search statistics", GPUHMM_VERSION);
  write_hmmcalibrate_header(
      report_sink,
      {path, sampling.fixed_length, sampling.mean, sampling.deviation, sampling.count, sampling.seed,
       histogram_path, has_worker_threads(arguments) ? std::optional(threads) : std::nullopt});
  report.flush();

  std::optional<double> done = 0.0;  // part of the input before the current profile
  for (; profile; ++count) {
    std::optional<double> then = profiles.fraction_read();
    NextProfile next(profiles);
    if (!next.exists()) then = 1.0;
    progress.meter().begin(std::exchange(done, then), then,
                           {sampling.expected_residues() * profile->nodes, 0});
    const Calibration calibration = calibrator.calibrate(*profile, !next.exists(), &progress.meter());
    const auto pause = progress.pause();
    if (!calibration.fit) {
      throw FileError(profiles.name() + ": profile '" + profile->name +
                      "': no distribution fits the scores of " + std::to_string(sampling.count) +
                      " random sequences; --num may be too small");
    }
    profile->evd = calibration.fit->evd;
    profile->command_log.push_back(arguments.command_line);
    output.write(*profile);
    if (histograms) {
      write_hmmcalibrate_histogram(sink_of(*histograms), profile->name, calibration.histogram,
                                   *calibration.fit);
    }
    write_hmmcalibrate_result(report_sink, profile->name, profile->evd.value(), calibration.largest);
    report.flush();
    profile = next.take();
  }
  progress.finish();
  if (histograms) histograms->finish();
  output.file().finish();
  report.commit();
  if (histograms) histograms->commit();
  output.file().commit();
  statistics.count("profiles", count);
  statistics.count("sequences", count * static_cast<std::uint64_t>(sampling.count));
  statistics.print();
  leave(kDone);
}

}  // namespace

Command calibrate_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
