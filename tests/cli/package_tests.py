"""Other projects can use the installed library: by CMake's find_package, by pkg-config, header by header."""

import os

from harness import PROFILE, REPOSITORY, SEQUENCES, CommandLineTest, Settings

FOREIGN = REPOSITORY / "tests/package"
STRICT = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


class PackageTests(CommandLineTest):
    """Installs the build folder of the program under test below usr/."""

    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "usr"
        self.run_well(["cmake", "--install", Settings.gpuhmm.parents[1], "--prefix", self.prefix])

    def run_well(self, command, **keywords):
        done = self.run_command([str(word) for word in command], **keywords)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        return done.stdout.decode()

    def assert_hits(self, program):
        """The program prints the hits of two searches and a scan that gpuhmm finds."""

        def rows(run, command, target, query):
            table = self.path("table")
            self.run_well(
                [*self.command(command, "--quiet", "--device", "none", "-o", os.devnull), "--tblout", table, PROFILE, SEQUENCES]
            )
            fields = [line.split() for line in table.read_text().splitlines() if not line.startswith("#")]
            return [(run, row[target], row[query], row[5], float(row[4])) for row in fields]

        printed = [line.split() for line in self.run_well([program, PROFILE, SEQUENCES]).splitlines()]
        found = [(run, profile, sequence, score, float(e)) for run, profile, sequence, score, e, _ in printed]
        search = rows("search", "search", 2, 0)
        self.assertTrue(search)
        self.assertEqual(found, 2 * search + rows("scan", "scan", 0, 2))

    def test_find_package(self):
        build = self.folder / "build"
        self.run_well(["cmake", "-S", FOREIGN, "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}"])
        self.run_well(["cmake", "--build", build])
        self.assert_hits(build / "uses_gpuhmm")

    def test_pkg_config(self):
        package = next(self.prefix.rglob("gpuhmm.pc"))
        environment = {**os.environ, "PKG_CONFIG_PATH": str(package.parent)}
        flags = self.run_well(["pkg-config", "--cflags", "--libs", "gpuhmm"], env=environment).split()
        self.run_well(["g++", *STRICT, FOREIGN / "uses_gpuhmm.cpp", "-o", self.folder / "uses_gpuhmm", *flags])
        self.assert_hits(self.folder / "uses_gpuhmm")

    def test_every_header_stands_alone(self):
        headers = sorted((self.prefix / "include/gpuhmm").iterdir())
        self.assertEqual([h.name for h in headers], sorted(os.listdir(REPOSITORY / "src/gpuhmm")))
        for header in headers:
            with self.subTest(header=header.name):
                self.run_well(
                    ["g++", *STRICT, "-fsyntax-only", f"-I{self.prefix}/include", "-include", f"gpuhmm/{header.name}", "-x", "c++", os.devnull]
                )
