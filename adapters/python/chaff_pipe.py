"""
A `chaff` process that stays open and answers pages through a pipe: a whole corpus costs one start.

    with ChaffPipe("strip", "--model", "site.model") as chaff:
        for answer in chaff.answers({"url": url, "html": html} for url, html in pages):
            print(answer["text"] if answer else "gave no page")

Answers come in the order of the pages. A page that gives none (empty, beyond a limit) is answered with None. A process
that ends before its input does is an error, never silence. Needs nothing but the standard library.
"""

import json
import os
import queue
import shlex
import subprocess
import tempfile
import threading
from collections import deque

# Pages in flight: enough to keep both processes busy, few enough to keep memory small.
WINDOW = 32
# A row that is always answered. Its answer shows that the pages before it which have no answer will get none.
PROBE = {"url": "https://probe.invalid/", "html": "<p>probe</p>"}
# Done, and done with problems of the input.
GOOD_EXITS = (0, 3)


class ChaffError(RuntimeError):
    """The process could not be started, or ended too early."""


def chaff_command(command=None):
    """The command line of chaff: the one given, the environment variable CHAFF, or `chaff` on the path."""
    if command is not None:
        return list(command)
    return shlex.split(os.environ.get("CHAFF", "chaff"))


def run_chaff(*args, command=None):
    """Runs one command of chaff to its end; raises a ChaffError with its error output when it fails."""
    try:
        done = subprocess.run([*chaff_command(command), *args], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise ChaffError(f"chaff could not be started: {error}") from error
    if done.returncode not in GOOD_EXITS:
        said = done.stderr.decode("utf-8", "replace")[-2000:]
        raise ChaffError(f"chaff {args[0]} ended with {done.returncode}: {said}")


class ChaffPipe:
    """One process of `chaff ARGS -`. Not for use by several threads at once."""

    def __init__(self, *args, command=None):
        self._said = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [*chaff_command(command), *args, "--quiet", "-"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._said,
            )
        except OSError as error:
            self._said.close()
            raise ChaffError(f"chaff could not be started: {error}") from error
        self._sent_bytes = 0
        self._waiting = deque()  # (byte offset of the row, whether it is a probe), in the order sent
        self._probes = 0  # number of probes among the waiting rows
        self._next_answer = None  # an answer that was read, but belongs to a later row than the first waiting one
        # a separate thread reads the answers, so that the two processes never wait for each other with full pipes
        self._answers = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def answers(self, pages):
        """An answer or None for each page, a dict with at least `url` and `html`, in order."""
        for page in pages:
            self._send(page)
            while len(self._waiting) >= WINDOW:
                yield from self._first()
        while self._waiting:
            yield from self._first()

    def ask(self, page):
        """The answer for one page, or None."""
        [answer] = self.answers([page])
        return answer

    def close(self):
        """Ends the process; raises a ChaffError when it ends badly."""
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass
        if self._process.wait() not in GOOD_EXITS:
            raise self._failure()
        self._release()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
        else:
            self._process.kill()
            self._process.wait()
            self._release()

    def _send(self, row, is_probe=False):
        # lone surrogates, which UTF-8 cannot hold, become question marks
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        self._waiting.append((self._sent_bytes, is_probe))
        self._probes += is_probe
        self._sent_bytes += len(line)
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError) as error:
            raise self._failure() from error

    def _first(self):
        """The answer of the row that waits longest; nothing for a probe."""
        if self._probes == 0:
            self._send(PROBE, is_probe=True)
        if self._next_answer is None:
            self._next_answer = self._answers.get()
        if self._next_answer is None:
            raise self._failure()
        offset, is_probe = self._waiting.popleft()
        answer = None
        if self._next_answer["offset"] == offset:
            answer, self._next_answer = self._next_answer, None
        if is_probe:
            self._probes -= 1
        else:
            yield answer

    def _read(self):
        try:
            for line in self._process.stdout:
                self._answers.put(json.loads(line))
        except ValueError:
            pass  # a line that was cut off, or the pipe was closed
        self._answers.put(None)

    def _release(self):
        self._reader.join()
        self._process.stdout.close()
        self._said.close()
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass

    def _failure(self):
        self._process.kill()
        code = self._process.wait()
        self._said.seek(0)
        said = self._said.read()[-2000:].decode("utf-8", "replace")
        return ChaffError(f"chaff ended with {code} before its input did: {said}")
