"""The queries in Spark SQL give the rows that DuckDB gives over the same folders (`chaff sql`)."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

from folder_queries import ask, open_folders
from test_chaff_spark import CHAFF, start_spark

DOCUMENTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "reference", "queries.md")

MENU = "<ul><li><a href=/>Start of the site</a><li><a href=/news>News of today</a><li><a href=/about>About this site</a></ul>"
RULER = f"<div class=ruler>{'- ' * 30}</div>"
NOTICE = "<p>This page has moved, please follow the link to its new place</p><a href=/>there</a>"
ERROR = f"<h1>Nothing is found here</h1><p>{'The page that you look for is not on this server any more. ' * 5}</p>"


def write_sites(path, sites, pages=30):
    """Sites that share a menu, a ruler, redirect notices and error pages; each has a footer of its own."""
    with open(path, "w", encoding="utf-8") as rows:
        for site in sites:
            for k in range(pages):
                words = " ".join(f"wörd{(site * 131 + k * 37 + j * 11) % 1999}" for j in range(120))
                article = f"<article><p>{words}</p>{RULER if k % 2 else ''}</article>"
                whole = f"{MENU}{article}<p>Footer of site {site} alone, in full</p>"
                own = f"<p>{words[:30]}</p>"
                body = NOTICE + own if k % 5 == 1 else ERROR + own if k % 5 == 3 else whole
                row = {"url": f"http://site{site}.example/{k}", "html": f"<title>{k}</title><body>{body}"}
                rows.write(json.dumps(row) + "\n")


def documented(name):
    """The query of a section of docs/reference/queries.md."""
    with open(DOCUMENTED, encoding="utf-8") as file:
        return re.search(rf"### {name}\n.*?```sql\n(.*?)```", file.read(), re.DOTALL)[1]


def plain(row):
    """Numbers of either engine as floats."""
    return {name: float(value) if re.fullmatch(r"-?[\d.]+(E\d+)?", str(value)) else value for name, value in row.items()}


def in_duckdb(folder, query):
    done = subprocess.run([*CHAFF, "sql", folder, query, "--format", "jsonl"], check=True, capture_output=True, text=True)
    return [plain(json.loads(line)) for line in done.stdout.splitlines()]


class FolderQueries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="chaff-queries-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.spark = start_spark()
        cls.addClassCleanup(cls.spark.stop)
        cls.whole = cls.run_chaff("report", "whole", [0, 1, 2, 3], "--detector", "dom")

    @classmethod
    def run_chaff(cls, command, name, sites, *options):
        path = os.path.join(cls.folder, f"{name}.jsonl")
        write_sites(path, sites)
        output = os.path.join(cls.folder, name)
        subprocess.run([*CHAFF, command, path, "-o", output, "-q", *options], check=True, stdout=subprocess.DEVNULL)
        return output

    def in_spark(self, folders, name):
        open_folders(self.spark, folders)
        return [plain(row) for row in ask(self.spark, name)]

    def test_templates_on_several_sites_are_those_of_duckdb(self):
        for name in "template-counts", "shared-by-sites":
            with self.subTest(name):
                expected = in_duckdb(self.whole, documented(name))
                self.assertEqual(self.in_spark([self.whole], name), expected)
        causes = {row["likely_cause"] for row in expected}
        self.assertEqual(causes, {"decoration", "redirect notice", "error page or notice", "shared software"})

    def test_a_collection_in_several_folders_counts_as_one(self):
        parts = [
            self.run_chaff("report", f"part-{k}", sites, "--detector", "dom") for k, sites in enumerate([[0, 1], [2, 3]])
        ]
        for name in "template-counts", "shared-by-sites":
            with self.subTest(name):
                self.assertEqual(self.in_spark(parts, name), in_duckdb(self.whole, documented(name)))

    def test_members_of_shared_fragments_fall_into_the_classes_of_the_folder(self):
        folder = self.run_chaff("fragments", "fragments", [0, 1, 2, 3], "--min-bytes", "40")
        found = self.in_spark([folder], "fragment-classes")
        expected = in_duckdb(
            folder,
            f"SELECT {', '.join(found[0])} FROM fragment_classes ORDER BY relation, saved_bytes DESC, class",
        )
        self.assertGreater(len(expected), 5)
        self.assertEqual(found, expected)

    def test_a_detector_is_a_word(self):
        with self.assertRaises(ValueError):
            ask(self.spark, "template-counts", "dom' OR ''='")


if __name__ == "__main__":
    unittest.main()
