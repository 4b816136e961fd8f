"""The names of HMMER 2's programs: what antiSMASH and InterProScan call, and the syntax of their options."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import warnings
from pathlib import Path

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest, Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from Bio import SearchIO

BANNER_LINES = 5
PFAM_NAMES = ("hmm2pfam", "hmmpfam2")
SEARCH_NAMES = ("hmm2search", "hmmsearch2")
CALIBRATE_NAMES = ("hmm2calibrate", "hmmcalibrate2")
CONVERT_NAMES = ("hmm2convert", "hmmconvert2")
FETCH_NAMES = ("hmm2fetch", "hmmfetch2")
BUILD_NAMES = ("hmm2build", "hmmbuild2")
ALIGN_NAMES = ("hmm2align", "hmmalign2")
EMIT_NAMES = ("hmm2emit", "hmmemit2")
INDEX_NAMES = ("hmm2index", "hmmindex2")
ALL_NAMES = (*PFAM_NAMES, *SEARCH_NAMES, *CALIBRATE_NAMES, *CONVERT_NAMES, *FETCH_NAMES, *BUILD_NAMES, *ALIGN_NAMES, *EMIT_NAMES,
             *INDEX_NAMES)  # fmt: skip
KINASE = TESTDATA / "hmm/Pkinase_ls.hmm"


class DropInTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        for name in ALL_NAMES:
            os.symlink(Settings.gpuhmm, self.folder / name)
        records = SEQUENCES.read_bytes().split(b">")
        self.protein = b">" + records[1]
        self.queries = self.path("queries.fasta", b">empty\n>" + b">".join(records[1:30]) + b">at_the_end\n")

    def call(self, name, *words, **keywords):
        """Runs our program under this name."""
        return self.run_command([f"./{name}", *map(str, words)], **keywords)

    def answer(self, name, *words, **keywords):
        done = self.call(name, *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def oracle(self, name, *words, **keywords):
        program = shutil.which(name)
        self.assertTrue(program, f"{name} is not installed (Debian package hmmer2)")
        return self.run_command([program, *map(str, words)], **keywords)

    @staticmethod
    def after_banner(report):
        return b"".join(report.splitlines(keepends=True)[BANNER_LINES:])

    def assert_fatal(self, done, *mentions, usage=False):
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        message = done.stderr.decode()
        self.assertTrue(message.startswith("\nFATAL: "), message)
        self.assertEqual("\nUsage: " in message, usage, message)
        for mention in mentions:
            self.assertIn(mention, message)


class ProbeTests(DropInTest):
    def test_version_probe_of_antismash(self):
        for name in PFAM_NAMES:
            text = self.answer(name, "-h").decode()
            self.assertTrue(text.startswith("hmmpfam - "))
            self.assertEqual(text.splitlines()[1].split()[1], "2.3.2")
            self.assertIn(" --cpu ", text)

    def test_help_names_the_options_of_hmmer(self):
        for name in ALL_NAMES[::2]:
            expected = self.oracle(name, "-h").stdout.decode()
            found = self.answer(name, "-h").decode()
            shape = re.compile(r"^   ?(--?\w+(?: <\w>)?) *:", re.MULTILINE)
            self.assertEqual(shape.findall(found), shape.findall(expected))
            self.assertEqual(found.splitlines()[:2], expected.splitlines()[:2])  # title, HMMER 2.3.2 (Oct 2003)
            self.assertEqual(found.splitlines()[5], expected.splitlines()[5])  # the usage line


class CallTests(DropInTest):
    def test_call_of_antismash(self):
        for name in PFAM_NAMES:
            report = self.answer(name, "--cpu", "1", "-E", "0.1", KINASE, "-", input=self.protein)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                (result,) = SearchIO.parse(io.StringIO(report.decode()), "hmmer2-text")
            self.assertEqual((result.program, result.version), ("hmmpfam", "2.3.2"))
            expected = self.oracle("hmm2pfam", "--cpu", "1", "-E", "0.1", KINASE, "-", input=self.protein)
            self.assertEqual(self.after_banner(report), self.after_banner(expected.stdout))

    def test_call_of_interproscan(self):
        binary = self.path("smart.HMMs.bin")
        subprocess.run(["hmm2convert", "-b", "-F", PROFILE, binary], check=True, stdout=subprocess.DEVNULL)
        words = ("--acc", "-E", "0.01", "-Z", "350000", "--cpu", "1", binary, self.queries)
        report = self.answer("hmm2pfam", *words)
        self.assertEqual(self.after_banner(report), self.after_banner(self.oracle("hmm2pfam", *words).stdout))

    def test_reports_are_those_of_hmmer_with_and_without_worker_threads(self):
        library = self.path("two.hmm", KINASE.read_bytes() + PROFILE.read_bytes())
        for name in ("hmm2pfam", "hmm2search"):
            for words in (
                ["--cpu", "0"], ["--cpu=1"], ["--cpu", "1", "--cut_ga"], ["--cut_tc", "--cut_nc", "--cpu", "1"],
                ["--cpu", "0", "-A2", "-E1e3"], ["--cpu", "0", "--forw", "--null"], ["--cpu", "1", "--dome=1x"],
                ["--cpu", "0", "-A", "-1", "-Z", "0x10"], ["--cpu=", "-Z", "+"], ["--cpu", "0", "--compat", "--", library, self.queries],
            ):  # fmt: skip
                words = words if "--" in words else [*words, library, self.queries]
                with self.subTest(name=name, words=words):
                    expected = self.oracle(name, *words)
                    found = self.call(name, *words)
                    self.assertEqual(found.returncode, expected.returncode)
                    self.assertEqual(self.after_banner(found.stdout), self.after_banner(expected.stdout))

    def test_search_reads_the_first_profile_only(self):
        library = self.path("two.hmm", KINASE.read_bytes() + PROFILE.read_bytes())
        report = self.answer("hmmsearch2", library, self.queries)
        self.assertEqual(report.count(b"Query HMM:"), 1)
        self.assertIn(b"Query HMM:   Pkinase\n", report)

    def test_number_of_threads_by_environment(self):
        for value in ("3", "-1", "none"):
            done = self.call("hmmpfam2", PROFILE, self.queries, env={**os.environ, "HMMER_NCPU": value})
            self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_closed_pipe_is_no_error(self):
        done = self.shell('"$P" -A 100000 -E 1e9 "$M" "$S" | head -1', P=self.folder / "hmmpfam2", M=PROFILE, S=SEQUENCES)
        self.assertEqual(done.stderr, b"")
        self.assertTrue(done.stdout.startswith(b"hmmpfam - "))


class DescriptionTests(DropInTest):
    """HMMER tells a description without text from none, and says so in its own way for each format."""

    RESIDUES = "MASSEKLFVGGLSFDTTEEDLREHFSKYGEVEDVVVMKDRETGRSRGFGFVTFEDPDAAEAALE"
    FASTA = ("a", "a ", "a  ", "a \t", "a\t", "a\t\t", "a -", "a  -", "a  x  ", "a \r", "  a  ", "a\t\tb", "a \t-b", "-a b")
    EMBL = ("", "DE   \n", "DE    \n", "DE   x\nDE   \n", "DE   x\nDE    \n", "DE    \nDE   y\n", "DE    \nDE    \n",
            "DE    \nDE    -\n", "DE   x\nDE   -y\nDE   z\n", "DE   \t\n", "DE   -\n")  # fmt: skip
    GENBANK = ("", "DEFINITION  \n", "DEFINITION  x\n            \n", "DEFINITION  \n            \n", "DEFINITION  x\n\n            y\n",
               "DEFINITION   \n            y\n", "DEFINITION  -\n            y\n", "DEFINITION  x\n            -\n")  # fmt: skip
    PIR = ("", "TITLE          \n", "TITLE          x\nTITLE          y\n", "TITLE          -\n", "TITLE          -x\nTITLE          y\n")
    STOCKHOLM = ("", "#=GS a DE  \n", "#=GS a DE x\n#=GS a DE  \n", "#=GS a DE -\n", "#=GS a AC  \n", "#=GS a AC  x y\n")
    SELEX = ("-", "-  ", "x  y", "  ", " ", "")

    def inputs(self):
        """(option, content) of files whose sequence is described in all ways."""
        residues = self.RESIDUES
        layouts = (
            ("fasta", self.FASTA, ">{}\n{}\n>b c\n{}\n"), ("a2m", self.FASTA, ">{}\n{}\n>b c\n{}\n"),
            ("embl", self.EMBL, "ID   a   xx;\n{}SQ   \n     {}\n//\n"), ("genbank", self.GENBANK, "LOCUS       a   xx\n{}ORIGIN\n        1 {}\n//\n"),
            ("pir", self.PIR, "ENTRY          a   xx\n{}SEQUENCE\n              5        10\n        1 {}\n///\n"),
            ("gcgdata", ("", " ", "-", "x"), f">>>>a  9/95  ASCII  Len: {len(residues)}\n{{}}\n{{}}\n"),
            ("stockholm", self.STOCKHOLM, "# STOCKHOLM 1.0\n{}a {}\n//\n"), ("selex", self.SELEX, "#=SQ a 1.0 - - 0..0:0 {}\na {}\n"),
        )  # fmt: skip
        for name, descriptions, layout in layouts:
            for description in descriptions:
                yield name, layout.format(description, residues, residues)

    def test_reports_and_alignments_are_those_of_hmmer(self):
        for name, content in self.inputs():
            self.path("s", content)
            calls = [("hmm2pfam", "--cpu", "0"), ("hmm2pfam", "--cpu", "0", "--compat"), ("hmm2search", "--cpu", "0")]
            if name != "pir" and ">-" not in content:  # hmm2align crashes; writes a row without a name
                calls += [("hmm2align", "-q", "--outformat", form) for form in ("stockholm", "selex", "a2m")]
            for program, *words in calls:
                with self.subTest(format=name, content=content, program=program, words=words):
                    call = (*words, "--informat", name, PROFILE, "s")
                    expected = self.oracle(program, *call)
                    self.assertEqual(expected.returncode, 0)
                    skipped = 0 if "-q" in words else BANNER_LINES
                    found = self.answer(program, *call)
                    self.assertEqual(found.splitlines()[skipped:], expected.stdout.splitlines()[skipped:])

    def test_prepared_databases_keep_them(self):
        self.path("s.fasta", "".join(f">{head}\n{self.RESIDUES}\n" for head in self.FASTA))
        self.assertEqual(self.gpuhmm("makedb", "--quiet", "s.fasta", "s.ghdb").returncode, 0)
        reports = {}
        for name in ("s.fasta", "s.ghdb"):
            report = self.gpuhmm("scan", "--quiet", "--device", "none", PROFILE, name)
            self.assertEqual(report.returncode, 0, report.stderr)
            reports[name] = report.stdout.replace(name.encode(), b"s")
        self.assertEqual(*reports.values())
        self.assertEqual(reports["s.ghdb"].count(b"Description:    \n"), 5)

    def test_tables_and_json_show_what_is_missing(self):
        self.path("s.fasta", f">a  \n{self.RESIDUES}\n>b\n{self.RESIDUES}\n")
        table = self.search("--tblout", "-", "--table-format", "tab", PROFILE, "s.fasta").decode().splitlines()
        self.assertEqual([row.split("\t")[-1] for row in table[1:]], ["-", "-"])
        rows = [json.loads(line) for line in self.search("--json", "-", PROFILE, "s.fasta").splitlines()]
        self.assertEqual([row["sequence"]["description"] for row in rows], ["", None])


class EmptyInputTests(DropInTest):
    def test_empty_inputs_are_answered_as_by_hmmer(self):
        self.path("empty", b"")
        self.path("blank", b"\n\n")
        for program in ("hmm2pfam", "hmm2align"):
            for words in ([], ["--informat", "fasta"], ["--informat", "stockholm"], ["--informat", "selex"]):
                for source, content in (("-", b""), ("-", b"\n\n"), ("empty", b""), ("blank", b"")):
                    with self.subTest(program=program, words=words, source=source, content=content):
                        expected = self.oracle(program, *words, PROFILE, source, input=content)
                        found = self.call(program, *words, PROFILE, source, input=content)
                        self.assertEqual(found.returncode, expected.returncode, found.stderr)
                        if found.returncode == 0:
                            self.assertEqual(self.after_banner(found.stdout), self.after_banner(expected.stdout))
                        else:
                            self.assert_fatal(found)

    def test_a_search_that_makes_hmmer_crash_finds_nothing(self):
        for words in (["-"], ["--informat", "embl", "empty"]):
            self.path("empty", b"")
            *options, source = words
            report = self.answer("hmm2search", *options, PROFILE, source, input=b"")
            self.assertIn(b"\nTotal sequences searched: 0\n", report)

    def test_our_own_commands_refuse_them(self):
        for command in ("search", "scan", "align"):
            self.assert_fails(self.gpuhmm(command, PROFILE, "-", input=b""), 1, "empty")


class ProfileProgramTests(DropInTest):
    def test_calibration_is_that_of_hmmer_to_the_byte(self):
        for words in (["--cpu", "0", "--seed", "3", "--num", "300"], ["--seed", "0x4", "--mean", "60", "--sd", "9", "--num", "300"],
                      ["--cpu", "2", "--fixed", "40", "--num", "200", "--seed", "-7", "--histfile", "h"]):  # fmt: skip
            with self.subTest(words=words):
                reports, files = [], []
                for run in (self.oracle, self.call):
                    copy = self.path("copy.hmm", PROFILE.read_bytes())
                    done = run("hmm2calibrate", *words, "copy.hmm")
                    self.assertEqual((done.returncode, done.stderr), (0, b""))
                    reports.append(self.after_banner(done.stdout))
                    histogram = self.folder / "h"
                    scores = histogram.read_bytes() if histogram.exists() else b""
                    files.append((re.sub(rb"COM   \S*hmm2cal", b"COM   hmm2cal", copy.read_bytes()), scores))
                self.assertEqual(*reports)
                self.assertEqual(*files)

    def test_calibration_that_fails_leaves_the_file(self):
        copy = self.path("copy.hmm", PROFILE.read_bytes())
        self.assertEqual(self.call("hmmcalibrate2", "--num", "1", copy).returncode, 1)
        self.assertEqual(copy.read_bytes(), PROFILE.read_bytes())

    def test_conversions_follow_one_another_as_with_hmmer(self):
        calls = (["-a"], [], ["-A"], ["-A", "-b"], ["-ba", "-A"], ["-F", "-P"], ["-Fp"], ["-A", "-p"], ["-F"])
        outcomes = {}
        for run in (self.oracle, self.call):
            target, outcomes[run] = self.folder / "new.hmm", []
            for words in calls:
                done = run("hmm2convert", *words, PROFILE, "new.hmm")
                report = self.after_banner(done.stdout) if done.returncode == 0 else b""
                outcomes[run].append((done.returncode, report, target.read_bytes()))
            target.unlink()
        self.assertEqual(*outcomes.values())

    def test_fetch(self):
        library = self.path("two.hmm", KINASE.read_bytes() + PROFILE.read_bytes())
        calls = [[library, "RRM_1"], [library, "PF00076.13"], ["-n", library, "0"], ["-n", library, "1"]]
        without_index = [self.answer("hmmfetch2", *words) for words in calls]
        self.oracle("hmm2index", library)
        self.assertEqual([self.answer("hmmfetch2", *words) for words in calls], without_index)
        self.assertEqual([self.oracle("hmm2fetch", *words).stdout for words in calls], without_index)
        for name in FETCH_NAMES:
            for words in ([library, "none"], ["-n", library, "2"], ["-n", library, "x"], ["missing", "RRM_1"]):
                self.assert_fatal(self.call("hmm2fetch", *words))
                self.assertEqual(self.oracle("hmm2fetch", *words).returncode, 1)

    def test_index_is_that_of_hmmer_to_the_byte(self):
        def renamed(name, accession):
            text = PROFILE.read_text().replace("NAME  RRM_1", f"NAME  {name}")
            return text.replace("ACC   PF00076.13\n", accession and f"ACC   {accession}\n")

        libraries = {
            "one": renamed("a", ""), "no_accessions": renamed("a_long_name", "") + renamed("b", ""),
            "same_names": renamed("long_name", "B1") + renamed("a", "A.1") + renamed("long_name", "A.1") + renamed("b", ""),
        }  # fmt: skip
        for name, content in libraries.items():
            self.path(name, content)
            self.oracle("hmm2convert", "-b", name, f"{name}.bin")
        (self.folder / "sub").mkdir()
        self.path("sub/nested", libraries["same_names"])
        for name in (*libraries, "one.bin", "same_names.bin", "sub/nested"):
            reports, indices = [], []
            for run in (self.oracle, self.call):
                done = run("hmm2index", name)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                reports.append(self.after_banner(done.stdout))
                index = self.folder / f"{name}.ssi"
                indices.append(index.read_bytes())
                index.unlink()
            self.assertEqual(*reports)
            # Behind the zero at the end of a key HMMER leaves what was in its memory; longer keys come first here.
            self.assertEqual(len(indices[0]), len(indices[1]))
            if not name.startswith(("same", "sub")):
                self.assertEqual(*indices)
            self.assertEqual(indices[0][:54], indices[1][:54])

    def test_index_refuses_what_hmmer_refuses(self):
        self.path("a.hmm", PROFILE.read_bytes())
        self.path("a.hmm.ssi", b"old")
        self.path("cut.hmm", PROFILE.read_bytes()[:9000])
        self.path("empty", b"")
        self.path("three.hmm", (TESTDATA / "hmm/RRM_1_hmmer3.hmm").read_bytes())
        self.path("packed.gz", gzip.compress(PROFILE.read_bytes()))
        before = sorted(os.listdir(self.folder))
        for name in ("a.hmm", "cut.hmm", "empty", "three.hmm", "packed.gz", "-", "missing", "."):
            with self.subTest(name=name):
                self.assertEqual(self.oracle("hmm2index", name).returncode, 1)
                self.assert_fatal(self.call("hmmindex2", name), name if name != "-" else "standard input")
                self.assertEqual(sorted(os.listdir(self.folder)), before)
                self.assertEqual((self.folder / "a.hmm.ssi").read_bytes(), b"old")

    def test_emit(self):
        library = self.path("two.hmm", KINASE.read_bytes() + PROFILE.read_bytes())
        for words in ([], ["-q", "-n", "3"], ["-a"], ["-c"], ["-n-1"], ["-qc", "-n", "2"], ["-o", "out"], ["-q", "-o", "out", "-a"]):
            outcomes = []
            for run in (self.oracle, self.call):
                done = run("hmm2emit", "--seed", "0x7", *words, library)
                skipped = 0 if "-q" in words[0:1] or "-qc" in words else BANNER_LINES
                out = self.folder / "out"
                outcomes.append((done.returncode, done.stdout.splitlines()[skipped:], out.read_bytes() if out.exists() else b""))
            self.assertEqual(*outcomes)
        for words in (["-a", "-c"], ["-n", "x"], ["--seed"], ["missing", "more"]):
            self.assertEqual(self.oracle("hmm2emit", *words, library).returncode, 1)
            self.assert_fatal(self.call("hmmemit2", *words, library), usage=words != ["-a", "-c"])

    def test_align(self):
        library = self.path("two.hmm", KINASE.read_bytes() + PROFILE.read_bytes())
        queries = self.path("queries.fasta", b">a one\nMKVLGEGSFGKVYLAK\n>b\nLGRGAFGEVFLCEHK\n")
        for words in (["-q"], [], ["-qm"], ["-q", "--onel"], ["--outf=SELEX"], ["-q", "--informat", "FASTA", "-ocopy"]):
            outcomes = []
            for run in (self.oracle, self.call):
                copy = self.path("copy", b"")
                done = run("hmm2align", *words, library, queries)
                report = done.stdout if "-q" in words[:1] else self.after_banner(done.stdout)
                outcomes.append((done.returncode, report, copy.read_bytes()))
            self.assertEqual(*outcomes)
        for name in ALIGN_NAMES:
            self.assert_fatal(self.call(name, "--withali", "x", library, queries), "x")
            self.assert_fatal(self.call(name, "--outformat", "fasta", library, queries), "fasta")
            self.assert_fatal(self.call(name, "--match-only", library, queries), "--match-only", usage=True)

    def test_build(self):
        alignment = TESTDATA / "seq/RRM_1.sto"
        for words in ([], ["-f", "-n", "x"], ["-fg", "--fas", "--gapmax=0.3"], ["-A"], ["--wnone", "--wpb"]):
            outcomes = []
            for run in (self.oracle, self.call):
                old = self.path("new.hmm", PROFILE.read_bytes()) if words == ["-A"] else self.path("new.hmm")
                done = run("hmm2build", *words, "new.hmm", alignment)
                profile = re.sub(r"(?m)^(DATE|COM ).*\n", "", old.read_text())
                outcomes.append((done.returncode, self.after_banner(done.stdout), profile))
                old.unlink()
            self.assertEqual(*outcomes)
        for name in BUILD_NAMES:
            for option in (["--pam", "x"], ["--gapmax", "0.2"], ["--amino", "--nucleic"]):
                self.assert_fatal(self.call(name, *option, "new.hmm", alignment), option[-1] if option[0] == "--pam" else option[0])
            self.assert_fatal(self.call(name, "--local", "new.hmm", alignment), "--local", usage=True)

    def test_strictness(self):
        for words, mention in ((["--num", "x", "a"], "--num"), (["--se", "1", "--s", "1", "a"], "ambiguous"), ([], "arguments"),
                               (["-o", "x", "a"], "-o"), (["--device", "none", "a"], "--device")):  # fmt: skip
            self.assert_fatal(self.call("hmmcalibrate2", *words), mention, usage=True)
        self.assert_fatal(self.call("hmm2calibrate", "--pvm", PROFILE), "PVM")
        for words in (["-x", "a", "b"], ["a"], ["--append", "a", "b"], ["a", "b", "-F"]):
            self.assert_fatal(self.call("hmmconvert2", *words), usage=True)
            self.assert_fatal(self.call("hmmfetch2", *words), usage=True)


class PlainNameTests(DropInTest):
    """The names that HMMER 3 has, too: the folder decides."""

    PROGRAMS = [name[:-1] for name in ALL_NAMES[1::2]]

    def link(self, path, target=None):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target or Settings.gpuhmm)
        return path

    def title(self, command, **keywords):
        done = self.run_command([command, "-h"], **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().split("\n")[:2]

    def test_are_hmmer2_programs_in_any_folder(self):
        for name in self.PROGRAMS:
            expected = self.oracle(name.replace("hmm", "hmm2"), "-h").stdout.decode().split("\n")[:2]
            self.assertEqual(self.title(self.link(f"libexec/gpuhmm/hmmer2/{name}")), expected)
            self.assertEqual(self.title(self.link(f"bin/{name}")), expected)

    def test_are_found_through_the_path(self):
        for folder in ("libexec/gpuhmm/hmmer2", "opt/hmmer3/old/hmmer2/2.3.2/bin"):
            self.link(f"{folder}/hmmpfam")
            environment = {**os.environ, "PATH": f"{self.folder / folder}:{os.environ['PATH']}"}
            self.assertTrue(self.title("hmmpfam", env=environment)[0].startswith("hmmpfam - "))
            self.assertEqual(self.title("hmmpfam", env={**os.environ, "PATH": f"{folder}:."})[1], "HMMER 2.3.2 (Oct 2003)")

    def test_in_a_folder_of_hmmer3_they_are_not_answered(self):
        self.link("hmmer3/hmmsearch")
        self.link("bin/hmmer3/3.1b1/hmmsearch")
        self.link("alternatives/hmmsearch", self.folder / "hmmer3/hmmsearch")
        self.link("relative/hmmsearch", "../alternatives/hmmsearch")
        for folder in ("hmmer3", "bin/hmmer3/3.1b1", "alternatives", "relative"):
            done = self.run_command([self.folder / folder / "hmmsearch", "-h"])
            self.assert_fails(done, 2, "hmmer3", "hmmer2")
            environment = {**os.environ, "PATH": f"{self.folder / folder}:{os.environ['PATH']}"}
            self.assert_fails(self.run_command(["hmmsearch", "-h"], env=environment), 2, "hmmer3", "hmmer2")

    def test_installed(self):
        build = Path(Settings.gpuhmm).resolve().parents[1]
        done = self.run_command(["cmake", "--install", build, "--prefix", self.folder / "usr"])
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in self.PROGRAMS:
            title = self.title(self.folder / f"usr/libexec/gpuhmm/hmmer2/{name}")
            for other in (name.replace("hmm", "hmm2"), f"{name}2"):
                self.assertEqual(self.title(self.folder / "usr/bin" / other), title)


class StrictnessTests(DropInTest):
    def test_wrong_usage(self):
        for words, mention in (
            (["--foo", "a", "b"], "--foo"), (["-Q", "a", "b"], "-Q"), (["--dom", "1", "a", "b"], "ambiguous"),
            (["--null2=1", "a", "b"], "--null2"), (["-E"], "-E"), (["-E", "ten", "a", "b"], "-E"),
            (["-A", "1.5", "a", "b"], "-A"), (["-T", "- 1", "a", "b"], "-T"), (["-E", "x 1", "a", "b"], "-E"), (["-Z", "0x", "a", "b"], "-Z"), (["--domE", "1e5e", "a", "b"], "--domE"), (["-T", ".", "a", "b"], "-T"),
            (["a"], "arguments"), ([], "arguments"), (["a", "b", "c"], "arguments"), (["a", "b", "-E", "1"], "arguments"),
            (["--tblout", "x", "a", "b"], "--tblout"), (["--device", "none", "a", "b"], "--device"),
            (["--quiet", "a", "b"], "--quiet"), (["-o", "x", "a", "b"], "-o"),
        ):  # fmt: skip
            for name in ("hmmpfam2", "hmm2search"):
                with self.subTest(name=name, words=words):
                    self.assert_fatal(self.call(name, *words), mention, usage=True)

    def test_options_of_hmmpfam_only(self):
        for option in ("-n", "--acc"):
            self.assert_fatal(self.call("hmmsearch2", option, "a", "b"), option, usage=True)

    def test_refusals(self):
        self.assert_fatal(self.call("hmmpfam2", "--pvm", PROFILE, self.queries), "PVM")
        self.assert_fatal(self.call("hmmpfam2", "-n", "--xnu", PROFILE, self.queries), "--xnu")
        self.assert_fatal(self.call("hmmpfam2", "-n", PROFILE, self.queries), "nucleic")
        self.assert_fatal(self.call("hmmpfam2", TESTDATA / "hmm/MADE1_fs.hmm", self.queries), "protein")
        self.assert_fatal(self.call("hmmsearch2", "missing", self.queries), "missing")
        self.assert_fatal(self.call("hmmsearch2", PROFILE, "missing"), "missing")
        self.assert_fatal(self.call("hmmpfam2", "--informat", "none", PROFILE, self.queries), "none")

    def test_our_own_name_keeps_our_own_options(self):
        os.symlink(Settings.gpuhmm, self.folder / "gpuhmm-0.1")
        done = self.call("gpuhmm-0.1", "--version")
        self.assertEqual(done.returncode, 0)
