"""gpuhmm serve: the same answers as without a server, refusals, deadlines, signals, devices."""

import json
import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from harness import PROFILE, SEQUENCES, TESTDATA, Settings
from serving import HMMER3, PRESSED, PROTEIN, ServeCase, steady


class SameAnswerTests(ServeCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve(self.database(), self.library(), SEQUENCES, PRESSED)

    def test_searches_and_scans(self):
        held, file = self.folder / "library.hmm", PROFILE
        for words in (
            ("search", file, SEQUENCES),
            ("search", held, self.folder / "proteins.ghdb"),
            ("search", "library.hmm", "proteins.ghdb"),  # found in the client's folder
            ("search", "--tblout", "-", "--format", "tab", file, PROTEIN),
            ("search", "--no-histogram", "-A", "2", "-E", "1e-5", held, SEQUENCES),
            ("search", "--xnu", file, SEQUENCES),
            ("search", "--informat", "fasta", file, SEQUENCES),
            ("search", "--cpu", "1", HMMER3, SEQUENCES),
            ("search", "--domtblout", "-", HMMER3, self.folder / "proteins.ghdb"),
            ("search", "--json", "-", "--as", "2", HMMER3, SEQUENCES),
            ("search", "--pfamtblout", "-", "--seed", "7", HMMER3, SEQUENCES),
            ("scan", held, PROTEIN),
            ("scan", held, SEQUENCES),
            ("scan", "--null2", "--acc", file, PROTEIN),
            ("scan", PRESSED, PROTEIN),
            ("scan", "--json", "-", HMMER3, PROTEIN),
            ("scan", "--noali", HMMER3, self.folder / "proteins.ghdb"),
        ):
            with self.subTest(words=words):
                self.assertEqual(self.assert_same(self.server, words)[0], 0)

    def test_output_files(self):
        files = ["report", "targets", "domains", "hits.json", "family", "domains.sto"]
        words = ["-o", files[0], "--tblout", files[1], "--domtblout", files[2], "--json", files[3]]
        ran = self.assert_same(self.server, ["search", *words, "library.hmm", "proteins.ghdb"], files[:4])
        self.assertTrue(all(ran[3]))
        words += ["--pfamtblout", files[4], "--msa", files[5]]
        self.assertTrue(all(self.assert_same(self.server, ["search", *words, HMMER3, SEQUENCES], files)[3]))
        self.assert_only("library.hmm", "proteins.ghdb", "socket")

    def test_mixed_profiles_and_standard_input(self):
        both = HMMER3.read_bytes() + PROFILE.read_bytes()
        for command in ("search", "scan"):
            self.assert_same(self.server, (command, self.path("both.hmm", both), SEQUENCES))
            self.assert_same(self.server, (command, "-", SEQUENCES), input=both)
            self.assert_same(self.server, (command, PROFILE, "-"), input=SEQUENCES.read_bytes())

    def test_warnings_and_errors(self):
        damaged = PROFILE.read_bytes()[:3000]
        for words in (
            ("search", TESTDATA / "hmm/MADE1_fs.hmm", SEQUENCES),  # proteins for a nucleic profile: a warning
            ("search", TESTDATA / "hmm/MADE1_fs.hmm", "proteins.ghdb"),
            ("search", "absent.hmm", "proteins.ghdb"),
            ("search", "library.hmm", "absent.fasta"),
            ("search", self.path("damaged.hmm", damaged), SEQUENCES),
            ("scan", "library.hmm", self.path("empty.fasta", "")),
            ("scan", "library.hmm", "library.hmm"),
            ("search", "library.hmm"),
            ("search", "--evlue", "3", "library.hmm", "proteins.ghdb"),
            ("search", "--F1", "0.1", "library.hmm", "proteins.ghdb"),
            ("search", "--xnu", HMMER3, "proteins.ghdb"),
            ("search", "-", "-"),
            ("search", "-o", "absent/report", "library.hmm", "proteins.ghdb"),
            ("search", "-o", "library.hmm", "library.hmm", "proteins.ghdb"),
            ("search", "--tblout", "same", "--json", "same", HMMER3, "proteins.ghdb"),
            ("search", "--tblout", "-", "--json", "-", "library.hmm", "proteins.ghdb"),
        ):
            with self.subTest(words=words):
                code, message, _, _ = self.assert_same(self.server, words)
                self.assertEqual(message.count(b"\n"), 1)
                self.assertEqual(code == 0, b"warning" in message)

    def test_a_closed_pipe(self):
        script = '"$@" | head -c 10 > /dev/null'
        words = self.by(self.server, ("scan", "library.hmm", SEQUENCES))
        done = self.run_command(["bash", "-o", "pipefail", "-c", script, "bash", *words])
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))

    def test_many_at_the_same_time(self):
        runs = [
            ("search", PROFILE, SEQUENCES),
            ("search", "library.hmm", "proteins.ghdb"),
            ("search", HMMER3, "proteins.ghdb"),
            ("scan", "library.hmm", PROTEIN),
            ("scan", HMMER3, SEQUENCES),
            ("search", "absent.hmm", "proteins.ghdb"),
        ]
        expected = []
        for words in runs:
            done = self.run_command(self.command(words[0], "--device", Settings.device, *words[1:]))
            expected.append((done.returncode, done.stderr, steady(done.stdout)))

        def ask(number):
            done = self.run_command(self.by(self.server, runs[number % len(runs)]))
            return (done.returncode, done.stderr, steady(done.stdout)) == expected[number % len(runs)]

        with ThreadPoolExecutor(12) as pool:
            self.assertTrue(all(pool.map(ask, range(60))))
        self.assertEqual(self.server.end(), (0, b""))

    def test_a_changed_file_is_not_taken_for_the_held_one(self):
        self.path("own.fasta", SEQUENCES.read_bytes())
        own = self.serve(self.folder / "own.fasta", self.folder / "proteins.ghdb", name="other")
        words = ("search", "--tblout", "-", PROFILE, "own.fasta")
        self.assertNotIn(b"HBA_HUMAN", self.assert_same(own, words)[2])
        self.path("own.fasta", PROTEIN.read_bytes())
        self.assertIn(b"HBA_HUMAN", self.assert_same(own, words)[2])
        os.utime(self.folder / "proteins.ghdb", (1, 1))
        done = self.run_command(self.by(own, ("search", PROFILE, "proteins.ghdb")))
        self.assert_fails(done, 1, "proteins.ghdb", "has changed")


class RefusalTests(ServeCase):
    def test_options_of_the_server_and_files_that_it_cannot_get(self):
        server = self.serve(PROTEIN)
        for option in (("--device", "none"), ("--verify", "1"), ("--stats",)):
            done = self.run_command(self.by(server, ("search", *option, PROFILE, PROTEIN)))
            self.assert_fails(done, 2, option[0], "--server")
        self.assert_fails(self.run_command(self.by(server, ("search", PROFILE, self.database()))), 1, "does not hold")
        self.assert_fails(self.run_command(self.by(server, ("scan", PRESSED, PROTEIN))), 1, "does not hold")

    def test_a_server_that_is_not_there(self):
        done = self.gpuhmm("search", "--server", self.path("absent"), PROFILE, PROTEIN)
        self.assert_fails(done, 1, "absent", "no server answers")

    def test_what_cannot_be_served(self):
        socket_path = self.path("socket")
        for words, code, mentions in (
            (("serve", PROTEIN), 2, ["--socket"]),
            (("serve", "--socket", socket_path), 2, ["missing argument"]),
            (("serve", "--socket", socket_path, "absent"), 1, ["absent"]),
            (("serve", "--socket", socket_path, TESTDATA / "README.md"), 1, ["README.md"]),
            (("serve", "--socket", "x" * 200, PROTEIN), 1, ["107"]),
            (("serve", "--socket", self.path("file", "x"), PROTEIN), 1, ["no socket"]),
            (("serve", "--socket", socket_path, "--listen", "nowhere", PROTEIN), 1, ["ADDRESS:PORT"]),
            (("serve", "--socket", socket_path, "--device", "no such device", PROTEIN), 3, ["no such device"]),
        ):
            with self.subTest(words=words):
                self.assert_fails(self.gpuhmm(*words), code, *mentions)
                self.assert_only("file")
        self.assertEqual((self.folder / "file").read_text(), "x")

    def test_a_full_queue(self):
        server = self.serve("--jobs", "1", "--queue", "1", PROTEIN)
        slow = self.slow_words()
        clients = []
        for waiting in range(2):  # the queue has room for the second one when the first one runs
            clients.append(subprocess.Popen(self.by(server, slow), stdout=subprocess.DEVNULL))
            server.wait_for(running=1, waiting=waiting)
        self.assert_fails(self.run_command(self.by(server, ("search", PROFILE, PROTEIN))), 1, "busy", "try again")
        status, _, body = server.ask("POST", "/v1/search", {"profiles": {"text": ""}, "sequences": PROTEIN.name})
        self.assertEqual((status, "busy" in json.loads(body)["error"]), (503, True))
        for client in clients:
            client.kill()
            client.wait()
        server.wait_for(running=0, waiting=0)  # clients that leave free their places
        self.assert_same(server, ("search", PROFILE, PROTEIN))

    def test_a_deadline(self):
        server = self.serve("--deadline", "0.3", PROTEIN)
        self.assert_same(server, ("search", PROFILE, PROTEIN))
        start = time.monotonic()
        output = self.path("report", "old")
        words = ("search", "-o", output, *self.slow_words()[1:])
        self.assert_fails(self.run_command(self.by(server, words)), 1, "--deadline")
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(output.read_text(), "old")
        server.wait_for(running=0)

    def test_a_request_that_is_too_large(self):
        server = self.serve("--request-limit", "1", PROTEIN)
        large = self.path("large.fasta", ">a\n" + "A" * (1 << 21) + "\n")
        self.assert_fails(self.run_command(self.by(server, ("search", PROFILE, large))), 1, "large.fasta", "1048576")
        body = json.dumps({"profiles": PROFILE.name, "sequences": {"text": large.read_text()}})
        self.assertEqual(server.ask("POST", "/v1/search", body)[0], 413)


class EndTests(ServeCase):
    def test_sigterm_ends_behind_the_running_ones(self):
        server = self.serve("--jobs", "1", SEQUENCES)
        words = self.slow_words(2)
        expected = self.run_command(self.command(*words)).stdout
        client = subprocess.Popen(self.by(server, words), stdout=subprocess.PIPE, cwd=self.folder)
        server.wait_for(running=1)
        waiting = subprocess.Popen(self.by(server, words), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        server.wait_for(waiting=1)
        self.assertEqual(server.end(), (0, b""))
        self.assertEqual(steady(client.communicate()[0]), steady(expected))
        output, message = waiting.communicate()
        self.assertEqual((waiting.returncode, output), (1, b""))
        self.assertIn(b"the server is ending", message)
        self.assert_only("slow.fasta", "slow.hmm")

    def test_a_second_signal_stops_the_running_ones(self):
        server = self.serve(PROTEIN)
        client = subprocess.Popen(self.by(server, self.slow_words()), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        server.wait_for(running=1)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
        self.assertIsNone(server.process.poll())
        self.assertEqual(server.end(signal.SIGINT), (0, b""))
        self.assertIn(b"stopped", client.communicate()[1])
        self.assertEqual(client.returncode, 1)

    def test_socket_files(self):
        server = self.serve(PROTEIN)
        self.assertEqual(os.stat(server.path).st_mode & 0o777, 0o600)
        self.assert_fails(self.gpuhmm("serve", "--socket", server.path, PROTEIN), 1, "a server answers there already")
        server.process.kill()
        server.process.wait()
        self.assertTrue(os.path.exists(server.path))  # left behind
        again = self.serve(PROTEIN)
        self.assert_same(again, ("search", PROFILE, PROTEIN))
        self.assertEqual(again.end(signal.SIGINT), (0, b""))
        self.assert_only()

    def test_a_signal_while_it_opens_its_files(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        command = self.command("serve", "--socket", self.path("socket"), "--device", "none", fifo)
        process = subprocess.Popen(command, stderr=subprocess.PIPE)
        self.wait_for_files(1)
        code, _ = self.interrupt(process, signal.SIGTERM)
        self.assertEqual(code, -signal.SIGTERM)
        self.assert_only("fifo")


class OpenClTests(ServeCase):
    def test_a_device(self):
        server = self.serve("--device", "pthread", self.database(), self.library())
        for words in (("search", PROFILE, "proteins.ghdb"), ("search", HMMER3, "proteins.ghdb"), ("scan", "library.hmm", PROTEIN)):
            expected = self.run_command(self.command(words[0], "--device", "none", *words[1:])).stdout
            runs = [subprocess.Popen(self.by(server, words), stdout=subprocess.PIPE, cwd=self.folder) for _ in range(4)]
            for run in runs:
                self.assertEqual(steady(run.communicate()[0]), steady(expected))
