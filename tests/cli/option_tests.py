"""Options that mean the same in every command, older names of options, and prepared databases as input."""

import json
import re

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

ALIGNMENT = TESTDATA / "seq/RRM_1.sto"
HBA, HBB = TESTDATA / "seq/HBA_HUMAN.fasta", TESTDATA / "seq/HBB_HUMAN.fasta"
DNA = TESTDATA / "dna/phiX174.fna"
NUMBERS = "4 6 1 3 8 4 6\n"
# A small run of each command that writes to standard output or -o.
RUNS = {
    "search": ["search", "--device", "none", PROFILE, SEQUENCES],
    "scan": ["scan", "--device", "none", PROFILE, HBA],
    "fetch": ["fetch", PROFILE, "RRM_1"],
    "stat": ["stat", PROFILE],
    "emit": ["emit", "--seed", "1", "-q", PROFILE],
    "align": ["align", "-q", PROFILE, HBA],
    "segments": ["segments", SEQUENCES],
    "submatrix": ["submatrix", "--dotplot", HBA, HBB],
    "subsequence": ["subsequence", "numbers"],
    "reduce": ["reduce", "numbers"],
    "kmers": ["kmers", "-k", "5", DNA],
    "sort": ["sort", SEQUENCES],
    "devices": ["devices"],
}
# The same for commands whose output is an argument or the input file itself.
OTHERS = {
    "makedb": ["makedb", HBA, "made.ghdb"],
    "index": ["index", "profile.hmm"],
    "press": ["press", "-f", "hmmer3.hmm"],
    "calibrate": ["calibrate", "--num", "200", "--seed", "1", "--device", "none", "profile.hmm"],
    "convert": ["convert", "-F", PROFILE, "made.hmm"],
    "build": ["build", "-F", "made.hmm", ALIGNMENT],
}


class SmallRuns(CommandLineTest):
    """Makes the files for the runs."""

    def setUp(self):
        super().setUp()
        self.path("numbers", NUMBERS)
        self.path("profile.hmm", PROFILE.read_bytes())
        self.path("hmmer3.hmm", (TESTDATA / "hmm/RRM_1_hmmer3.hmm").read_bytes())

    def succeed(self, *words, **keywords):
        done = self.gpuhmm(*words, **keywords)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done


class SharedOptionTests(SmallRuns):
    def test_output(self):
        for command, run in RUNS.items():
            with self.subTest(command=command):
                plain = self.succeed(*run).stdout
                self.assertTrue(plain)
                self.assertEqual(self.succeed(*run, "-o", "-").stdout, plain)
                for flag in ("-o", "--output"):
                    self.succeed(*run, flag, "written")
                    self.assertEqual((self.folder / "written").read_bytes(), plain)

    def test_output_to_standard_output_mentions_no_file(self):
        for run in (["align", PROFILE, HBA], ["emit", "--seed", "1", PROFILE]):
            self.assertEqual(self.succeed(*run, "-o", "-").stdout, self.succeed(*run).stdout)

    def test_stats_go_to_standard_error_only(self):
        for command, run in {**RUNS, **OTHERS}.items():
            with self.subTest(command=command):
                plain, counted = self.succeed(*run), self.succeed(*run, "--stats")
                if command not in ("calibrate", "build"):  # seeds and dates
                    self.assertEqual(counted.stdout, plain.stdout)
                self.assertRegex(counted.stderr.decode(), r"\d ?s\b")
                self.assertGreater(counted.stderr.count(b"\n"), plain.stderr.count(b"\n"))

    def test_stats_of_companions_have_one_layout(self):
        """Names first: the engine, other texts, counts with rates, stages, and the whole time last."""
        for command in ("segments", "submatrix", "subsequence", "reduce", "sort", "kmers"):
            with self.subTest(command=command):
                lines = self.succeed(*RUNS[command], "-q", "--device", "none", "--stats").stderr.decode().splitlines()
                self.assertEqual(lines[0], "engine    host")
                kinds = ""
                for line in lines[1:]:
                    self.assertRegex(line, r"\A *[a-z]+ +\S")
                    is_count = re.fullmatch(r"[a-z]+ +\d+ \(\S+ a second\)", line)
                    is_stage = re.fullmatch(r" *[a-z]+ +\d+\.\d{3} s", line)
                    kinds += "c" if is_count else "s" if is_stage else "n"
                self.assertRegex(kinds, r"\An*c+s+\Z", lines)
                self.assertTrue(lines[-1].startswith("all       "), lines)
                words = ["-k", "2"] if command == "subsequence" else []  # without a length the host computes
                done = self.succeed(*RUNS[command], *words, "-q", "--device", "pthread", "--stats")
                self.assertRegex(done.stderr.decode(), r"\Aengine    pthread-")

    def test_commands_with_one_device_say_so(self):
        for command in ("subsequence", "reduce", "sort", "kmers"):
            for devices in ("pthread,none", "pthread,pthread", "0,1"):
                with self.subTest(command=command, devices=devices):
                    done = self.gpuhmm(*RUNS[command], "-o", "written", "--device", devices)
                    self.assert_fails(done, 2, "option '--device' expects one device", f"help {command}")
            self.assertFalse((self.folder / "written").exists())
        for experiment in ("ladder", "sort", "subsequence", "reduce"):
            done = self.gpuhmm("bench", experiment, "--device", "pthread,pthread")
            self.assert_fails(done, 2, "option '--device' expects one device", "help bench")
        for command in ("segments", "submatrix"):
            self.assertEqual(self.succeed(*RUNS[command], "--device", "pthread,pthread").stdout, self.succeed(*RUNS[command]).stdout)

    def test_quiet(self):
        for command, run in {**RUNS, **OTHERS}.items():
            if command in ("sort", "calibrate", "build"):
                continue
            for flag in ("-q", "--quiet"):
                with self.subTest(command=command):
                    self.assertEqual(self.succeed(*[word for word in run if word != "-q"], flag).stderr, b"")

    def test_standard_input(self):
        runs = {
            "numbers": (["subsequence"], ["reduce"]),
            PROFILE: (["stat"], ["emit", "-q", "-c"]),
            HBA: (["segments"], ["sort"], ["kmers", "-k", "3"], ["align", "-q", PROFILE], ["scan", "--noali", PROFILE]),
        }
        for path, commands in runs.items():
            content = (self.folder / path).read_bytes()
            for command in commands:
                with self.subTest(command=command[0]):
                    piped = self.succeed(*command, "-", input=content).stdout
                    if command[0] != "scan":  # its report names the file
                        self.assertEqual(piped, self.succeed(*command, path).stdout)

    def test_outputs_that_are_arguments_go_to_standard_output(self):
        self.succeed("makedb", "-q", HBA, "made.ghdb")
        self.assertEqual(self.succeed("makedb", "-q", HBA, "-").stdout, (self.folder / "made.ghdb").read_bytes())
        self.succeed("convert", "-q", PROFILE, "made.hmm")
        self.assertEqual(self.succeed("convert", PROFILE, "-").stdout, (self.folder / "made.hmm").read_bytes())

    def test_number_of_threads(self):
        for command in ("search", "scan", "align", "segments", "submatrix", "subsequence", "reduce", "kmers", "sort"):
            with self.subTest(command=command):
                plain = self.succeed(*RUNS[command]).stdout
                self.assertEqual(self.succeed(*RUNS[command], "--cpu", "1").stdout, plain)
                self.assert_fails(self.gpuhmm(*RUNS[command], "--cpu", "-1"), 2, "--cpu")

    def test_device(self):
        for command in ("search", "scan", "segments", "submatrix", "subsequence", "reduce", "kmers", "sort"):
            with self.subTest(command=command):
                self.assertEqual(self.succeed(*RUNS[command], "--device", "none").stdout, self.succeed(*RUNS[command]).stdout)
                self.assert_fails(self.gpuhmm(*RUNS[command], "--device", "nosuchdevice"), 3, "nosuchdevice")

    def test_outputs_that_are_arguments_can_be_named_by_the_option(self):
        runs = {"makedb": (["makedb", HBA], ["-o", "--output"]), "convert": (["convert", PROFILE], ["-o", "--output"]),
                "build": (["build", ALIGNMENT], ["--output"])}  # fmt: skip
        for command, (run, names) in runs.items():
            for number, name in enumerate(names):
                with self.subTest(command=command, name=name):
                    made = f"{command}{number}"
                    self.succeed(*run, name, made)
                    self.assertTrue((self.folder / made).stat().st_size)
                    self.assert_fails(self.gpuhmm(*run, name, "one", "two"), 2, "too many arguments")
            self.assert_fails(self.gpuhmm(*run), 2, "missing argument")
        self.assertEqual((self.folder / "convert0").read_bytes(), self.succeed("convert", PROFILE, "-").stdout)

    def test_commands_without_threads_or_devices_say_so(self):
        self.assert_fails(self.gpuhmm("stat", PROFILE, "--cpu", "2"), 2, "--cpu", "no work to share among threads")
        self.assert_fails(self.gpuhmm(*RUNS["align"], "--device", "0"), 2, "--device", "computes on the host")

    def test_a_quiet_conversion_has_no_report(self):
        self.assertEqual(self.succeed("convert", "-q", PROFILE, "made.hmm").stdout, b"")


class NameTests(SmallRuns):
    """Older names of options still work."""

    def test_layouts(self):
        for name in ("--format", "--table-format", "--table-f"):
            self.assertEqual(
                self.search("--tblout", "-", name, "tab", PROFILE, SEQUENCES),
                self.search("--tblout", "-", "--format=tab", PROFILE, SEQUENCES),
            )
            self.assertEqual(self.succeed("stat", name, "tab", PROFILE).stdout.count(b"\n"), 2)
        row = self.succeed("stat", "--format", "json", PROFILE).stdout
        self.assertEqual(json.loads(row)["name"], "RRM_1")
        self.assertEqual(self.succeed("stat", "--json", PROFILE).stdout, row)
        for name in ("--format", "--outformat"):
            self.assertTrue(self.succeed("align", "-q", name, "a2m", PROFILE, HBA).stdout.startswith(b">"))
        self.assert_fails(self.gpuhmm("search", "--table-format", "html", PROFILE, SEQUENCES), 2, "space or tab, not 'html'")

    def test_the_last_of_an_option_and_its_other_name_counts(self):
        last = self.succeed("stat", "--format", "space", "--table-format", "tab", PROFILE).stdout
        self.assertEqual(last, self.succeed("stat", "--format", "tab", PROFILE).stdout)

    def test_length_of_words(self):
        runs = [self.succeed("kmers", *words, DNA).stdout for words in (["-k", "4"], ["--k", "4"], ["--length=4"])]
        self.assertEqual(len(set(runs)), 1)
        runs = [self.succeed("subsequence", *words, "numbers").stdout for words in (["-k", "3"], ["--k", "3"])]
        self.assertEqual(len(set(runs)), 1)

    def test_alphabet_of_an_alignment(self):
        profiles = []
        for words in (["--amino"], ["--alphabet", "amino"], ["--alphabet", "amino", "--amino"]):
            self.succeed("build", "-F", *words, "made.hmm", ALIGNMENT)
            text = (self.folder / "made.hmm").read_text()
            profiles.append([line for line in text.splitlines() if not line.startswith(("COM", "DATE"))])
        self.assertEqual(profiles, [profiles[0]] * 3)
        wrong = self.gpuhmm("build", "-F", "--amino", "--alphabet", "nucleic", "made.hmm", ALIGNMENT)
        self.assert_fails(wrong, 2, "--alphabet contradicts")

    def test_alphabet_of_a_library(self):
        run = ["scan", "--noali", PROFILE, HBA]
        self.assertEqual(self.succeed(*run, "--alphabet", "amino").stdout, self.succeed(*run).stdout)
        for words in (["-n"], ["--nucleic"], ["--alphabet", "nucleic"]):
            self.assert_fails(self.gpuhmm(*run, *words), 1, "has protein profiles; expected nucleic ones")
        self.assert_fails(self.gpuhmm(*run, "-n", "--alphabet", "amino"), 2, "--alphabet contradicts --nucleic")

    def test_options_that_exclude_each_other(self):
        for words in (["build", "-f", "-s", "made.hmm", ALIGNMENT], ["build", "--wpb", "--wme", "made.hmm", ALIGNMENT],
                      ["convert", "-a", "-b", PROFILE, "made.hmm"], ["search", "--cut_ga", "--cut_tc", PROFILE, SEQUENCES]):  # fmt: skip
            self.assert_fails(self.gpuhmm(*words), 2, "only one of --")


class PreparedDatabaseTests(SmallRuns):
    """Commands that read sequences give the same answer from a prepared database."""

    def test_same_answers(self):
        runs = (["scan", "--noali", "-A", "0", "--tblout", "-", PROFILE], ["align", "-q", PROFILE], ["segments"],
                ["kmers", "-k", "3", "--count"], ["search", "--tblout", "-", PROFILE])  # fmt: skip
        self.succeed("makedb", "-q", SEQUENCES, "made.ghdb")
        for run in runs:
            with self.subTest(command=run[0]):
                found = self.succeed(*run, "made.ghdb").stdout
                self.assertEqual(found.replace(b"made.ghdb", bytes(SEQUENCES)), self.succeed(*run, SEQUENCES).stdout)

    def test_words_of_dna(self):
        self.succeed("makedb", "-q", DNA, "dna.ghdb")
        for words in (["-k", "9", "--canonical", "--count"], ["-k", "40"], ["-k", "6", "--histogram", "--memory", "64K"]):
            found = self.succeed("kmers", *words, "dna.ghdb")
            self.assertEqual(found.stdout, self.succeed("kmers", *words, DNA).stdout)
        records = "".join(f">{i}\n{'ACGTTGCA' * (i % 3)}\n" for i in range(9))  # empty ones among them
        self.succeed("makedb", "-q", "--alphabet", "nucleic", self.path("few.fa", records), "few.ghdb")
        self.assertEqual(self.succeed("kmers", "-k", "3", "few.ghdb").stdout, self.succeed("kmers", "-k", "3", "few.fa").stdout)

    def test_dot_plots(self):
        for path, name in ((HBA, "a.ghdb"), (HBB, "b.ghdb")):
            self.succeed("makedb", "-q", "--alphabet", "amino", path, name)
        plain = self.succeed("submatrix", "--dotplot", "--diagonal", HBA, HBB).stdout
        self.assertEqual(self.succeed("submatrix", "--dotplot", "--diagonal", "a.ghdb", "b.ghdb").stdout, plain)
        self.assertEqual(self.succeed("submatrix", "--dotplot", "--diagonal", "a.ghdb", HBB).stdout, plain)

    def test_commands_that_refuse_databases(self):
        self.succeed("makedb", "-q", HBA, "made.ghdb")
        self.assert_fails(self.gpuhmm("sort", "made.ghdb"), 1, "made.ghdb", "prepared database")
        self.assert_fails(self.gpuhmm("makedb", "made.ghdb", "again.ghdb"), 1, "already a prepared database")
        self.assert_fails(self.gpuhmm("align", "-q", TESTDATA / "hmm/MADE1_fs.hmm", "made.ghdb"), 1, "made.ghdb")

    def test_damage_is_detected(self):
        self.succeed("makedb", "-q", SEQUENCES, "made.ghdb")
        path = self.folder / "made.ghdb"
        content = bytearray(path.read_bytes())
        content[5000] ^= 1
        path.write_bytes(content)
        for run in (["align", "-q", PROFILE], ["kmers", "-k", "3"]):
            self.assert_fails(self.gpuhmm(*run, "made.ghdb"), 1, "made.ghdb")
