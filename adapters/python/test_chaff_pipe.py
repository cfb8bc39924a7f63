"""A process that answers pages through a pipe."""

import os
import signal
import unittest

from chaff_pipe import ChaffError, ChaffPipe, run_chaff
from sample_site import article, page, site


class PipeTest(unittest.TestCase):
    def test_answers_come_in_the_order_of_the_pages(self):
        pages = [page(number, host=f"h{number % 7}.example") for number in range(200)]
        with ChaffPipe("strip", "--model", "none") as chaff:
            answers = list(chaff.answers(pages))
        self.assertEqual([answer["url"] for answer in answers], [page["url"] for page in pages])
        self.assertIn(article(150)[1], answers[150]["text"])
        self.assertNotIn("Legal notice", answers[150]["text"])

    def test_a_page_without_an_answer_is_none_and_the_others_are_not_shifted(self):
        pages = [page(1), {"url": "https://mill.example/empty", "html": ""}, {"url": "", "html": "<p>x"}, page(2)]
        with ChaffPipe("strip", "--model", "none") as chaff:
            answers = list(chaff.answers(pages))
        self.assertEqual([answer and answer["url"] for answer in answers], [pages[0]["url"], None, None, pages[3]["url"]])

    def test_many_pages_without_an_answer_do_not_block(self):
        empty = {"url": "https://mill.example/empty", "html": ""}
        with ChaffPipe("page") as chaff:
            self.assertIsNone(chaff.ask(empty))
            self.assertEqual(list(chaff.answers([empty] * 100)), [None] * 100)

    def test_large_pages_do_not_block(self):
        large = {"url": "https://mill.example/large", "html": f"<p>{'grain of wheat ' * 100_000}</p>"}
        with ChaffPipe("strip", "--model", "none") as chaff:
            answers = list(chaff.answers([large] * 40))
        self.assertEqual({len(answer["text"]) for answer in answers}, {100_000 * 15 - 1})

    def test_lone_surrogates_and_line_ends_stay_inside_their_row(self):
        odd = {"url": "https://mill.example/odd", "html": "<p>one \ud800 two\u2028three\nfour"}
        with ChaffPipe("strip", "--model", "none") as chaff:
            self.assertEqual(chaff.ask(odd)["url"], odd["url"])
            self.assertEqual(chaff.ask(page(3))["url"], page(3)["url"])

    def test_a_process_that_dies_is_an_error(self):
        with self.assertRaisesRegex(ChaffError, "before its input did"):
            with ChaffPipe("strip", "--model", "none") as chaff:
                self.assertIsNotNone(chaff.ask(page(1)))
                os.kill(chaff._process.pid, signal.SIGKILL)
                list(chaff.answers(site(50)))

    def test_wrong_usage_is_an_error_that_says_what_chaff_said(self):
        with self.assertRaisesRegex(ChaffError, "no such file"):
            with ChaffPipe("strip", "--model", "/missing.model") as chaff:
                chaff.ask(page(1))
        with self.assertRaisesRegex(ChaffError, "could not be started"):
            ChaffPipe("page", command=["/missing/chaff"])
        with self.assertRaisesRegex(ChaffError, "chaff learn ended with"):
            run_chaff("learn", "/missing.warc.gz", "-o", "/missing.model")


if __name__ == "__main__":
    unittest.main()
