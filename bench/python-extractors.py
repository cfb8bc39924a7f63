"""
Extractors written in Python, one of them to a process: pages in, texts out, as JSON lines.

    python bench/python-extractors.py NAME          serves stdin -> stdout
    python bench/python-extractors.py --versions    prints what is installed

The first line out is {"ready": true}. A line in is {"html": …, "url": …, "lang": …}; its answer is
{"text": …, "cpuMs": …}, or {"error": …, "cpuMs": …} when the extractor threw. The time is that of the
process's CPU within the extractor's call: reading and writing the lines is not in it.
"""

import importlib.metadata
import json
import sys
import time


def trafilatura_with(**options):
    import trafilatura

    return lambda html, url, lang: trafilatura.extract(html, url=url, **options)


def resiliparse_main():
    from resiliparse.extract.html2text import extract_plain_text

    # bullets, numbers and alternative texts are not words that the page shows as text
    return lambda html, url, lang: extract_plain_text(
        html, main_content=True, list_bullets=False, alt_texts=False
    )


def justext_without_stop_words():
    """The language-independent mode of its documentation: no stop words, so length and links decide."""
    import justext

    def extract(html, url, lang):
        paragraphs = justext.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)

    return extract


def justext_with_stop_words():
    """Told the language where the gold knows it, English elsewhere; it has no list for Chinese."""
    import justext

    known = justext.get_stoplists()
    without = justext_without_stop_words()

    def extract(html, url, lang):
        if lang and lang not in known:
            return without(html, url, lang)
        paragraphs = justext.justext(html, justext.get_stoplist(lang or "English"))
        return "\n".join(p.text for p in paragraphs if not p.is_boilerplate)

    return extract


EXTRACTORS = {
    "trafilatura": lambda: trafilatura_with(),
    "trafilatura-recall": lambda: trafilatura_with(favor_recall=True),
    "resiliparse": resiliparse_main,
    "justext": justext_without_stop_words,
    "justext-stop-words": justext_with_stop_words,
}


def serve(extract):
    out = sys.stdout
    sys.stdout = sys.stderr  # what an extractor prints must not mix with the answers
    answer(out, {"ready": True})
    for line in sys.stdin:
        page = json.loads(line)
        started = time.process_time()
        try:
            result = {"text": extract(page["html"], page["url"], page.get("lang")) or ""}
        except Exception as error:
            result = {"error": f"{type(error).__name__}: {error}"[:200]}
        result["cpuMs"] = (time.process_time() - started) * 1000
        answer(out, result)


def answer(out, value):
    out.write(json.dumps(value) + "\n")
    out.flush()


if __name__ == "__main__":
    if sys.argv[1:] == ["--versions"]:
        names = ["trafilatura", "resiliparse", "fastwarc", "justext"]
        print(json.dumps({name: importlib.metadata.version(name) for name in names}))
    elif len(sys.argv) == 2 and sys.argv[1] in EXTRACTORS:
        serve(EXTRACTORS[sys.argv[1]]())
    else:
        sys.exit(f"expected --versions or one of {', '.join(EXTRACTORS)}")
