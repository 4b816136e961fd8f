"""A Slurm cluster of one node on this machine: its daemons run in a folder until the `with` block ends."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("mungekey", "munged", "slurmctld", "slurmd", "sinfo", "sbatch", "squeue", "scancel")
START_LIMIT = 30  # seconds
SYSTEM_FOLDERS = "/usr/sbin:/usr/bin:/sbin:/bin"


class Problem(Exception):
    """The cluster or a program of it does not work."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """`folder`: an empty one. `environment`: of all clients and tasks."""

    def __init__(self, folder, environment):
        self.folder = Path(folder)
        path = f"{environment['PATH']}:{SYSTEM_FOLDERS}"
        self.environment = {**environment, "PATH": path, "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.daemons = []
        missing = [name for name in PROGRAMS if not shutil.which(name, path=path)]
        if missing:
            raise Problem(f"{', '.join(missing)}: not installed (Debian packages slurm-wlm and munge)")

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def _configuration(self):
        node, user = socket.gethostname().split(".")[0], pwd.getpwuid(os.getuid()).pw_name
        return f"""ClusterName=test
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=2
NodeName={node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={node} Default=YES MaxTime=10 State=UP
"""

    def _start(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "slurm.conf").write_text(self._configuration())
        self.run("mungekey", "--create", "--keyfile", self.folder / "munge.key")
        self._daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={self.folder}/munge.socket",
                     f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munged.seed")  # fmt: skip
        self._wait("munged", lambda: (self.folder / "munge.socket").exists())
        self._daemon("slurmctld", "-D")
        self._daemon("slurmd", "-D")
        self._wait("Slurm", lambda: self.run("sinfo", "--noheader", "--format=%T", check=False) == "idle")

    def _daemon(self, *words):
        log = (self.folder / f"{words[0]}.out").open("wb")
        self.daemons.append(
            subprocess.Popen(list(map(str, words)), env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        )

    def _wait(self, what, ready):
        deadline = time.monotonic() + START_LIMIT
        while not ready():
            ended = [daemon for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                reason = f"{ended[0].args[0]} ended, exit {ended[0].returncode}" if ended else f"not after {START_LIMIT} s"
                raise Problem(f"{what} does not start ({reason}):\n{self.logs()}")
            time.sleep(0.2)

    def logs(self):
        """The last lines of the daemons' logs."""
        paths = sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")])
        return "\n".join(f"{path.name}: {line}" for path in paths for line in path.read_text(errors="replace").splitlines()[-6:])

    def run(self, *words, check=True, **keywords):
        """The standard output of a program that must succeed."""
        done = subprocess.run(list(map(str, words)), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=START_LIMIT, check=False, **keywords)  # fmt: skip
        if check and done.returncode != 0:
            raise Problem(f"{words[0]}: exit {done.returncode}: {done.stderr.strip()}\n{self.logs()}")
        return done.stdout.strip()

    def wait_for_jobs(self, limit):
        """Waits until no job is left."""
        deadline = time.monotonic() + limit
        while jobs := self.run("squeue", "--noheader", "--format=%i %T %r"):
            if time.monotonic() > deadline:
                self.run("scancel", "--user", pwd.getpwuid(os.getuid()).pw_name)
                raise Problem(f"jobs are left after {limit} s: {jobs}\n{self.logs()}")
            time.sleep(0.3)
