"""Chama's own HTTP interface: for its members and its treasurer, and for the service's callbacks."""

import json
import re
import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .book import Book, Member, Payment
from .books import books_of
from .payments import BANK, Payments
from .rails import PAYOUTS, RAILS, is_incoming
from .service import Clock, PaymentsService
from .settings import Settings
from .signature import is_signed

LARGEST = 1_000_000
"""Shillings, in one payment."""


class ToldClock:
    """A clock that stands until it is told the time."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Refused(Exception):
    """What a caller did wrong, or asked for in vain."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class App:
    """A running Chama. Nothing is done behind your back: call `payments.work` and `payments.reconcile`."""

    def __init__(self, settings: Settings, now: Clock) -> None:
        self.book = Book(settings.database)
        self._settings = settings
        self._now = now
        self._server = _Server(("", settings.port), self._answer)
        self.url = f"http://localhost:{self._server.server_port}"
        service = PaymentsService(settings, now)
        self.payments = Payments(self.book, service, settings, now, settings.public_url or self.url)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self.book.close()

    def _answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        for route_method, pattern, handle in self._routes():
            match = re.fullmatch(pattern, path)
            if match and method == route_method:
                return handle(*match.groups(), headers=headers, body=body)
        raise Refused(404, f"there is no {method} {path}")

    def _routes(self) -> list[tuple[str, str, Callable[..., tuple[int, Any]]]]:
        return [
            ("POST", r"/callbacks/([\w-]+)", self._hear),
            ("POST", r"/members", self._join),
            ("GET", r"/members/(\w+)", self._show_member),
            ("POST", r"/members/(\w+)/contributions", self._contribute),
            ("POST", r"/payouts", self._pay_out),
            ("POST", r"/payouts/([\w-]+)/again", self._pay_out_again),
            ("GET", r"/payments/([\w-]+)", lambda reference, **_: (200, shown(self._payment(reference)))),
            ("POST", r"/tick", self._tick),
            ("GET", r"/books", lambda **_: (200, books_of(self.book, self.payments.strays))),
            ("GET", r"/tasks", lambda **_: (200, self.book.tasks())),
        ]

    def _tick(self, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        """Somebody else keeps the time: it is so late now, and everything that comes round is done."""
        if not isinstance(self._now, ToldClock):
            raise Refused(404, "this Chama has a clock of its own")
        told = datetime.fromisoformat(text_of(fields_of(body), "now"))
        self._now.seconds = told.replace(tzinfo=timezone.utc).timestamp()
        self.payments.work()
        self.payments.reconcile()
        return 200, {"now": self._now.seconds}

    def _hear(self, reference: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        """Written down and answered; `work` looks into it."""
        secret = self._settings.callback_secret
        if secret and not is_signed(headers, body, secret, time.time()):
            raise Refused(401, "the signature is not right")
        if reference != BANK:
            self._payment(reference)
        self.book.hear(reference, body.decode(errors="replace"))
        return 200, {"heard": True}

    def _join(self, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        fields = fields_of(body)
        return 201, vars(self.book.add_member(text_of(fields, "name"), text_of(fields, "phone")))

    def _show_member(self, number: str, **_: Any) -> tuple[int, Any]:
        member = self._member(number)
        tries = [shown(payment) for payment in self.book.tries(number)]
        saved = self.book.savings(number) / 100
        return 200, {**vars(member), "saved": saved, "payments": tries, "messages": self.book.messages(member.phone)}

    def _contribute(self, number: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        """A prompt on the member's phone: one at a time."""
        member = self._member(number)
        amount = amount_of(fields_of(body))
        if amount % 100 != 0:
            raise Refused(400, "amount: a phone is asked for whole shillings")
        with self.book.atomically():
            for known in self.book.tries(number):
                if known.state in ("due", "asked", "pending"):
                    raise Refused(409, f"{number} is being asked already: {known.reference} is {known.state}")
            payment = self.book.add_payment(number, "stk", amount, {"phoneNumber": member.phone}, self._now())
        self.payments.work()
        return 201, shown(self.book.known(payment.reference))

    def _pay_out(self, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        """The same name again is the same payout: the treasurer may click twice."""
        fields = fields_of(body)
        name, way = text_of(fields, "name"), text_of(fields, "way")
        # A member's number begins with a capital letter.
        if not re.fullmatch(r"[a-z][\w-]{0,39}", name):
            raise Refused(400, f"name: expected a small letter and up to 39 letters, digits, - or _, got {name!r}")
        if way not in PAYOUTS:
            raise Refused(400, f"way: expected one of {', '.join(PAYOUTS)}, got {way!r}")
        amount, details = amount_of(fields), details_of(fields, way)
        with self.book.atomically():
            known = self.book.tries(name)
            return 202, shown(known[0] if known else self.book.add_payment(name, way, amount, details, self._now()))

    def _pay_out_again(self, name: str, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        """A person has read why it was not paid, and corrected what was wrong."""
        with self.book.atomically():
            tries = self.book.tries(name)
            if not tries or is_incoming(tries[-1].way):
                raise Refused(404, f"there is no payout {name}")
            last = tries[-1]
            if last.state not in ("failed", "refused", "returned"):
                raise Refused(409, f"{last.reference} is {last.state}, so it must not be paid again")
            details = details_of({**last.details, **fields_of(body)}, last.way)
            return 202, shown(self.book.add_payment(name, last.way, last.amount, details, self._now()))

    def _member(self, number: str) -> Member:
        member = self.book.member(number)
        if member is None:
            raise Refused(404, f"there is no member {number}")
        return member

    def _payment(self, reference: str) -> Payment:
        payment = self.book.payment(reference)
        if payment is None:
            raise Refused(404, f"there is no payment {reference}")
        return payment


def fields_of(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise Refused(400, "expected a JSON object")
    return fields


def text_of(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise Refused(400, f"{name}: expected a text, got {json.dumps(value)}")
    return value


def amount_of(fields: dict[str, Any]) -> int:
    """Shillings, in cents."""
    value = fields.get("amount")
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= LARGEST:
        if abs(value * 100 - round(value * 100)) < 1e-6:
            return round(value * 100)
    raise Refused(400, f"amount: expected shillings with at most two decimals, got {json.dumps(value)}")


def details_of(fields: dict[str, Any], way: str) -> dict[str, str]:
    return {name: text_of(fields, name) for name in RAILS[way].needs}


def shown(payment: Payment) -> dict[str, Any]:
    return {
        "reference": payment.reference,
        "purpose": payment.purpose,
        "way": payment.way,
        "amount": payment.amount / 100,
        "state": payment.state,
        "requestId": payment.request_id,
        "note": payment.note,
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], answer: Callable[..., tuple[int, Any]]) -> None:
        super().__init__(address, _Handler)
        self.answer = answer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._do()

    def do_POST(self) -> None:
        self._do()

    def _do(self) -> None:
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            status, body = self.server.answer(self.command, self.path.partition("?")[0], headers, sent)
        except Refused as refusal:
            status, body = refusal.status, {"error": str(refusal)}
        # Whoever told us something tells us again after a 500.
        except Exception as error:
            status, body = 500, {"error": str(error)}
        answer = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Not every request is news."""
