"""The drop-ins for profile files: hmmcalibrate, hmmconvert, hmmfetch, hmmbuild, hmmalign, hmmemit, hmmindex."""

import gzip
import os
import re

from dropins import BANNER_LINES, FETCH_NAMES, BUILD_NAMES, ALIGN_NAMES, KINASE, DropInTest
from harness import PROFILE, TESTDATA


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
            # After the zero at the end of a key HMMER writes leftover memory, where longer keys came before.
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
