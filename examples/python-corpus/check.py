"""Runs corpus.py on an archive of a small site and looks at the rows; scripts/python-adapters.sh calls it."""

import gzip
import json
import os
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
adapters = os.path.join(here, "../../adapters/python")
sys.path.insert(0, adapters)

from sample_site import article, site  # noqa: E402
from test_chaff_datatrove import write_warc  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, "crawl"))
    write_warc(os.path.join(folder, "crawl", "mill.warc.gz"), site(12))
    program = [sys.executable, os.path.join(here, "corpus.py"), "crawl", "out"]
    done = subprocess.run(program, cwd=folder, env={**os.environ, "PYTHONPATH": adapters}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    with gzip.open(os.path.join(folder, "out", "00000.jsonl.gz"), "rt") as file:
        rows = [json.loads(line) for line in file]

for number, row in enumerate(rows):
    missing = [paragraph for paragraph in article(number) if paragraph not in row["text"]]
    if missing or "Legal notice" in row["text"]:
        sys.exit(f"the text of {row['metadata']['url']} is wrong: {row['text']}")
if len(rows) != 12:
    sys.exit(f"expected 12 rows, not {len(rows)}")
print("examples/python-corpus: 12 pages, as they should be")
