"""The command line of hmmer3_search.py and hmmer3_scan.py: chooses cases, runs them side by side, counts."""

import argparse
import sys
import tempfile
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hmmer3_cases
import hmmer3_inputs
import hmmer3_plans
import tools
from hmmer3_compare import Runner

SAMPLE_MIXES, ALL_MIXES = 300, 5000


def read_arguments(text):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--sample", action="store_true")
    mode.add_argument("--all", action="store_true")
    mode.add_argument("--random", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first random mix")
    parser.add_argument("--gpuhmm", default=str(tools.REPOSITORY / "build/release/src/gpuhmm"))
    parser.add_argument("--device", action="append", default=[],
                        help="a device with which gpuhmm has to print the same reports, too; repeatable")  # fmt: skip
    parser.add_argument("--data", type=Path, default=tools.SHARED, help="the shared data folder")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="cases run at the same time")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    return parser.parse_args()


def cases_of(arguments, program):
    """Functions that make the cases."""
    library = hmmer3_inputs.Library(arguments.data)
    make = hmmer3_cases.random_search if program == "hmmsearch" else hmmer3_cases.random_scan
    if arguments.random is None:
        plan = hmmer3_plans.everything if arguments.all else hmmer3_plans.sample
        for case in plan(library, program):
            yield lambda case=case: case
    count = arguments.random if arguments.random is not None else ALL_MIXES if arguments.all else SAMPLE_MIXES
    for number in range(arguments.first, arguments.first + count):
        yield lambda number=number: make(library, arguments.seed, number)


def checked(runner, make, only):
    """Name, differences and whether HMMER refused; None if the case is not wanted."""
    case = make()
    if only not in case.name:
        return None
    try:
        return case.name, *runner.check(case)
    except Exception as error:  # a failure of one case must not hide those of others
        return case.name, [f"{type(error).__name__}: {error}"], False


def main(text, program):
    arguments = read_arguments(text)
    start, passed, failed, refused = time.monotonic(), 0, 0, 0

    def count(result):
        nonlocal passed, failed, refused
        if result is None:
            return
        name, reasons, refusal = result
        refused += refusal and not reasons
        passed, failed = passed + (not reasons), failed + bool(reasons)
        for reason in reasons:
            print(f"FAILED {name}: {reason}", flush=True)

    with tempfile.TemporaryDirectory(prefix="hmmer3-") as root, ThreadPoolExecutor(arguments.jobs) as pool:
        runner = Runner(arguments.gpuhmm, root, arguments.device)
        running = deque()
        for make in cases_of(arguments, program):
            running.append(pool.submit(checked, runner, make, arguments.only))
            if len(running) > 4 * arguments.jobs:
                count(running.popleft().result())
        for future in running:
            count(future.result())
    print(f"of the passed, {refused} are cases that HMMER refuses")
    print(f"took {time.monotonic() - start:.0f} s")
    print(f"{passed} passed, {failed} failed")
    sys.stdout.flush()
    return 1 if failed or not passed else 0
