"""Runs in parts: `--shard` and `merge`: what they refuse, with which words, and what they leave behind."""

import os
import resource
import struct
import zlib

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

HEAD = struct.Struct("<BQQQQ")  # kind, section, index, size of the content, of the packed content
MAGIC = b"gpuhmm part 1\n"
OTHER_PROFILE = TESTDATA / "hmm/RRM_1_fs.hmm"
HMMER3_PROFILE = TESTDATA / "hmm/RRM_1_hmmer3.hmm"


def frames(part):
    """(kind, section, index, content) of the frames of a part."""
    at = len(MAGIC)
    while at < len(part):
        kind, section, index, size, packed = HEAD.unpack_from(part, at)
        content = zlib.decompress(part[at + HEAD.size : at + HEAD.size + packed])
        assert len(content) == size
        yield kind, section, index, content
        at += HEAD.size + packed + 4


def part_of(all_frames):
    out = [MAGIC]
    for kind, section, index, content in all_frames:
        packed = zlib.compress(content)
        frame = HEAD.pack(kind, section, index, len(content), len(packed)) + packed
        out.append(frame + struct.pack("<I", zlib.crc32(frame)))
    return b"".join(out)


class PartTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.profile, self.sequences = self.path("p.hmm", PROFILE.read_bytes()), self.path("s.fasta", SEQUENCES.read_bytes()[:30000])

    def shard(self, number, count, *words, command="search", part=None, inputs=("p.hmm", "s.fasta")):
        part = part or f"part{number}"
        done = self.gpuhmm(command, "-q", "--device", "none", "--shard", f"{number}/{count}", "-o", part, *words, *inputs)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        return part

    def shards(self, count, *words, **keywords):
        return [self.shard(number, count, *words, **keywords) for number in range(1, count + 1)]


class MergeTests(PartTest):
    def test_outputs_alone(self):
        for command in ("search", "scan"):
            parts = self.shards(3, command=command)
            for words in ((), ("--json", "-"), ("--tblout", "-"), ("--domtblout", "-", "--format", "tab"), ("-o", "/dev/null", "--json", "-")):
                whole = self.gpuhmm(command, "-q", "--device", "none", *words, "p.hmm", "s.fasta")
                merged = self.gpuhmm("merge", *words, *parts)
                self.assertEqual((merged.returncode, merged.stderr), (0, b""))
                self.assertEqual(merged.stdout, whole.stdout, words)

    def test_parts_from_a_pipe_and_to_one(self):
        one, two = self.shards(2)
        whole = self.gpuhmm("merge", one, two).stdout
        written = self.gpuhmm("search", "-q", "--device", "none", "--shard", "2/2", "-o", "-", "p.hmm", "s.fasta").stdout
        self.assertEqual(written, self.path(two).read_bytes())
        self.assertEqual(self.gpuhmm("merge", one, "-", input=written).stdout, whole)
        self.assert_fails(self.gpuhmm("merge", one, "-", input=written[:-9]), 1, "standard input: is not complete")

    def test_more_parts_than_the_soft_limit_of_files(self):
        parts = self.shards(70)
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        done = self.gpuhmm("merge", *parts, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard)))
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.stdout, self.gpuhmm("search", "-q", "p.hmm", "s.fasta").stdout)

    def test_missing_and_doubled_parts(self):
        parts = self.shards(4)
        self.assert_fails(self.gpuhmm("merge", *parts[:3]), 1, "1 of 4 parts is missing: 4")
        self.assert_fails(self.gpuhmm("merge", parts[1]), 1, "3 of 4 parts are missing: 1, 3, 4")
        self.assert_fails(self.gpuhmm("merge", *parts, parts[2]), 1, "part3: is part 3, as is part3; expected each part once")
        self.assert_fails(self.gpuhmm("merge", *parts[:3], parts[0]), 1, "part1: is part 1")
        many = self.shard(7, 40, part="one_of_many")
        self.assert_fails(self.gpuhmm("merge", many), 1, "39 of 40 parts are missing: 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, ...")
        self.assert_fails(self.gpuhmm("merge", parts[0], many), 1, "is one of 40 parts; part1 is one of 4")

    def assert_foreign(self, other, reason):
        self.assert_fails(self.gpuhmm("merge", "-o", "report", "part1", other), 1, f"{other}: is a part of another run than part1: ", reason)
        self.assertFalse(self.path("report").exists())

    def test_parts_of_other_runs(self):
        self.shards(2)
        self.assert_foreign(self.shard(2, 2, "-E", "1", part="a"), "the options are --evalue=1, not none")
        self.assert_foreign(self.shard(2, 2, part="a", command="scan"), "one is of a search, the other of a scan")
        self.path("q.hmm", PROFILE.read_bytes())
        self.assert_foreign(self.shard(2, 2, part="a", inputs=("q.hmm", "s.fasta")), "the profiles are q.hmm, not p.hmm")
        self.profile.write_bytes(OTHER_PROFILE.read_bytes())
        self.assert_foreign(self.shard(2, 2, part="a"), "the profiles in p.hmm have another content")
        self.profile.write_bytes(PROFILE.read_bytes())
        text = self.sequences.read_bytes()
        self.sequences.write_bytes(text[:-2] + (b"A" if text[-2:-1] != b"A" else b"C") + text[-1:])
        self.assert_foreign(self.shard(2, 2, part="a"), "the sequences in s.fasta have another content")

    def test_ways_of_dividing(self):
        one = self.shard(1, 2, command="scan")
        two = self.shard(2, 2, "--shard-by", "profiles", command="scan")
        self.assert_fails(self.gpuhmm("merge", one, two), 1, "part2: is one of 2 parts; part1 is one of 2 that are divided otherwise")

    def test_another_version(self):
        parts = self.shards(2)
        version = self.gpuhmm("--version").stdout.split()[1]
        for part in parts:
            whole = list(frames(self.path(part).read_bytes()))
            other = [(*frame[:3], frame[3].replace(version, b"9.9.9"[: len(version)])) for frame in whole]
            self.assertNotEqual(whole, other)
            self.path("new_" + part, part_of(other))
            self.path("same_" + part, part_of(whole))
        expected = self.gpuhmm("merge", *parts).stdout
        self.assertEqual(self.gpuhmm("merge", "same_part1", "same_part2").stdout, expected)
        self.assert_fails(self.gpuhmm("merge", "new_part1", "new_part2"), 1, "new_part1: is of gpuhmm 9.9.9; expected " + version.decode())

    def test_damaged_and_cut_parts(self):
        parts = self.shards(2)
        content = self.path(parts[1]).read_bytes()
        for at in range(0, len(content), max(1, len(content) // 40)):
            self.path("part2", content[:at])
            self.assert_fails(self.gpuhmm("merge", "-o", "r", "--tblout", "t", *parts), 1, "part2: is not")
            self.path("part2", content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
            self.assert_fails(self.gpuhmm("merge", "-o", "r", "--tblout", "t", *parts), 1, "part2: ")
        self.assert_only("p.hmm", "s.fasta", "part1", "part2")

    def test_parts_that_do_not_fit_together(self):
        parts = self.shards(2)
        one, record, end = frames(self.path(parts[1]).read_bytes())
        for changed, reason in (([one, end], "lacks the results of query 1 of section 1"),
                                ([one, record, record, end], "has in a wrong place the results of query 1 of section 1"),
                                ([one, record, (record[0], 0, 1, record[3]), end], "part1: lacks the results of query 2 of section 1"),
                                ([one, record], "part2: is not complete: it ends behind 1 records"),
                                ([record, end], "part2: record 1 is damaged"),
                                ([one, one, end], "part2: record 1 is damaged")):  # fmt: skip
            self.path("part2", part_of(changed))
            self.assert_fails(self.gpuhmm("merge", "-o", "r", *parts), 1, reason)

    def test_usage(self):
        one, two = self.shards(2)
        self.assert_fails(self.gpuhmm("merge"), 2, "expected PART...")
        self.assert_fails(self.gpuhmm("merge", "none"), 1, "none: cannot be opened: No such file")
        self.assert_fails(self.gpuhmm("merge", "s.fasta"), 1, "s.fasta: is not a part of a run")
        before = self.path(one).read_bytes()
        self.assert_fails(self.gpuhmm("merge", "-o", one, one, two), 2, "the output part1 is also the input part1")
        self.assertEqual(self.path(one).read_bytes(), before)
        self.assert_fails(self.gpuhmm("merge", "-o", "a", "--json", "a", one, two), 2, "two outputs go to the file a")
        self.assert_fails(self.gpuhmm("merge", "-E", "1", one, two), 2, "-E")
        for word in ("--textw=130", "--notextw", "--msa=a", "--pfamtblout=a", "--acc"):
            self.assert_fails(self.gpuhmm("merge", word, one, two), 2, "is for HMMER3 profiles only")
        new = self.shards(2, inputs=(HMMER3_PROFILE, "s.fasta"))
        self.assert_fails(self.gpuhmm("merge", "-A", "3", *new), 2, "--alignments is for HMMER2 profiles only")
        self.assert_fails(self.gpuhmm("merge", "-o", "/dev/full", *new), 1, "/dev/full: cannot be written: No space left")


class ShardTests(PartTest):
    def assert_refused(self, status, words, *mentions):
        done = self.gpuhmm("search", "-q", "--device", "none", *words)
        self.assert_fails(done, status, *mentions)
        self.assert_only("p.hmm", "s.fasta")

    def test_usage(self):
        inputs = ("p.hmm", "s.fasta")
        for share in ("0/3", "4/3", "x", "/", "1/", "/3", "1", "1/0", "-1/3", "+1/3", "1/3/3", " 1/3", "1.0/3", "1/1000001",
                      "18446744073709551617/3"):  # fmt: skip
            self.assert_refused(2, (f"--shard={share}", "-o", "part", *inputs), f"--shard is {share}; expected I/N")
        self.assert_refused(2, ("--shard", "1/2", *inputs), "--shard needs -o FILE")
        for name in ("tblout", "domtblout", "json", "pfamtblout", "msa"):
            self.assert_refused(2, ("--shard", "1/2", "-o", "part", f"--{name}", "t", *inputs), f"--{name} cannot be used with --shard")
        for words in (("--server", "x"), ("--checkpoint", "x"), ("--mpi",)):
            self.assert_refused(2, ("--shard", "1/2", "-o", "part", *words, *inputs), "only one of ", words[0], "--shard")
        self.assert_refused(2, ("--shard", "1/2", "-o", "p.hmm", *inputs), "the output p.hmm is also the input p.hmm")
        self.assert_fails(self.gpuhmm("scan", "--shard-by", "profiles", *inputs), 2, "--shard-by needs --shard")
        self.assert_fails(self.gpuhmm("scan", "--shard", "1/2", "--shard-by", "x", "-o", "part", *inputs), 2, "--shard-by")

    def test_inputs(self):
        shard = ("--shard", "1/2", "-o", "part")
        self.assert_refused(2, (*shard, "p.hmm", "-"), "- can be read only once; a run in parts needs files")
        self.assert_refused(2, (*shard, "-", "s.fasta"), "- can be read only once")
        os.mkfifo(self.path("pipe"))
        self.assert_fails(self.gpuhmm("search", *shard, "p.hmm", "pipe"), 2, "pipe can be read only once")
        self.path("pipe").unlink()
        self.assert_refused(1, (*shard, "none", "s.fasta"), "none: cannot be opened")
        self.assert_refused(1, (*shard, "p.hmm", "none"), "none: cannot be opened")
        self.assert_refused(1, (*shard, "s.fasta", "p.hmm"), "s.fasta")
        self.assert_refused(1, ("--shard", "1/2", "-o", "none/part", "p.hmm", "s.fasta"), "none/part: cannot be opened for writing")
        self.assert_refused(1, ("--shard", "1/2", "-o", "/dev/full", "p.hmm", "s.fasta"), "/dev/full: cannot be written")

    def test_an_existing_part_is_replaced_or_kept(self):
        part = self.shard(1, 2)
        content = self.path(part).read_bytes()
        self.path(part, b"old")
        self.shard(1, 2)
        self.assertEqual(self.path(part).read_bytes(), content)
        self.path("bad.hmm", PROFILE.read_bytes()[:3000])
        self.assert_fails(self.gpuhmm("search", "-q", "--shard", "1/2", "-o", part, "bad.hmm", "s.fasta"), 1, "bad.hmm")
        self.assertEqual(self.path(part).read_bytes(), content)
