"""A small site for the tests: pages that share a menu and a footer, each with paragraphs of its own."""

WORDS = {
    "de": "Ernte Felder Straße Körner Mühle Bäcker Brot Hügel Wetter Scheune Tenne Spreu".split(),
    "el": "σιτάρι αλώνι μύλος ψωμί χωράφι καιρός λόφος δρόμος σπόρος άχυρο".split(),
    "en": "harvest field thresher grain mill baker loaf hill weather barn straw wheat".split(),
}


def article(number, language="en"):
    """Three paragraphs that no other page has."""
    words = WORDS[language]
    sentences = []
    for k in range(9):
        picked = [words[(number * 7 + k * 5 + j * (k + 1)) % len(words)] for j in range(14)]
        sentences.append(f"{' '.join(picked)} {number}-{k}.".capitalize())
    return [" ".join(sentences[k : k + 3]) for k in range(0, 9, 3)]


def page(number, host="mill.example", language="en"):
    body = "".join(f"<p>{paragraph}</p>" for paragraph in article(number, language))
    html = (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>Story {number}</title>"
        "<meta name=author content='Ada Miller'></head><body>"
        "<header><ul class=menu><li><a href=/>Home of the mill</a></li><li><a href=/all>All stories</a></li>"
        "<li><a href=/shop>Flour shop</a></li></ul></header>"
        f"<main><article><h1>Story {number} of the mill</h1>{body}</article></main>"
        "<footer><p>The mill is open from Monday to Friday. <a href=/legal>Legal notice</a></p></footer></body></html>"
    )
    return {"url": f"https://{host}/story/{number}", "html": html}


def site(count=12, host="mill.example", language="en"):
    return [page(number, host, language) for number in range(count)]
