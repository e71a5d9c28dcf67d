"""
mfano from a Python test suite. Only the standard library; starting a container needs `testcontainers`, and an app that
lives in the world's time needs `time-machine`.
"""

import json
import os
import sys
import time
import unittest
import urllib.error
import urllib.request
from contextlib import contextmanager
from datetime import datetime

PORT = 8080


class MfanoError(Exception):
    """What mfano refused. The message names the field, what was expected, what came, and what to do."""


class Mfano:
    """A mfano that answers at `url`."""

    def __init__(self, url, container=None):
        self.url = url.rstrip("/")
        self._container = container

    @classmethod
    def start(cls, image="mfano"):
        """The mfano at PAYMENTS_BASE_URL, where CI runs it as a service; else a container of its own."""
        if "PAYMENTS_BASE_URL" in os.environ:
            return cls(os.environ["PAYMENTS_BASE_URL"])._ready()
        from testcontainers.core.container import DockerContainer

        container = (
            DockerContainer(image)
            .with_exposed_ports(PORT)
            .with_env("MFANO_DATA", ":memory:")
            # localhost in a callback URL is then the machine that runs the tests.
            .with_env("MFANO_CALLBACK_HOST", "host.docker.internal")
            .with_kwargs(extra_hosts={"host.docker.internal": "host-gateway"})
            .start()
        )
        host, port = container.get_container_host_ip(), container.get_exposed_port(PORT)
        return cls(f"http://{host}:{port}", container)._ready()

    def _ready(self, seconds=30):
        """Waits for the health check: it is good only when mfano is ready."""
        until = time.monotonic() + seconds
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/_mfano/health", timeout=2).close()
                return self
            except OSError as error:
                if time.monotonic() > until:
                    raise MfanoError(f"no mfano is ready at {self.url}: {error}") from error
                time.sleep(0.1)

    def world(self, **options):
        """A world for one test: frozen, and at the same moment every day. `scenario="slow-rails"`, `seed=7` and so on."""
        clock = {"mode": "frozen", "start": "2025-01-24T16:28:00"}
        return World(self, ask("POST", f"{self.url}/_mfano/worlds", {"clock": clock, **options}))

    def stop(self):
        if self._container is not None:
            self._container.stop()


class World:
    """One sandbox: give the app under test its `base_url` and `credentials`. Use it in a `with`, or close it."""

    def __init__(self, mfano, made):
        self._mfano = mfano
        self.id = made["id"]
        self.base_url = made["baseUrl"]
        self.credentials = made["credentials"]
        self._traveller = None

    def control(self, method, path, body=None):
        """Anything of this world's control plane: GET {base_url}/_mfano/ lists it."""
        return ask(method, f"{self.base_url}/_mfano{path}", body)

    def advance(self, by):
        """Moves time, such as "10s" or "2d"; all that falls due is done, and its callbacks answered."""
        moved = self.control("POST", "/clock/advance", {"by": by})
        if self._traveller is not None:
            self._traveller.move_to(self.now())
        return moved

    def now(self):
        """What time it is in this world."""
        return datetime.fromisoformat(self.control("GET", "/clock")["now"])

    @contextmanager
    def time(self):
        """In a `with`: datetime.now(), time.time() and time.monotonic() show this world's time. Sleeps do not follow."""
        import time_machine

        with time_machine.travel(self.now(), tick=False) as self._traveller:
            yield self
        self._traveller = None

    def wait_for(self, what, where, timeout="5s"):
        """The newest "payment", "callback", "request" or "inbox" message for which a condition in CEL holds."""
        return self.control("POST", "/wait", {"for": what, "where": where, "timeout": timeout})["matches"][0]

    def inbox(self, name):
        """The address of a receiver for callbacks, for tests that have none of their own."""
        return f"{self.base_url}/_mfano/inbox/{name}"

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


class WorldTest(unittest.TestCase):
    """A test case whose tests have a `world` each. When one fails, what happened in its world is printed."""

    mfano: Mfano

    def run(self, result=None):
        result = result or self.defaultTestResult()
        with self.mfano.world() as self.world:
            before = len(result.failures) + len(result.errors)
            super().run(result)
            if len(result.failures) + len(result.errors) > before:
                print(self.world.report(), file=sys.stderr)
        return result


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
        raise MfanoError(f"{method} {url} answered {error.code}: {error.read().decode()}") from None
