// `gpuhmm serve`: keeps databases, libraries and devices open, and answers searches and scans.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/commands/lasting_engines.hpp"
#include "cli/message.hpp"
#include "cli/options.hpp"
#include "cli/serve/api.hpp"
#include "cli/serve/ending.hpp"
#include "cli/serve/held_files.hpp"
#include "cli/serve/job_queue.hpp"
#include "http/listener.hpp"
#include "http/server.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(serve DATABASE...
Keep databases and devices open and answer searches and scans

Opens the prepared databases, sequence files, profile files and pressed libraries
that are named, and the devices, then answers `gpuhmm search --server PATH` and
`gpuhmm scan --server PATH` on the Unix socket PATH with what these commands print
without a server. They send the contents of files that the server does not hold,
and write all outputs; the server reads no other files and writes none. With
--listen it also answers HTTP requests with JSON (docs/serve.md); anyone who can
connect to that address can use it.

SIGTERM ends it: runs that have begun are finished, those that wait are refused.
A second signal stops those, too.

examples:
gpuhmm serve --socket /tmp/gpuhmm.socket uniprot.ghdb Pfam_ls &
gpuhmm search --server /tmp/gpuhmm.socket Pkinase.hmm uniprot.ghdb
gpuhmm serve --socket search.socket --listen 127.0.0.1:8080 --device 0 uniprot.ghdb)";

OptionTable options() {
  OptionTable all("server");
  all.add("socket", file("PATH"), "answer on the Unix socket PATH, which only this user can use");
  all.add("listen", value<std::string>("ADDRESS:PORT"),
          "answer HTTP requests at this numeric address, too; :PORT is 127.0.0.1:PORT");
  all.add("jobs", value<int>("N", "2").within(1, 1024), "runs at a time (default 2)");
  all.add("queue", value<int>("N", "64").within(0, 1'000'000), "runs that may wait (default 64)");
  all.add("deadline", value<double>("SECONDS").within(0.001, 1e6),
          "refuse a run that is not done so long after it came (default: none)");
  all.add("request-limit", value<int>("MIB", "256").within(1, 1 << 20),
          "the most that a request may hold (default 256 MiB)");
  all.add("quiet,q", "no message when the server is ready");
  all.group("computing");
  add_compute_options(all, Devices::Several, "auto (GPUs if there are any)");
  return all;
}

Api::Settings settings_from(const Arguments& arguments) {
  std::optional<std::chrono::milliseconds> deadline;
  if (const auto seconds = arguments.find<double>("deadline")) {
    deadline = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds));
  }
  return {deadline, static_cast<std::size_t>(arguments.get<int>("request-limit")) << 20,
          static_cast<unsigned>(arguments.get<int>("jobs")),
          static_cast<std::size_t>(arguments.get<int>("queue"))};
}

void run(const Arguments& arguments) {
  constexpr std::size_t kMoreConnections = 64;  // that wait for nothing, or are refused
  if (!arguments.has("socket")) throw UsageError("missing --socket PATH");
  const Api::Settings settings = settings_from(arguments);
  Ending ending;
  std::optional<http::UnixListener> local(arguments.get("socket"));
  std::optional<http::Descriptor> network;
  if (const auto address = arguments.text("listen")) network.emplace(http::listen_on(*address));

  const unsigned threads = threads_from(arguments);
  LastingEngines engines(arguments.get("device"), threads);
  const SharedEngines shared = engines.shared();
  const HeldFiles files(arguments.positional, engines.pool(), threads);
  JobQueue queue(settings.jobs, settings.queue);
  const Api api(files, shared, queue, settings);
  http::Server server([&](const http::Request& request, int socket) { return api.respond(request, socket); },
                      {settings.jobs + settings.queue + kMoreConnections, settings.most_bytes});
  if (!arguments.has("quiet")) {
    std::string ready = "gpuhmm serve: ready on " + arguments.get("socket");
    if (network) ready += " and http://" + http::address_of(network->get());
    write_message("", ready);
  }

  std::vector<int> listeners = {local->socket()};
  if (network) listeners.push_back(network->get());
  ending.expect([&] { queue.stop_all(); });
  server.accept(listeners, ending.begun());
  local.reset();
  network.reset();
  queue.close();
  server.join();
  leave(kDone);
}

}  // namespace

Command serve_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
