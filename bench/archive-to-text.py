"""
A rival from end to end: reads archives with FastWARC, extracts the text of each HTML page and writes one JSON
line per page. bench/end-to-end.bench.ts measures the whole process.

    python bench/archive-to-text.py resiliparse|trafilatura ARCHIVE…
"""

import json
import sys

from fastwarc.warc import ArchiveIterator, WarcRecordType


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def extract(body, charset):
        tree = HTMLTree.parse_from_bytes(body, charset or detect_encoding(body, html5_compatible=True))
        return extract_plain_text(tree, main_content=True)

    return extract


def trafilatura():
    from trafilatura import extract as extract_article

    return lambda body, charset: extract_article(body)


def is_html(record):
    headers = record.http_headers
    return headers is not None and headers.status_code == 200 and "html" in (record.http_content_type or "")


def run(extract, archives, out):
    for archive in archives:
        for record in ArchiveIterator(archive, record_types=WarcRecordType.response, parse_http=True):
            if not is_html(record):
                continue
            body = record.reader.read()
            try:
                text = extract(body, record.http_charset)
            except Exception:  # one page that a rival cannot read does not end its run
                text = None
            row = {"url": record.headers.get("WARC-Target-URI"), "text": text or ""}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    extractors = {"resiliparse": resiliparse, "trafilatura": trafilatura}
    if len(sys.argv) < 3 or sys.argv[1] not in extractors:
        sys.exit(f"expected one of {', '.join(extractors)}, then archives")
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    run(extractors[sys.argv[1]](), sys.argv[2:], sys.stdout)
