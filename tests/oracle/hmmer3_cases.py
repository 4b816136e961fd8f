"""Options of hmmsearch and hmmscan for the comparisons with HMMER 3: each alone, and mixes drawn by chance."""

import hmmer3_inputs as inputs3
from hmmer3_compare import Case

TABLES = ["--tblout", "t.tbl", "--domtblout", "d.tbl", "--pfamtblout", "p.tbl"]
EVERY_OPTION = [
    [], ["--acc"], ["--noali"], ["--notextw"], ["--textw", "120"], ["--textw", "140"], ["--textw=999"], ["-o", "report"],
    ["-E", "1e-20"], ["-E", "1000"], ["-E10.0"], ["-T", "30"], ["-T", "-10"], ["--domE", "1e-9"], ["--domE", "1e9"],
    ["--domT", "12.5"], ["--domT", "-1e9", "-T", "-1e9"], ["--incE", "1e-30"], ["--incE", "50", "-E", "100"], ["--incT", "25"],
    ["--incT", "-20"], ["--incdomE", "1e-12"], ["--incdomE", "1e6", "--domE", "1e-3"], ["--incdomT", "20"], ["--incdomT", "-50"],
    ["--cut_ga"], ["--cut_nc"], ["--cut_tc"], ["--max"], ["--max", "-E", "1e5", "--domE", "1e5"], ["--F1", "0.5"],
    ["--F1", "1.5", "--F2", "1", "--F3", "1"], ["--F1", "0"], ["--F2", "0.1"], ["--F3", "0.5", "-E", "1000"],
    ["--F1", "-1"], ["--F3", "nan"], ["--nobias"], ["--nonull2"], ["-Z", "1"], ["-Z", "4.5e7"], ["-Z", "1e300"], ["-Z", "inf"],
    ["--domZ", "1"], ["--domZ", "1e6"], ["-Z", "0.5", "--domZ", "0.25"], ["--seed", "1"], ["--seed", "4294967"], ["--seed", "42"],
    ["--cpu", "0"], ["--cpu", "1"], ["--cpu", "2"], ["--cpu", "3"], ["--cpu", "02"], ["--nob", "--nonu"], ["--dome", "3"],
    ["-E", "inf"], ["-E", "1e-300"], ["-T", "inf"], ["-T", "nan"], ["--domT", "nan"], ["-E", "1", "--incT", "3", "--domT", "4"],
]  # fmt: skip
OWN_NAMES = {"-A": "--msa", "--tformat": "--informat", "--qformat": "--informat"}  # of gpuhmm's own commands


def threshold(rng, low, high):
    """A number whose logarithm is drawn."""
    return f"{10 ** rng.uniform(low, high):.3g}"


def drawn_options(rng, program, cutoffs, stress):
    """Options drawn by chance, as (name, value or None)."""
    options = [("--tblout", "t.tbl"), ("--domtblout", "d.tbl"), ("--pfamtblout", "p.tbl")]
    options = [option for option in options if rng.random() < 0.9]

    def add(probability, name, value=None):
        if rng.random() < probability:
            options.append((name, value))
            return True
        return False

    if program == "hmmsearch":
        add(0.5, "-A", "rows.sto")
    add(0.05, "-o", "report")
    add(0.2, "--acc")
    add(0.15, "--noali")
    if not add(0.1, "--notextw"):
        add(0.15, "--textw", str(rng.choice([120, 121, 130, 150, 200, 400])))
    usable = [f"--cut_{tag.lower()}" for tag in inputs3.CUTOFFS if tag in cutoffs]
    if not (rng.random() < 0.15 and usable and add(1, rng.choice(usable))) and not add(0.01, "--cut_ga"):
        for scale, names in ((3, ("-E", "-T")), (3, ("--domE", "--domT")), (-2, ("--incE", "--incT")), (-2, ("--incdomE", "--incdomT"))):
            kind = rng.random()
            if kind < 0.3:
                add(1, names[0], threshold(rng, scale - 12, 6) if rng.random() < 0.8 else threshold(rng, -300, 300))
            elif kind < 0.5:
                add(1, names[1], f"{rng.uniform(-30, 60):.1f}" if rng.random() < 0.8 else rng.choice(["-1e9", "1e9", "nan", "0"]))
    if not add(0.5 if stress else 0.06, "--max"):
        for name in ("--F1", "--F2", "--F3"):
            add(0.1, name, rng.choice([threshold(rng, -8, 0), "1", "0.02", "2", "0"]))
        add(0.1, "--nobias")
    add(0.12, "--nonull2")
    add(0.2, "-Z", rng.choice([threshold(rng, -2, 12), "1", "1e6", "250", "100000000"]))
    add(0.15, "--domZ", rng.choice([threshold(rng, -2, 12), "1", "10"]))
    add(0.15, "--seed", str(rng.choice([1, 2, 42, 181, 2**31 - 1])))
    add(0.7, "--cpu", str(rng.randrange(4)))
    rng.shuffle(options)
    return options


def words_of(options):
    return [word for name, value in options for word in ([name] if value is None else [name, value])]


def own_commands(rng, command, options, profiles, targets):
    """Lines of gpuhmm's own command for the same report: other batches and numbers of threads."""
    if any(name == "-o" or value in ("nan", "inf") for name, value in options):
        return []
    kept = [(OWN_NAMES.get(name, name), value) for name, value in options if name != "--cpu"]
    kept += [("--quiet", None), ("--device", "none"), ("--cpu", str(rng.randint(1, 4)))]
    kept += [("--batch-residues", str(rng.choice([1, 100, 1000, 20000, 10**6])))] if rng.random() < 0.8 else []
    return [["gpuhmm", command, *words_of(kept), profiles, targets]]


def drawn_records(rng, library, profiles, stress, size):
    """Some real records, some with drawn domains and, under stress, difficult ones."""
    path = rng.choice(library.sets[profiles[0].nucleic])
    real = library.records(path)
    real = rng.sample(real, min(len(real), rng.randint(0, size)))
    records = real + inputs3.with_domains(rng, profiles, real, rng.randint(0, size // 4))
    if stress:
        records = inputs3.difficult(rng, profiles, rng.randint(1, size // 2)) + records[: size // 3]
    rng.shuffle(records)
    if not records:
        records = [("one", "MKV" if not profiles[0].nucleic else "ACGT")]
    return records


def drawn_profiles(rng, library, count):
    """Profiles of the library, in some cases with their numbers in another order."""
    profiles = library.some_profiles(rng, count)
    return [inputs3.reshuffled(rng, p) for p in profiles] if rng.random() < 0.15 else profiles


def random_search(library, seed, number):
    """The case of a number: profiles, sequences and options drawn by chance."""
    rng = inputs3.random_source(seed, f"search {number}")
    stress = rng.random() < 0.25
    profiles = drawn_profiles(rng, library, rng.choice([1, 1, 1, 2, 3]))
    options = drawn_options(rng, "hmmsearch", frozenset.intersection(*(p.cutoffs for p in profiles)), stress)
    slow = any(name == "--max" or name.startswith("--F") for name, _ in options)
    records = drawn_records(rng, library, profiles, stress, rng.choice([4, 20, 80, 200]))
    records = inputs3.limited(records, 20_000_000 if slow else 60_000_000, sum(p.nodes for p in profiles))
    name, content = inputs3.sequence_file(rng, records)
    profile_content = inputs3.join(profiles)
    if rng.random() < 0.1:
        profile_content = inputs3.converted(profile_content, rng.choice("abcdef"), rng.random() < 0.5)
    files = {"query.hmm": profile_content, name: content}
    words = ["hmmsearch", *words_of(options), "query.hmm", name]
    standard_input = rng.random()
    if standard_input < 0.03:
        return Case(f"random {number}", [*words[:-2], "-", name], files, given=profile_content)
    if standard_input < 0.06 and name != "targets.fasta.gz":
        return Case(f"random {number}", [*words[:-1], "-"], files, given=content)
    gaps = any(set(inputs3.GAPS) & set(body) for _, body in records)
    ours = own_commands(rng, "search", options, "query.hmm", name) if rng.random() < 0.4 and not gaps else []
    pressed = rng.choice(["hmmpress", "gpuhmm", "link"]) if rng.random() < 0.1 and ours == [] else ""
    if pressed and len({p.name for p in profiles} | {p.accession for p in profiles} - {""}) < len(profiles) * 2:
        pressed = ""
    return Case(f"random {number}", words, files, ours=ours, pressed_by=pressed, library="query.hmm")


def random_scan(library, seed, number):
    rng = inputs3.random_source(seed, f"scan {number}")
    stress = rng.random() < 0.25
    profiles = inputs3.without_repeated_keys(drawn_profiles(rng, library, rng.choice([2, 4, 12, 40])))
    options = drawn_options(rng, "hmmscan", frozenset.intersection(*(p.cutoffs for p in profiles)), stress)
    slow = any(name == "--max" or name.startswith("--F") for name, _ in options)
    chosen = rng.sample(profiles, min(3, len(profiles)))
    records = drawn_records(rng, library, chosen, stress, rng.choice([4, 8, 24]))
    records = inputs3.limited(records, 20_000_000 if slow else 60_000_000, sum(p.nodes for p in profiles))
    name, content = inputs3.sequence_file(rng, records)
    profile_content = inputs3.join(profiles)
    if rng.random() < 0.1:
        profile_content = inputs3.converted(profile_content, rng.choice("abcdef"), rng.random() < 0.5)
    files = {"library.hmm": profile_content, name: content}
    words = ["hmmscan", *words_of(options), "library.hmm", name]
    given = b""
    if rng.random() < 0.04 and name != "targets.fasta.gz":
        words, given = [*words[:-1], "-"], content
    gaps = any(set(inputs3.GAPS) & set(body) for _, body in records)
    cut = any(option.startswith("--cut") for option, _ in options)
    ours = own_commands(rng, "scan", options, "library.hmm", name) if rng.random() < 0.4 and not gaps and not cut and not given else []
    pressed = rng.choice(["hmmpress", "gpuhmm", "link"])
    return Case(f"random {number}", words, files, given=given, ours=ours, pressed_by=pressed, library="library.hmm",
                remove_text=not ours and rng.random() < 0.3)  # fmt: skip
