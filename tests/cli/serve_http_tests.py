"""The HTTP interface of gpuhmm serve: JSON, refusals, clients that leave or send nonsense."""

import json
import socket
import time

from harness import PROFILE, SEQUENCES
from serving import HMMER3, ServeCase


class HttpTests(ServeCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve("--listen", ":0", self.library(), SEQUENCES)

    def test_json_is_that_of_the_command_line(self):
        for command, profiles, options in (
            ("search", PROFILE, {}),
            ("search", HMMER3, {"evalue": 1e-10, "seed": 3}),
            ("scan", self.folder / "library.hmm", {"cut_ga": True, "noali": False}),
        ):
            words = [f"--{name}={value}" if value is not True else f"--{name}" for name, value in options.items() if value]
            expected = self.run_command(self.command(command, "--json", "-", *words, profiles, SEQUENCES)).stdout
            for body in (
                {"profiles": {"text": profiles.read_text()}, "sequences": {"text": SEQUENCES.read_text()}},
                {"profiles": {"text": profiles.read_text()}, "sequences": SEQUENCES.name},
            ):
                answer = self.server.ask("POST", f"/v1/{command}", {**body, "options": options})
                self.assertEqual(answer, (200, "application/x-ndjson", expected))
        body = {"profiles": "library.hmm", "sequences": str(SEQUENCES)}
        self.assertEqual(self.server.ask("POST", "/v1/scan", body)[0], 200)

    def test_status(self):
        status = self.server.status()
        self.assertEqual([file["name"] for file in status["databases"]], ["library.hmm", SEQUENCES.name])
        self.assertEqual((status["running"], status["waiting"], status["queue"]), (0, 0, 64))

    def test_refusals(self):
        text = {"text": ">a\nACDEF\n"}
        for status, code, mention, method, target, body in (
            (404, None, "/v1/none", "GET", "/v1/none", None),
            (405, None, "POST", "GET", "/v1/search", None),
            (405, None, "GET", "POST", "/v1/status", {}),
            (400, None, "JSON", "POST", "/v1/search", "{"),
            (400, None, "missing: profiles", "POST", "/v1/search", {}),
            (404, None, "no file absent", "POST", "/v1/search", {"profiles": "absent", "sequences": text}),
            (404, None, "/etc/passwd", "POST", "/v1/search", {"profiles": "/etc/passwd", "sequences": text}),
            (400, None, "unknown key", "POST", "/v1/search", {"profiles": text, "sequences": text, "x": 1}),
            (400, None, "tblout", "POST", "/v1/scan", {"profiles": text, "sequences": text, "options": {"tblout": "x"}}),
            (400, None, "device", "POST", "/v1/scan", {"profiles": text, "sequences": text, "options": {"device": "x"}}),
            (400, 2, "evalue", "POST", "/v1/scan",
             {"profiles": "library.hmm", "sequences": text, "options": {"evalue": "x"}}),
            (400, 1, "profiles", "POST", "/v1/search", {"profiles": {"text": "no profile"}, "sequences": text}),
            (400, None, "unexpected content", "POST", "/v1/run", "no CBOR"),
            (400, None, "no byte string", "POST", "/v1/run", "[\0"),
            (400, None, "ends early", "POST", "/v1/run", "[" + "\0" * 7 + "\2x"),
            (400, None, "unexpected content", "POST", "/v1/run", "[" + "\0" * 8),
        ):  # fmt: skip
            with self.subTest(target=target, body=body):
                kind = "application/cbor" if target == "/v1/run" else "application/json"
                found, shown_kind, answer = self.server.ask(method, target, body, kind)
                answer = json.loads(answer)
                self.assertEqual((found, shown_kind, answer.get("code")), (status, "application/json", code), answer)
                self.assertIn(mention, answer["error"])
        found, _, answer = self.server.ask("POST", "/v1/search", {"profiles": text, "sequences": text}, "text/plain")
        self.assertEqual((found, b"Content-Type" in answer), (400, True))

    def test_connections_that_carry_no_request(self):
        host, port = self.server.address.split(":")
        for sent in (b"", b"x", b"GET / HTTP/1.1\r\nBad\r\n\r\n", b"POST /v1/search HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(sent)
        with socket.create_connection((host, int(port))) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            self.assertIn(b"400", connection.recv(100))
        self.assertEqual(self.server.status()["running"], 0)

    def test_a_client_that_leaves_ends_its_run(self):
        words = self.slow_words()
        connection = self.server.connection()
        body = {
            "profiles": {"text": words[-2].read_text()},
            "sequences": {"text": words[-1].read_text()},
            "options": {"max": True},
        }
        connection.request("POST", "/v1/search", json.dumps(body), {"Content-Type": "application/json"})
        self.server.wait_for(running=1)
        connection.close()
        start = time.monotonic()
        self.server.wait_for(running=0)
        self.assertLess(time.monotonic() - start, 10)

    def test_several_requests_on_one_connection(self):
        connection = self.server.connection()
        for _ in range(3):
            connection.request("GET", "/v1/status")
            self.assertEqual(json.loads(connection.getresponse().read())["answered"], 0)
        connection.close()

    def test_too_many_connections(self):
        host, port = self.server.address.split(":")
        opened = [socket.create_connection((host, int(port))) for _ in range(2 + 64 + 64)]
        deadline = time.monotonic() + 20
        while self.server.ask("GET", "/v1/status")[0] != 503:
            self.assertLess(time.monotonic(), deadline)
        for connection in opened:
            connection.close()
        while self.server.ask("GET", "/v1/status")[0] != 200:
            self.assertLess(time.monotonic(), deadline)
