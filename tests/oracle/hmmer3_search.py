#!/usr/bin/env python3
"""Compares gpuhmm, called as hmmsearch, with the hmmsearch of HMMER 3: report, tables, alignment, messages, exit codes.

  hmmer3_search.py [--sample | --all | --random N [--seed S]] [--gpuhmm PROGRAM] [-j N] [--only TEXT]
                   [--device D]...

--sample  every option, every profile of testdata/ and hmmer-examples, a choice of the others, damaged files, wrong
          command lines, and some random mixes (the default): about two minutes
--all     every profile against every sequence set, options in turn, and 5000 random mixes: hours
--device  runs gpuhmm's own command once more on each of these devices
--random  only that many random mixes of profiles, sequences and options

The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import sys

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import hmmer3_main

if __name__ == "__main__":
    sys.exit(hmmer3_main.main(__doc__, "hmmsearch"))
