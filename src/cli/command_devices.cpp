// `gpuhmm devices`: the OpenCL devices of this machine.
#include "cli/command_devices.hpp"

#include <sstream>

#include "cli/options.hpp"
#include "cli/run_statistics.hpp"
#include "formats/io/output.hpp"
#include "opencl/device.hpp"

namespace gpuhmm::cli {

namespace {

constexpr const char* kDescription = R"(
One line a device, tab-separated. A device is chosen by its index or by a part
of its name; `none` is the CPU without OpenCL and needs no device.)";

constexpr const char* kExamples = R"(
gpuhmm devices
gpuhmm search --device 0 Pfam.hmm uniprot.fasta)";

OptionTable options() {
  OptionTable all("options");
  add_output_option(all, "write the table");
  add_quiet_option(all, "no line of headings");
  add_stats_option(all);
  return all;
}

int run(const Arguments& arguments) {
  RunStatistics statistics(wants_stats(arguments.options));
  const std::vector<DeviceInfo> devices = list_devices();
  std::ostringstream out;
  if (!is_quiet(arguments.options))
    out << "# index\ttype\tname\tplatform\tdriver\tunits\tmemory_MiB\tlargest_buffer_MiB\n";
  for (const DeviceInfo& device : devices) {
    out << device.index << '\t' << type_name(device.type) << '\t' << device.name << '\t' << device.platform
        << '\t' << device.driver << '\t' << device.compute_units << '\t' << (device.memory >> 20) << '\t'
        << (device.max_allocation >> 20) << '\n';
  }
  OutputFile file(output_from(arguments.options));
  file.write(out.view());
  file.commit();
  statistics.count("devices", devices.size());
  statistics.print();
  return kDone;
}

}  // namespace

Command devices_command() {
  return {"devices", "", "List the OpenCL devices that --device can name", kDescription, kExamples,
          options,   run};
}

}  // namespace gpuhmm::cli
