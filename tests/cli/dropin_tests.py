"""Drop-ins: the calls of antiSMASH and InterProScan, the syntax of options, descriptions, names."""

import io
import json
import os
import re
import subprocess
import warnings
from pathlib import Path

from dropins import BANNER_LINES, PFAM_NAMES, ALL_NAMES, KINASE, DropInTest
from harness import PROFILE, SEQUENCES, TESTDATA, Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from Bio import SearchIO

HMMER3_LINE = "# HMMER 3.3.2 (Nov 2020); http://hmmer.org/"


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

    def test_a_closed_pipe_is_not_an_error(self):
        done = self.shell('"$P" -A 100000 -E 1e9 "$M" "$S" | head -1', P=self.folder / "hmmpfam2", M=PROFILE, S=SEQUENCES)
        self.assertEqual(done.stderr, b"")
        self.assertTrue(done.stdout.startswith(b"hmmpfam - "))


class DescriptionTests(DropInTest):
    """HMMER distinguishes an empty description from a missing one, in a different way for each format."""

    RESIDUES = "MASSEKLFVGGLSFDTTEEDLREHFSKYGEVEDVVVMKDRETGRSRGFGFVTFEDPDAAEAALE"
    FASTA = ("a", "a ", "a  ", "a \t", "a\t", "a\t\t", "a -", "a  -", "a  x  ", "a \r", "  a  ", "a\t\tb", "a \t-b")
    EMBL = ("", "DE   \n", "DE    \n", "DE   x\nDE   \n", "DE   x\nDE    \n", "DE    \nDE   y\n", "DE    \nDE    \n",
            "DE    \nDE    -\n", "DE   x\nDE   -y\nDE   z\n", "DE   \t\n", "DE   -\n")  # fmt: skip
    GENBANK = ("", "DEFINITION  \n", "DEFINITION  x\n            \n", "DEFINITION  \n            \n", "DEFINITION  x\n\n            y\n",
               "DEFINITION   \n            y\n", "DEFINITION  -\n            y\n", "DEFINITION  x\n            -\n")  # fmt: skip
    PIR = ("", "TITLE          \n", "TITLE          x\nTITLE          y\n", "TITLE          -\n", "TITLE          -x\nTITLE          y\n")
    STOCKHOLM = ("", "#=GS a DE  \n", "#=GS a DE x\n#=GS a DE  \n", "#=GS a DE -\n", "#=GS a AC  \n", "#=GS a AC  x y\n")
    SELEX = ("-", "-  ", "x  y", "  ", " ", "")

    def inputs(self):
        """(value of --informat, content) of files with all kinds of descriptions."""
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
            if name != "pir":  # hmm2align crashes
                calls += [("hmm2align", "-q", "--outformat", form) for form in ("stockholm", "selex", "a2m")]
            for program, *words in calls:
                with self.subTest(format=name, content=content, program=program, words=words):
                    call = (*words, "--informat", name, PROFILE, "s")
                    expected = self.oracle(program, *call)
                    self.assertEqual(expected.returncode, 0)
                    skipped = 0 if "-q" in words else BANNER_LINES
                    found = self.answer(program, *call)
                    self.assertEqual(found.splitlines()[skipped:], expected.stdout.splitlines()[skipped:])

    def test_a_name_that_begins_with_a_dash_is_left_out(self):
        # HMMER prints the memory that it has not set, so it is asked about another name
        layout = f">{{}} b\n{self.RESIDUES}\n>b c\n{self.RESIDUES}\n"
        for program, *words in (("hmm2pfam", "--cpu", "0"), ("hmm2pfam", "--cpu", "0", "--compat"), ("hmm2search", "--cpu", "0")):
            with self.subTest(program=program, words=words):
                reports = []
                for name, run in (("QWQWQ", self.oracle), ("-a", self.call)):
                    self.path("s", layout.format(name))
                    done = run(program, *words, "--informat", "fasta", PROFILE, "s")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    reports.append([line.split() for line in self.after_banner(done.stdout.replace(b"QWQWQ", b"")).splitlines()])
                self.assertEqual(*reports)

    def test_prepared_databases_keep_descriptions(self):
        self.path("s.fasta", "".join(f">{head}\n{self.RESIDUES}\n" for head in (*self.FASTA, "-a b")))
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
    def test_empty_inputs_give_the_answers_of_hmmer(self):
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


class PlainNameTests(DropInTest):
    """Names that HMMER 3 uses, too: the folder decides which HMMER is meant."""

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

    def test_are_hmmer3_programs_or_refused_in_a_folder_of_hmmer3(self):
        for name in ("hmmsearch", "hmmbuild"):
            self.link(f"hmmer3/{name}")
            self.link(f"bin/hmmer3/3.1b1/{name}")
            self.link(f"alternatives/{name}", self.folder / f"hmmer3/{name}")
            self.link(f"relative/{name}", f"../alternatives/{name}")
        for folder in ("hmmer3", "bin/hmmer3/3.1b1", "alternatives", "relative"):
            environment = {**os.environ, "PATH": f"{self.folder / folder}:{os.environ['PATH']}"}
            for command in (str(self.folder / folder / "hmmsearch"), "hmmsearch"):
                self.assertEqual(self.title(command, env=environment)[1], HMMER3_LINE)
                done = self.run_command([command.replace("hmmsearch", "hmmbuild"), "-h"], env=environment)
                self.assert_fails(done, 2, "hmmer3", "hmmer2")

    def test_hmmscan_and_hmmpress_are_hmmer3_programs_in_any_folder(self):
        for name in ("hmmscan", "hmmpress"):
            self.assertEqual(self.title(self.link(f"bin/{name}"))[1], HMMER3_LINE)

    def test_installed(self):
        build = Path(Settings.gpuhmm).resolve().parents[1]
        done = self.run_command(["cmake", "--install", build, "--prefix", self.folder / "usr"])
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in self.PROGRAMS:
            title = self.title(self.folder / f"usr/libexec/gpuhmm/hmmer2/{name}")
            for other in (name.replace("hmm", "hmm2"), f"{name}2"):
                self.assertEqual(self.title(self.folder / "usr/bin" / other), title)
        for name in ("hmmsearch", "hmmscan", "hmmpress"):
            self.assertEqual(self.title(self.folder / f"usr/libexec/gpuhmm/hmmer3/{name}")[1], HMMER3_LINE)


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
