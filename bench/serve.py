#!/usr/bin/python3
"""Measures `gpuhmm serve`: answers, latency and memory.

Usage: bench/serve.py [--gpuhmm PATH] [--device D] [--requests N] [--many N] [--clients N] [--runs N]

Starts a server with testdata/seq/uniprot.fasta, a database made from it and a library of four profiles, then

1. sends --requests searches and scans, mixed, by --clients clients at the same time, and compares what each prints with the
   command line's answer (without CPU times and dates);
2. searches one protein --runs times in turn: by the command line, by the command line with --server, and by HTTP on one
   connection; prints the medians in milliseconds;
3. sends --many requests by HTTP and prints the server's memory after each tenth of them.

Ends with exit code 1 if an answer differs.
"""

import argparse
import http.client
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure

DATA = "testdata"
SEQUENCES, PROTEIN = f"{DATA}/seq/uniprot.fasta", f"{DATA}/seq/HBA_HUMAN.fasta"
HMMER2, HMMER3 = f"{DATA}/hmm/RRM_1_ls.hmm", f"{DATA}/hmm/RRM_1_hmmer3.hmm"
VARIABLE = re.compile(rb"# (CPU time|Mc/sec|Date):.*")


class UnixConnection(http.client.HTTPConnection):
    """HTTP on a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)

    def post(self, target, body):
        self.request("POST", target, json.dumps(body), {"Content-Type": "application/json"})
        response = self.getresponse()
        text = response.read()
        if response.status != 200:
            sys.exit(f"{target}: {response.status} {text.decode()}")
        return text


def resident_memory(process):
    """MiB."""
    with open(f"/proc/{process}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def answer(command):
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode, done.stderr, VARIABLE.sub(b"", done.stdout)


def compare(arguments, socket_path, runs):
    """1: the number of answers that differ."""
    expected = [answer([arguments.gpuhmm, words[0], "--device", arguments.device, *words[1:]]) for words in runs]

    def differs(number):
        words = runs[number % len(runs)]
        return answer([arguments.gpuhmm, words[0], "--server", socket_path, *words[1:]]) != expected[number % len(runs)]

    start = time.perf_counter()
    with ThreadPoolExecutor(arguments.clients) as pool:
        wrong = sum(pool.map(differs, range(arguments.requests)))
    seconds = time.perf_counter() - start
    print(f"{arguments.requests} requests by {arguments.clients} clients: {wrong} differ, {arguments.requests / seconds:.0f} a second")
    return wrong


def latency(arguments, socket_path, library):
    with open(PROTEIN, encoding="ascii") as file:
        body = {"profiles": os.path.basename(library), "sequences": {"text": file.read()}}
    connection = UnixConnection(socket_path)
    times = {"command line": [], "command line, --cpu 1": [], "--server": [], "HTTP": []}
    for _ in range(arguments.runs):
        command = [arguments.gpuhmm, "scan", "--device", arguments.device, library, PROTEIN]
        times["command line"].append(measure(command)[0])
        times["command line, --cpu 1"].append(measure([*command, "--cpu", "1"])[0])
        times["--server"].append(measure([arguments.gpuhmm, "scan", "--server", socket_path, library, PROTEIN])[0])
        start = time.perf_counter()
        connection.post("/v1/scan", body)
        times["HTTP"].append(time.perf_counter() - start)
    times["--version"] = [measure([arguments.gpuhmm, "--version"])[0] for _ in range(arguments.runs)]
    print(f"\none protein of 142 residues against 4 profiles, medians of {arguments.runs} runs")
    for name, seconds in times.items():
        print(f"{name:24} {1e3 * statistics.median(seconds):8.2f} ms")


def memory(arguments, socket_path, process, library):
    bodies = []
    for profile, target in ((HMMER2, "search"), (HMMER3, "search"), (None, "scan")):
        profiles = os.path.basename(library)
        if profile:
            with open(profile, encoding="ascii") as file:
                profiles = {"text": file.read()}
        with open(PROTEIN, encoding="ascii") as file:
            bodies.append((f"/v1/{target}", {"profiles": profiles, "sequences": {"text": file.read()}}))
    bodies.append(("/v1/search", {**bodies[0][1], "sequences": os.path.basename(SEQUENCES)}))
    print(f"\n{'requests':>8} {'MiB':>8}")

    def send(first):
        connection = UnixConnection(socket_path)
        for number in range(first, arguments.many // 10, arguments.clients):
            connection.post(*bodies[number % len(bodies)])
        connection.close()

    for tenth in range(10):
        with ThreadPoolExecutor(arguments.clients) as pool:
            list(pool.map(send, range(arguments.clients)))
        print(f"{(tenth + 1) * (arguments.many // 10):8} {resident_memory(process):8.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--device", default="none")
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--runs", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        library, database, socket_path = (os.path.join(folder, name) for name in ("library.hmm", "proteins.ghdb", "socket"))
        with open(library, "wb") as out:
            for name in ("RRM_1_ls", "Pkinase_ls", "Acetyltransf_1_ls", "RRM_1_fs"):
                with open(f"{DATA}/hmm/{name}.hmm", "rb") as file:
                    out.write(file.read())
        subprocess.run([arguments.gpuhmm, "makedb", "-q", SEQUENCES, database], check=True)
        command = [arguments.gpuhmm, "serve", "--socket", socket_path, "--device", arguments.device, library, database, SEQUENCES]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as server:
            server.stderr.readline()
            print(f"# {time.strftime('%Y-%m-%d')}  device {arguments.device}, {os.cpu_count()} processors")
            runs = [
                ("search", HMMER2, SEQUENCES),
                ("search", library, database),
                ("search", "--tblout", "-", HMMER3, database),
                ("search", HMMER3, SEQUENCES),
                ("scan", library, PROTEIN),
                ("scan", "--json", "-", library, SEQUENCES),
                ("scan", "--noali", HMMER3, SEQUENCES),
                ("search", HMMER2, os.path.join(folder, "absent.fasta")),
            ]
            wrong = compare(arguments, socket_path, runs)
            latency(arguments, socket_path, library)
            memory(arguments, socket_path, server.pid, library)
            server.terminate()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
