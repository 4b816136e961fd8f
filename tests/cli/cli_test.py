#!/usr/bin/env python3
"""Tests of the gpuhmm executable. Needs Biopython (Debian's python3-biopython).

  cli_test.py [--gpuhmm PROGRAM] [--device D] [TEST...]

TEST is a unittest name such as output_tests.InterruptTests. The last line is `N passed, N failed`.
"""

import argparse
import signal
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # before the test modules are imported: leaves no __pycache__

from harness import Settings

MODULES = [
    "usage_tests",
    "help_tests",
    "readme_tests",
    "option_tests",
    "install_tests",
    "package_tests",
    "scan_tests",
    "part_tests",
    "hmmer3_dropin_tests",
    "hmmer3_tests",
    "impossible_pair_tests",
    "mixed_profile_tests",
    "dropin_tests",
    "dropin_profile_tests",
    "input_tests",
    "hostile_tests",
    "mutation_tests",
    "makedb_tests",
    "plan_tests",
    "submatrix_tests",
    "dot_plot_tests",
    "bench_maximum_tests",
    "sorting_tests",
    "output_tests",
    "bench_ladder_tests",
    "vectors_tests",
    "process_tests",
    "warning_tests",
    "visible_device_tests",
    "progress_tests",
    "serve_tests",
    "serve_http_tests",
    "profile_tests",
    "calibrate_tests",
    "resource_tests",
    "biopython_tests",
    "segments_tests",
    "nucleic_segments_tests",
    "number_tests",
    "bench_number_tests",
    "picture_tests",
    "lying_header_tests",
    "bench_sort_tests",
    "bench_plots_tests",
    "experiments_script_tests",
]


def main():
    # Background jobs inherit an ignored SIGINT, jobs under nohup an ignored SIGHUP; programs under test must not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpuhmm", type=Path, default=Settings.gpuhmm)
    parser.add_argument("--device", default=Settings.device, help="device of the searches (default none)")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("tests", nargs="*", default=MODULES, metavar="TEST")
    arguments = parser.parse_args()
    Settings.gpuhmm, Settings.device = arguments.gpuhmm.resolve(), arguments.device
    suite = unittest.defaultTestLoader.loadTestsFromNames(arguments.tests)
    result = unittest.TextTestRunner(verbosity=2 if arguments.verbose else 1).run(suite)
    # a test can fail in several subtests
    failed = len({str(getattr(test, "test_case", test)) for test, _ in result.failures + result.errors})
    skipped = len(result.skipped)
    sys.stderr.flush()
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
