"""
Documents and attributes for dolma from the rows of `chaff strip --mark`: whole texts, and where they are template.

    chaff strip crawl.warc.gz --format dolma --mark | python chaff_dolma.py corpus crawl

writes corpus/documents/crawl.jsonl.gz and corpus/attributes/chaff/crawl.jsonl.gz. Each document has all of the page's
text. Its attributes are spans [start, end, score] in characters: chaff__strip__template, chaff__strip__slot (changing
text inside a template, such as a date) and chaff__strip__unsure, the score always 1. A span that covers whole lines
covers their ends, too: without the template spans a document is the text of plain `chaff strip`.
"""

import gzip
import io
import json
import os
import re
import sys

LABELS = ("template", "slot", "unsure")
# The page's own ⟦ and ⟧ have become [ and ], so every bracket is chaff's.
MARK = re.compile(r"⟦(template|slot|unsure): |⟧")


def read_marks(marked):
    """A text with marks as the text without them, and the spans of each label."""
    spans = {label: [] for label in LABELS}
    parts = []
    length = 0
    at = 0
    opened = None
    for mark in MARK.finditer(marked):
        part = marked[at : mark.start()]
        parts.append(part)
        length += len(part)
        at = mark.end()
        if mark[1] is not None:
            opened = (mark[1], length)
        elif opened is not None:
            label, start = opened
            spans[label].append([start, length])
            opened = None
    parts.append(marked[at:])
    text = "".join(parts)
    return text, {label: [[*span, 1.0] for span in with_white_space(text, found)] for label, found in spans.items()}


def with_white_space(text, spans):
    """The spans with the white space that goes with them: ends of lines they cover, else a space beside them."""
    grown = []
    rest = iter(spans)
    span = next(rest, None)
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        inside = []  # the spans of this line
        while span is not None and span[0] < end:
            inside.append(span)
            span = next(rest, None)
        if inside and not uncovered(text, start, end, inside):
            inside = [[start, end + 1]]  # with the end of the line
        else:
            inside = [beside(text, *found) for found in inside]
        for found in inside:
            if grown and grown[-1][1] >= found[0]:
                grown[-1][1] = found[1]
            else:
                grown.append(found)
        start = end + 1
    if grown and grown[-1][1] > len(text):
        # the last lines have no line end behind them, so they take the one in front
        grown[-1] = [max(0, grown[-1][0] - 1), len(text)]
    return grown


def uncovered(text, start, end, spans):
    """Whether a line has more than white space outside of the spans."""
    for span_start, span_end in spans:
        if text[start:span_start].strip():
            return True
        start = span_end
    return bool(text[start:end].strip())


def beside(text, start, end):
    """A span inside a line with the space or tab behind it, or else in front of it."""
    if end < len(text) and text[end] in " \t":
        return [start, end + 1]
    if start > 0 and text[start - 1] in " \t":
        return [start - 1, end]
    return [start, end]


def write_corpus(rows, folder, name, experiment="chaff"):
    """Writes the documents and attributes of rows (JSON lines); returns their number."""
    documents = os.path.join(folder, "documents", f"{name}.jsonl.gz")
    attributes = os.path.join(folder, "attributes", experiment, f"{name}.jsonl.gz")
    for path in (documents, attributes):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    count = 0
    # both files get their names when both are complete, so that no reader finds documents without attributes
    with open_gzip(f"{documents}.part") as document_file, open_gzip(f"{attributes}.part") as attribute_file:
        for line in rows:
            row = json.loads(line)
            text, spans = read_marks(row["text"])
            document_file.write(json.dumps({**row, "text": text}, ensure_ascii=False) + "\n")
            marks = {f"{experiment}__strip__{label}": spans[label] for label in LABELS}
            attribute_file.write(json.dumps({"id": row["id"], "source": row["source"], "attributes": marks}) + "\n")
            count += 1
    os.replace(f"{documents}.part", documents)
    os.replace(f"{attributes}.part", attributes)
    return count


def open_gzip(path):
    # without the time of writing, which would make every run give different bytes
    return io.TextIOWrapper(gzip.GzipFile(path, "wb", mtime=0), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or os.path.basename(sys.argv[2]) != sys.argv[2]:
        sys.exit("usage: chaff strip ARCHIVE --format dolma --mark | python chaff_dolma.py FOLDER NAME")
    if write_corpus(sys.stdin.buffer, sys.argv[1], sys.argv[2]) == 0:
        sys.exit("no rows came: chaff failed or found no pages")
