// The output files of a search or a scan with HMMER3 profiles.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/commands/hmmer3_request.hpp"
#include "cli/commands/run_context.hpp"
#include "gpuhmm/error.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

enum class Hmmer3Output { Report, Included, Targets, Domains, Pfam };

/// An output file that cannot be opened.
class Hmmer3OutputError : public FileError {
 public:
  Hmmer3OutputError(const std::string& what, Hmmer3Output output, std::string path)
      : FileError(what), output_(output), path_(std::move(path)) {}
  Hmmer3Output output() const { return output_; }
  const std::string& path() const { return path_; }

 private:
  Hmmer3Output output_;
  std::string path_;
};

/// The text that one query adds to each output.
struct Hmmer3Texts {
  std::string report, pfam, included, json;
  TableText targets, domains;
};

/// Writes the results of the queries in turn.
class Hmmer3Outputs {
 public:
  /// Opens all files in `files`, which, as `request`, must outlive this. `surroundings`: those that tables
  /// mention, by default this process's. Throws Hmmer3OutputError.
  Hmmer3Outputs(RunFiles& files, const Hmmer3Request& request,
                std::optional<Surroundings> surroundings = std::nullopt);
  ~Hmmer3Outputs();

  /// The texts of one query's hits. Several threads may call this at the same time. Throws GapInDomain.
  Hmmer3Texts texts(const hmmer3::Query& query, const hmmer3::QueryResult& result,
                    const hmmer3::QueryTimes& times) const;
  /// Writes the texts of the next query. Throws FileError or ClosedPipe.
  void write(const Hmmer3Texts& texts);
  /// Writes the report's header, unless it is there, and what stands before the results of `query`. Throws
  /// FileError or ClosedPipe.
  void write_interrupted(const std::optional<hmmer3::Query>& query);
  /// Writes the ends of all outputs. Throws FileError or ClosedPipe.
  void finish();

 private:
  struct Table;
  void begin_report();  // writes its header, once

  const Hmmer3Request& request_;
  OutputFile *report_ = nullptr, *included_ = nullptr, *pfam_ = nullptr, *json_ = nullptr;  // if written
  std::unique_ptr<Table> targets_, domains_;
  std::optional<Surroundings> surroundings_;
  bool begun_ = false;
};

}  // namespace gpuhmm::cli
