"""gpuhmm plan: what it tells, that it writes nothing, and refused inputs."""

import gzip
import json
import os

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

NEW_PROFILE = TESTDATA / "hmm/RRM_1_hmmer3.hmm"
KEYS = {
    "profiles", "nodes", "profiles_counted", "sequences", "residues", "sequences_counted", "cells", "engines", "batches",
    "batch_sequences", "batch_residues", "hits", "host_bytes", "devices", "seconds", "stages", "processor_seconds",
    "measured_share", "samples", "build_seconds",
}  # fmt: skip
STAGES = {"start", "profiles", "read", "score", "align", "report", "device"}


class PlanTest(CommandLineTest):
    def plan(self, *words, **keywords):
        return self.gpuhmm("plan", *words, **keywords)

    def told(self, *words):
        """The object that a plan with --format json prints."""
        done = self.plan("--format", "json", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        return json.loads(done.stdout)

    def many(self, copies):
        """The sequences so many times."""
        return self.path("many.fasta", copies * SEQUENCES.read_bytes())


class TellingTests(PlanTest):
    def test_json_has_all_keys(self):
        for words in ((PROFILE,), ("--scan", PROFILE), (NEW_PROFILE,), ("--scan", NEW_PROFILE)):
            told = self.told(*words, SEQUENCES)
            self.assertEqual(set(told), KEYS)
            self.assertEqual(set(told["stages"]), STAGES)
            self.assertEqual((told["profiles"], told["sequences"]), (1, 310))
            self.assertEqual(told["cells"], told["nodes"] * told["residues"])
            self.assertTrue(told["profiles_counted"] and told["sequences_counted"])
            self.assertEqual((told["batches"], told["measured_share"], len(told["samples"])), (1, 1, 1), words)
            self.assertGreater(told["host_bytes"], 1e6)
            self.assertGreater(told["seconds"], 0)

    def test_counts_hits(self):
        done = self.gpuhmm("search", "--quiet", "--tblout", self.path("hits.tbl"), PROFILE, SEQUENCES)
        self.assertEqual(done.returncode, 0)
        lines = self.path("hits.tbl").read_text().splitlines()
        self.assertEqual(self.told(PROFILE, SEQUENCES)["hits"], sum(not line.startswith("#") for line in lines))
        self.assertEqual(self.told("-E", "1e-300", PROFILE, SEQUENCES)["hits"], 0)

    def test_samples_a_long_run(self):
        profiles = self.path("both.hmm", 40 * NEW_PROFILE.read_bytes())
        for command in ((), ("--scan",)):
            told = self.told(*command, "--seconds", "0.2", "--cpu", "1", profiles, self.many(20))
            self.assertAlmostEqual(told["profiles"], 40, delta=10)
            self.assertAlmostEqual(told["sequences"], 6200, delta=0 if told["sequences_counted"] else 2000)
            self.assertLess(told["measured_share"], 1)
            self.assertGreater(len(told["samples"]), 1)
            self.assertLess(told["samples"][0]["residues"], told["residues"])
            self.assertGreater(told["seconds"], max(sample["seconds"] for sample in told["samples"]))
            self.assertGreater(told["hits"], 0)

    def test_knows_the_size_of_a_file_without_time(self):
        many = self.many(20)  # 1.3 MB
        told = self.told("--seconds", "0", "--cpu", "1", PROFILE, many)
        self.assertAlmostEqual(told["sequences"], 6200, delta=1200)
        self.assertAlmostEqual(told["residues"], 20 * 126791, delta=0.2 * 20 * 126791)

    def test_samples_have_the_thresholds_of_the_whole(self):
        # With the number of sequences of a sample, E-values would let many more through.
        profiles, sequences = self.path("profiles.hmm", 40 * PROFILE.read_bytes()), self.many(40)
        done = self.gpuhmm("search", "--quiet", "-E", "1000", "--tblout", "hits.tbl", PROFILE, sequences)
        self.assertEqual(done.returncode, 0)
        lines = self.path("hits.tbl").read_text().splitlines()
        expected = 40 * sum(not line.startswith("#") for line in lines)
        told = self.told("--seconds", "0.2", "--cpu", "1", "-E", "1000", profiles, sequences)
        self.assertLess(told["measured_share"], 1)
        self.assertAlmostEqual(told["hits"], expected, delta=0.3 * expected)

    def test_profiles_of_both_versions(self):
        mixed = self.path("mixed.hmm", NEW_PROFILE.read_bytes() + PROFILE.read_bytes())
        told = self.told(mixed, SEQUENCES)
        self.assertEqual((told["profiles"], len(told["engines"])), (2, 2))

    def test_packed_and_prepared_sequences(self):
        packed = self.path("packed.fasta.gz", gzip.compress(SEQUENCES.read_bytes()))
        self.assertEqual(self.gpuhmm("makedb", "--quiet", SEQUENCES, self.path("made.ghdb")).returncode, 0)
        plain = self.told(PROFILE, SEQUENCES)
        for sequences in (packed, self.path("made.ghdb")):
            told = self.told(PROFILE, sequences)
            self.assertEqual([told[key] for key in ("residues", "hits")], [plain[key] for key in ("residues", "hits")])

    def test_text_has_a_line_for_each_fact(self):
        done = self.plan("--stats", PROFILE, SEQUENCES)
        self.assertEqual(done.returncode, 0)
        firsts = [line.split()[0] for line in done.stdout.decode().splitlines()]
        self.assertEqual(firsts, ["profiles", "sequences", "cells", "engine", "batches", "hits", "memory", "time", "start",
                                  "profiles", "read", "score", "align", "report", "processors", "measured"])  # fmt: skip
        self.assertRegex(done.stderr.decode(), r"\Asample   \d+ nodes, \d+ residues: .*\n\Z")


class DeviceTests(PlanTest):
    def test_building_kernels_does_not_count(self):
        # With an empty cache the driver builds kernels, and keeps them: the sample is run again and finds them.
        keeping = {**os.environ, "POCL_CACHE_DIR": str(self.path("cache"))}
        os.mkdir(self.path("cache"))
        words = ("--device", "pthread", "--format", "json", PROFILE, SEQUENCES)
        first, later = (json.loads(self.plan(*words, env=keeping).stdout) for _ in range(2))
        self.assertGreater(first["build_seconds"], 0.2)
        # told by the time of a sample, so that a busy machine may show some where nothing is built
        self.assertLess(later["build_seconds"], first["build_seconds"] / 2)
        self.assertEqual(len(first["samples"]), 1)
        self.assertLess(first["seconds"], first["build_seconds"])

    def test_devices_have_lines_of_their_own(self):
        text = self.plan("--device", "pthread", PROFILE, SEQUENCES).stdout.decode()
        self.assertRegex(text, r"(?m)^memory .* on the host\n           .* on OpenCL, ")
        self.assertRegex(text, r"(?m)^  device   ")
        for device in self.told("--device", "pthread", PROFILE, SEQUENCES)["devices"]:
            self.assertGreater(device["bytes"], 0)


class WritingTests(PlanTest):
    def test_writes_none_of_the_outputs(self):
        kept = self.path("kept.txt", "kept\n")
        for profile in (PROFILE, NEW_PROFILE):
            words = ("-o", kept, "--tblout", self.path("t"), "--domtblout", self.path("d"), "--json", self.path("j"))
            self.told(*words, profile, SEQUENCES)
            self.assertEqual(kept.read_text(), "kept\n")
            self.assertEqual([entry.name for entry in self.folder.iterdir()], ["kept.txt"])


class RefusalTests(PlanTest):
    def check(self, code, text, *words, **keywords):
        done = self.plan(*words, **keywords)
        self.assertEqual((done.returncode, done.stdout), (code, b""), words)
        self.assertIn(text, done.stderr.decode())
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)

    def test_inputs_that_can_be_read_only_once(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for words in (("-", SEQUENCES), (PROFILE, "-"), (pipe, SEQUENCES), (PROFILE, pipe)):
            self.check(2, "can be read only once; a plan needs files", *words, input=b"")

    def test_files_that_are_missing_or_wrong(self):
        self.check(1, "missing.hmm", self.path("missing.hmm"), SEQUENCES)
        self.check(1, "missing.fasta", PROFILE, self.path("missing.fasta"))
        self.check(1, "none.hmm", self.path("none.hmm", ""), SEQUENCES)
        self.check(1, "broken.hmm", self.path("broken.hmm", PROFILE.read_bytes()[:3000]), SEQUENCES)

    def test_devices_and_options(self):
        self.check(3, "no such thing", "--device", "no such thing", PROFILE, SEQUENCES)
        self.check(2, "--shard", "--shard", "1/2", PROFILE, SEQUENCES)
        self.check(2, "--seconds", "--seconds", "-1", PROFILE, SEQUENCES)
