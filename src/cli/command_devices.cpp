// `gpuhmm devices`: the OpenCL devices of this machine.
#include "cli/command_devices.hpp"

#include <sstream>

#include "opencl/device.hpp"

namespace po = boost::program_options;

namespace gpuhmm::cli {

namespace {

po::options_description options() { return po::options_description("options"); }

int run(const Arguments& /*arguments*/) {
  std::ostringstream out;
  out << "# index\ttype\tname\tplatform\tdriver\tunits\tmemory_MiB\tlargest_buffer_MiB\n";
  for (const DeviceInfo& device : list_devices()) {
    out << device.index << '\t' << type_name(device.type) << '\t' << device.name << '\t' << device.platform
        << '\t' << device.driver << '\t' << device.compute_units << '\t' << (device.memory >> 20) << '\t'
        << (device.max_allocation >> 20) << '\n';
  }
  print(out.str());
  return kDone;
}

}  // namespace

Command devices_command() {
  return {"devices",
          "",
          "List the OpenCL devices that --device can name",
          "One line a device, tab-separated. A device is chosen by its index or by a part of its name; "
          "`none` is the "
          "CPU without OpenCL\nand needs no device.",
          "gpuhmm devices\ngpuhmm search --device 0 Pfam.hmm uniprot.fasta",
          options,
          run};
}

}  // namespace gpuhmm::cli
