"""Attribute files, mixed by dolma itself."""

import glob
import gzip
import json
import os
import subprocess
import tempfile
import unittest

import dolma
from chaff_dolma import read_marks, write_corpus
from chaff_pipe import chaff_command
from dolma.core.data_types import InputSpec, OutputSpec
from msgspec.json import Decoder
from sample_site import site


class DolmaTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.rows = os.path.join(self.folder, "pages.jsonl")
        with open(self.rows, "w") as file:
            for language in ("en", "de", "el"):
                for page in site(12, f"{language}.example", language):
                    file.write(json.dumps(page) + "\n")

    def strip(self, *args):
        command = [*chaff_command(), "strip", self.rows, "--quiet", *args]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def read(self, pattern):
        lines = []
        for path in sorted(glob.glob(os.path.join(self.folder, pattern))):
            with gzip.open(path, "rb") as file:
                lines.extend(file)
        return lines

    def test_without_its_template_spans_a_document_is_what_strip_gives(self):
        marked = self.strip("--format", "dolma", "--mark").splitlines()
        self.assertEqual(write_corpus(marked, self.folder, "pages"), 36)

        # dolma's own types take the files
        documents = [Decoder(InputSpec).decode(line) for line in self.read("documents/*.gz")]
        attributes = [Decoder(OutputSpec).decode(line) for line in self.read("attributes/chaff/*.gz")]
        self.assertEqual([doc.id for doc in documents], [found.id for found in attributes])
        self.assertTrue(all("Flour shop" in doc.text for doc in documents))

        span = "$.attributes.chaff__strip__template"
        output = os.path.join(self.folder, "mixed")
        work = {name: os.path.join(self.folder, "work", name) for name in ("input", "output")}
        for path in work.values():
            os.makedirs(path)
        stream = {
            "name": "mixed",
            "documents": [os.path.join(self.folder, "documents/*.gz")],
            "attributes": ["chaff"],
            "output": {"path": output, "max_size_in_bytes": 10**9},
            "span_replacement": [{"span": span, "min_score": 0.5, "replacement": "", "syntax": "jsonpath"}],
        }
        dolma.mixer({"streams": [stream], "processes": 1, "work_dir": work, "shuffle": False})
        mixed = {row["id"]: row["text"] for row in map(json.loads, self.read("mixed/**/*.gz") or self.read("mixed/*.gz"))}
        plain = [json.loads(line) for line in self.strip("--format", "dolma").splitlines()]
        self.assertEqual(mixed, {row["id"]: row["text"] for row in plain})
        self.assertEqual(len(mixed), 36)

    def test_the_same_rows_give_the_same_files(self):
        marked = self.strip("--format", "dolma", "--mark").splitlines()
        write_corpus(marked, os.path.join(self.folder, "a"), "pages")
        write_corpus(marked, os.path.join(self.folder, "b"), "pages")
        for name in ("documents/pages.jsonl.gz", "attributes/chaff/pages.jsonl.gz"):
            with open(os.path.join(self.folder, "a", name), "rb") as a, open(os.path.join(self.folder, "b", name), "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_marks_become_spans_of_characters(self):
        text, spans = read_marks("⟦template: Menü⟧\nΨωμί ⟦slot: 12. Mai⟧ 𝕏\nlast\n⟦template: Ende⟧")
        self.assertEqual(text, "Menü\nΨωμί 12. Mai 𝕏\nlast\nEnde")
        self.assertEqual(spans["template"], [[0, 5, 1.0], [24, 29, 1.0]])
        self.assertEqual(spans["slot"], [[10, 18, 1.0]])
        self.assertEqual(spans["unsure"], [])


if __name__ == "__main__":
    unittest.main()
