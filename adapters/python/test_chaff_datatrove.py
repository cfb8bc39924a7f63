"""The steps in real datatrove pipelines, from a WARC file that warcio has written to rows on disk."""

import gzip
import io
import json
import os
import sys
import tempfile
import unittest

from chaff_datatrove import ChaffExtractor, ChaffSites
from chaff_pipe import ChaffError
from datatrove.data import Document, Media, MediaType
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter
from sample_site import article, page, site
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter


def write_warc(path, pages):
    with open(path, "wb") as file:
        writer = WARCWriter(file, gzip=True)
        for row in pages:
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            body = io.BytesIO(row["html"].encode())
            writer.write_record(writer.create_warc_record(row["url"], "response", payload=body, http_headers=headers))


class DatatroveTest(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name

    def run_pipeline(self, step, pages, tasks=1):
        crawl = os.path.join(self.folder, "crawl")
        os.makedirs(crawl)
        for task in range(tasks):
            write_warc(os.path.join(crawl, f"{task}.warc.gz"), pages[task::tasks])
        out = os.path.join(self.folder, "out")
        steps = [WarcReader(crawl), step, JsonlWriter(out)]
        stats = LocalPipelineExecutor(steps, logging_dir=os.path.join(self.folder, "logs"), tasks=tasks, workers=tasks).run()
        rows = []
        for name in sorted(os.listdir(out)):
            with gzip.open(os.path.join(out, name), "rt") as file:
                rows.extend(json.loads(line) for line in file)
        return rows, stats.stats[1]

    def assert_stripped(self, rows, pages):
        self.assertEqual([row["metadata"]["url"] for row in rows], [page["url"] for page in pages])
        for number, row in enumerate(rows):
            for paragraph in article(number):
                self.assertIn(paragraph, row["text"])
            self.assertNotIn("Flour shop", row["text"])
            self.assertNotIn("Legal notice", row["text"])
            self.assertEqual(row["metadata"]["title"], f"Story {number} of the mill")
            self.assertEqual(row["metadata"]["author"], "Ada Miller")
            self.assertGreater(row["metadata"]["words"], 100)
            self.assertEqual(row["metadata"]["linkDensity"], 0)
            self.assertTrue(row["id"].startswith("<urn:uuid:"))

    def test_the_extractor_leaves_the_articles_of_an_archive(self):
        rows, stats = self.run_pipeline(ChaffExtractor(), site(20))
        self.assert_stripped(rows, site(20))
        self.assertEqual(stats["forwarded"].total, 20)

    def test_sites_are_learnt_first_and_then_stripped(self):
        model = os.path.join(self.folder, "sites-{rank}.model")
        rows, _ = self.run_pipeline(ChaffSites(save_model=model), site(20))
        self.assert_stripped(rows, site(20))
        kept = os.path.join(self.folder, "sites-0.model")
        again = list(ChaffExtractor(model=kept).run(documents(site(20))))
        self.assertEqual([doc.text for doc in again], [row["text"] for row in rows])

    def test_repetition_alone_decides_with_the_detector_dom(self):
        # text of one page in the place of the menu stays, though it looks like a menu
        pages = site(20)
        pages[3]["html"] = pages[3]["html"].replace("Flour shop", "Only here")
        rows, _ = self.run_pipeline(ChaffSites(detector="dom"), pages)
        self.assertIn("Only here", rows[3]["text"])
        self.assertNotIn("Flour shop", "".join(row["text"] for row in rows))

    def test_two_tasks_give_the_same_texts(self):
        rows, _ = self.run_pipeline(ChaffExtractor(), site(12), tasks=2)
        self.assert_stripped(sorted(rows, key=lambda row: int(row["metadata"]["url"].split("/")[-1])), site(12))

    def test_documents_without_text_are_dropped_and_counted(self):
        step = ChaffExtractor()
        docs = documents(site(3))
        docs[1].text = ""
        self.assertEqual([doc.id for doc in step.run(iter(docs))], ["0", "2"])
        self.assertEqual(step.stats["dropped"].total, 1)
        self.assertEqual(step.stats["no_page"].total, 1)

    def test_html_may_be_the_bytes_of_a_medium_and_one_page_may_be_asked_for(self):
        row = page(4)
        media = [Media(id="m", type=MediaType.DOCUMENT, url=row["url"], media_bytes=row["html"].encode())]
        [doc] = ChaffExtractor().run(iter([Document(text="", id="4", media=media, metadata={"url": row["url"]})]))
        self.assertIn(article(4)[0], doc.text)
        self.assertEqual(ChaffExtractor().extract(row["html"]), doc.text)

    def test_a_process_that_fails_ends_the_task(self):
        broken = ChaffExtractor(command=[sys.executable, "-c", "raise SystemExit('broken on purpose')"])
        with self.assertRaisesRegex(ChaffError, "broken on purpose"):
            list(broken.run(documents(site(3))))
        with self.assertRaisesRegex(ValueError, "its site is not known"):
            list(ChaffSites().run(iter([Document(text="<p>x", id="1")])))


def documents(pages):
    return [Document(text=row["html"], id=str(k), metadata={"url": row["url"]}) for k, row in enumerate(pages)]


if __name__ == "__main__":
    unittest.main()
