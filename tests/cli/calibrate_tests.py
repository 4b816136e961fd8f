"""gpuhmm calibrate: profiles are rewritten in place, and stay unchanged after errors."""

import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time

from harness import PROFILE, TESTDATA, CommandLineTest, full_disk

HMMER3 = TESTDATA / "hmm/RRM_1_hmmer3.hmm"
UNCALIBRATED = TESTDATA / "hmm/RRM_1_g_uncalibrated.hmm"
NOBODY = 65534


def without_rights():
    """Gives up root's rights, so that permissions of files take effect."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


class CalibrateTests(CommandLineTest):
    def calibrate_command(self, *words):
        return self.command("calibrate", "--device", "none", "--seed", 1, "--num", 500, *words)

    def calibrate(self, *words, **keywords):
        return self.run_command(self.calibrate_command(*words), **keywords)

    def calibrate_without_rights(self, path):
        """Runs a copy of the program: only root may be able to read the build folder."""
        command = self.calibrate_command(path)
        with tempfile.TemporaryDirectory(prefix="gpuhmm-cli-") as folder:
            os.chmod(folder, 0o755)
            command[0] = shutil.copy(command[0], folder)
            return self.run_command(command, preexec_fn=without_rights)

    def mine(self, source=UNCALIBRATED, name="mine.hmm"):
        """A copy of a profile file that may be changed."""
        return self.path(name, source.read_bytes())

    def test_file_is_rewritten_in_place(self):
        path = self.mine()
        path.chmod(0o640)
        done = self.calibrate(path.name)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        before = self.gpuhmm("convert", UNCALIBRATED, "-").stdout.decode().splitlines()
        after = path.read_text().splitlines()
        added = [line for line in after if line not in before]
        self.assertEqual([line.split()[0] for line in added], ["COM", "EVD"])
        self.assertEqual(added[0], "COM   gpuhmm calibrate --device none --seed 1 --num 500 mine.hmm")
        self.assertEqual([line for line in after if line not in added], before)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        self.assert_only("mine.hmm")

    def test_calibrating_again_replaces_the_numbers(self):
        path = self.mine()
        self.calibrate(path)
        first = [line for line in path.read_text().splitlines() if line.startswith("EVD")]
        self.calibrate(path)
        again = [line for line in path.read_text().splitlines() if line.startswith("EVD")]
        self.assertEqual(first, again)
        self.assertEqual(len(again), 1)
        self.assertEqual(self.calibrate("--seed", 2, path).returncode, 0)
        self.assertNotIn(first[0], path.read_text())

    def test_symbolic_link_keeps_leading_to_the_file(self):
        path = self.mine()
        link = self.folder / "link.hmm"
        link.symlink_to("mine.hmm")
        self.assertEqual(self.calibrate(link).returncode, 0)
        self.assertTrue(link.is_symlink())
        self.assertIn("EVD", path.read_text())

    def test_other_output(self):
        path = self.mine()
        done = self.calibrate("-o", "new.hmm", path)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(path.read_bytes(), UNCALIBRATED.read_bytes())
        self.assertIn(b"\nEVD ", self.path("new.hmm").read_bytes())

    def test_standard_input_to_standard_output(self):
        done = self.calibrate("-o", "-", "-", input=HMMER3.read_bytes())
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(done.stdout.startswith(b"HMMER2.0"))
        self.assertIn(b"\nEVD ", done.stdout)

    def test_what_cannot_be_rewritten_is_refused(self):
        packed = self.path("packed.hmm.gz", self.shell('gzip -c "$P"', P=PROFILE).stdout)
        before = packed.read_bytes()
        self.assert_fails(self.calibrate(packed), 1, packed, "gzipped", "-o")
        self.assertEqual(packed.read_bytes(), before)
        self.assert_fails(self.calibrate(self.mine(HMMER3)), 1, "HMMER3", "-o")
        self.assert_fails(self.calibrate("-", input=PROFILE.read_bytes()), 2, "standard input", "-o")

    def assert_kept(self, done, path, *mentions, source=UNCALIBRATED):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        for mention in mentions:
            self.assertIn(str(mention), done.stderr.decode())
        self.assertEqual(path.read_bytes(), source.read_bytes())

    def test_failed_fit_keeps_the_file(self):
        path = self.mine()
        self.assert_kept(self.calibrate("--num", 50, "--histfile", "scores", path), path, "RRM_1", "--num")
        self.assert_only("mine.hmm")

    def test_damaged_second_profile_keeps_the_file(self):
        path = self.path("two.hmm", UNCALIBRATED.read_bytes() + b"HMMER2.0\nNAME  x\n")
        before = path.read_bytes()
        done = self.calibrate(path)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(path.read_bytes(), before)
        self.assert_only("two.hmm")

    def test_full_disk_keeps_the_file(self):
        path = self.mine()
        done = self.calibrate(path, **full_disk(4096))
        self.assert_kept(done, path, "cannot be written", "File too large")
        self.assert_only("mine.hmm")

    def test_full_device_for_the_histograms_keeps_the_file(self):
        path = self.mine()
        self.assert_kept(self.calibrate("--histfile", "/dev/full", path), path, "/dev/full")
        self.assert_only("mine.hmm")

    def test_read_only_folder_keeps_the_file(self):
        path = self.mine()
        path.chmod(0o666)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        done = self.calibrate_without_rights(path)
        self.assert_kept(done, path, path, "Permission denied")

    def test_read_only_file_is_kept(self):
        path = self.mine()
        path.chmod(0o444)
        self.folder.chmod(0o777)
        self.assert_kept(self.calibrate_without_rights(path), path, path, "Permission denied")

    def test_signals_keep_the_file(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            path = self.path("many.hmm", UNCALIBRATED.read_bytes() * 500)
            before = path.read_bytes()
            process = subprocess.Popen(
                self.calibrate_command("--num", 5000, path), cwd=self.folder, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )  # fmt: skip
            for line in process.stdout:  # until a profile is done
                if line.startswith(b"//"):
                    break
            status, message = self.interrupt(process, number)
            self.assertEqual((status, message), (-number, b""))
            self.assertEqual(path.read_bytes(), before)
            if number != signal.SIGKILL:  # cannot be handled, so files remain
                self.assert_only("many.hmm")

    def test_wrong_options(self):
        for words in (["--num", 0], ["--fixed", -1], ["--mean", -1000], ["--mean", "nan"], ["--sd", "1e9"]):
            self.assert_fails(self.calibrate(*words, self.mine()), 2, words[0])
        self.assert_fails(self.calibrate("--histfile", "mine.hmm", self.mine()), 2, "mine.hmm")

    def test_bad_input(self):
        for content, mention in ((b"", "empty"), (b"junk\n", "not a profile"), (PROFILE.read_bytes()[:3000], "line 41")):
            path = self.path("bad.hmm", content)
            done = self.calibrate(path)
            self.assert_fails(done, 1, path, mention)
            self.assertEqual(path.read_bytes(), content)

    def test_default_seed_is_reported(self):
        earliest = int(time.time())
        done = self.gpuhmm("calibrate", "--device", "none", "--num", 1000, self.mine())
        seed = int(done.stdout.decode().split("random seed:")[1].split()[0])
        self.assertTrue(earliest <= seed <= time.time())
        seeded = self.path("mine.hmm").read_text()
        self.gpuhmm("calibrate", "--device", "none", "--num", 1000, "--seed", seed, self.mine(name="again.hmm"))
        evd = [[line for line in text.splitlines() if line.startswith("EVD")]
               for text in (seeded, self.path("again.hmm").read_text())]  # fmt: skip
        self.assertEqual(evd[0], evd[1])

    def test_a_closed_pipe_keeps_the_file(self):
        many = self.path("many.hmm", PROFILE.read_bytes() * 300)
        script = '"$PROGRAM" calibrate --device none --seed 1 --num 500 "$M" | head -1'
        done = self.shell(script, PROGRAM=self.command()[0], M=many)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))
        self.assertEqual(many.read_bytes(), PROFILE.read_bytes() * 300)
        self.assert_only("many.hmm")
