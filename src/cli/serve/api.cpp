// Runs wait in the queue; everything else is answered at once.
#include "cli/serve/api.hpp"

#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/command.hpp"
#include "cli/serve/json_request.hpp"
#include "cli/serve/run_service.hpp"
#include "http/server.hpp"

namespace gpuhmm::cli {

namespace {

using nlohmann::json;

constexpr const char* kJson = "application/json";

http::Response refusal(unsigned status, const std::string& message, int code = 0) {
  return {status, kJson, error_json(message, code)};
}

// What a job and the thread that waits for it share.
struct SharedRun {
  SentRun run;
  RunAnswer answer;
};

}  // namespace

http::Response Api::respond(const http::Request& request, int socket) const noexcept {
  try {
    return route(request, socket);
  } catch (const NotHeld& error) {
    return refusal(http::kNotFound, error.what());
  } catch (const std::bad_alloc&) {
    return refusal(http::kUnavailable, "the server is out of memory");
  } catch (const std::exception& error) {
    return refusal(http::kBadRequest, error.what());
  }
}

http::Response Api::route(const http::Request& request, int socket) const {
  const std::string& target = request.target;
  const bool reads = target == "/v1/status" || target == "/v1/files";
  const bool runs = target == "/v1/run" || target == "/v1/search" || target == "/v1/scan";
  if (!reads && !runs) return refusal(http::kNotFound, "there is no " + target);
  const bool get = request.method == "GET" || request.method == "HEAD";
  if (get != reads || (runs && request.method != "POST")) {
    return refusal(http::kMethodNotAllowed, target + " expects " + (reads ? "GET" : "POST"));
  }
  if (reads) return target == "/v1/status" ? status() : files();
  // A page in a browser cannot send these types to another site without its consent.
  const std::string expected = target == "/v1/run" ? kCbor : kJson;
  if (!request.content_type.starts_with(expected)) {
    return refusal(http::kBadRequest, target + " expects the Content-Type " + expected);
  }
  if (target == "/v1/run") return run(request, socket);
  return run_json(target == "/v1/search" ? ReportKind::Search : ReportKind::Scan, request, socket);
}

http::Response Api::status() const {
  const JobQueue::Counts counts = queue_.counts();
  json files = json::array();
  for (const OpenedFile& file : files_.all()) {
    files.push_back({{"name", file.file.path.substr(file.file.path.rfind('/') + 1)},
                     {"path", file.file.path},
                     {"kind", name_of(file.kind)}});
  }
  const json status = {{"version", GPUHMM_VERSION}, {"engine", engines_.engines.description()},
                       {"databases", files},        {"running", counts.running},
                       {"waiting", counts.waiting}, {"answered", counts.ended},
                       {"jobs", settings_.jobs},    {"queue", settings_.queue}};
  return {http::kOk, kJson, status.dump(-1, ' ', false, json::error_handler_t::replace) + "\n"};
}

http::Response Api::files() const {
  ServerFiles files;
  files.most_bytes = settings_.most_bytes;
  for (const OpenedFile& file : files_.all()) files.files.push_back(file.file);
  return {http::kOk, kCbor, encoded(files)};
}

// Waits in the queue, does the run, and gives its response; stops it if the client leaves or the time is
// over.
template <class Respond>
http::Response Api::in_queue(SentRun&& sent, int socket, const Respond& respond) const {
  check_held(sent, files_);
  const auto shared = std::make_shared<SharedRun>(SharedRun{std::move(sent), {}});
  const std::shared_ptr<JobQueue::Job> job = queue_.enter([this, shared](const std::atomic<bool>& stop) {
    shared->answer = done_run(shared->run, files_, engines_, stop);
  });
  if (!job) {
    return refusal(http::kUnavailable,
                   "busy: " + std::to_string(settings_.queue) + " requests wait already; try again later");
  }
  const auto until =
      settings_.deadline ? http::Clock::now() + *settings_.deadline : http::Clock::time_point::max();
  const http::Awaited awaited = http::wait_with_client(job->ended(), socket, until);
  if (awaited == http::Awaited::Ready && job->done()) return respond(std::move(shared->answer));
  queue_.leave(*job);
  if (awaited != http::Awaited::TimePassed) return refusal(http::kUnavailable, "the server is ending");
  return refusal(http::kDeadlinePassed,
                 "not done within the " +
                     std::to_string(std::chrono::ceil<std::chrono::seconds>(*settings_.deadline).count()) +
                     " s that the server allows (--deadline)");
}

http::Response Api::run(const http::Request& request, int socket) const {
  return in_queue(decoded_run(request.body), socket, [](RunAnswer&& answer) {
    return http::Response{http::kOk, kCbor, encoded(answer)};
  });
}

http::Response Api::run_json(ReportKind kind, const http::Request& request, int socket) const {
  return in_queue(run_from_json(kind, request.body), socket, [](RunAnswer&& answer) {
    if (answer.code != kDone) {
      constexpr std::string_view kBefore = "gpuhmm: ";
      std::string message = answer.errors.substr(answer.errors.rfind(kBefore) + kBefore.size());
      if (message.ends_with('\n')) message.pop_back();
      return refusal(http::kBadRequest, message, answer.code);
    }
    return http::Response{http::kOk, "application/x-ndjson",
                          answer.files.empty() ? "" : std::move(answer.files.front().second)};
  });
}

}  // namespace gpuhmm::cli
