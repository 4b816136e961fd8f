"""Help, version, and wrong usage."""

import json
import os
import re
import time

from harness import PROFILE, SEQUENCES, CommandLineTest

NO_OPENCL = {**os.environ, "OCL_ICD_VENDORS": "/nonexistent"}
COMMANDS = (
    "search",
    "scan",
    "makedb",
    "index",
    "press",
    "calibrate",
    "convert",
    "fetch",
    "stat",
    "build",
    "emit",
    "align",
    "segments",
    "submatrix",
    "subsequence",
    "reduce",
    "kmers",
    "sort",
    "devices",
    "bench",
    "help",
)
OPENCL = (b"OpenCL", b"pocl", b"LLVM")  # parts of the names of OpenCL's libraries


class HelpTests(CommandLineTest):
    def test_help_lists_the_commands(self):
        for words in (["--help"], ["-h"], ["help"]):
            done = self.gpuhmm(*words)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            for command in COMMANDS:
                self.assertRegex(done.stdout.decode(), rf"(?m)^  {command} ")

    def test_help_of_each_command(self):
        for command in COMMANDS:
            short, long = self.gpuhmm(command, "--help"), self.gpuhmm("help", command)
            self.assertEqual((short.returncode, short.stderr), (0, b""))
            self.assertEqual(short.stdout, long.stdout)
            self.assertIn(f"usage: gpuhmm {command}", short.stdout.decode())

    def test_search_help_names_every_option(self):
        text = self.gpuhmm("search", "--help").stdout.decode()
        options = (
            "-A -E -T -Z --domE --domT --cut_ga --cut_nc --cut_tc --null2 --xnu --forward --compat --informat -o"
            " --tblout --domtblout --format --json --noali --no-histogram --device --cpu --batch-residues"
            " --quiet --stats --as --incE --incT --incdomE --incdomT --domZ --max --F1 --F2 --F3 --nobias --nonull2 --seed"
            " --textw --notextw --pfamtblout --acc --msa"
        )
        for option in options.split():
            self.assertRegex(text, rf"(?<![\w-]){option}(?![\w-])", option)

    def test_version(self):
        done = self.gpuhmm("--version")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertRegex(done.stdout.decode(), r"\Agpuhmm \d+\.\d+\.\d+\b.*\n\Z")

    def test_help_is_quick_and_needs_no_opencl(self):
        started = time.monotonic()
        done = self.gpuhmm("search", "--help", env={**NO_OPENCL, "LD_DEBUG": "files"})
        self.assertLess(time.monotonic() - started, 2.0)
        self.assertEqual(done.returncode, 0)
        loaded = set(re.findall(rb"file=(\S+)", done.stderr))
        self.assertTrue(loaded)
        self.assertFalse([name for name in loaded if any(part in name for part in OPENCL)])

    def test_small_search_loads_no_opencl(self):
        for device in ("none", "auto"):
            done = self.run_command(
                self.command("search", "--quiet", "--device", device, PROFILE, SEQUENCES),
                env={**os.environ, "LD_DEBUG": "files"},
            )
            self.assertEqual(done.returncode, 0)
            loaded = re.findall(rb"file=(\S+)", done.stderr)
            self.assertTrue(loaded)
            self.assertFalse([name for name in loaded if any(part in name for part in OPENCL)])


class DeviceTests(CommandLineTest):
    def test_devices_lists_the_cpu_device(self):
        done = self.gpuhmm("devices")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertRegex(done.stdout.decode().lower(), r"pocl|portable computing language|pthread")

    def test_devices_without_any_platform(self):
        done = self.gpuhmm("devices", env=NO_OPENCL)
        self.assertIn(done.returncode, (0, 3))
        self.assertEqual((done.stdout + done.stderr).count(b"\n"), 1)

    def test_unknown_device(self):
        done = self.gpuhmm("search", "--device", "nosuchdevice", PROFILE, SEQUENCES)
        self.assert_fails(done, 3, "nosuchdevice")

    def test_only_the_host_named_twice(self):
        done = self.gpuhmm("search", "--device", "none,none", PROFILE, SEQUENCES)
        self.assert_fails(done, 3, "none,none", "no device beside the host")

    def test_device_index_out_of_range(self):
        done = self.gpuhmm("search", "--device", "99", PROFILE, SEQUENCES)
        self.assert_fails(done, 3, "99")

    def test_tuning_fills_the_table_that_searches_use(self):
        table = self.path("devices.json")
        done = self.gpuhmm("bench", "tune", "--sequences", "10", "-o", table)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        self.assertRegex(done.stderr.decode(), r"work_groups \d+ .* GCUPS")
        with open(table, encoding="utf-8") as file:
            self.assertIsInstance(json.load(file), dict)

    def test_bad_tables_of_devices(self):
        device = self.gpuhmm("devices").stdout.decode().splitlines()[1].split("\t")[2]
        bad = {"{": "JSON", json.dumps({device: {"rows": 3}}): "rows", json.dumps({device: {"work_groups": 0}}): "1 to"}
        for text, complaint in bad.items():
            env = {**os.environ, "GPUHMM_DEVICES": self.path("devices.json", text)}
            done = self.gpuhmm("search", "--device", "0", PROFILE, SEQUENCES, env=env)
            self.assert_fails(done, 1, "devices.json", complaint)

    def test_unknown_benchmarks(self):
        self.assert_fails(self.gpuhmm("bench", "turn"), 2, "expected one of tune")
        self.assert_fails(self.gpuhmm("bench", "tune", "--device", "none"), 3, "none")

    def test_automatic_choice_works_without_any_platform(self):
        done = self.gpuhmm("search", "--quiet", PROFILE, SEQUENCES, env=NO_OPENCL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.search(PROFILE, SEQUENCES))


class InstructionSetTests(CommandLineTest):
    def search_with(self, name):
        return self.run_command(
            self.search_command(PROFILE, SEQUENCES), env={**os.environ, "GPUHMM_SIMD": name}
        )

    def test_every_set_of_the_machine_gives_the_same_report(self):
        refused = self.search_with("MMX")
        self.assertEqual((refused.returncode, refused.stderr.count(b"\n")), (1, 1))
        names = refused.stderr.decode().strip().split("; expected ")[1].split(", ")
        self.assertTrue({"AVX2", "NEON", "SSE4"} & set(names), names)
        default = self.search_with("")
        self.assertEqual(default.returncode, 0)
        for name in names:
            done = self.search_with(name)
            self.assertEqual((done.returncode, done.stderr), (0, b""), name)
            self.assertEqual(done.stdout, default.stdout, name)


class WrongUsageTests(CommandLineTest):
    def test_no_arguments_shows_the_help_on_standard_error(self):
        done = self.gpuhmm()
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"search", done.stderr)

    def test_unknown_command(self):
        self.assert_fails(self.gpuhmm("serach"), 2, "serach")

    def test_unknown_option(self):
        for option in ("--nosuchoption", "-y", "--evaluee=3"):
            done = self.gpuhmm("search", option, PROFILE, SEQUENCES)
            self.assert_fails(done, 2, option.split("=")[0])

    def test_ways_to_write_options(self):
        plain = self.gpuhmm("search", "--quiet", "--evalue=3", "--output=-", PROFILE, SEQUENCES)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        for words in (
            ("-qE3", "-o", "-", PROFILE, SEQUENCES),
            (PROFILE, "--quie", "-E", "3", SEQUENCES, "--outp", "-"),
            ("--ev=3", "-qo-", "--", PROFILE, SEQUENCES),
        ):
            with self.subTest(words=words):
                done = self.gpuhmm("search", *words)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                self.assertEqual(done.stdout, plain.stdout)
        for words, *mentions in (
            (("--dom", "3"), "ambiguous", "'--domE', '--domT', '--domZ', and '--domtblout'"),
            (("--quiet=3",), "'--quiet' does not take any arguments"),
            (("-qy",), "'-qy'"),
            (("--positional-arguments=x",), "too many arguments"),
        ):
            with self.subTest(words=words):
                self.assert_fails(self.gpuhmm("search", *words, PROFILE, SEQUENCES), 2, *mentions)

    def test_number_of_arguments(self):
        self.assert_fails(self.gpuhmm("search"), 2)
        self.assert_fails(self.gpuhmm("search", PROFILE), 2)
        self.assert_fails(self.gpuhmm("search", PROFILE, SEQUENCES, SEQUENCES), 2)
        self.assert_fails(self.gpuhmm("devices", "extra"), 2)

    def test_bad_values(self):
        wrong = [
            ("-E", "ten"), ("-E", "1x"), ("-E", "nan"), ("-E", "inf"), ("-E", ""), ("-T", "high"),
            ("-Z", "1.5.1"), ("-Z", "many"), ("-Z", "inf"), ("-A", "x"), ("--domE", "1e"),
            ("--domT", "--"), ("--cpu", "-1"), ("--cpu", "two"), ("--cpu", "4000000000"),
            ("--batch-residues", "0"), ("--batch-residues", "-5"), ("--table-format", "html"),
            ("--informat", "nosuchformat"),
        ]  # fmt: skip
        for option, value in wrong:
            with self.subTest(option=option, value=value):
                done = self.gpuhmm("search", "--device", "none", option, value, PROFILE, SEQUENCES)
                self.assert_fails(done, 2)

    def test_option_without_its_value(self):
        self.assert_fails(self.gpuhmm("search", PROFILE, SEQUENCES, "-E"), 2)

    def test_standard_input_can_be_only_one_argument(self):
        self.assert_fails(self.gpuhmm("search", "-", "-"), 2, "standard input")

    def test_only_one_output_to_standard_output(self):
        for name in ("-", "/dev/stdout", "/dev/fd/1"):
            done = self.gpuhmm("search", "--tblout", "-", "--json", name, PROFILE, SEQUENCES)
            self.assert_fails(done, 2, "standard output")

    def test_two_outputs_to_one_file(self):
        for first, second in (("out", "./out"), (self.path("old", "old"), "old")):
            done = self.gpuhmm("search", "-o", first, "--tblout", second, PROFILE, SEQUENCES)
            self.assert_fails(done, 2, second)
        self.assert_only("old")
        self.search("-o", "/dev/null", "--tblout", "/dev/null", PROFILE, SEQUENCES)

    def test_an_output_that_would_replace_an_input(self):
        content = PROFILE.read_bytes()
        profile = self.path("profile.hmm", content)
        self.path("link").symlink_to(profile)
        for name in ("profile.hmm", "link"):
            self.assert_fails(self.gpuhmm("search", "--json", name, profile, SEQUENCES), 2, profile)
        self.assertEqual(profile.read_bytes(), content)


class DeviceNameTests(CommandLineTest):
    def test_all_where_there_is_no_gpu(self):
        listed = self.gpuhmm("devices").stdout.decode().splitlines()[1:]
        if not listed or any(line.split("\t")[1] == "GPU" for line in listed):
            self.skipTest("needs an OpenCL CPU device, and no GPU")
        index, kind, name = listed[0].split("\t")[:3]
        numbers = self.path("n.txt", "1 2\n3 4\n")
        for words in (
            ["search", PROFILE, SEQUENCES],
            ["scan", PROFILE, SEQUENCES],
            ["calibrate", "--num", "50", "-o", "out", PROFILE],
            ["segments", SEQUENCES],
            ["submatrix", numbers],
            ["subsequence", numbers],
            ["reduce", numbers],
            ["sort", numbers],
            ["kmers", "-k", "3", SEQUENCES],
            ["bench", "tune"],
        ):
            with self.subTest(words[0]):
                done = self.gpuhmm(words[0], "--device", "all", *words[1:])
                self.assert_fails(done, 3, "means every GPU, and there is none", f'{index} "{name}" ({kind})')
                self.assert_only("n.txt")
