"""Which devices NVIDIA's driver is to start: seen by a library that stands for a driver and has no devices."""

import os
import subprocess
import tempfile
from pathlib import Path

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

# When OpenCL's loader opens it, it appends what the driver would read to the file $SEEN.
DRIVER = """
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void see(void) {
  const char* visible = getenv("CUDA_VISIBLE_DEVICES");
  FILE* file = fopen(getenv("SEEN"), "a");
  fputs(visible == NULL ? "all" : visible, file);
  fclose(file);
}
"""


class VisibleDeviceTests(CommandLineTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="gpuhmm-driver-")
        cls.addClassCleanup(folder.cleanup)
        cls.drivers = Path(folder.name)
        library = cls.drivers / "driver.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-o", library, "-"], input=DRIVER.encode(), check=True)
        (cls.drivers / "driver.icd").write_text(f"{library}\n")

    def seen(self, *words, visible=None, **keywords):
        """What the driver is to start. None: it was not loaded."""
        seen = self.path("seen")
        seen.unlink(missing_ok=True)
        environment = {**os.environ, "OCL_ICD_VENDORS": str(self.drivers), "SEEN": str(seen)}
        environment.pop("CUDA_VISIBLE_DEVICES", None)
        if visible is not None:
            environment["CUDA_VISIBLE_DEVICES"] = visible
        self.gpuhmm(*words, env=environment, **keywords)
        return seen.read_text() if seen.exists() else None

    def search(self, device, profiles=PROFILE, sequences=SEQUENCES, **keywords):
        words = ["search", "--quiet", "--device", device, "-o", "/dev/null", profiles, sequences]
        return self.seen(*words, **keywords)

    def test_one_device_starts_for_runs_that_use_no_other(self):
        self.assertEqual(self.seen("bench", "tune", "--device", "auto", "-o", "table"), "0")
        self.assertEqual(self.search("nvidia"), "0")
        self.assertEqual(self.search("NVIDIA"), "0")
        self.assertEqual(self.search("nvidia", visible="2"), "2")
        self.assertEqual(self.search("nvidia", visible="3,1,2"), "3")
        self.assertEqual(self.search("nvidia", visible="GPU-8a,GPU-9b"), "GPU-8a")
        self.assertEqual(self.search("nvidia", visible=""), "")

    def test_all_is_one_for_little_work(self):
        self.assertEqual(self.search("all"), "0")
        self.assertEqual(self.search("all", visible="1,0"), "1")
        self.assertEqual(self.seen("scan", "--quiet", "--device", "all", PROFILE, SEQUENCES), "0")

    def test_all_devices_start_for_much_work_or_an_unknown_amount(self):
        database = self.path("much.fasta")
        with database.open("wb") as file:
            file.truncate(10**11)
        self.assertEqual(self.search("all", sequences=database), "all")
        self.assertEqual(self.search("all", sequences=database, visible="1,0"), "1,0")
        self.assertEqual(self.search("all", sequences="-", input=SEQUENCES.read_bytes()), "all")

    def test_all_devices_start_where_others_may_be_named(self):
        for device in ("0", "1", "H100", "nvidia,none", "all,none"):
            with self.subTest(device):
                self.assertEqual(self.search(device), "all")
        self.assertEqual(self.seen("devices"), "all")

    def test_hmmer3_profiles_start_one_at_once_for_much_work(self):
        profiles, database = self.path("many.hmm"), self.path("much.fasta")
        text = (TESTDATA / "hmm/RRM_1_hmmer3.hmm").read_bytes()
        profiles.write_bytes(text * (4_000_000 // len(text) + 1))
        with database.open("wb") as file:
            file.truncate(10**11)  # nothing that could be compared
        for command in ("search", "scan"):
            with self.subTest(command):
                self.assertEqual(self.seen(command, "--quiet", "-o", "/dev/null", profiles, database), "0")
                self.assertIsNone(self.seen(command, "--quiet", "-o", "/dev/null", profiles, SEQUENCES))
        self.assertIsNone(self.search("none", profiles, database))

    def test_no_driver_is_loaded_without_need(self):
        self.assertIsNone(self.search("none"))
        self.assertIsNone(self.search("auto"))
