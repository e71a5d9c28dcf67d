"""mfano, as the tests need it: the one at MFANO_URL, or one that is started here, and a world for every test."""

import atexit
import functools
import json
import os
import subprocess
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

SEED = int(os.environ.get("MFANO_SEED", "1"))
START = "2025-01-24T16:28:00"


def ask(method: str, url: str, body: Any = None) -> Any:
    """The JSON of an answer; a refusal raises AssertionError with what it says."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            raise AssertionError(f"{method} {url} answered {error.code}: {error.read().decode()}") from None


_starting = threading.Lock()


def mfano_url() -> str:
    """The one that all tests share."""
    with _starting:
        return _started()


@functools.cache
def _started() -> str:
    """Starts one, where none is given; gone with this program."""
    if "MFANO_URL" in os.environ:
        return os.environ["MFANO_URL"]
    root = Path(__file__).parents[4]
    command = ["node", str(root / "bin/mfano.js"), "--port=0", "--data=:memory:", "--log=off", "--json"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE)
    atexit.register(program.wait)
    atexit.register(program.terminate)
    assert program.stdout is not None
    return json.loads(program.stdout.readline())["baseUrl"]


class World:
    """One sandbox: its own organisation, money, clock and callbacks."""

    def __init__(self, **options: Any) -> None:
        clock = {"mode": "frozen", "start": START}
        made = ask("POST", f"{mfano_url()}/_mfano/worlds", {"clock": clock, "seed": SEED, **options})
        self.id: str = made["id"]
        self.base_url: str = made["baseUrl"]
        self.credentials: dict[str, str] = made["credentials"]

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """Anything of this world's control plane: GET {base_url}/_mfano/ lists it."""
        return ask(method, f"{self.base_url}/_mfano{path}", body)

    def advance(self, by: str) -> None:
        """Moves time, such as "10s" or "2d"; all that falls due is done, and its callbacks answered."""
        self.control("POST", "/clock/advance", {"by": by})

    def settle(self) -> None:
        """Moves time until nothing is due any more."""
        self.control("POST", "/clock/settle", {})

    def wait_for(self, what: str, where: str) -> Any:
        """The newest "payment", "callback" or "request" for which a condition in CEL holds."""
        return self.control("POST", "/wait", {"for": what, "where": where, "timeout": "20s"})["matches"][0]

    def requests(self, query: str = "") -> list[dict[str, Any]]:
        """What was asked of the service, oldest first."""
        return self.control("GET", f"/requests?limit=1000&{query}")["requests"][::-1]

    def fund(self, amount: float) -> None:
        """Puts shillings into the wallet."""
        whose = {"organisationId": self.credentials["companyId"], "currency": "KES"}
        self.control("POST", "/wallets/fund", {**whose, "amount": amount})

    def available(self) -> float:
        """Shillings in the wallet."""
        for wallet in self.control("GET", "/wallets")["wallets"]:
            if wallet["currency"] == "KES" and wallet["organisationId"] == self.credentials["companyId"]:
                return wallet["available"]
        raise AssertionError("there is no wallet in shillings")

    def close(self) -> None:
        ask("DELETE", f"{mfano_url()}/_mfano/worlds/{self.id}")
