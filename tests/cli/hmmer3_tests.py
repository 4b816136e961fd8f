"""HMMER3 profiles: search and scan as hmmsearch and hmmscan of HMMER 3.3.2, press, and whose answer is given."""

import gzip
import json
import subprocess
from pathlib import Path

from harness import PROFILE, SEQUENCES, TESTDATA, Settings
from hmmer3 import BANNER, DNA_PROFILE, HMMER3, OTHER, Hmmer3Test, comparable

HMMER2_ONLY = ("-A 3", "--compat", "--null2", "--forward", "--xnu")
HMMER3_ONLY = ("--incE 1", "--incT 1", "--incdomE 1", "--incdomT 1", "--domZ 9", "--max", "--F1 1", "--F2 1", "--F3 1",
               "--nobias", "--nonull2", "--seed 1", "--textw 150", "--notextw", "--pfamtblout out")  # fmt: skip


class AnswerTests(Hmmer3Test):
    def test_search_prints_the_report_of_hmmsearch(self):
        report = comparable(self.run_quietly("search", self.library, SEQUENCES))
        self.assertEqual(report[0], b"# hmmsearch :: search profile(s) against a sequence database")
        self.assertTrue(report[1].startswith(b"# HMMER 3.3.2 (gpuhmm "))
        self.assertEqual(report[BANNER:], comparable(self.hmmer3("hmmsearch", self.library, SEQUENCES))[BANNER:])

    def test_scan_prints_the_report_of_hmmscan(self):
        self.hmmer3("hmmpress", self.library)
        expected = comparable(self.hmmer3("hmmscan", self.library, self.queries))[BANNER:]
        for profiles in (self.library, self.path("plain/library.hmm")):
            if profiles != self.library:
                profiles.parent.mkdir()
                self.library.rename(profiles)
            report = comparable(self.run_quietly("scan", profiles, self.queries))[BANNER:]
            named = [line for line in report if not line.startswith(b"# target HMM database:")]
            self.assertEqual(named, [line for line in expected if not line.startswith(b"# target HMM database:")])

    def test_as_2_gives_the_answer_of_HMMER2(self):
        self.gpuhmm("convert", HMMER3, "converted.hmm")
        for command in ("search", "scan"):
            report = self.run_quietly(command, "--as", "2", HMMER3, self.queries)
            self.assertIn(b"\nHMMER 2.3.2 (gpuhmm ", report)
            expected = self.run_quietly(command, "converted.hmm", self.queries)
            self.assertEqual(report.splitlines()[8:], expected.splitlines()[8:])

    def test_the_version_of_the_profile_decides(self):
        for profile, answer in ((PROFILE, b"HMMER 2.3.2"), (HMMER3, b"HMMER 3.3.2")):
            for command in ("search", "scan"):
                self.assertIn(answer, self.run_quietly(command, profile, self.queries)[:200])
        self.assert_fails(self.gpuhmm("search", "--as", "3", PROFILE, SEQUENCES), 1, PROFILE, "profiles of HMMER2", "HMMER3")
        self.assert_fails(self.gpuhmm("search", "--as", "4", PROFILE, SEQUENCES), 2, "--as", "'4'")

    def test_inputs(self):
        expected = comparable(self.run_quietly("search", "--tblout", "-", self.library, SEQUENCES))
        packed = self.path("library.hmm.gz", gzip.compress(self.library.read_bytes()))
        self.gpuhmm("makedb", "--alphabet", "amino", SEQUENCES, "sequences.ghdb")
        for words, given in (
            ((packed, SEQUENCES), b""), ((self.library, "sequences.ghdb"), b""),
            ((self.library, "-"), SEQUENCES.read_bytes()), (("--as", "3", "-", SEQUENCES), self.library.read_bytes()),
            (("--batch-residues", "3000", "--cpu", "3", self.library, SEQUENCES), b""),
        ):  # fmt: skip
            found = comparable(self.run_quietly("search", "--tblout", "-", *words, input=given))
            self.assertEqual(found, expected, words)


class OptionTests(Hmmer3Test):
    def test_options_of_the_other_generation_are_refused(self):
        for option in HMMER2_ONLY:
            for command in ("search", "scan"):
                name = option.split()[0].replace("-A", "--alignments").lstrip("-")
                done = self.gpuhmm(command, *option.split(), HMMER3, self.queries)
                self.assert_fails(done, 2, f"--{name} is for HMMER2 profiles only", f"(see `gpuhmm help {command}`)")
        for command, options in (("search", (*HMMER3_ONLY, "--acc", "--msa out")), ("scan", HMMER3_ONLY)):
            for option in options:
                done = self.gpuhmm(command, *option.split(), PROFILE, self.queries)
                self.assert_fails(done, 2, f"{option.split()[0]} is for HMMER3 profiles only")
        for option in ("-n", "--alphabet amino"):
            self.assert_fails(self.gpuhmm("scan", *option.split(), HMMER3, self.queries), 2, "HMMER2 profiles only")
        self.assert_only("library.hmm", "queries.fasta")

    def test_sizes_are_above_0(self):
        for option, value, name in (("-Z", "0", "--size"), ("-Z", "-1.5", "--size"), ("--domZ", "0", "--domZ")):
            self.assert_fails(self.gpuhmm("search", option, value, HMMER3, SEQUENCES), 2, f"{name} is {value};")

    def test_sizes_need_not_be_whole_with_HMMER2_profiles(self):
        evalues = []
        for size in ("2.5", "5"):
            table = self.run_quietly("search", "-Z", size, "--tblout", "-", "--format", "tab", PROFILE, SEQUENCES)
            evalues.append([float(row.split(b"\t")[4]) for row in table.splitlines()[1:21]])
        self.assertEqual(len(evalues[0]), 20)
        for half, whole in zip(*evalues):
            self.assertAlmostEqual(half * 2 / whole, 1, places=4)

    def test_sequences_of_another_alphabet(self):
        dna = TESTDATA / "dna/phiX174.fna"
        for command in ("search", "scan"):
            done = self.gpuhmm(command, "-q", HMMER3, dna)
            self.assertEqual(done.returncode, 0)
            says = "seems to hold nucleic sequences; the profiles are of protein"
            self.assertEqual(done.stderr.decode(), f"gpuhmm: warning: {dna}: {says}\n")
            done = self.gpuhmm(command, "-q", "-o", "report", DNA_PROFILE, self.queries)
            self.assert_fails(done, 1, self.queries, "record 1", "alphabet")
            self.run_quietly(command, DNA_PROFILE, dna)

    def test_contradictory_options(self):
        for words in ("--max --F1 0.1", "--max --nobias", "-E 1 -T 20", "--incdomE 1 --incdomT 20", "--cut_ga -E 1",
                      "--cut_ga --incT 1", "--cut_ga --cut_tc", "--textw 150 --notextw", "--textw 119"):  # fmt: skip
            done = self.gpuhmm("search", *words.split(), HMMER3, SEQUENCES)
            self.assert_fails(done, 2, *(word for word in words.split() if word.startswith("--")))

    def test_options_have_the_effect_of_those_of_hmmsearch(self):
        for words in ("--max", "--cut_ga --acc", "-E 1e-20 --noali", "-T 50 --incT 80 --domT 40 --textw 150", "-Z 1000.5",
                      "--nonull2 --nobias --F1 0.1 --F2 0.01 --F3 0.001 --notextw", "--seed 7 -Z 1e-3 --domZ 0.25"):  # fmt: skip
            words = words.split()
            found = comparable(self.run_quietly("search", *words, HMMER3, SEQUENCES))
            self.assertEqual(found[BANNER:], comparable(self.hmmer3("hmmsearch", *words, HMMER3, SEQUENCES))[BANNER:])


class OutputTests(Hmmer3Test):
    def test_tables_and_alignment_are_those_of_hmmsearch(self):
        tables = ("--tblout", "--domtblout", "--pfamtblout")
        self.hmmer3("hmmsearch", *(word for name in tables for word in (name, f"expected{name}")),
                    "-A", "expected", self.library, SEQUENCES)  # fmt: skip
        self.run_quietly("search", *(word for name in tables for word in (name, f"found{name}")),
                         "--msa", "found", self.library, SEQUENCES)  # fmt: skip
        for name in (*tables, ""):
            expected, found = (comparable(self.path(who + name).read_bytes()) for who in ("expected", "found"))
            self.assertGreater(len(found), 10)
            self.assertEqual(found, expected, name)
            # Alone it needs less of the alignments.
            alone = name and self.run_quietly("search", "-o", "/dev/null", name, "-", self.library, SEQUENCES)
            self.assertEqual(comparable(alone) if name else expected, expected, name)

    def test_json_and_tab_separated_table(self):
        words = ("--incE", "1e-30", "--domtblout", "rows", "--format", "tab", "--json", "json")
        self.run_quietly("search", *words, self.library, SEQUENCES)
        rows = [line.split("\t") for line in self.path("rows").read_text().splitlines()]
        hits = [json.loads(line) for line in self.path("json").read_text().splitlines()]
        domains = [(hit["sequence"]["name"], hit["profile"]["name"], domain["number"], domain["envelope_from"])
                   for hit in hits for domain in hit["domains"]]  # fmt: skip
        columns = [rows[0].index(name) for name in ("target_name", "query_name", "domain_number", "env_from")]
        self.assertEqual([tuple(row[column] for column in columns) for row in rows[1:]],
                         [tuple(map(str, domain)) for domain in domains])  # fmt: skip
        self.assertTrue(any(hit["included"] for hit in hits) and not all(hit["included"] for hit in hits))

    def test_the_report_makes_way_for_another_output(self):
        for option in ("--tblout", "--domtblout", "--pfamtblout", "--msa", "--json"):
            text = self.run_quietly("search", option, "-", HMMER3, SEQUENCES)
            self.assertNotIn(b"hmmsearch ::", text)
            self.run_quietly("search", option, "-", "-o", "report", HMMER3, SEQUENCES)
            self.assertIn(b"hmmsearch ::", self.path("report").read_bytes())
        self.assert_fails(self.gpuhmm("search", "--msa", "-", "--json", "-", HMMER3, SEQUENCES), 2)

    def test_a_failure_leaves_nothing(self):
        bad = self.path("bad.fasta", self.queries.read_bytes() + b">last\nACD1\n")
        done = self.gpuhmm("search", "-q", "-o", "report", "--tblout", "table", "--msa", "msa", self.library, bad)
        self.assert_fails(done, 1, bad)
        self.assert_only("library.hmm", "queries.fasta", "bad.fasta")

    def test_errors(self):
        noise = self.path("noise", b"\x00\x01 noise")
        cut = self.path("cut.hmm", self.library.read_bytes()[:-500])
        whole_lines = self.path("lines.hmm", self.library.read_bytes()[:-3])
        for words, *named in (
            (("missing", SEQUENCES), "missing"), ((HMMER3, "missing"), "missing"), ((noise, SEQUENCES), noise),
            ((cut, SEQUENCES), cut), ((whole_lines, SEQUENCES), whole_lines, "Pkinase", "//"),
            ((HMMER3, noise), noise), (("-o", "no/report", HMMER3, SEQUENCES), "no/report"),
            (("--cut_nc", TESTDATA / "hmmer3/scoring/M1.hmm", SEQUENCES), "NC", "M1"),
        ):  # fmt: skip
            with self.subTest(words=words):
                self.assert_fails(self.gpuhmm("search", "-q", *words), 1, *named)
        self.assert_fails(self.gpuhmm("search", "-o", HMMER3, HMMER3, SEQUENCES), 2, HMMER3)
        self.assert_fails(self.gpuhmm("search", "--as", "3", "-", "-"), 2)


class PressTests(Hmmer3Test):
    def test_press_writes_what_hmmpress_writes(self):
        done = self.gpuhmm("press", "library.hmm")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        names = [f"library.hmm.h3{letter}" for letter in "fimp"]
        self.assert_only("library.hmm", "queries.fasta", *names)
        written = [self.path(name).read_bytes() for name in names]
        self.assertEqual(done.stdout, self.hmmer3("hmmpress", "-f", "library.hmm").partition(b"done.\n")[2])
        self.assertEqual([self.path(name).read_bytes() for name in names], written)

    def test_force_quiet_and_refusals(self):
        self.gpuhmm("press", self.library)
        self.assert_fails(self.gpuhmm("press", self.library), 1, "library.hmm.h3", "exists already")
        done = self.gpuhmm("press", "--force", "--quiet", self.library)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        twice = self.path("twice.hmm", HMMER3.read_bytes() * 2)
        cut = self.path("cut.hmm", self.library.read_bytes()[:-3])
        for path, named in ((PROFILE, PROFILE), ("-", "standard input"), ("missing", "missing"), (twice, "RRM_1"), (cut, cut)):
            self.assert_fails(self.gpuhmm("press", path), 1, named)
        self.assert_fails(self.gpuhmm("press"), 2)
        self.assert_only("library.hmm", "queries.fasta", "twice.hmm", "cut.hmm", *(f"library.hmm.h3{letter}" for letter in "fimp"))

    def test_hmmpress_fails_in_the_words_of_hmmpress(self):
        program = self.path("bin/hmmpress")
        program.parent.mkdir()
        program.symlink_to(Path(Settings.gpuhmm).resolve())
        good, older = HMMER3.read_bytes(), DNA_PROFILE.read_bytes()
        long_name = good.replace(b"NAME  RRM_1", b"NAME  " + b"long" * 20)
        for content in (good * 2, long_name * 2, good + b"junk\n", good + older, good.replace(b"LENG ", b"LENX "), b"junk\n", b""):
            for words in (["x.hmm"], ["--foo", "x.hmm"], []):
                self.path("x.hmm", content)
                runs = []
                for executable in ("/usr/bin/hmmpress", program):
                    done = subprocess.run(["./a/hmmpress", *words], executable=executable, cwd=self.folder, capture_output=True, check=False)
                    runs.append((done.returncode, done.stdout, done.stderr))
                    self.path("x.hmm.h3i").unlink(missing_ok=True)  # HMMER's program leaves it
                self.assertEqual(runs[1], runs[0])

    def test_a_pressed_library_stands_for_its_text(self):
        expected = comparable(self.run_quietly("search", self.library, SEQUENCES))
        self.gpuhmm("press", self.library)
        self.path("library.hmm", HMMER3.read_bytes())
        self.assertEqual(comparable(self.run_quietly("search", self.library, SEQUENCES)), expected)


class DeviceTests(Hmmer3Test):
    """Searches on an OpenCL device (PoCL)."""

    OUTPUTS = ("--tblout", "--domtblout", "--pfamtblout", "--json", "--msa", "-o")

    def results(self, *words):
        """The files that a search writes; standard error."""
        outputs = [word for name in self.OUTPUTS for word in (name, f"out{name}")]
        done = self.gpuhmm("search", *outputs, *words, self.library, SEQUENCES)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return {name: comparable(self.path(f"out{name}").read_bytes()) for name in self.OUTPUTS}, done.stderr.decode()

    def test_answers_are_those_of_the_host(self):
        expected, _ = self.results("--device", "none")
        self.assertGreater(len(expected["--domtblout"]), 20)
        for words in ((), ("--verify", "100"), ("--batch-residues", "5000")):
            found, message = self.results("--device", "pthread", *words)
            self.assertEqual(found, expected)
            self.assertNotIn("warning", message)

    def test_scans(self):
        expected = comparable(self.run_quietly("scan", "--tblout", "-", self.library, self.queries))
        for words in (("--verify", "100"), ("--batch-residues", "2000"), ("--cpu", "2")):
            found = self.run_quietly("scan", "--device", "pthread", *words, "--tblout", "-", self.library, self.queries)
            self.assertEqual(comparable(found), expected)
            self.gpuhmm("press", self.library)  # the other ones read the pressed library

    def test_options_that_change_what_passes(self):
        for words in ("--F1 0.4", "--F1 1e-7", "--F1 0", "--F1 1", "--max", "--nobias"):
            expected, _ = self.results("--device", "none", *words.split())
            found, _ = self.results("--device", "pthread", *words.split())
            self.assertEqual(found, expected, words)

    def test_impossible_and_empty_sequences(self):
        short = self.path("short.fasta", b">a\n>b\nM\n>c\n" + b"MKV" * 30 + b"\n>d\n")
        expected = comparable(self.run_quietly("search", self.library, short))
        self.assertEqual(comparable(self.run_quietly("search", "--device", "pthread", self.library, short)), expected)
        long = self.path("long.fasta", b">long\n" + b"MKV" * 33334 + b"\n")
        for device in ("none", "pthread"):
            done = self.gpuhmm("search", "--device", device, self.library, long)
            self.assert_fails(done, 1, "long", "longer than 100,000 residues")

    def test_statistics_name_the_device(self):
        done = self.gpuhmm("search", "--quiet", "--stats", "--device", "pthread", self.library, self.queries)
        self.assertRegex(done.stderr.decode(), r"engine +OpenCL, .*pthread")
        self.assertRegex(done.stderr.decode(), r"kernels +\d+\.\d+ s")

    def test_there_is_no_such_device(self):
        for command in ("search", "scan"):
            done = self.gpuhmm(command, "--device", "no such device", self.library, SEQUENCES)
            self.assert_fails(done, 3, "no such device")


class PressedScanTests(Hmmer3Test):
    def setUp(self):
        super().setUp()
        self.plain = self.path("plain.hmm", self.library.read_bytes())
        self.gpuhmm("press", self.library)
        records = SEQUENCES.read_bytes().split(b">")[1:]
        hit = next(record for record in records if b"Q54VI1" in record)
        self.one = self.path("one.fasta", b">" + hit)
        self.other = self.path("other.fasta", b">short\nMKV\n")

    def pressed(self, letter):
        return self.folder / f"library.hmm.h3{letter}"

    def report_and_table(self, library, sequences, options):
        """With the name of the plain library for any."""
        report = self.run_quietly("scan", *options, "--domtblout", "table", library, sequences)
        texts = (report, self.path("table").read_bytes())
        return [comparable(text.replace(b"library.hmm", b"plain.hmm")) for text in texts]

    def test_the_report_is_that_of_the_text(self):
        for sequences in (self.one, self.other, self.queries):
            for options in ((), ("--acc",), ("--cut_ga",), ("--max",), ("--cpu", "3"), ("-Z", "9", "--notextw")):
                with self.subTest(sequences=sequences.name, options=options):
                    found = self.report_and_table(self.library, sequences, options)
                    self.assertEqual(found, self.report_and_table(self.plain, sequences, options))

    def test_profiles_are_not_read(self):
        expected = comparable(self.run_quietly("scan", self.library, self.queries))
        profiles = self.pressed("m").read_bytes()
        self.pressed("m").write_bytes(profiles[:4] + b"damage" * 10)
        self.library.unlink()
        self.assertEqual(comparable(self.run_quietly("scan", self.library, self.queries)), expected)

    def test_damage_is_named(self):
        whole = {letter: self.pressed(letter).read_bytes() for letter in "fip"}
        damages = [(letter, whole[letter][:size]) for letter in "fp" for size in (5000, -5)]
        damages += [("f", whole["f"] * 2), ("p", whole["p"].replace(b"RRM_1", b"RRM_2"))]
        for letter, damage in damages:
            self.pressed(letter).write_bytes(damage)
            for sequences in (self.one, self.queries):
                done = self.gpuhmm("scan", "-q", "--max", "-o", "report", self.library, sequences)
                self.assert_fails(done, 1, self.pressed(letter), "press the profiles again")
                self.assertFalse((self.folder / "report").exists())
            self.pressed(letter).write_bytes(whole[letter])
        # Of an older format or another program: the profiles are read.
        self.pressed("f").write_bytes(b"abcd" + whole["f"][4:])
        self.assertEqual(self.gpuhmm("scan", "-q", self.library, self.one).returncode, 0)
