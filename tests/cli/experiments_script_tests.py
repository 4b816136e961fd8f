"""bench/experiments.sh: its steps, options and exit codes, with a program in gpuhmm's place."""

import os

from harness import REPOSITORY, CommandLineTest

# Prints its arguments; `bench reduce` fails and `bench sort` takes long.
FAKE = """#!/bin/sh
echo "$@"
case "$2" in reduce) echo "out of luck" >&2; exit 3 ;; sort) exec sleep 20 ;; esac
"""


class ExperimentsScriptTests(CommandLineTest):
    def script(self, *words):
        fake = self.path("fake", FAKE)
        fake.chmod(0o755)
        command = ["bash", REPOSITORY / "bench/experiments.sh", *words]
        return self.run_command([str(word) for word in command], env={**os.environ, "GPUHMM": str(fake)})

    def test_each_step_writes_its_file(self):
        done = self.script("--only", "maximum,ladder", "pthread", self.path("out"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertRegex(done.stdout.decode(), r"^maximum: \d s\nladder: \d s\n$")
        self.assertRegex(self.path("out/ladder.txt").read_text(), r"^bench ladder --device pthread --cpu \d+ --json ")

    def test_steps_for_the_host_use_no_device(self):
        done = self.script("--full", "--only", "submatrix-sequential", "pthread", self.path("out"))
        self.assertEqual(done.returncode, 0)
        self.assertIn(" --device none ", self.path("out/submatrix-sequential.txt").read_text())

    def test_steps_that_fail_or_take_too_long(self):
        done = self.script("--seconds", 1, "--only", "reduce,sort,maximum", "pthread", self.path("out"))
        self.assertEqual(done.returncode, 1)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0], "reduce: exit code 3; out of luck")
        self.assertEqual(lines[1], "sort: stopped after 1 s; sort.txt has the tables before")
        self.assertTrue(lines[2].startswith("maximum: "))

    def test_wrong_usage(self):
        for words, message in ((["--only", "x", "a", "b"], "there is no step x"), (["a"], "expected DEVICE and FOLDER"),
                               (["--seconds", "soon", "a", "b"], "--seconds soon"),
                               (["--fast"], "unknown option --fast")):  # fmt: skip
            done = self.script(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b"\n")), (2, b"", 1))
            self.assertIn(message, done.stderr.decode())
        self.assertIn("usage: ", self.script("--help").stdout.decode())

    def test_all_tables_are_measured(self):
        known = self.gpuhmm("help", "bench").stdout.decode().split("Tables of `")[1:]
        tables = {part.split("`")[0]: {line.split()[0] for line in part.splitlines() if line.startswith(" ")}
                  for part in known}  # fmt: skip
        measured = {name: set() for name in tables}
        for line in self.script("--full", "--list").stdout.decode().splitlines():
            _, _, name, *words = line.split()
            chosen = set(words[words.index("--table") + 1].split(",")) if "--table" in words else tables[name]
            self.assertLessEqual(chosen, tables[name], line)
            measured[name] |= chosen
        missing = {name: tables[name] - measured[name] for name in tables}
        self.assertEqual({name: ids for name, ids in missing.items() if ids}, {})
