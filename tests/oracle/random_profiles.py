"""Random profiles of every kind, as HMMER 2 text, and random sequences for them, all from a given generator."""

import math
from dataclasses import dataclass

import inputs

AMINO, NUCLEIC = "ACDEFGHIKLMNPQRSTVWY", "ACGT"
AMINO_ODD, NUCLEIC_ODD = "UBZXJO*", "UNRYMKSWHBVDX"
STYLES = ("ls", "fs", "s", "g")


@dataclass(frozen=True)
class RandomProfile:
    """A random profile: its HMMER 2 text without an EVD line, and the properties from which sequences are made."""

    name: str
    text: str
    nodes: int
    style: str
    nucleic: bool
    consensus: str  # the residue with the best score of each node

    def model(self, evd=None):
        """The profile as a Model, with an EVD line of (location, slope) if given."""
        text = self.text
        if evd:
            text = text.replace("\nHMM  ", "\nEVD   %10f %10f\nHMM  " % evd, 1)
        return inputs.Model(self.name, text.encode(), self.nodes, self.nucleic, bool(evd), frozenset())


class ProfileMaker:
    """Makes random profiles. `odd` adds `*` fields and special transitions that hmmbuild never writes. With `reachable`,
    every sequence still has a path: without one, hmm2search crashes in some tracebacks."""

    def __init__(self, rng, nodes, style, nucleic=False, odd=False, reachable=True):
        self.rng, self.nodes, self.style, self.nucleic, self.odd = rng, nodes, style, nucleic, odd
        self.reachable = reachable
        self.is_global = style in ("ls", "g")
        self.letters = NUCLEIC if nucleic else AMINO

    def make(self, name):
        flags = [self.rng.random() < 0.4 for _ in range(3)]
        header = [f"NAME  {name}", f"LENG  {self.nodes}", f"ALPH  {'Nucleic' if self.nucleic else 'Amino'}"]
        header += [f"{tag:<5} {'yes' if on else 'no'}" for tag, on in zip(("RF", "CS", "MAP"), flags)]
        header += ["COM   random", "DATE  today"]  # HMMER2 refuses binary profiles that lack one of them
        header += [f"XT    {self._specials()}", f"NULT  {'-1 -9967' if self.nucleic else '-4 -8455'}"]
        header.append("NULE  " + " ".join(str(self.rng.randint(-900, 600)) for _ in self.letters))
        lines = ["HMMER2.0  [2.3.2]", *header, "HMM    " + "  ".join(self.letters), "  m->m m->i m->d ..."]
        into_deletes = self._between(7000, 1500)
        lines.append(f"{self._between(60)} * {into_deletes if self.reachable else self._maybe(into_deletes)}")
        consensus = []
        for node in range(1, self.nodes + 1):
            scores = self._match_scores()
            consensus.append(self.letters[max(range(len(scores)), key=scores.__getitem__)])
            lines += self._node(node, scores, flags)
        text = "\n".join([*lines, "//"]) + "\n"
        return RandomProfile(name, text, self.nodes, self.style, self.nucleic, "".join(consensus))

    def _between(self, low, high=0):
        return -self.rng.randint(high, low)

    def _impossible(self):
        return self.odd and self.rng.random() < 0.06

    def _maybe(self, score):
        return "*" if self._impossible() else str(score)

    def _specials(self):
        move, loop = (-9967, -1) if self.nucleic else (-8455, -4)
        ends = "-1000 -1000" if self.style in ("ls", "fs") else "0 *"
        again = {"g": "* 0", "s": "0 *"}.get(self.style, f"{move} {loop}")
        if not self.odd:
            return f"{move} {loop} {ends} {move} {loop} {again}"
        pairs = [f"{self._between(9000)} {self._between(60)}" for _ in range(3)]
        return f"{pairs[0]} {ends} {pairs[1]} {pairs[2] if self.style in ('ls', 'fs') else again}"

    def _match_scores(self):
        rng = self.rng
        scores = [rng.randint(-4500, 500) for _ in self.letters]
        scores[rng.randrange(len(scores))] = rng.randint(500, 1900 if self.nucleic else 4200)
        return scores

    def _node(self, node, match, flags):
        """The three lines of a node. At least one transition from the match state is possible."""
        rf, cs, mapped = flags
        rng, last = self.rng, node == self.nodes
        places = len(self.letters)
        plain = str if self.reachable and last else self._maybe
        first = [str(node), *map(plain, match)] + ([str(2 * node)] if mapped else [])
        insert = ["*"] * places if last else [self._maybe(rng.randint(-700, 400)) for _ in range(places)]
        moves = ["*"] * 7
        if not last:
            moves = [str(self._between(300, 5))]
            moves += [self._maybe(self._between(9000, 1500)) for _ in range(2)]  # m->i m->d
            moves += [self._maybe(self._between(2500, 80)) for _ in range(2)]  # i->m i->i
            deleting = str if self.reachable and self.is_global else self._maybe
            moves += [deleting(self._between(2500, 80)) for _ in range(2)]  # d->m d->d
            if moves[1] == "*":  # hmm2search's integers overflow at an insert state with no way in and no emission
                moves[4] = "-500"
        if self.is_global:
            begin, end = (self._between(60) if node == 1 else "*"), (0 if last else "*")
        else:
            share = round(1000 * math.log2(2 * self.nodes))
            begin = plain(-(1000 if node == 1 else share + rng.randint(0, 60)))
            end = 0 if last else self._maybe(-share + rng.randint(0, 900))
        second = [rng.choice("xX.") if rf else "-", *insert]
        third = [rng.choice("HEC.") if cs else "-", *moves, str(begin), str(end)]
        return [" " + " ".join(fields) for fields in (first, second, third)]


def relative(rng, profile, length):
    """A sequence with whole and partial copies of the consensus, with changes, gaps and linkers."""
    letters = NUCLEIC if profile.nucleic else AMINO
    change = rng.choice((0.02, 0.15, 0.4))
    out = []
    while len(out) < length:
        start, end = 0, profile.nodes
        if rng.random() < 0.4:
            start, end = sorted((rng.randrange(end + 1), rng.randrange(end + 1)))
        for residue in profile.consensus[start:end]:
            kind = rng.random()
            if kind < 0.03:
                continue
            if kind < 0.06:
                out += rng.choices(letters, k=rng.randint(1, 4))
            out.append(rng.choice(letters) if rng.random() < change else residue)
        out += rng.choices(letters, k=rng.randint(0, 30))
    start = rng.randint(0, len(out) - length)
    return "".join(out[start : start + length])


def random_sequence(rng, profile, length):
    """Random residues or a related sequence, sometimes with degenerate and other unusual characters."""
    letters, odd = (NUCLEIC, NUCLEIC_ODD) if profile.nucleic else (AMINO, AMINO_ODD)
    body = relative(rng, profile, length) if rng.random() < 0.6 else "".join(rng.choices(letters, k=length))
    if rng.random() < 0.4:
        body = "".join(rng.choice(odd) if rng.random() < 0.05 else residue for residue in body)
    return body.lower() if rng.random() < 0.1 else body
