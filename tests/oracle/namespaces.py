"""Network namespaces that stand for machines: each has an address and a host name of its own, and all are joined by a
bridge. Needs the rights of root, and Debian's iproute2."""

import os
import stat
import subprocess
import tempfile
from pathlib import Path

NETWORK = "10.77.0"


class Hosts:
    """Hosts number 1 to `count`, while the context lasts. mpirun runs on the first one."""

    def __init__(self, count):
        self.names = [f"gpuhmm{os.getpid()}h{number}" for number in range(1, count + 1)]
        self.folder = tempfile.TemporaryDirectory(prefix="hosts-")

    def __enter__(self):
        first = self.names[0]
        try:
            for number, name in enumerate(self.names, 1):
                self._ip("netns", "add", name)
                self._ip("-n", name, "link", "set", "lo", "up")
                if name == first:
                    self._ip("-n", first, "link", "add", "eth0", "type", "bridge")
                else:
                    self._ip("link", "add", f"h{number}", "netns", first, "type", "veth", "peer", "name", "eth0", "netns", name)
                    self._ip("-n", first, "link", "set", f"h{number}", "master", "eth0")
                    self._ip("-n", first, "link", "set", f"h{number}", "up")
                self._ip("-n", name, "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth0")
                self._ip("-n", name, "link", "set", "eth0", "up")
            self._write_agent()
        except Exception:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL, check=False)
        self.folder.cleanup()

    @staticmethod
    def _ip(*words):
        done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"ip {' '.join(words)}: {done.stderr.strip()} (network namespaces need the rights of root)")

    def _write_agent(self):
        """What mpirun runs in place of ssh: AGENT ADDRESS COMMAND..."""
        lines = ["#!/bin/sh", "address=$1", "shift", "case $address in"]
        lines += [f"{NETWORK}.{number}) name={name} ;;" for number, name in enumerate(self.names, 1)]
        lines += ["esac", 'exec ip netns exec "$name" unshare --uts sh -c "hostname $name; $*"']
        self.agent = Path(self.folder.name) / "agent.sh"
        self.agent.write_text("\n".join(lines) + "\n")
        self.agent.chmod(self.agent.stat().st_mode | stat.S_IXUSR)

    def mpirun(self, ranks):
        """The words in front of the command of an MPI run on all hosts."""
        each = -(-ranks // len(self.names))
        hosts = ",".join(f"{NETWORK}.{number}:{each}" for number in range(1, len(self.names) + 1))
        network = f"{NETWORK}.0/24"
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', self.names[0],
                "mpirun", "--allow-run-as-root", "--mca", "plm_rsh_agent", str(self.agent), "--mca", "btl", "tcp,self",
                "--mca", "btl_tcp_if_include", network, "--mca", "oob_tcp_if_include", network,
                "--host", hosts, "-n", str(ranks)]  # fmt: skip
