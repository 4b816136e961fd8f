"""The fixed cases of hmmer3_search.py and hmmer3_scan.py."""


def sample(library, program):
    return iter(())


def everything(library, program):
    return iter(())
