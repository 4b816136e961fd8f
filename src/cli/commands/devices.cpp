// `gpuhmm devices`: the OpenCL devices of this machine.
#include <sstream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "gpuhmm/device.hpp"
#include "gpuhmm/output.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kHelp = R"(devices
List the OpenCL devices that --device can name

Prints one tab-separated line per device. A device is chosen by its index or by
a part of its name; `none` is the CPU without OpenCL and needs no device.

examples:
gpuhmm devices
gpuhmm search --device 0 Pfam.hmm uniprot.fasta)";

OptionTable options() {
  OptionTable all("options");
  add_output_option(all, "write the table");
  add_message_options(all, "no header line");
  return all;
}

void run(const Arguments& arguments) {
  RunStatistics statistics(arguments.has("stats"));
  const std::vector<DeviceInfo> devices = list_devices();
  std::ostringstream out;
  if (!arguments.has("quiet"))
    out << "# index\ttype\tname\tplatform\tdriver\tunits\tmemory_MiB\tlargest_buffer_MiB\n";
  for (const DeviceInfo& device : devices) {
    out << device.index << '\t' << type_name(device.type) << '\t' << device.name << '\t' << device.platform
        << '\t' << device.driver << '\t' << device.compute_units << '\t' << (device.memory >> 20) << '\t'
        << (device.max_allocation >> 20) << '\n';
  }
  OutputFile file(output_from(arguments));
  file.write(out.view());
  file.commit();
  statistics.count("devices", devices.size());
  statistics.print();
}

}  // namespace

Command devices_command() { return {kHelp, options, run}; }

}  // namespace gpuhmm::cli
