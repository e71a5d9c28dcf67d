"""mfano in a Python test suite: start it or connect to it, and give each test a world. Only the standard library."""

import atexit
import json
import os
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from contextlib import contextmanager
from datetime import datetime

__all__ = ["Inbox", "Mfano", "MfanoError", "World", "WorldTest", "ask", "fetch"]


class MfanoError(Exception):
    """What mfano refused. The message names the field, what was expected, what came, and what to do."""


class Mfano:
    """A mfano that answers at `url`."""

    def __init__(self, url, process=None):
        self.url = url.rstrip("/")
        self._process = process

    @classmethod
    def connect(cls, url=None, seconds=30):
        """The mfano at `url`, else at PAYMENTS_BASE_URL, where CI runs it as a service. Waits until it is ready."""
        mfano = cls(url or os.environ.get("PAYMENTS_BASE_URL", "http://localhost:8080"))
        until = time.monotonic() + seconds
        while True:
            try:
                urllib.request.urlopen(f"{mfano.url}/_mfano/health", timeout=2).close()
                return mfano
            except OSError as error:
                if time.monotonic() > until:
                    raise MfanoError(f"no mfano is ready at {mfano.url}: {error}") from error
                time.sleep(0.1)

    @classmethod
    def start(cls, command=None):
        """The mfano at PAYMENTS_BASE_URL; without one, a program of its own, which needs Node.

        `command`: what starts it; PAYMENTS_COMMAND, or `npx mfano`.
        """
        if "PAYMENTS_BASE_URL" in os.environ:
            return cls.connect()
        command = command or os.environ.get("PAYMENTS_COMMAND", "npx mfano").split()
        words = [*command, "start", "--port", "0", "--data", ":memory:", "--json"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        # Its first line says where it answers; one that cannot start says why on stderr.
        try:
            mfano = cls(json.loads(process.stdout.readline())["baseUrl"], process)
        except ValueError:
            process.communicate()
            raise MfanoError(f"{' '.join(words)} ended with {process.returncode} before it was ready") from None
        atexit.register(mfano.stop)
        return mfano

    def world(self, **options):
        """A world for one test: frozen, at the same moment every day. `scenario="slow-rails"`, `seed=7` and so on."""
        clock = {"mode": "frozen", "start": "2025-01-24T16:28:00"}
        return World(self, ask("POST", f"{self.url}/_mfano/worlds", {"clock": clock, **options}))

    def stop(self):
        """Ends the program that `start` started. Another one is left running."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process.stdout.close()
            self._process = None
            atexit.unregister(self.stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class World:
    """One sandbox: give the app under test its `base_url` and `credentials`. Use it in a `with`, or close it."""

    def __init__(self, mfano, made):
        self._mfano = mfano
        self.id = made["id"]
        self.base_url = made["baseUrl"]
        self.credentials = made["credentials"]
        self._traveller = None

    def control(self, method, path, body=None):
        """Any operation of this world's control plane: GET {base_url}/_mfano/ lists them."""
        return ask(method, f"{self.base_url}/_mfano{path}", body)

    def advance(self, by):
        """Moves time, such as "10s" or "2d". All that falls due is done, and its callbacks are answered."""
        moved = self.control("POST", "/clock/advance", {"by": by})
        if self._traveller is not None:
            self._traveller.move_to(self.now())
        return moved

    def now(self):
        """What time it is in this world."""
        return datetime.fromisoformat(self.control("GET", "/clock")["now"])

    @contextmanager
    def time(self):
        """In a `with`: datetime.now(), time.time() and time.monotonic() show this world's time. Sleeps do not follow.

        Needs time-machine: `pip install "mfano[clock]"`.
        """
        import time_machine

        with time_machine.travel(self.now(), tick=False) as self._traveller:
            yield self
        self._traveller = None

    def wait_for(self, what, where, timeout="5s"):
        """The newest "payment", "callback", "request" or "inbox" message for which a condition in CEL holds."""
        return self.control("POST", "/wait", {"for": what, "where": where, "timeout": timeout})["matches"][0]

    def inbox(self, name):
        """A receiver for callbacks, for tests that have none of their own."""
        return Inbox(self, name)

    def reconcile(self, books):
        """Compares the app's books with the ledger. Raises MfanoError with the findings.

        `books`: a list with `reference`, `amount`, `status` and so on for each payment.
        """
        verdict = self.control("POST", "/reconcile", {"books": books})
        if verdict["findings"]:
            texts = [f"{finding['code']}: {finding['text']}" for finding in verdict["findings"]]
            raise MfanoError("\n".join(["The books are not right:", *texts]))
        return verdict

    def report(self):
        """What happened here, for people: the newest payments, each explained, and what was refused."""
        return fetch("GET", f"{self.base_url}/_mfano/report?format=text")

    def close(self):
        ask("DELETE", f"{self._mfano.url}/_mfano/worlds/{self.id}")

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if error is not None:
            print(self.report(), file=sys.stderr)
        self.close()


class Inbox:
    """A receiver for callbacks in a world: give `url` as the callbackUrl."""

    def __init__(self, world, name):
        self._world = world
        self.name = name
        self.url = f"{world.base_url}/_mfano/inbox/{name}"

    def messages(self):
        """What came, the oldest first. Each has a `body`."""
        return self._world.control("GET", f"/inbox/{self.name}")["messages"]


class WorldTest(unittest.TestCase):
    """A test case whose tests have a `world` each. When one fails, what happened in its world is printed."""

    mfano: Mfano

    def run(self, result=None):
        result = result or self.defaultTestResult()
        watched = _WatchedResult(result)
        with self.mfano.world() as self.world:
            super().run(watched)
            if watched.failed:
                print(self.world.report(), file=sys.stderr)
        return result


class _WatchedResult:
    """Notes failures in any result: that of unittest counts them, and that of pytest does not."""

    def __init__(self, result):
        self._result = result
        self.failed = False

    def __getattr__(self, name):
        value = getattr(self._result, name)
        if name not in ("addFailure", "addError", "addSubTest"):
            return value

        def note(*given):
            # A sub-test that passed has None for its error.
            self.failed = self.failed or given[-1] is not None
            return value(*given)

        return note


def ask(method, url, body=None, headers=None):
    """The JSON of an answer; what is refused is a MfanoError."""
    return json.loads(fetch(method, url, body, headers))


def fetch(method, url, body=None, headers=None):
    """The text of an answer; what is refused is a MfanoError."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **(headers or {})}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            raise MfanoError(f"{method} {url} answered {error.code}: {error.read().decode()}") from None
