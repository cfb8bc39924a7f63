"""
Extractors written in Python: JSON lines of pages in, JSON lines of texts out.

    python extract.py NAME < PAGES.jsonl > ROWS.jsonl
    python extract.py --versions

A line in is {"url": …, "html": …, "lang": …}. A line out is {"url": …, "text": … or "html": …, "title": …, "cpuMs": …},
with "error" when the extractor failed; "html" is what an extractor gives that has no text of its own. Options are the
defaults unless a comment gives a reason. The time is CPU time within the extractor's call.
"""

import importlib.metadata
import json
import signal
import sys
import time

SECONDS_A_PAGE = 60


def trafilatura_with(**options):
    from trafilatura import bare_extraction

    def extract(html, url, lang):
        found = bare_extraction(html, url=url, with_metadata=True, only_with_metadata=False, **options)
        if found is None:
            return {"text": ""}
        comments = (found.comments or "") if options.get("include_comments", True) else ""
        return {"text": "\n".join(part for part in (found.text or "", comments) if part), "title": found.title or ""}

    return extract


def trafilatura_metadata():
    """What trafilatura says about a page; htmldate finds the day, in its extensive mode, which is the default."""
    from trafilatura.metadata import extract_metadata

    def extract(html, url, lang):
        found = extract_metadata(html, default_url=url)
        if found is None:
            return {"text": ""}
        fields = {"title": found.title, "author": found.author, "published": found.date}
        return {"text": "", **{name: value for name, value in fields.items() if value}}

    return extract


def readability_lxml():
    from readability import Document

    def extract(html, url, lang):
        document = Document(html, url=url)
        return {"html": document.summary(html_partial=True), "title": document.short_title()}

    return extract


def resiliparse_main():
    from resiliparse.extract.html2text import extract_plain_text

    # bullets, numbers and alternative texts are not words that the page shows as text
    return lambda html, url, lang: {
        "text": extract_plain_text(html, main_content=True, list_bullets=False, alt_texts=False)
    }


def justext_without_stop_words():
    """The language-independent mode of its documentation: no stop words, so length and links decide."""
    import justext

    def extract(html, url, lang):
        paragraphs = justext.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        return {"text": "\n".join(p.text for p in paragraphs if not p.is_boilerplate)}

    return extract


EXTRACTORS = {
    "trafilatura": lambda: trafilatura_with(include_comments=False),
    "trafilatura-comments": lambda: trafilatura_with(),
    "trafilatura-metadata": trafilatura_metadata,
    "readability-lxml": readability_lxml,
    "resiliparse": resiliparse_main,
    "justext": justext_without_stop_words,
}


def serve(extract):
    out = sys.stdout
    sys.stdout = sys.stderr  # what an extractor prints must not mix with the rows
    signal.signal(signal.SIGALRM, give_up)
    for line in sys.stdin:
        page = json.loads(line)
        started = time.process_time()
        signal.alarm(SECONDS_A_PAGE)
        try:
            result = extract(page["html"], page["url"], page.get("lang"))
        except Exception as error:
            result = {"text": "", "error": f"{type(error).__name__}: {error}"[:200]}
        signal.alarm(0)
        cpu_ms = round((time.process_time() - started) * 1000, 2)
        out.write(json.dumps({"url": page["url"], **result, "cpuMs": cpu_ms}) + "\n")


def give_up(*_):
    raise TimeoutError(f"more than {SECONDS_A_PAGE} s")


if __name__ == "__main__":
    if sys.argv[1:] == ["--versions"]:
        names = ["trafilatura", "readability-lxml", "resiliparse", "fastwarc", "justext"]
        print(json.dumps({name: importlib.metadata.version(name) for name in names}))
    elif len(sys.argv) == 2 and sys.argv[1] in EXTRACTORS:
        serve(EXTRACTORS[sys.argv[1]]())
    else:
        sys.exit(f"expected --versions or one of {', '.join(EXTRACTORS)}")
