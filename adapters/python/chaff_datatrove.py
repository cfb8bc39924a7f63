"""
Steps for datatrove pipelines: HTML documents in, documents with their main text out.

    LocalPipelineExecutor([WarcReader("crawl/"), ChaffExtractor(), JsonlWriter("out/")]).run()
    LocalPipelineExecutor([WarcReader("crawl/"), ChaffSites(), JsonlWriter("out/")]).run()

`ChaffExtractor` judges each document by itself. `ChaffSites` reads all documents of its task first, learns what the
pages of each host share, and then strips them: better where a task has several pages of a host. Both run one `chaff`
process a task, keep the order and the metadata of documents, add title, language, author, dates, words and the other
metadata of chaff, and need no sandbox: chaff bounds the time and size of each page itself. The HTML is `doc.text`, or, where that is empty, the bytes of the first medium.
"""

import json
import os
import pickle
import tempfile

from chaff_pipe import ChaffPipe, run_chaff
from datatrove.data import DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.utils.typeshelper import StatHints

# Judges each page by itself.
NO_MODEL = "none"
# Of a document that does not say where it is from. Its links count as links to another site.
UNKNOWN_URL = "https://unknown.invalid/"


class ChaffExtractor(BaseExtractor):
    """
    Extracts the main text of each document.

    Args:
        model: a model file of `chaff learn`; without it, each page is judged by itself
        command: the command line of chaff, by default $CHAFF or `chaff`
    """

    name = "🌾 Chaff"

    def __init__(self, model=None, command=None):
        super().__init__()
        self.model = model or NO_MODEL
        self.command = command

    def extract(self, text: str) -> str:
        """The main text of one page. It starts a process: `run` is the way for many."""
        with self._open() as chaff:
            return _text_of(chaff.ask({"url": UNKNOWN_URL, "html": text}))

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        with self._open() as chaff:
            yield from _strip(self, chaff, ((doc, _page_of(doc)) for doc in data or ()))

    def _open(self):
        return ChaffPipe("strip", "--model", self.model, command=self.command)


class ChaffSites(PipelineStep):
    """
    Learns the templates of every host among the documents of a task, then strips them. Documents must have their URL in
    `metadata["url"]`; for the best result a task gets whole hosts. All documents of a task lie on disk in between.

    Args:
        save_model: where to keep what was learnt, with `{rank}` for the rank of the task
        detector: joint, dom, text or cross
        command: the command line of chaff, by default $CHAFF or `chaff`
    """

    name = "🌾 Chaff sites"
    type = "🛢 - EXTRAC"

    def __init__(self, save_model=None, detector="joint", command=None):
        super().__init__()
        self.save_model = save_model
        self.detector = detector
        self.command = command

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        with tempfile.TemporaryDirectory(prefix="chaff-") as folder:
            rows = os.path.join(folder, "pages.jsonl")
            documents = os.path.join(folder, "documents")
            if not self._spool(data, rows, documents):
                return
            model = os.path.join(folder, "sites.model")
            if self.save_model is not None:
                model = str(self.save_model).format(rank=rank)
            learn = ["learn", rows, "--output", model, "--detector", self.detector, "--quiet"]
            run_chaff(*learn, command=self.command)
            with ChaffPipe("strip", "--model", model, command=self.command) as chaff:
                yield from _strip(self, chaff, _spooled(rows, documents))

    def _spool(self, data, rows, documents):
        """Writes each page as a row that chaff reads, and its document without the page; returns their number."""
        count = 0
        with open(rows, "wb") as row_file, open(documents, "wb") as document_file:
            for doc in data or ():
                page = _page_of(doc)
                if page["url"] == UNKNOWN_URL:
                    raise ValueError(f'document {doc.id} has no metadata["url"], so its site is not known')
                row_file.write(json.dumps(page, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
                doc.text = ""
                pickle.dump(doc, document_file)
                count += 1
        return count


def _spooled(rows, documents):
    with open(rows, "rb") as row_file, open(documents, "rb") as document_file:
        for row in row_file:
            yield pickle.load(document_file), json.loads(row)


def _strip(step, chaff, pages):
    """The documents that have text left, with their statistics."""
    waiting = []

    def sent():
        for doc, page in pages:
            step.stat_update(StatHints.total)
            waiting.append(doc)
            yield page

    for answer in chaff.answers(sent()):
        doc = waiting.pop(0)
        doc.text = _text_of(answer)
        if answer is None:
            step.stat_update("no_page")
        if not doc.text:
            step.stat_update(StatHints.dropped)
            continue
        _add_metadata(doc, answer)
        step.stat_update("extracted", StatHints.forwarded)
        step.update_doc_stats(doc)
        yield doc


def _add_metadata(doc, answer):
    """Adds what chaff knows of the page under the names of its rows; what the document says already stays."""
    found = {"title": answer["title"], **answer["metadata"]}
    del found["sources"]
    for name, value in found.items():
        if value != "":
            doc.metadata.setdefault(name, value)


def _page_of(doc):
    page = {"url": doc.metadata.get("url") or UNKNOWN_URL, "html": doc.text or _media_text(doc)}
    if doc.metadata.get("date"):
        page["time"] = str(doc.metadata["date"])
    return page


def _media_text(doc):
    found = next((medium.media_bytes for medium in doc.media if medium.media_bytes), b"")
    return found.decode("utf-8", "replace")


def _text_of(answer):
    return "" if answer is None else answer["text"]
