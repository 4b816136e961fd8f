"""The commands that make, change and describe profile files: results, and files that stay unchanged after errors."""

import gzip
import json
import os
import re
import signal
import subprocess

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest, full_disk

BINARY = TESTDATA / "vectors/toy5cal.bin"
NUCLEIC = TESTDATA / "hmm/MADE1_fs.hmm"


class ConvertTests(CommandLineTest):
    def test_existing_file_is_kept(self):
        old = self.path("old", "precious")
        self.assert_fails(self.gpuhmm("convert", PROFILE, old), 1, old, "-F", "-A")
        self.assertEqual(old.read_text(), "precious")

    def test_failing_conversion_keeps_the_file(self):
        bad = self.path("bad.hmm", PROFILE.read_bytes() + b"HMMER2.0\nNAME  x\n")
        for option, content in (("-F", b"precious"), ("-A", PROFILE.read_bytes())):
            old = self.path("old", content)
            done = self.gpuhmm("convert", option, bad, old)
            self.assert_fails(done, 1, bad)
            self.assertEqual(old.read_bytes(), content)
        self.assert_only("bad.hmm", "old")

    def test_full_disk_keeps_the_file(self):
        old = self.path("old", PROFILE.read_bytes())
        done = self.gpuhmm("convert", "-A", PROFILE, old, **full_disk(20_000))
        self.assert_fails(done, 1, old, "File too large")
        self.assertEqual(old.read_bytes(), PROFILE.read_bytes())
        self.assert_only("old")

    def test_appending_another_alphabet_is_refused(self):
        old = self.path("old", PROFILE.read_bytes())
        self.assert_fails(self.gpuhmm("convert", "-A", NUCLEIC, old), 1, old, "alphabet")
        self.assertEqual(old.read_bytes(), PROFILE.read_bytes())

    def test_conversion_to_binary_and_back(self):
        source = TESTDATA / "vectors/toy5cal.hmm"
        for words in (["-b", source, "binary"], ["binary", "text"]):
            self.assertEqual(self.gpuhmm("convert", *words).returncode, 0)
        self.assertEqual(self.path("text").read_bytes(), source.read_bytes())

    def test_in_place_by_force(self):
        path = self.path("mine.hmm", PROFILE.read_bytes())
        self.assertEqual(self.gpuhmm("convert", "-b", "-F", path, path).returncode, 0)
        self.assertEqual(self.gpuhmm("convert", "-F", path, path).returncode, 0)
        self.assertEqual(path.read_bytes(), PROFILE.read_bytes())

    def test_pipes(self):
        done = self.gpuhmm("convert", "-", "-", input=BINARY.read_bytes())
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout, (TESTDATA / "vectors/toy5cal.hmm").read_bytes())

    def test_wrong_options(self):
        for words in (["-a", "-b"], ["-p", "-P"], ["-A", "-p"]):
            self.assert_fails(self.gpuhmm("convert", *words, PROFILE, "new"), 2)
        self.assert_only()


class FetchTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.library = self.path("library", PROFILE.read_bytes() + (TESTDATA / "hmm/Pkinase_ls.hmm").read_bytes())

    def test_by_name_and_accession(self):
        for key in ("RRM_1", "PF00076.13"):
            done = self.gpuhmm("fetch", self.library, key)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (0, b"", PROFILE.read_bytes()))

    def test_a_name_comes_before_an_accession(self):
        changed = PROFILE.read_bytes().replace(b"ACC   PF00076.13", b"ACC   Pkinase")
        library = self.path("odd", changed + (TESTDATA / "hmm/Pkinase_ls.hmm").read_bytes())
        self.assertIn(b"\nNAME  Pkinase\n", self.gpuhmm("fetch", library, "Pkinase").stdout)

    def test_no_such_profile(self):
        for words in (["rrm_1"], ["PF00076"], ["-n", "2"], ["-n", "-1"]):
            options, key = words[:-1], words[-1]
            done = self.gpuhmm("fetch", *options, "--", self.library, key)
            self.assert_fails(done, 1, self.library, key)
        self.assert_fails(self.gpuhmm("fetch", "-n", self.library, "x"), 2, "'x'")

    def test_index_of_hmmindex(self):
        subprocess.run(["hmm2index", self.library], check=True, stdout=subprocess.DEVNULL)
        for key in ("RRM_1", "PF00076.13"):
            self.assertEqual(self.gpuhmm("fetch", self.library, key).stdout, PROFILE.read_bytes())
        self.assertEqual(self.gpuhmm("fetch", "-n", self.library, "1").stdout, PROFILE.read_bytes())
        self.assert_fails(self.gpuhmm("fetch", self.library, "none"), 1, "none")

    def test_index_that_no_longer_fits(self):
        self.assertEqual(self.gpuhmm("index", "--quiet", self.library).returncode, 0)
        self.assertEqual(self.gpuhmm("fetch", self.library, "RRM_1").stdout, PROFILE.read_bytes())
        self.library.write_bytes(PROFILE.read_bytes())
        self.assert_fails(self.gpuhmm("fetch", self.library, "RRM_1"), 1, "index")

    def test_found_in_a_folder_of_HMMERDB(self):
        self.path("place").mkdir()
        self.library.rename(self.folder / "place/library")
        environment = {**os.environ, "HMMERDB": f"/nonexistent:{self.folder}/place"}
        self.assertEqual(self.gpuhmm("fetch", "library", "RRM_1", env=environment).stdout, PROFILE.read_bytes())


class StatTests(CommandLineTest):
    def rows(self, *words):
        done = self.gpuhmm("stat", *words)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        head, *lines = done.stdout.decode().splitlines()
        return [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]

    def test_styles_and_calibration(self):
        for style, name in (("ls", "RRM_1_ls"), ("fs", "RRM_1_fs"), ("s", "RRM_1_s"), ("g", "RRM_1_g_uncalibrated")):
            (row,) = self.rows("--table-format", "tab", TESTDATA / f"hmm/{name}.hmm")
            self.assertEqual(row["style"], style)
            self.assertEqual(row["mu"] == "-", style == "g")
            self.assertEqual((row["name"], row["length"], row["alphabet"]), ("RRM_1", "74", "Amino"))
            self.assertEqual(len(row["consensus"]), 74)

    def test_cutoffs(self):
        (row,) = self.rows("--table-format", "tab", TESTDATA / "hmm/Pkinase_ls.hmm")
        text = (TESTDATA / "hmm/Pkinase_ls.hmm").read_text()
        for tag in ("GA", "TC", "NC"):
            given = next(line for line in text.splitlines() if line.startswith(tag)).split()[1:]
            found = [row[f"{tag.lower()}_sequence"], row[f"{tag.lower()}_domain"]]
            self.assertEqual([float(word) for word in found], [float(word) for word in given])
        (row,) = self.rows("--table-format", "tab", NUCLEIC)
        self.assertEqual((row["ga_sequence"], row["alphabet"]), ("-", "Nucleic"))

    def test_padded_columns_line_up(self):
        done = self.gpuhmm("stat", TESTDATA / "vectors/three.hmm")
        lines = done.stdout.decode().splitlines()
        self.assertEqual([line.split()[:2] for line in lines if not line.startswith("#")],
                         [["1", "toy5"], ["2", "toy5"], ["3", "toy6fs"]])  # fmt: skip
        (rule,) = [line for line in lines if line.startswith("#-")]
        ends = {line.rindex(" ") for line in lines if not line.startswith("#")}
        self.assertEqual(ends, {rule.rindex(" ")})

    def test_json(self):
        done = self.gpuhmm("stat", "--json", TESTDATA / "vectors/three.hmm")
        objects = [json.loads(line) for line in done.stdout.decode().splitlines()]
        self.assertEqual([item["calibration"] is None for item in objects], [True, False, True])
        self.assertEqual(objects[1]["calibration"], {"mu": -4.97828, "lambda": 0.65492})
        self.assertEqual([item["number"] for item in objects], [1, 2, 3])

    def test_bad_input(self):
        self.assert_fails(self.gpuhmm("stat", self.path("bad", "junk\n")), 1, "bad")
        self.assert_fails(self.gpuhmm("stat", "--table-format", "x", PROFILE), 2, "--format", "space, tab or json")


class EmitTests(CommandLineTest):
    def test_quiet_output_to_a_file(self):
        words = ("emit", "-q", "--seed", 1, "-n", 3, PROFILE)
        done = self.gpuhmm(*words, "-o", "drawn.fasta")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual(self.path("drawn.fasta").read_bytes(), self.gpuhmm(*words).stdout)
        self.assertEqual(self.path("drawn.fasta").read_bytes().count(b">RRM_1-"), 3)

    def test_failing_run_keeps_the_file(self):
        old = self.path("old", "precious")
        bad = self.path("bad.hmm", PROFILE.read_bytes() + b"junk\n")
        self.assertEqual(self.gpuhmm("emit", "-q", "-o", old, bad).returncode, 1)
        self.assertEqual(old.read_text(), "precious")

    def test_wrong_options(self):
        self.assert_fails(self.gpuhmm("emit", "-a", "-c", PROFILE), 2, "-a")
        self.assert_fails(self.gpuhmm("emit", "-n", "-1", PROFILE), 2, "-n")


class BuildTests(CommandLineTest):
    ALIGNMENT = TESTDATA / "seq/RRM_1.sto"

    def build(self, *words, **keywords):
        done = self.gpuhmm("build", *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def without_log(self, text):
        return re.sub(r"(?m)^(DATE|COM |NAME).*\n", "", text)

    def test_profile_finds_its_family(self):
        report = self.build("-n", "mine", "new.hmm", self.ALIGNMENT)
        self.assertIn("Constructed a profile HMM (length ", report)
        text = self.path("new.hmm").read_text()
        self.assertIn("NAME  mine\n", text)
        self.assertIn("COM   gpuhmm build -n mine new.hmm", text)
        hits = self.gpuhmm("search", "--device", "none", "--tblout", "-", "-o", "/dev/null", "-T", "30", "new.hmm", self.ALIGNMENT).stdout
        self.assertGreater(hits.count(b"mine"), 50)

    def test_standard_input_and_output(self):
        self.build("new.hmm", self.ALIGNMENT)
        expected = self.without_log(self.path("new.hmm").read_text())
        data = self.ALIGNMENT.read_bytes()
        self.assertEqual(self.without_log(self.build("-", "-", input=data)), expected)
        self.assertEqual(self.without_log(self.build("-", self.path("a.sto.gz", gzip.compress(data)))), expected)

    def test_true_gamma_changes_the_emissions(self):
        debian, true = (self.build("--gamma", kind, "-", self.ALIGNMENT) for kind in ("debian", "true"))
        self.assertNotEqual(self.without_log(debian), self.without_log(true))

    def test_existing_files(self):
        old = self.path("old.hmm", PROFILE.read_bytes())
        self.assert_fails(self.gpuhmm("build", old, self.ALIGNMENT), 1, "exists")
        self.build("-A", old, self.ALIGNMENT)
        self.assertTrue(old.read_bytes().startswith(PROFILE.read_bytes()))
        self.assertEqual(old.read_bytes().count(b"HMMER2.0"), 2)
        self.build("-F", "--binary", old, self.ALIGNMENT)
        self.assert_fails(self.gpuhmm("build", "-A", old, self.ALIGNMENT), 1, "appended")

    def test_failing_run_keeps_the_files(self):
        good = "# STOCKHOLM 1.0\na ACDEFW\nb ACDEFG\n//\n"
        cases = (
            (good + good, [], "name"), (good * 2, ["-n", "x"], "-n"), ("# STOCKHOLM 1.0\na ACD\nb ---\n//\n", ["--amino"], "no residues"),
            (good, ["--hand"], "reference"), ("# STOCKHOLM 1.0\na AAAA\nb EFIL\n//\n", [], "--amino"), (">a\nACD\n>b\nAC\n", [], "columns"),
            ("# STOCKHOLM 1.0\n#=GF GA x y\na ACDEF\n//\n", [], "GA"), ("# STOCKHOLM 1.0\na ACDEF\n#=GC RF xx\n//\n", [], "2 columns; expected 5"),
            (good, ["--prior", "missing"], "missing"), (good, ["--null", PROFILE], "alphabet"), ("", [], "alignment"),
            (good, ["--pam", "missing"], "missing"), (good, ["--pam", PROFILE], "line 1"), (good, ["--nucleic", "--pam", "missing"], "protein"),
            ("# STOCKHOLM 1.0\na -CDEF\nb -CDEF\n//\n", ["--amino", "--wme", "--fast", "--gapmax", "1"], "entropy"),
        )  # fmt: skip
        for text, words, mention in cases:
            alignment = self.path("bad.ali", text)
            for name in ("old.hmm", "counts", "marked"):
                self.path(name, "precious")
            done = self.gpuhmm("build", "-F", "--cfile", "counts", "-o", "marked", *words, "old.hmm", alignment)
            self.assert_fails(done, 1, mention)
            for name in ("old.hmm", "counts", "marked"):
                self.assertEqual(self.path(name).read_text(), "precious")

    def test_substitution_matrix_and_entropy(self):
        letters = "ARNDCQEGHILKMFPSTWYVBZX*"
        rows = "".join(f"{a} " + " ".join("4" if a == b else "-1" for b in letters) + "\n" for a in letters)
        matrix = self.path("matrix", " ".join(letters) + "\n" + rows)
        alignment = self.path("a.sto", "# STOCKHOLM 1.0\na ACDEFW\nb ACDEFG\n//\n")
        done = self.gpuhmm("build", "--pam", matrix, "a.hmm", alignment)
        self.assertEqual((done.returncode, done.stderr.count(b"\n")), (0, 1), done.stderr)
        self.assertIn(b"does not give its scale", done.stderr)
        self.path("place").mkdir()
        self.path("place/scaled", "# BLOSUM Clustered Scoring Matrix in 1/2 Bit Units\n" + matrix.read_text())
        environment = {**os.environ, "BLASTMAT": f"/nonexistent:{self.folder}/place"}
        done = self.run_command(self.command("build", "--pam", "scaled", "b.hmm", alignment), env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        same = [re.sub(r"(?m)^(NAME|DATE|COM ).*\n", "", self.path(name).read_text()) for name in ("a.hmm", "b.hmm")]
        self.assertEqual(*same)
        # the second row ends up with weight 0, and no other row uses its nodes
        lone = self.path("lone.sto", "# STOCKHOLM 1.0\na WWWWWWWWWW-----\nb ---------WACDEF\nc WWWWWWWWWW-----\n//\n")
        done = self.gpuhmm("build", "--wme", "--fast", "--gapmax", "1", "c.hmm", lone)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(b"did not converge" in done.stderr, b"giving up" in done.stdout)

    def test_wrong_options(self):
        for words, mention in ((["-f", "-g"], "--global"), (["--fast", "--hand"], "--hand"), (["--gapmax", "0.2"], "--gapmax"),
                               (["--archpri", "2"], "--archpri"), (["--pamwgt", "-1"], "--pamwgt"), (["--wme", "--wpb"], "--wme"), (["--gamma", "none"], "--gamma"), (["--cfile", "-"], "--cfile"),
                               (["--amino", "--nucleic"], "--nucleic"), (["--informat", "none"], "none")):  # fmt: skip
            self.assert_fails(self.gpuhmm("build", *words, "new.hmm", self.ALIGNMENT), 2, mention)


class AlignTests(CommandLineTest):
    def align(self, *words, **keywords):
        done = self.gpuhmm("align", *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def setUp(self):
        super().setUp()
        drawn = self.gpuhmm("emit", "-q", "-n", "5", "--seed", "5", PROFILE).stdout
        self.sequences = self.path("drawn.fasta", drawn + b">empty\n>tail\nMKV\n")

    def test_sequences_without_residues_are_rows_of_gaps(self):
        rows = dict(line.split() for line in self.align("-q", "--oneline", PROFILE, self.sequences).splitlines()
                    if line[:1].isalpha())  # fmt: skip
        self.assertEqual(set(rows["empty"]), {"-", "."})
        self.assertEqual(rows["tail"].replace("-", "").replace(".", "").upper(), "MKV")
        self.assertEqual(len({len(row) for row in rows.values()}), 1)

    def test_threads_do_not_change_the_alignment(self):
        one = self.align("-q", "--cpu", 1, PROFILE, SEQUENCES)
        self.assertEqual(self.align("-q", "--cpu", 5, PROFILE, SEQUENCES), one)

    def test_standard_input_gzip_and_file(self):
        expected = self.align("-q", PROFILE, self.sequences)
        data = self.sequences.read_bytes()
        self.assertEqual(self.align("-q", PROFILE, "-", input=data), expected)
        self.assertEqual(self.align("-q", "-", self.sequences, input=gzip.compress(PROFILE.read_bytes())), expected)
        self.assertEqual(self.align("-q", PROFILE, self.path("s.gz", gzip.compress(data))), expected)
        report = self.align("-o", "out.sto", PROFILE, self.sequences)
        self.assertTrue(report.endswith("Alignment saved in file out.sto\n"))
        self.assertEqual(self.path("out.sto").read_text(), expected)

    def test_output_is_read_again(self):
        for form in ("stockholm", "selex", "msf", "clustal", "phylip", "a2m"):
            written = self.path("alignment", self.align("-q", "--outformat", form, PROFILE, self.sequences))
            again = self.align("-q", "--informat", form, PROFILE, written)
            self.assertEqual(again, self.align("-q", PROFILE, self.sequences), form)

    def test_failing_run_keeps_the_file(self):
        old = self.path("old", "precious")
        two = self.path("two.hmm", PROFILE.read_bytes() * 2)
        partly_weighted = self.path("partly.sto", "# STOCKHOLM 1.0\n#=GS a WT 1\na ACDEF\nb ACDEF\n//\n")
        weightless = self.path("less.sto", "# STOCKHOLM 1.0\n#=GS a WT 0\na ACDEF\n//\n")
        for words, mention in (
            ((two, self.sequences), "several profiles"), ((PROFILE, "missing"), "missing"),
            (("--mapali", self.sequences, PROFILE, self.sequences), "columns"),
            (("--mapali", PROFILE, PROFILE, self.sequences), "not an alignment"),
            (("--withali", partly_weighted, PROFILE, self.sequences), "weight"),
            (("--withali", weightless, PROFILE, self.sequences), "weights"),
            (("--mapali", TESTDATA / "seq/RRM_1.sto", TESTDATA / "hmm/Pkinase_ls.hmm", self.sequences), "checksum"),
            (("--mapali", TESTDATA / "seq/RRM_1.sto", TESTDATA / "hmm/MADE1_fs.hmm", self.sequences), "checksum"),
        ):  # fmt: skip
            self.assert_fails(self.gpuhmm("align", "-q", "-o", old, *words), 1, mention)
            self.assertEqual(old.read_text(), "precious")

    def test_wrong_options(self):
        for words, mention in ((["--outformat", "fasta"], "fasta"), (["--informat", "none"], "none"), (["--withal", "-"], "standard input"),
                               (["--mapali", "-"], "standard input")):  # fmt: skip
            self.assert_fails(self.gpuhmm("align", *words, PROFILE, "-"), 2, mention)


class ClosedPipeTests(CommandLineTest):
    def test_reports_into_a_closed_pipe(self):
        many = self.path("many.hmm", PROFILE.read_bytes() * 300)
        done = self.shell('"$PROGRAM" stat --json "$M" | head -1', PROGRAM=self.command()[0], M=many)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))
