"""hmmsearch, hmmscan and hmmpress as names of gpuhmm: help, order of errors, messages, outputs."""

import os
import re
from pathlib import Path

from harness import SEQUENCES, Settings
from hmmer3 import BANNER, DNA_PROFILE, HMMER3, Hmmer3Test, comparable


class DropInTests(Hmmer3Test):
    def setUp(self):
        super().setUp()
        self.programs = self.path("hmmer3")
        self.programs.mkdir()
        for name in ("hmmsearch", "hmmscan", "hmmpress"):
            (self.programs / name).symlink_to(Settings.gpuhmm)

    def test_the_folder_decides(self):
        for words in (("hmmsearch", self.library, SEQUENCES), ("hmmpress", self.library), ("hmmscan", self.library, self.queries)):
            done = self.run_command([self.programs / words[0], *words[1:]])
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            words = (words[0], "-f", *words[1:]) if words[0] == "hmmpress" else words
            skipped = 0 if words[0] == "hmmpress" else BANNER
            self.assertEqual(comparable(done.stdout)[skipped:], comparable(self.hmmer3(*words))[skipped:])

    def test_help_names_hmmer_and_its_options(self):
        """Prokka, Bakta, BUSCO and nf-core find HMMER's version in the first lines."""
        option = re.compile(r"(?m)^  (-\S+(?: <\w>)?) *: ")
        for name in ("hmmsearch", "hmmscan", "hmmpress"):
            found = self.run_command([self.programs / name, "-h"]).stdout.decode()
            expected = self.hmmer3(name, "-h").decode()
            self.assertEqual(found.splitlines()[:2], expected.splitlines()[:2])
            self.assertEqual(found.splitlines()[4:6], expected.splitlines()[4:6])
            self.assertEqual(option.findall(found), option.findall(expected))

    def test_errors_are_those_of_the_programs(self):
        for words in (("hmmsearch", "missing", SEQUENCES), ("hmmsearch", HMMER3), ("hmmscan", self.library, self.queries),
                      ("hmmpress", "missing"), ("hmmsearch", "--s", "5", HMMER3, SEQUENCES), ("hmmsearch", "--restrictdb_n", "x"),
                      ("hmmsearch", "--unknown=value", HMMER3, SEQUENCES), ("hmmscan", "--ssi", "x", HMMER3, self.queries), ("hmmsearch", "--textw", "3", HMMER3, SEQUENCES)):  # fmt: skip
            found = self.run_command([self.programs / words[0], *map(str, words[1:])])
            expected = self.run_command(list(map(str, words)))
            for done in (found, expected):
                done.stdout = done.stdout.replace(str(self.programs).encode() + b"/", b"")
            self.assertEqual((found.returncode, found.stdout, found.stderr),
                             (expected.returncode, expected.stdout, expected.stderr), words)  # fmt: skip

    def test_only_hmmscan_looks_into_a_folder_of_the_environment(self):
        folder = self.path("folder")
        folder.mkdir()
        (folder / "p.hmm").write_bytes(HMMER3.read_bytes())
        (folder / "s.fasta").write_bytes(self.queries.read_bytes())
        self.hmmer3("hmmpress", folder / "p.hmm")
        environment = {**os.environ, "BLASTDB": str(folder), "PFAMDB": str(folder), "HMMERDB": str(folder)}
        for program in ("hmmsearch", "hmmscan"):
            for words in (("p.hmm", str(self.queries)), (str(folder / "p.hmm"), "s.fasta")):
                found, expected = (self.run_command([str(name), *words], env=environment)
                                   for name in (self.programs / program, program))  # fmt: skip
                self.assertEqual((found.returncode, found.stderr), (expected.returncode, expected.stderr))
                self.assertEqual(comparable(found.stdout)[BANNER:], comparable(expected.stdout)[BANNER:])

    def test_hmmscan_opens_the_database_before_sequences_and_outputs(self):
        self.hmmer3("hmmpress", "-f", self.library)
        damages = {"unpressed": "", "cut": "fimp", "without": "imp", "empty": "fimp", "fit": "fimp"}
        for name, letters in damages.items():
            self.path(name, self.library.read_bytes())
            for letter in letters:
                self.path(f"{name}.h3{letter}", Path(f"{self.library}.h3{letter}").read_bytes())
        os.truncate(self.path("cut.h3f"), 200)
        os.truncate(self.path("empty.h3f"), 0)
        for name in ("missing", *damages):
            for sequences in (str(self.queries), "no.fasta"):
                for output in ("out", "no_folder/out"):
                    outcomes = []
                    for program in (self.programs / "hmmscan", "hmmscan"):
                        done = self.run_command([str(program), "-o", output, "--tblout", "table", name, sequences])
                        left = {path.name for path in self.folder.glob("*") if path.name in ("out", "table")}
                        for path in left:
                            self.path(path).unlink()
                        outcomes.append((done.returncode, done.stdout, done.stderr, left))
                    self.assertEqual(*outcomes, (name, sequences, output))

    def test_a_table_may_join_the_report_on_standard_output(self):
        for output in ("/dev/stdout", "/dev/fd/1"):
            words = ("--tblout", output, self.library, SEQUENCES)
            found = self.run_command([self.programs / "hmmsearch", *words])
            self.assertEqual((found.returncode, found.stderr), (0, b""))
            banner = self.hmmer3("hmmsearch", "-h").splitlines()[:BANNER]
            expected = [line for line in comparable(self.hmmer3("hmmsearch", *words)) if line not in banner]
            self.assertEqual(sorted(comparable(found.stdout)[BANNER:]), sorted(expected))  # buffers decide the order
        done = self.run_command([self.programs / "hmmsearch", "--tblout", "x", "--domtblout", "x", self.library, SEQUENCES])
        self.assertEqual((done.returncode, done.stderr), (1, b"\nError: two outputs go to the file x\n"))

    def test_what_was_written_before_an_error_stays(self):
        text = self.library.read_bytes()
        end = HMMER3.read_bytes().count(b"\n")
        lines = text.split(b"\n")
        damages = {"line": lines[: end + 40] + lines[end + 41 :], "cut": [*lines[: end + 40], lines[end + 40][:30]],
                   "start": [b"junk", *lines], "alphabet": lines[:-1] + DNA_PROFILE.read_bytes().split(b"\n")}  # fmt: skip
        tables = [word for name in ("--tblout", "--domtblout", "--pfamtblout", "-A") for word in (name, f"out{name}")]
        for name, changed in damages.items():
            self.path("bad.hmm", b"\n".join(changed))
            outcomes = []
            for program in (self.programs / "hmmsearch", "hmmsearch"):
                done = self.run_command([str(program), *tables, "bad.hmm", str(SEQUENCES)])
                files = {path.name: comparable(path.read_bytes()) for path in self.folder.glob("out*")}
                for path in self.folder.glob("out*"):
                    path.unlink()
                outcomes.append((done.returncode, comparable(done.stdout)[BANNER:], done.stderr, files))
            self.assertEqual(*outcomes, name)
            self.assertEqual(len(files), 0 if name == "start" else 4)
        self.assert_fails(self.gpuhmm("search", "-q", "-o", "report", "bad.hmm", SEQUENCES), 1, "bad.hmm")
        self.assert_only("bad.hmm", "library.hmm", "queries.fasta", "hmmer3")

    def test_a_cut_off_profile_is_not_there(self):
        cut = self.path("cut.hmm", self.library.read_bytes()[:-3])
        runs = (("hmmpress", ("-f", cut)), ("hmmsearch", (cut, SEQUENCES)), ("hmmscan", (cut, self.queries)))
        for program, words in runs:
            found, expected = (self.run_command([str(name), *map(str, words)]) for name in (self.programs / program, program))
            self.assertEqual((found.returncode, found.stderr), (expected.returncode, expected.stderr))
            skipped = 0 if program == "hmmpress" else BANNER
            self.assertEqual(comparable(found.stdout)[skipped:], comparable(expected.stdout)[skipped:])
